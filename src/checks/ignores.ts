import { suggestion } from '../core/schema-problem.js';
import { knownRules } from './rules.js';

const MARK = 'apfel-bot-ignore';
/** A rule id and the author's reason. */
const DIRECTIVE = /apfel-bot-ignore\s+([a-z][a-z0-9/*-]*)((?:(?!apfel-bot-ignore).)*)/g;

/** The rules that a line silences for itself and for the line below it. */
export function ignoredRules(line: string): string[] {
  // Hardly any line has one, and this runs for every line of the diff.
  if (!line.includes(MARK)) return [];
  return [...line.matchAll(DIRECTIVE)].flatMap(([, rule]) => (rule === undefined ? [] : [rule]));
}

/** `secret/*` silences the family, `secret/aws-access-key` just that rule. */
export const silences = (named: string, rule: string): boolean =>
  named === rule || (named.endsWith('/*') && rule.startsWith(named.slice(0, -1)));

/** A rule that doesn't exist, and a reason that is missing. */
export const ignoreProblems = (line: string, place: string): string[] =>
  [...line.matchAll(DIRECTIVE)].flatMap(([, rule = '', rest = '']) => {
    if (!isKnown(rule)) {
      const hint = suggestion(rule, knownRules());
      return [`${place}: apfel-bot-ignore names no rule ${JSON.stringify(rule)}${hint}`];
    }
    if (/\p{L}{2}/u.test(rest)) return [];
    return [`${place}: apfel-bot-ignore ${rule} gives no reason; write one after the rule`];
  });

/**
 * Findings of the model and of the user's own rules have other ids; linters have their own
 * comments.
 */
const isKnown = (rule: string): boolean =>
  /^(?:model|rule)\//.test(rule) ||
  knownRules().includes(rule) ||
  (rule.endsWith('/*') && knownRules().some(known => known.startsWith(rule.slice(0, -1))));
