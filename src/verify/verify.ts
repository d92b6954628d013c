import type { Config } from '../config.js';
import {
  type Claim,
  type Finding,
  findingNamer,
  nameFindings,
  type Rejection,
  SEVERITIES,
} from '../core/finding.js';
import { silences } from '../core/ignore-line.js';
import type { RejectedClaim } from '../core/review-draft.js';
import type { Ignores } from '../core/survey.js';
import type { World } from '../world.js';
import { gradeClaims } from './grade.js';

/** What holds, and what was rejected and why. */
export interface Verdict {
  readonly findings: readonly Finding[];
  readonly rejected: readonly Rejection[];
}

/** What checks and model claim, and what was already found not to hold. */
export interface Draft {
  readonly claims: readonly Claim[];
  readonly rejected: readonly RejectedClaim[];
  readonly ignores: ReadonlyMap<string, Ignores>;
}

/** Draft → Verdict. Keeps a claim only if it is wanted, new and not silenced; adds nothing. */
export async function verify(
  draft: Draft,
  config: Config,
  { globs, clock }: Pick<World, 'globs' | 'clock'>,
): Promise<Verdict> {
  const graded = await gradeClaims(draft.claims, config.checks, globs);
  const nameFinding = findingNamer();
  const findings: Finding[] = [];
  const rejected: Rejection[] = nameFindings(draft.rejected.map(({ claim }) => claim)).map(
    (finding, at) => ({ reason: draft.rejected[at]?.reason ?? '', finding }),
  );
  const places = new Set<string>();
  for (const claim of graded.toSorted(byPlace)) {
    await clock.breathe();
    const finding = nameFinding(claim);
    const isRepeated = placesOf(finding).some(place => places.has(place));
    const reason = rejectionOf(finding, draft.ignores.get(finding.path), isRepeated);
    places.add(exactPlace(finding)).add(linePlace(finding));
    if (reason === undefined) findings.push(finding);
    else rejected.push({ reason, finding });
  }
  return capped(findings, rejected, config.review.maxFindings);
}

const exactPlace = ({ path, line, column, rule }: Finding): string =>
  [path, line, column, rule].join('\0');

const linePlace = ({ path, line }: Finding): string => [path, line].join('\0');

/** Two checks may speak of one line; the model has nothing to add to what a check has said of it. */
const placesOf = (finding: Finding): string[] =>
  finding.source === 'model' ? [linePlace(finding)] : [exactPlace(finding)];

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
  Number(one.source === 'model') - Number(other.source === 'model') ||
  (one.column ?? 0) - (other.column ?? 0) ||
  rank(other) - rank(one);

const compare = (one: string, other: string): number => {
  if (one === other) return 0;
  return one < other ? -1 : 1;
};
