import type { Diagnostic } from '../core/diagnostic.js';
import type { LineChange } from './line-changes.js';

/**
 * Whether an edit makes a complaint go away by taking the code away, and nothing else. That mends
 * only complaints about code that nobody needs.
 */
export function isMereDeletion(
  changes: readonly LineChange[],
  diagnostics: readonly Pick<Diagnostic, 'rule' | 'message'>[],
): boolean {
  if (diagnostics.some(isAboutNeedless)) return false;
  const added = changes.flatMap(change => change.added);
  const removed = changes.flatMap(change => change.removed);
  return removed.some(line => isCode(line) && /\w/.test(line)) && !added.some(isCode);
}

/** Neither blank nor a comment, whatever the language. */
export function isCode(line: string): boolean {
  const behind = line.slice(line.lastIndexOf('*/') + 2);
  if (line.includes('*/') && behind.trim() !== '') return isCode(behind);
  return line.trim() !== '' && !/^\s*(?:\/\/|\/\*|\*(?!\w)|#(?![![\w])|<!--|--(?!\w))/.test(line);
}

/** How linters word it; many rules have numbers for names. */
const NEEDLESS =
  /unused|\bnever (?:used|read|executed|reached)|\b(?:is|are|was)(?: not|n't) used|unreachable|dupe|duplicat|redundant|useless|unnecessary|needless|superfluous|\bextra\b|empty|debugger|console|\balert\b|\bprint\b|self-assign|to itself|redeclare|redefin|already (?:been )?(?:defined|declared|imported)|no effect|no-op|dead.code|deprecated|obsolete|commented.out|blank|trailing|overrid|overwrit|\bremove\b/i;

/** A rule with a name says it there; of a number only the message tells. */
const isAboutNeedless = ({ rule, message }: Pick<Diagnostic, 'rule' | 'message'>): boolean =>
  rule === null || /\d/.test(rule) ? NEEDLESS.test(message) : NEEDLESS.test(rule);
