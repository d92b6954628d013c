import { type Finding, SEVERITIES, type Severity } from '../core/finding.js';

type Brush = (text: string) => string;

export interface Paint extends Readonly<Record<Severity, Brush>> {
  readonly good: Brush;
  readonly bold: Brush;
  readonly dim: Brush;
}

/** Colours by ANSI SGR, or none at all. Text comes in already neutralised. */
export function paint(isOn: boolean): Paint {
  const brush =
    (code: number, end: number): Brush =>
    text =>
      isOn && text !== '' ? `\x1b[${code}m${text}\x1b[${end}m` : text;
  return {
    error: brush(31, 39),
    warning: brush(33, 39),
    info: brush(34, 39),
    good: brush(32, 39),
    bold: brush(1, 22),
    dim: brush(2, 22),
  };
}

/** `1 hunk`, `2 hunks`. */
export const count = (amount: number, noun: string): string =>
  `${amount} ${noun}${amount === 1 ? '' : 's'}`;

/** `2 lockfile, 1 binary`: the most frequent first, equal ones in the order they came. */
export function tally(words: readonly string[]): string {
  const counts = new Map<string, number>();
  for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
  return [...counts]
    .sort(([, one], [, other]) => other - one)
    .map(([word, amount]) => `${amount} ${word}`)
    .join(', ');
}

/** File by file in the order of the change; inside a file the gravest first, then by line. */
export function orderFindings(findings: readonly Finding[]): Finding[] {
  const files = new Map<string, Finding[]>();
  for (const finding of findings) {
    const file = files.get(finding.path);
    if (file === undefined) files.set(finding.path, [finding]);
    else file.push(finding);
  }
  return [...files.values()].flatMap(file => file.sort(inFile));
}

const inFile = (one: Finding, other: Finding): number =>
  SEVERITIES.indexOf(other.severity) - SEVERITIES.indexOf(one.severity) ||
  one.line - other.line ||
  (one.column ?? 0) - (other.column ?? 0);

/** `path:line:column`, the form that terminals and editors open on a click. Not neutralised. */
export const placeOf = (finding: Finding): string =>
  `${finding.path}:${finding.line}${finding.column === undefined ? '' : `:${finding.column}`}`;
