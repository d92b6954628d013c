import { silences } from '../checks/rules.js';
import type { Ignores } from '../checks/survey.js';
import type { CheckSetting, Config } from '../config/config.js';
import {
  atLeast,
  type Finding,
  type FindingWithoutId,
  findingNamer,
  nameFindings,
  type Rejection,
  SEVERITIES,
} from '../core/finding.js';
import { globMatcher } from '../platform/globs.js';
import type { RejectedFinding } from './chunk.js';
import type { ReviewContext } from './work.js';

/** The verified findings, and the rejected ones with reasons. */
interface VerifiedFindings {
  readonly findings: readonly Finding[];
  readonly rejected: readonly Rejection[];
}

/** What checks and model propose, and what was already rejected. */
export interface Draft {
  readonly candidates: readonly FindingWithoutId[];
  readonly rejected: readonly RejectedFinding[];
  readonly ignores: ReadonlyMap<string, Ignores>;
}

/**
 * Draft → VerifiedFindings. Keeps a candidate only if it is wanted, new and not silenced; adds
 * nothing.
 */
export async function verify(
  draft: Draft,
  config: Config,
  { clock }: Pick<ReviewContext, 'clock'>,
): Promise<VerifiedFindings> {
  await clock.yieldToEventLoop();
  const graded = await gradeCandidates(draft.candidates, config.checks);
  const nameFinding = findingNamer();
  const findings: Finding[] = [];
  const rejected: Rejection[] = nameFindings(draft.rejected.map(({ candidate }) => candidate)).map(
    (finding, at) => ({ reason: draft.rejected[at]?.reason ?? '', finding }),
  );
  const reported = new ReportedBefore();
  for (const candidate of graded.toSorted(byPlace)) {
    await clock.yieldToEventLoop();
    const finding = nameFinding(candidate);
    const reason =
      rejectionOf(finding, draft.ignores.get(finding.path), reported.has(finding)) ??
      (atLeast(finding.severity, config.review.minSeverity) ? undefined : 'below-min-severity');
    reported.add(finding);
    if (reason === undefined) findings.push(finding);
    else rejected.push({ reason, finding });
  }
  await clock.yieldToEventLoop();
  return capped(findings, rejected, config.review.maxFindings);
}

/**
 * What was already reported. Two checks may report one line; the model's open question may report a
 * line once, and not where a rule did, or a check of at least that severity.
 */
class ReportedBefore {
  readonly #exact = new Set<string>();
  readonly #worst = new Map<string, number>();

  has(finding: Finding): boolean {
    if (finding.source !== 'model') return this.#exact.has(exactPlace(finding));
    return (this.#worst.get(linePlace(finding)) ?? -1) >= rank(finding);
  }

  add(finding: Finding): void {
    const line = linePlace(finding);
    const worst = finding.source === 'check' ? rank(finding) : SEVERITIES.length;
    this.#exact.add(exactPlace(finding));
    this.#worst.set(line, Math.max(this.#worst.get(line) ?? -1, worst));
  }
}

const exactPlace = ({ path, side, line, column, rule }: Finding): string =>
  [path, side, line, column, rule].join('\0');

const linePlace = ({ path, side, line }: Finding): string => [path, side, line].join('\0');

function rejectionOf(
  finding: Finding,
  ignores: Ignores | undefined,
  isRepeated: boolean,
): string | undefined {
  const { line, side } = finding;
  const near = side === 'new' ? [line, line - 1] : [];
  const named = near.flatMap(each => ignores?.get(each) ?? []);
  if (named.some(rule => silences(rule, finding.rule))) return 'ignored-inline';
  return isRepeated ? 'duplicate' : undefined;
}

/** Above the limit the least severe are dropped, and counted. */
function capped(findings: Finding[], rejected: Rejection[], max: number): VerifiedFindings {
  if (findings.length <= max) return { findings, rejected };
  const bySeverity = findings.toSorted((one, other) => rank(other) - rank(one));
  const kept = new Set(bySeverity.slice(0, max));
  const over = findings.filter(finding => !kept.has(finding));
  return {
    findings: findings.filter(finding => kept.has(finding)),
    rejected: [...rejected, ...over.map(finding => ({ reason: 'max-findings', finding }))],
  };
}

const rank = (candidate: FindingWithoutId): number => SEVERITIES.indexOf(candidate.severity);

/** By path in git's order, then by line and column; among the model's, the most severe first. */
const byPlace = (one: FindingWithoutId, other: FindingWithoutId): number =>
  compare(one.path, other.path) ||
  one.line - other.line ||
  modelRank(one) - modelRank(other) ||
  (one.column ?? 0) - (other.column ?? 0) ||
  rank(other) - rank(one);

const modelRank = (candidate: FindingWithoutId): number =>
  candidate.source === 'model' ? SEVERITIES.length - rank(candidate) : 0;

const compare = (one: string, other: string): number => {
  if (one === other) return 0;
  return one < other ? -1 : 1;
};

/** Applies the user's `checks`: off, off for some paths, or another severity. */
async function gradeCandidates(
  candidates: readonly FindingWithoutId[],
  settings: ReadonlyMap<string, CheckSetting>,
): Promise<FindingWithoutId[]> {
  if (settings.size === 0) return [...candidates];
  const isOff = new Map<CheckSetting, (path: string) => boolean>();
  for (const setting of settings.values()) {
    isOff.set(setting, await globMatcher(setting.ignore));
  }
  return candidates.flatMap(candidate => {
    const applying = settingsFor(candidate.rule, settings);
    if (applying.some(setting => isOff.get(setting)?.(candidate.path))) return [];
    const grade = applying.find(setting => setting.grade !== undefined)?.grade;
    if (grade === 'off') return [];
    return [grade === undefined ? candidate : { ...candidate, severity: grade }];
  });
}

/** The rule's own setting first, then its family's. */
const settingsFor = (rule: string, settings: ReadonlyMap<string, CheckSetting>): CheckSetting[] =>
  [rule, rule.split('/', 1)[0] ?? ''].flatMap(name => settings.get(name) ?? []);
