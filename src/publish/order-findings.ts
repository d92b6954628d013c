import { type Finding, SEVERITIES } from '../core/finding.js';

/** File by file in the order of the change; inside a file the gravest first, then by line. */
export function orderFindings(findings: readonly Finding[]): Finding[] {
  const files = new Map<string, Finding[]>();
  for (const finding of findings) {
    const file = files.get(finding.path);
    if (file === undefined) files.set(finding.path, [finding]);
    else file.push(finding);
  }
  return [...files.values()].flatMap(file => file.sort(inFile));
}

const inFile = (one: Finding, other: Finding): number =>
  SEVERITIES.indexOf(other.severity) - SEVERITIES.indexOf(one.severity) ||
  one.line - other.line ||
  (one.column ?? 0) - (other.column ?? 0);

/** `path:line:column`, the form that terminals and editors open on a click. Not neutralised. */
export const placeOf = (finding: Finding): string =>
  `${finding.path}:${finding.line}${finding.column === undefined ? '' : `:${finding.column}`}`;
