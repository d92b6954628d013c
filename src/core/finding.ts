import { createHash } from 'node:crypto';

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

/**
 * Names claims in the order they stand. The id depends on path, rule, the anchored text without its
 * white space, and the ordinal among equal anchors; never on line numbers.
 */
export function nameFindings(claims: readonly Claim[]): Finding[] {
  const seen = new Map<string, number>();
  return claims.map(claim => {
    const anchor = (claim.evidence ?? '').replace(/\s+/g, '');
    const key = [claim.path, claim.rule, anchor].join('\0');
    const ordinal = seen.get(key) ?? 0;
    seen.set(key, ordinal + 1);
    const id = createHash('sha256').update(`${key}\0${ordinal}`).digest('hex').slice(0, 16);
    return { id, ...claim };
  });
}
