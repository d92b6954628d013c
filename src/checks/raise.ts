import type { Claim } from '../core/finding.js';
import { ownText } from '../core/own-text.js';
import { redact } from '../core/secrets/redact.js';
import { severityOf } from './rules.js';

/** A claim and whether it stands even in files that are skipped. */
export interface Raised {
  readonly claim: Claim;
  readonly guards: boolean;
}

export interface RaisedPlace {
  readonly path: string;
  readonly line: number;
  readonly column?: number;
  readonly endColumn?: number;
  /** The line's text, where it is known. */
  readonly text?: string;
}

/** Longer lines are quoted around the place that matters. */
const WHOLE_EVIDENCE = 1000;

export function raise(
  place: RaisedPlace,
  hit: { readonly rule: string; readonly message: string },
  guards: boolean,
): Raised {
  const { path, line, column, endColumn, text } = place;
  return {
    guards,
    claim: {
      path,
      line,
      endLine: line,
      ...(column === undefined ? {} : { column }),
      ...(endColumn === undefined ? {} : { endColumn }),
      side: 'new',
      severity: severityOf(hit.rule),
      rule: hit.rule,
      message: hit.message,
      source: 'check',
      confidence: 1,
      ...(text === undefined ? {} : { evidence: ownText(redact(excerpt(text, column ?? 1))) }),
    },
  };
}

/** The whole line, or of a very long one the part around the hit, whose columns then do not fit. */
function excerpt(text: string, column: number): string {
  if (text.length <= WHOLE_EVIDENCE) return text;
  const from = column <= WHOLE_EVIDENCE / 2 ? 0 : column - 1 - WHOLE_EVIDENCE / 4;
  return text.slice(from, from + WHOLE_EVIDENCE / 2);
}
