import { createHash } from 'node:crypto';
import type { RE2JSSyntaxException } from 're2js';
import { BotError } from '../core/bot-error.js';
import { SEVERITIES, type Severity } from '../core/finding.js';
import { isObject } from '../core/json-fields.js';
import { shown, suggestion } from '../core/nearest.js';
import type { Git } from '../git/git.js';
import { untrackedFiles } from '../git/work-tree.js';
import { namesIn, readTextIn } from '../platform/files.js';
import { globMatcher } from '../platform/globs.js';
import { forTerminal } from '../platform/safe-text.js';
import { syntaxYaml } from '../platform/syntax-yaml.js';
import { RULES_FOLDER } from './find.js';

export interface RulesLocation {
  readonly git: Git | undefined;
  /** On a pull request: the commit to read the rules from, whatever the change does to them. */
  readonly base: string | undefined;
  /** `review.rules` of the configuration: more rule files. */
  readonly more: readonly string[];
}

export interface OpenedRules {
  readonly rules: readonly RuleFile[];
  appliesTo(rule: RuleFile, path: string, addedLines: Iterable<string>): boolean;
  /** Judges the path alone, without the lines. */
  isMeant(rule: RuleFile, path: string): boolean;
}

const ENDING = '.md';

/** The rules to trust here: of the base commit, or of the work tree (bare: of HEAD). */
export async function openRules(place: RulesLocation): Promise<OpenedRules> {
  const rules: RuleFile[] = [];
  const problems: string[] = [];
  const origins = new Map<string, string>();
  for (const { path, text } of await readAll(place)) {
    const name = nameOf(path);
    const parsed = await parseRule(name, await frontMatter(text));
    const first = origins.get(name);
    origins.set(name, path);
    if (first !== undefined) problems.push(`${path}: ${first} already has the same name`);
    if (parsed.ok) rules.push(parsed.rule);
    else problems.push(...parsed.problems.map(problem => `${path}: ${problem}`));
  }
  if (problems.length > 0) {
    throw new BotError('config', `rules:\n${problems.map(line => `  ${line}`).join('\n')}`, {
      hint: 'A rule has paths, severity and when between two lines of ---, then one question',
    });
  }
  return toOpened(rules);
}

async function toOpened(rules: readonly RuleFile[]): Promise<OpenedRules> {
  const paths = new Map<RuleFile, (path: string) => boolean>();
  for (const rule of rules) {
    if (rule.paths.length > 0) paths.set(rule, await globMatcher(rule.paths));
  }
  const isMeant = (rule: RuleFile, path: string): boolean => paths.get(rule)?.(path) ?? true;
  return {
    rules,
    isMeant,
    appliesTo: (rule, path, addedLines) => {
      if (!isMeant(rule, path)) return false;
      const { when } = rule;
      return when === undefined || [...addedLines].some(line => when.matches(line));
    },
  };
}

type RuleText = Readonly<Record<'path' | 'text', string>>;

async function readAll(place: RulesLocation): Promise<RuleText[]> {
  const { git, base } = place;
  if (git === undefined) return [];
  const { top, head } = git.repository;
  const commit = base ?? (top === undefined ? head : undefined);
  if (commit !== undefined) return readCommit(place, git, commit);
  return top === undefined ? [] : readWorkTree(place, git, top);
}

async function readCommit({ more }: RulesLocation, git: Git, at: string): Promise<RuleText[]> {
  const isRule = await globMatcher([`${RULES_FOLDER}/*${ENDING}`, ...more]);
  const texts: RuleText[] = [];
  for (const path of (await git.listPaths(at)).filter(each => isRule(each))) {
    const bytes = await git.readFile(at, path);
    if (bytes !== undefined) texts.push({ path, text: new TextDecoder().decode(bytes) });
  }
  return texts;
}

async function readWorkTree(place: RulesLocation, git: Git, top: string): Promise<RuleText[]> {
  const names = namesIn(`${top}/${RULES_FOLDER}`);
  const own = names.filter(name => name.endsWith(ENDING)).map(name => `${RULES_FOLDER}/${name}`);
  const texts: RuleText[] = [];
  for (const path of new Set([...own.sort(), ...(await named(place, git))])) {
    const text = await readTextIn(top, path);
    if (text !== undefined) texts.push({ path, text });
  }
  return texts;
}

/** Listing every file is only needed if the configuration names more rules. */
async function named({ more }: RulesLocation, git: Git): Promise<readonly string[]> {
  if (more.length === 0) return [];
  const isRule = await globMatcher(more);
  const paths = [...(await git.listPaths('index')), ...(await untrackedFiles(git.context))];
  return paths.filter(path => isRule(path));
}

const nameOf = (path: string): string => {
  const file = path.slice(path.lastIndexOf('/') + 1);
  return file.endsWith(ENDING) ? file.slice(0, -ENDING.length) : file;
};

/** `plan --explain PATH`: which rules apply to a file, and why the others don't. */
export function explainRules(opened: OpenedRules, path: string): string {
  const { rules } = opened;
  const meant = rules.filter(rule => opened.isMeant(rule, path));
  const rows = rules.map(
    rule => `  ${forTerminal(`${rule.name}: ${reasonOf(rule, meant.includes(rule))}`)}`,
  );
  const head = `${forTerminal(path)}: ${meant.length} of ${rules.length} rules apply`;
  return [rules.length === 0 ? `${forTerminal(path)}: there are no rules` : head, ...rows, ''].join(
    '\n',
  );
}

function reasonOf({ paths, when, severity }: RuleFile, isMeant: boolean): string {
  const globs = paths.join(', ');
  if (!isMeant) return `not asked, none of its paths match (${globs})`;
  const why =
    paths.length === 0
      ? 'it names no paths, so it applies to every file'
      : `its paths match (${globs})`;
  const lines =
    when === undefined ? 'of every change' : `where an added line matches ${when.source}`;
  return `asked ${lines}, ${why}; severity ${severity}`;
}

/** A rule file split into its parts, not yet checked. */
interface FrontMatter {
  readonly values: Readonly<Record<string, unknown>>;
  readonly body: string;
  /** Why there aren't any values. */
  readonly problems: readonly string[];
  /** Of the whole file. */
  readonly digest: string;
}

export type ParsedRule =
  | { readonly ok: true; readonly rule: RuleFile }
  | { readonly ok: false; readonly problems: readonly string[] };

const KEYS = ['paths', 'severity', 'when'];
/** Question and change share one small context window: about 1,000 tokens. */
const MAX_BODY = 4000;
/** A finding's rule must print well in every report. */
const NAME = /^[^\s\p{C}]{1,100}$/u;

/** The rule, or everything that is wrong with it. */
export async function parseRule(
  name: string,
  { values, body, problems, digest }: FrontMatter,
): Promise<ParsedRule> {
  const found = [...problems];
  const note = (problem: string): void => void found.push(problem);
  if (!NAME.test(name)) note(`the name ${shown(name)} must not contain white space`);
  for (const key of Object.keys(values)) {
    if (!KEYS.includes(key)) note(`unknown key ${shown(key)}${suggestion(key, KEYS)}`);
  }
  const paths = pathsIn(values['paths'], note);
  const severity = severityIn(values['severity'], note);
  const when = await whenIn(values['when'], note);
  if (body === '') note('there is no question after the front matter');
  if (body.length > MAX_BODY) {
    note(`the question has ${body.length} characters, at most ${MAX_BODY} fit with a change`);
  }
  if (found.length > 0) return { ok: false, problems: found };
  return { ok: true, rule: { name, paths, severity, when, body, digest } };
}

type Note = (problem: string) => void;

/** One glob or several. */
function pathsIn(value: unknown, note: Note): readonly string[] {
  if (value === undefined) return [];
  const globs: readonly unknown[] = Array.isArray(value) ? value : [value];
  if (globs.length === 0) note('paths: must name a glob such as "src/**", found []');
  return globs.filter((glob): glob is string => {
    if (typeof glob === 'string' && glob.trim() !== '') return true;
    note(`paths: must be globs such as "src/**", found ${shown(glob)}`);
    return false;
  });
}

function severityIn(value: unknown, note: Note): Severity {
  if (value === undefined) return 'warning';
  const known = SEVERITIES.find(severity => severity === value);
  if (known !== undefined) return known;
  const hint = typeof value === 'string' ? suggestion(value, SEVERITIES) : '';
  note(`severity: must be one of ${SEVERITIES.join(', ')}, found ${shown(value)}${hint}`);
  return 'warning';
}

async function whenIn(value: unknown, note: Note): Promise<LinePattern | undefined> {
  if (value === undefined) return undefined;
  if (typeof value !== 'string') {
    note(`when: must be a regular expression in single quotes, found ${shown(value)}`);
    return undefined;
  }
  if (/\p{Cc}/u.test(value)) {
    const why = 'YAML reads backslashes in double quotes itself; use single quotes';
    note(`when: contains a control character, found ${shown(value)}; ${why}`);
    return undefined;
  }
  const pattern = await linePattern(value);
  if (typeof pattern !== 'string') return pattern;
  note(`when: ${pattern}, found ${shown(value)}`);
  return undefined;
}

/** `.apfel-bot/rules/*.md`: one closed question of the user's own. */
export interface RuleFile {
  /** The file's name without its extension; the finding's rule is `rule/<name>`. */
  readonly name: string;
  /** Globs; empty for every file. */
  readonly paths: readonly string[];
  readonly severity: Severity;
  /** Must match an added line, otherwise the question isn't asked. */
  readonly when: LinePattern | undefined;
  readonly body: string;
  /** Of the whole file, so that a changed rule is asked again. */
  readonly digest: string;
}

/** Enough for three keys, and too small to be nested deeply. */
const MAX_CHARACTERS = 4096;

/** The YAML block between two lines of `---`, with all values as strings, and the text after it. */
export async function frontMatter(text: string): Promise<FrontMatter> {
  const digest = createHash('sha256').update(text).digest('hex');
  const lines = text
    .replace(/^\ufeff/, '')
    .replaceAll('\r\n', '\n')
    .split('\n');
  if (lines[0]?.trimEnd() !== '---') {
    return { values: {}, body: lines.join('\n').trim(), problems: [], digest };
  }
  const end = lines.findIndex((line, at) => at > 0 && line.trimEnd() === '---');
  const block = lines.slice(1, end).join('\n');
  const body = lines
    .slice(end + 1)
    .join('\n')
    .trim();
  const broken = (problem: string): FrontMatter => ({
    values: {},
    body,
    problems: [problem],
    digest,
  });
  if (end === -1)
    return { ...broken('the front matter has no second line of ---'), body: 'unknown' };
  if (block.length > MAX_CHARACTERS) {
    return broken(
      `the front matter has ${block.length} characters, at most ${MAX_CHARACTERS} are allowed`,
    );
  }
  const problem = await syntaxYaml(block);
  if (problem !== undefined) {
    return broken(
      `line ${problem.line + 1}: the front matter isn't valid YAML: ${problem.message}`,
    );
  }
  const values = await parse(block);
  return isObject(values)
    ? { values, body, problems: [], digest }
    : broken('the front matter must be keys and values such as severity: error');
}

async function parse(block: string): Promise<unknown> {
  const { parse } = await import('yaml');
  try {
    // This schema converts nothing: `no`, `1.0` and `null` stay strings.
    return parse(block, { schema: 'failsafe', logLevel: 'silent' }) ?? {};
  } catch {
    // Too many aliases or a mapping as a key: a rule has neither.
    return undefined;
  }
}

/** A rule's `when`: must match an added line. */
interface LinePattern {
  readonly source: string;
  matches(line: string): boolean;
}

/** Compiling a longer one can take seconds. */
const MAX_PATTERN = 200;
/** Time per character of a line grows with this; ordinary patterns compile to fewer than 100. */
const MAX_INSTRUCTIONS = 1000;
/** Longer lines aren't code. They aren't searched: the question is asked. */
const MAX_LINE = 10_000;

/** The pattern, or what is wrong with it. RE2 runs in linear time, whatever is on the line. */
export async function linePattern(source: string): Promise<LinePattern | string> {
  if (source === '') return 'it is empty';
  if (source.length > MAX_PATTERN)
    return `it has ${source.length} characters, at most ${MAX_PATTERN} are allowed`;
  // RE2 would read `\k<name>` as these letters.
  if (/(?<!\\)(?:\\\\)*\\(?:[1-9]|k<)/.test(source)) return BACKREFERENCE;
  const { RE2JS } = await import('re2js');
  try {
    const pattern = RE2JS.compile(RE2JS.translateRegExp(source));
    if (pattern.programSize() > MAX_INSTRUCTIONS)
      return 'it is too large; use smaller repeat counts, or * and +';
    return { source, matches: line => line.length > MAX_LINE || pattern.test(line) };
  } catch (thrown) {
    if (!isSyntaxError(thrown)) throw thrown;
    const { error, input } = thrown;
    if (/^\(\?<?[=!]/.test(input ?? '')) return LOOKAROUND;
    return `it doesn't parse: ${error}${input ? ` at ${JSON.stringify(input)}` : ''}`;
  }
}

const BACKREFERENCE =
  'back-references such as \\1 and \\k<name> are not supported; write the alternatives out, as in "[^"]*"|\'[^\']*\'';
const LOOKAROUND =
  'look-ahead and look-behind are not supported; match the text itself, as in "return await" for "(?<=return )await"';

const isSyntaxError = (thrown: unknown): thrown is RE2JSSyntaxException =>
  thrown instanceof Error && thrown.name === 'RE2JSSyntaxException';
