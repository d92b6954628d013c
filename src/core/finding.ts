import { createHash } from 'node:crypto';
import { pathToBytes } from './path-bytes.js';

export const SEVERITIES = ['info', 'warning', 'error'] as const;
export type Severity = (typeof SEVERITIES)[number];

export type Source = 'check' | 'linter' | 'model' | 'rule';

/** A finding without its id. Columns are 1-based UTF-16 units. */
export interface FindingWithoutId {
  readonly path: string;
  readonly line: number;
  readonly endLine: number;
  readonly column?: number;
  /** Exclusive. */
  readonly endColumn?: number;
  readonly side: 'new' | 'old';
  readonly severity: Severity;
  readonly rule: string;
  readonly message: string;
  readonly source: Source;
  readonly confidence: number;
  /** The line as in the file, with secrets masked in place so that columns still match. */
  readonly evidence?: string;
  readonly suggestion?: Suggestion;
}

export interface Suggestion {
  readonly startLine: number;
  readonly endLine: number;
  readonly text: string;
}

/** A claim with an id that survives a rebase. */
export interface Finding extends FindingWithoutId {
  readonly id: string;
}

export interface Rejection {
  readonly reason: string;
  readonly finding: Finding;
}

export const atLeast = (severity: Severity, floor: Severity): boolean =>
  SEVERITIES.indexOf(severity) >= SEVERITIES.indexOf(floor);

/** Gives claims their ids, in order. */
export const nameFindings = (claims: readonly FindingWithoutId[]): Finding[] =>
  claims.map(findingNamer());

/**
 * Gives one claim after the other its id, which depends on path, rule, the line's text without white
 * space, and its ordinal among equal ones; never on line numbers.
 */
export function findingNamer(): (claim: FindingWithoutId) => Finding {
  const seen = new Map<string, number>();
  return claim => {
    const anchor = (claim.evidence ?? '').replace(/\s+/g, '');
    const key = [claim.path, claim.rule, anchor].join('\0');
    const ordinal = seen.get(key) ?? 0;
    seen.set(key, ordinal + 1);
    // By its bytes: as text, two names that aren't UTF-8 could look the same.
    const hash = createHash('sha256').update(pathToBytes(claim.path));
    hash.update(`\0${claim.rule}\0${anchor}\0${ordinal}`);
    return { id: hash.digest('hex').slice(0, 16), ...claim };
  };
}

/** Sixteen hexadecimal digits that identify a text. */
export const fingerprint = (text: string): string =>
  createHash('sha256').update(text).digest('hex').slice(0, 16);
