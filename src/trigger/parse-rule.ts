import { SEVERITIES, type Severity } from '../core/finding.js';
import type { RuleFile } from '../core/rule-file.js';
import { suggestion } from '../core/schema-problem.js';
import { safePattern } from './safe-pattern.js';

/** A rule file, taken apart but not yet understood. */
export interface FrontMatter {
  readonly values: Readonly<Record<string, unknown>>;
  readonly body: string;
  /** Why there are no values. */
  readonly problems: readonly string[];
  /** Of the whole file. */
  readonly digest: string;
}

export type ParsedRule =
  | { readonly ok: true; readonly rule: RuleFile }
  | { readonly ok: false; readonly problems: readonly string[] };

const KEYS = ['paths', 'severity', 'when'];
/** The question is put beside a change into one small window: some 1,000 tokens. */
const MOST_BODY = 4000;
/** What a finding's rule may be called, so that every report can print it. */
const NAME = /^[^\s\p{C}]{1,100}$/u;

/** Name and front matter → RuleFile, or everything that is wrong with it. */
export function parseRule(
  name: string,
  { values, body, problems, digest }: FrontMatter,
): ParsedRule {
  const found = [...problems];
  const note = (problem: string): void => void found.push(problem);
  if (!NAME.test(name)) note(`the name ${shown(name)} must be without white space`);
  for (const key of Object.keys(values)) {
    if (!KEYS.includes(key)) note(`unknown key ${shown(key)}${suggestion(key, KEYS)}`);
  }
  const paths = pathsIn(values['paths'], note);
  const severity = severityIn(values['severity'], note);
  const when = whenIn(values['when'], note);
  if (body === '') note('there is no question below the front matter');
  if (body.length > MOST_BODY) {
    note(`the question has ${body.length} characters, at most ${MOST_BODY} fit beside a change`);
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

function whenIn(value: unknown, note: Note): RegExp | undefined {
  if (value === undefined) return undefined;
  if (typeof value !== 'string') {
    note(`when: must be a regular expression in single quotes, found ${shown(value)}`);
    return undefined;
  }
  if (/\p{Cc}/u.test(value)) {
    const why = 'in double quotes YAML reads a backslash itself; use single quotes';
    note(`when: holds a control character, found ${shown(value)}; ${why}`);
    return undefined;
  }
  const safe = safePattern(value);
  if (safe.ok) return safe.pattern;
  note(`when: ${safe.problem}, found ${shown(value)}`);
  return undefined;
}

/** Enough to find it. */
const MOST_SHOWN = 80;

function shown(value: unknown): string {
  const text = JSON.stringify(value) ?? 'nothing';
  return text.length > MOST_SHOWN ? `${text.slice(0, MOST_SHOWN)}…` : text;
}
