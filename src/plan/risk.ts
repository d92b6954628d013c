import type { KeptHunk } from '../core/bite.js';
import type { Claim } from '../core/finding.js';

/** Where a mistake costs most. */
const SENSITIVE =
  /auth|login|passw|secret|token|crypt|session|permission|access|sql|query|exec|spawn|eval|payment|billing|upload|sanitiz|escape|migrat|\.github\//i;
/** Where it costs least. */
const HARMLESS =
  /(^|\/)(tests?|__tests__|specs?|docs?|examples?|fixtures?)\/|\.(md|txt|rst|css|scss|svg)$/i;

/** How urgently a hunk wants a reader: what checks touched, where it is, how much is new. */
export function riskOf(hunk: KeptHunk, claims: ReadonlyMap<string, readonly Claim[]>): number {
  const added = hunk.lines.filter(line => line.kind === 'added');
  const lines = new Set(added.map(line => line.newLine));
  const touched = (claims.get(hunk.path) ?? []).filter(claim => lines.has(claim.line)).length;
  const place = SENSITIVE.test(hunk.path) ? 20 : 0;
  const calm = HARMLESS.test(hunk.path) ? -20 : 0;
  // Ten times as much new text is one step more to worry about.
  return 10 * Math.min(3, touched) + place + calm + 5 * Math.log10(1 + added.length);
}
