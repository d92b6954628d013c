import { readFileSync } from 'node:fs';
import { entropy } from '../../src/secrets/placeholder.js';
import { corpus, readJsonLines } from '../support/corpus.js';
import { fromRe2 } from './re2.js';

export const gitleaksCases = corpus('gitleaks-cases');

export interface SecretCase {
  readonly rule: string;
  readonly kind: 'tp' | 'fp';
  readonly text: string;
}

export interface SecretRule {
  readonly id: string;
  readonly pattern: RegExp;
  readonly entropy: number;
  readonly keywords: readonly string[];
  /** See `isStructured`. */
  readonly isStructured: boolean;
}

/** Cases whose rule looks at the text; `pkcs12-file` judges a path alone and has none. */
export function readCases(file: 'small.jsonl' | 'full.jsonl'): readonly SecretCase[] {
  const rows = readJsonLines<{ rule: string; kind: 'tp' | 'fp'; b64: string }>(
    gitleaksCases.path(file),
  );
  return rows
    .map(row => ({ ...row, text: Buffer.from(row.b64, 'base64').toString('utf8') }))
    .filter(row => row.text !== '');
}

interface RuleRow {
  id: string;
  regex?: string;
  entropy?: number;
  keywords?: string[];
}

export function readRules(): ReadonlyMap<string, SecretRule> {
  const rows = JSON.parse(readFileSync(gitleaksCases.path('rules.json'), 'utf8')) as RuleRow[];
  const rules = new Map<string, SecretRule>();
  for (const { id, regex, entropy: least, keywords } of rows) {
    if (regex === undefined) continue;
    rules.set(id, {
      id,
      pattern: fromRe2(regex),
      entropy: least ?? 0,
      keywords: keywords ?? [],
      isStructured: isStructured(regex),
    });
  }
  return rules;
}

/**
 * The criterion for "fixed prefix or structure": a rule is a keyword rule when it finds a random
 * string only through a word somewhere before it, which upstream writes as a gap of twenty name
 * characters, an operator and then the secret, and when the secret itself demands no run of three
 * literal characters. All other rules know their secret by its own form and count as structured.
 */
function isStructured(regex: string): boolean {
  const gap = String.raw`[ \t\w.-]{0,20}`;
  return !regex.includes(gap) || longestLiteral(secretPart(regex)) >= 3;
}

/** What upstream captures as the secret in a keyword rule: all behind the operator and its quotes. */
function secretPart(regex: string): string {
  const operatorEnd = String.raw`[\x60'"\s=]{0,5}`;
  const secret = regex.slice(regex.indexOf(operatorEnd) + operatorEnd.length);
  return secret.slice(0, secret.indexOf(String.raw`(?:[\x60'"\s;]`));
}

/** The longest run of characters that stand for themselves in each match. */
function longestLiteral(source: string): number {
  const demanded = source
    .replace(/\(\?:[^()]*\)\?/g, ' ')
    .replace(/\(\?[a-z-]+:?\)?|\(\?:|[()]/g, ' ')
    .replace(/\[[^\]]*\]/g, ' ')
    .replace(/(\w)\{([0-9]+)\}/g, (_, unit: string, times: string) => unit.repeat(Number(times)))
    .replace(/\\[a-zA-Z]/g, ' ')
    .replace(/\\(.)/g, '$1');
  return Math.max(...demanded.split(/[\s|?*+]+|\{[0-9,]+\}/).map(run => run.length));
}

/** True when a rule other than the case's own finds something in it. */
export function isFoundByAnother(one: SecretCase, rules: ReadonlyMap<string, SecretRule>): boolean {
  const lower = one.text.toLowerCase();
  return [...rules.values()].some(rule => {
    if (rule.id === one.rule || !rule.keywords.some(word => lower.includes(word))) return false;
    const match = rule.pattern.exec(one.text);
    if (match === null) return false;
    const secret = match.slice(1).find(group => group !== undefined && group !== '') ?? match[0];
    return entropy(secret) >= rule.entropy;
  });
}
