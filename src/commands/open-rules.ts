import { frontMatter } from '../adapters/front-matter.js';
import { ruleFolder } from '../adapters/rule-folder.js';
import { BotError } from '../core/failure.js';
import { forTerminal } from '../core/neutralise.js';
import type { RuleFile } from '../core/rule-file.js';
import { lineMatcher } from '../trigger/line-matcher.js';
import { parseRule } from '../trigger/parse-rule.js';
import type { Files, Git, Globs } from '../world.js';

export interface RulesPlace {
  readonly git: Git | undefined;
  readonly files: Files;
  readonly globs: Globs;
  /** On a pull request: the commit whose rules count, whatever the change says. */
  readonly base: string | undefined;
  /** `review.rules` of the configuration: more rule files. */
  readonly more: readonly string[];
}

export interface OpenedRules {
  readonly rules: readonly RuleFile[];
  appliesTo(rule: RuleFile, path: string, addedLines: Iterable<string>): boolean;
  /** Only whether the path is meant; lines are not known. */
  isMeant(rule: RuleFile, path: string): boolean;
}

const FOLDER = '.apfel-bot/rules';
const ENDING = '.md';

/** Rules that may be believed here: of the base commit, or of the work tree (bare: of HEAD). */
export async function openRules(place: RulesPlace): Promise<OpenedRules> {
  const rules: RuleFile[] = [];
  const problems: string[] = [];
  const origins = new Map<string, string>();
  for (const { path, text } of await readAll(place)) {
    const name = nameOf(path);
    const parsed = parseRule(name, await frontMatter(text));
    const first = origins.get(name);
    origins.set(name, path);
    if (first !== undefined) problems.push(`${path}: ${first} has the same name already`);
    if (parsed.ok) rules.push(parsed.rule);
    else problems.push(...parsed.problems.map(problem => `${path}: ${problem}`));
  }
  if (problems.length > 0) {
    throw new BotError('config', `rules:\n${problems.map(line => `  ${line}`).join('\n')}`, {
      hint: 'A rule has paths, severity and when between two lines of ---, then one question',
    });
  }
  return toOpened(rules, place.globs);
}

async function toOpened(rules: readonly RuleFile[], globs: Globs): Promise<OpenedRules> {
  const paths = new Map<RuleFile, (path: string) => boolean>();
  const lines = new Map<RuleFile, (line: string) => boolean>();
  for (const rule of rules) {
    if (rule.paths.length > 0) paths.set(rule, await globs.matcher(rule.paths));
    if (rule.when !== undefined) lines.set(rule, lineMatcher(rule.when));
  }
  const isMeant = (rule: RuleFile, path: string): boolean => paths.get(rule)?.(path) ?? true;
  return {
    rules,
    isMeant,
    appliesTo: (rule, path, addedLines) => {
      if (!isMeant(rule, path)) return false;
      const matches = lines.get(rule);
      return matches === undefined || [...addedLines].some(matches);
    },
  };
}

interface RuleText {
  readonly path: string;
  readonly text: string;
}

async function readAll(place: RulesPlace): Promise<RuleText[]> {
  const { git, base } = place;
  if (git === undefined) return [];
  const { top, head } = git.repository;
  const commit = base ?? (top === undefined ? head : undefined);
  if (commit !== undefined) return readCommit(place, git, commit);
  return top === undefined ? [] : readWorkTree(place, git, top);
}

async function readCommit({ globs, more }: RulesPlace, git: Git, at: string): Promise<RuleText[]> {
  const isRule = await globs.matcher([`${FOLDER}/*${ENDING}`, ...more]);
  const texts: RuleText[] = [];
  for (const path of (await git.listPaths(at)).filter(each => isRule(each))) {
    const bytes = await git.readFile(at, path);
    if (bytes !== undefined) texts.push({ path, text: new TextDecoder().decode(bytes) });
  }
  return texts;
}

async function readWorkTree(place: RulesPlace, git: Git, top: string): Promise<RuleText[]> {
  const names = await ruleFolder.names(`${top}/${FOLDER}`);
  const own = names.filter(name => name.endsWith(ENDING)).map(name => `${FOLDER}/${name}`);
  const texts: RuleText[] = [];
  for (const path of new Set([...own.sort(), ...(await tracked(place, git))])) {
    if (!(await ruleFolder.isPlainFile(top, path))) continue;
    const text = await place.files.read(`${top}/${path}`);
    if (text !== undefined) texts.push({ path, text });
  }
  return texts;
}

/** Listing everything is only worth it when somebody has asked for more than the usual folder. */
async function tracked({ globs, more }: RulesPlace, git: Git): Promise<readonly string[]> {
  if (more.length === 0) return [];
  const isRule = await globs.matcher(more);
  return (await git.listPaths('index')).filter(path => isRule(path));
}

const nameOf = (path: string): string => {
  const file = path.slice(path.lastIndexOf('/') + 1);
  return file.endsWith(ENDING) ? file.slice(0, -ENDING.length) : file;
};

/** `plan --explain PATH`: which rules are put to a file, and why the others are not. */
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
  if (!isMeant) return `not asked, none of its paths matches (${globs})`;
  const why =
    paths.length === 0
      ? 'it names no paths, so it is for every file'
      : `its paths match (${globs})`;
  const lines =
    when === undefined ? 'of every change' : `where an added line matches ${when.source}`;
  return `asked ${lines}, ${why}; severity ${severity}`;
}
