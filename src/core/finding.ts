import { createHash } from 'node:crypto';
import type { OutcomeFile } from '../generated/shapes.js';
import { pathToBytes } from './path-bytes.js';

export const SEVERITIES = ['info', 'warning', 'error'] as const;
export type Severity = (typeof SEVERITIES)[number];

export type Rejection = Required<OutcomeFile>['rejected'][number];
export type Finding = Required<OutcomeFile>['findings'][number];
export type FindingWithoutId = Omit<Finding, 'id'>;
export type Source = Finding['source'];
export type Suggestion = NonNullable<Finding['suggestion']>;

export const atLeast = (severity: Severity, floor: Severity): boolean =>
  SEVERITIES.indexOf(severity) >= SEVERITIES.indexOf(floor);

/** From which severity findings count as a failure. */
export type FailOn = Severity | 'never';

export const isFailing = ({ severity }: Pick<Finding, 'severity'>, failOn: FailOn): boolean =>
  failOn !== 'never' && atLeast(severity, failOn);

/** Adds ids to findings, in order. */
export const nameFindings = (candidates: readonly FindingWithoutId[]): Finding[] =>
  candidates.map(findingNamer());

/**
 * Adds an id to one finding after another. It depends on path, rule, the line's text without white
 * space, and its ordinal among equal ones; never on line numbers.
 */
export function findingNamer(): (candidate: FindingWithoutId) => Finding {
  const seen = new Map<string, number>();
  return candidate => {
    const anchor = withoutSpace(candidate.evidence ?? '');
    const key = [candidate.path, candidate.rule, anchor].join('\0');
    const ordinal = seen.get(key) ?? 0;
    seen.set(key, ordinal + 1);
    // By its bytes: as text, two names that aren't UTF-8 could look the same.
    const hash = createHash('sha256').update(pathToBytes(candidate.path));
    hash.update(`\0${candidate.rule}\0${anchor}\0${ordinal}`);
    return { id: hash.digest('hex').slice(0, 16), ...candidate };
  };
}

/** Quotes are compared without white space, which models and formatters change freely. */
export const withoutSpace = (text: string): string => text.replace(/\s+/g, '');

/** Sixteen hexadecimal digits that identify a text. */
export const fingerprint = (text: string): string =>
  createHash('sha256').update(text).digest('hex').slice(0, 16);
