import { type Claim, type Finding, nameFindings, type Rejection } from './finding.js';

/**
 * Checks look at the whole change in every shard, so most come several times. Named anew, because
 * equal anchors in different shards were each counted as the first.
 */
export function mergeFindings(findings: readonly Finding[]): Finding[] {
  const distinct = new Map(findings.map(finding => [placeOf(finding), finding]));
  return nameFindings([...distinct.values()].toSorted(byPlace).map(toClaim));
}

const toClaim = ({ id: _id, ...claim }: Finding): Claim => claim;

const placeOf = ({ path, line, column, rule, evidence }: Finding): string =>
  JSON.stringify([path, line, column ?? 0, rule, evidence ?? '']);

const byPlace = (one: Finding, other: Finding): number => {
  if (one.path !== other.path) return one.path < other.path ? -1 : 1;
  return one.line - other.line || (one.column ?? 0) - (other.column ?? 0);
};

export function mergeRejected(rejected: readonly Rejection[]): Rejection[] {
  const distinct = new Map(
    rejected.map(each => [JSON.stringify([each.reason, placeOf(each.finding)]), each]),
  );
  return [...distinct.values()];
}
