import { createHash } from 'node:crypto';
import type { BitePart } from './bite.js';
import type { Claim, Severity } from './finding.js';
import { redact } from './secrets/redact.js';

/** Raised whenever the questions change, so that old answers are not taken for new ones. */
const PROMPT_VERSION = 3;

export interface AskedQuestion {
  /** `open`, or the name and digest of a rule of the user's own. */
  readonly question: string;
  readonly model: string;
}

/** One verified finding of a part, told from the part's own lines, so that it survives a rebase. */
export interface CachedFinding {
  /** Index among the part's lines. */
  readonly at: number;
  readonly quote: string;
  readonly severity: Severity;
  readonly message: string;
  readonly rule: string;
  readonly source: 'model' | 'rule';
  readonly confidence: number;
}

export interface CachedAnswer {
  readonly findings: readonly CachedFinding[];
  /** What was said in plain words, where that was asked for. */
  readonly said?: string;
}

/** The same words put to the same model. */
export const wordsKey = (words: readonly string[], model: string): string =>
  createHash('sha256')
    .update(JSON.stringify([PROMPT_VERSION, model, ...words]))
    .digest('hex');

/**
 * The same lines, asked the same by the same model, have the same answer: wherever they stand now.
 * The file's ending counts, its path, the line numbers and the marks do not.
 */
export function answerKey(part: BitePart, { question, model }: AskedQuestion): string {
  const hash = createHash('sha256');
  const name = part.path.slice(part.path.lastIndexOf('/') + 1);
  const ending = name.includes('.') ? name.slice(name.lastIndexOf('.') + 1) : '';
  hash.update(JSON.stringify([PROMPT_VERSION, model, question, ending]));
  for (const line of part.lines) hash.update(`\n${line.kind}:${line.text}`);
  return hash.digest('hex');
}

/** What is worth remembering of a part: its findings, told by their place in it. */
export const toAnswer = (part: BitePart, claims: readonly Claim[]): CachedAnswer => ({
  findings: claims.flatMap(claim => {
    const at = part.lines.findIndex(line => line.kind === 'added' && line.newLine === claim.line);
    const { severity, message, rule, confidence, source, column = 1, endColumn = 1 } = claim;
    if (at === -1 || (source !== 'model' && source !== 'rule')) return [];
    const quote = part.lines[at]?.text.slice(column - 1, endColumn - 1) ?? '';
    return [{ at, quote, severity, message, rule, source, confidence }];
  }),
});

/** The findings where the part stands now. */
export const restoreClaims = (part: BitePart, { findings }: CachedAnswer): Claim[] =>
  findings.flatMap(({ at, quote, ...rest }) => {
    const line = part.lines[at];
    if (line?.kind !== 'added') return [];
    const column = line.text.indexOf(quote) + 1;
    return [
      {
        ...rest,
        path: part.path,
        line: line.newLine,
        endLine: line.newLine,
        ...(quote !== '' && column > 0 && { column, endColumn: column + quote.length }),
        side: 'new' as const,
        evidence: redact(line.text),
      },
    ];
  });
