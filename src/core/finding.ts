import { createHash } from 'node:crypto';
import { pathToBytes } from './path-bytes.js';

export const SEVERITIES = ['info', 'warning', 'error'] as const;
export type Severity = (typeof SEVERITIES)[number];

export type Source = 'check' | 'linter' | 'model' | 'rule';

/** A claim about one place of the new side, not yet named. Columns are 1-based UTF-16 units. */
export interface Claim {
  readonly path: string;
  readonly line: number;
  readonly endLine: number;
  readonly column?: number;
  /** Just behind the last character. */
  readonly endColumn?: number;
  readonly side: 'new' | 'old';
  readonly severity: Severity;
  readonly rule: string;
  readonly message: string;
  readonly source: Source;
  readonly confidence: number;
  /** The line as it stands in the file, secrets masked, so that columns still fit. */
  readonly evidence?: string;
  readonly suggestion?: Suggestion;
}

export interface Suggestion {
  readonly startLine: number;
  readonly endLine: number;
  readonly text: string;
}

/** A claim with an identity that survives a rebase. */
export interface Finding extends Claim {
  readonly id: string;
}

export interface Rejection {
  readonly reason: string;
  readonly finding: Finding;
}

export const atLeast = (severity: Severity, floor: Severity): boolean =>
  SEVERITIES.indexOf(severity) >= SEVERITIES.indexOf(floor);

/** Names claims in the order they stand. */
export const nameFindings = (claims: readonly Claim[]): Finding[] => claims.map(findingNamer());

/**
 * Names one claim after the other. The id depends on path, rule, the anchored text without its
 * white space, and the ordinal among equal anchors; never on line numbers.
 */
export function findingNamer(): (claim: Claim) => Finding {
  const seen = new Map<string, number>();
  return claim => {
    const anchor = (claim.evidence ?? '').replace(/\s+/g, '');
    const key = [claim.path, claim.rule, anchor].join('\0');
    const ordinal = seen.get(key) ?? 0;
    seen.set(key, ordinal + 1);
    // By its bytes: as text, two names that are no UTF-8 could look the same.
    const hash = createHash('sha256').update(pathToBytes(claim.path));
    hash.update(`\0${claim.rule}\0${anchor}\0${ordinal}`);
    return { id: hash.digest('hex').slice(0, 16), ...claim };
  };
}

/** Sixteen hexadecimal digits that tell one text from another. */
export const fingerprint = (text: string): string =>
  createHash('sha256').update(text).digest('hex').slice(0, 16);
