import type { Finding } from '../core/finding.js';
import type { BugPlace, EvalCase, PlantedBug } from './eval-case.js';

/** What one review of one case came to. */
export interface CaseResult {
  readonly name: string;
  readonly bugs: number;
  /** Bugs that a finding points at. */
  readonly found: number;
  /** Findings in all, and those that point at a bug. */
  readonly findings: number;
  readonly right: number;
  readonly hunks: number;
  /** Hunks that nobody looked at in the end: out of time, refused, failed. */
  readonly missed: number;
  readonly requests: number;
  readonly refusals: number;
  readonly milliseconds: number;
}

/** The results of many cases, added up. */
export interface Score {
  readonly cases: number;
  readonly bugs: number;
  readonly found: number;
  readonly findings: number;
  readonly right: number;
  /** In a case with a bug, but beside it. */
  readonly wrongLines: number;
  /** In a case without one. */
  readonly falseAlarms: number;
  readonly cleanHunks: number;
  readonly missed: number;
  /** Null where there is nothing to divide by. */
  readonly precision: number | null;
  readonly recall: number | null;
  readonly falseAlarmsPer100: number | null;
  readonly requests: number;
  readonly refusals: number;
  readonly seconds: number;
}

type Reviewed = Pick<CaseResult, 'hunks' | 'missed' | 'requests' | 'refusals' | 'milliseconds'> & {
  readonly findings: readonly Pick<Finding, 'path' | 'line' | 'endLine'>[];
};

export function judgeCase({ name, bugs }: EvalCase, reviewed: Reviewed): CaseResult {
  const { findings, ...rest } = reviewed;
  return {
    ...rest,
    name,
    bugs: bugs.length,
    found: bugs.filter(bug => findings.some(finding => pointsAt(finding, bug))).length,
    findings: findings.length,
    right: findings.filter(finding => bugs.some(bug => pointsAt(finding, bug))).length,
  };
}

const pointsAt = (
  { path, line, endLine }: Pick<Finding, 'path' | 'line' | 'endLine'>,
  bug: PlantedBug,
): boolean =>
  bug.some(
    (place: BugPlace) =>
      place.path === path && place.lines.some(each => each >= line && each <= endLine),
  );

export function addUp(results: readonly CaseResult[]): Score {
  const sum = (of: (result: CaseResult) => number): number =>
    results.reduce((total, result) => total + of(result), 0);
  const findings = sum(result => result.findings);
  const right = sum(result => result.right);
  const bugs = sum(result => result.bugs);
  const found = sum(result => result.found);
  const falseAlarms = sum(result => (result.bugs === 0 ? result.findings : 0));
  const cleanHunks = sum(result => (result.bugs === 0 ? result.hunks : 0));
  return {
    cases: results.length,
    bugs,
    found,
    findings,
    right,
    wrongLines: findings - right - falseAlarms,
    falseAlarms,
    cleanHunks,
    missed: sum(result => result.missed),
    precision: share(right, findings),
    recall: share(found, bugs),
    falseAlarmsPer100: share(100 * falseAlarms, cleanHunks),
    requests: sum(result => result.requests),
    refusals: sum(result => result.refusals),
    seconds: Math.round(sum(result => result.milliseconds) / 100) / 10,
  };
}

const share = (part: number, whole: number): number | null =>
  whole === 0 ? null : Math.round((10_000 * part) / whole) / 10_000;
