import type { Config } from '../config.js';
import {
  type Claim,
  type Finding,
  nameFindings,
  type Rejection,
  SEVERITIES,
} from '../core/finding.js';
import { silences } from '../core/ignore-line.js';
import type { Ignores, Survey } from '../core/survey.js';
import type { Globs } from '../world.js';
import { gradeClaims } from './grade.js';

/** What holds, and what was rejected and why. */
export interface Verdict {
  readonly findings: readonly Finding[];
  readonly rejected: readonly Rejection[];
}

/** Draft → Verdict. Keeps a claim only if it is wanted, new and not silenced; adds nothing. */
export async function verify(survey: Survey, config: Config, globs: Globs): Promise<Verdict> {
  const graded = await gradeClaims(survey.claims, config.checks, globs);
  const named = nameFindings(graded.toSorted(byPlace));
  const findings: Finding[] = [];
  const rejected: Rejection[] = [];
  const places = new Set<string>();
  for (const finding of named) {
    const place = [finding.path, finding.line, finding.column, finding.rule].join('\0');
    const reason = rejectionOf(finding, survey.ignores.get(finding.path), places.has(place));
    places.add(place);
    if (reason === undefined) findings.push(finding);
    else rejected.push({ reason, finding });
  }
  return capped(findings, rejected, config.review.maxFindings);
}

function rejectionOf(
  finding: Finding,
  ignores: Ignores | undefined,
  isRepeated: boolean,
): string | undefined {
  const named = [finding.line, finding.line - 1].flatMap(line => ignores?.get(line) ?? []);
  if (named.some(rule => silences(rule, finding.rule))) return 'ignored-inline';
  return isRepeated ? 'duplicate' : undefined;
}

/** Beyond the cap the least severe go first, and are counted. */
function capped(findings: Finding[], rejected: Rejection[], most: number): Verdict {
  if (findings.length <= most) return { findings, rejected };
  const bySeverity = findings.toSorted((one, other) => rank(other) - rank(one));
  const kept = new Set(bySeverity.slice(0, most));
  const over = findings.filter(finding => !kept.has(finding));
  return {
    findings: findings.filter(finding => kept.has(finding)),
    rejected: [...rejected, ...over.map(finding => ({ reason: 'max-findings', finding }))],
  };
}

const rank = (claim: Claim): number => SEVERITIES.indexOf(claim.severity);

/** By path as git orders them, then by line and column. */
const byPlace = (one: Claim, other: Claim): number =>
  compare(one.path, other.path) ||
  one.line - other.line ||
  (one.column ?? 0) - (other.column ?? 0) ||
  rank(other) - rank(one);

const compare = (one: string, other: string): number => {
  if (one === other) return 0;
  return one < other ? -1 : 1;
};
