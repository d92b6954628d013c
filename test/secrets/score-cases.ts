import { secretCheck } from '../../src/checks/secret.js';
import { judgeText } from '../checks/judge-text.js';
import { isFoundByAnother, type SecretCase, type SecretRule } from './gitleaks-cases.js';

export interface Share {
  found: number;
  of: number;
}

interface Score {
  /** Cases that must be found, of rules with a fixed prefix or structure. */
  readonly structured: Share;
  /** Cases that must be found, of rules that need a word nearby. */
  readonly byWord: Share;
  /** Cases that must not be found and that no other rule finds; `flagged` lists what we say. */
  readonly harmless: Share & { readonly flagged: string[] };
  /** Cases missed by each rule. */
  readonly missed: ReadonlyMap<string, number>;
}

/** Judges each case as the check does: as the added lines of a new file. */
export function scoreCases(
  cases: readonly SecretCase[],
  rules: ReadonlyMap<string, SecretRule>,
): Score {
  const structured = { found: 0, of: 0 };
  const byWord = { found: 0, of: 0 };
  const harmless = { found: 0, of: 0, flagged: [] as string[] };
  const missed = new Map<string, number>();
  for (const one of cases) {
    const hits = judgeText(secretCheck, 'file', one.text);
    if (one.kind === 'fp') {
      if (isFoundByAnother(one, rules)) continue;
      count(harmless, hits.length > 0);
      harmless.flagged.push(...hits.map(hit => `${hit.rule} in a case of ${one.rule}`));
      continue;
    }
    count(rules.get(one.rule)?.isStructured === true ? structured : byWord, hits.length > 0);
    if (hits.length === 0) missed.set(one.rule, (missed.get(one.rule) ?? 0) + 1);
  }
  return { structured, byWord, harmless, missed };
}

function count(share: Share, isFound: boolean): void {
  share.of += 1;
  if (isFound) share.found += 1;
}

export const percent = ({ found, of }: Share): number => (100 * found) / of;
