import { styleText } from 'node:util';
import { type Finding, SEVERITIES, type Severity } from '../core/finding.js';

type Colour = (text: string) => string;

export interface Paint extends Readonly<Record<Severity, Colour>> {
  readonly good: Colour;
  readonly bold: Colour;
  readonly dim: Colour;
}

/** Colours, or none: the session has decided. The text must be made safe first. */
export function paint(isOn: boolean): Paint {
  const colour =
    (style: Parameters<typeof styleText>[0]): Colour =>
    text =>
      isOn && text !== '' ? styleText(style, text, { validateStream: false }) : text;
  return {
    error: colour('red'),
    warning: colour('yellow'),
    info: colour('blue'),
    good: colour('green'),
    bold: colour('bold'),
    dim: colour('dim'),
  };
}

/** `2026-02-03 04:05:06 UTC`. */
export const moment = (stamp: string): string =>
  stamp.replace('T', ' ').replace(/(\.\d+)?Z$/, ' UTC');

/** `2 lockfile, 1 binary`: most frequent first, ties in their original order. */
export function tally(words: readonly string[]): string {
  const counts = new Map<string, number>();
  for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
  return [...counts]
    .sort(([, one], [, other]) => other - one)
    .map(([word, amount]) => `${amount} ${word}`)
    .join(', ');
}

/** By file in the order of the change; within a file the most severe first, then by line. */
export function orderFindings(findings: readonly Finding[]): Finding[] {
  const files = new Map<string, number>();
  for (const { path } of findings) if (!files.has(path)) files.set(path, files.size);
  return findings.toSorted(
    (one, other) =>
      (files.get(one.path) ?? 0) - (files.get(other.path) ?? 0) ||
      SEVERITIES.indexOf(other.severity) - SEVERITIES.indexOf(one.severity) ||
      one.line - other.line ||
      (one.column ?? 0) - (other.column ?? 0),
  );
}

export const worstOf = (findings: readonly Finding[]): Severity | undefined =>
  SEVERITIES.findLast(severity => findings.some(finding => finding.severity === severity));

/** `path:line:column`, which terminals and editors open on a click. Not made safe. */
export const placeOf = ({ path, line, column, side }: Finding): string =>
  `${path}:${line}${column === undefined ? '' : `:${column}`}${side === 'old' ? ' (removed)' : ''}`;
