const MARK = 'apfel-bot-ignore';
/** A rule id, then whatever the author says about it. */
const DIRECTIVE = /apfel-bot-ignore\s+([a-z][a-z0-9/*-]*)/g;

/** The rules that a line silences for itself and for the line below it. */
export function ignoredRules(line: string): string[] {
  // Nearly no line has one, and this runs for every line of the diff.
  if (!line.includes(MARK)) return [];
  return [...line.matchAll(DIRECTIVE)].flatMap(([, rule]) => (rule === undefined ? [] : [rule]));
}

/** `secret/*` silences the family, `secret/aws-access-key` just that rule. */
export const silences = (named: string, rule: string): boolean =>
  named === rule || (named.endsWith('/*') && rule.startsWith(named.slice(0, -1)));
