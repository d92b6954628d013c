import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isAt, placeOfLine } from '../core/change.js';
import type { FindingWithoutId, Severity } from '../core/finding.js';
import { namesIn } from '../platform/files.js';
import { redact } from '../secrets/redact.js';
import { type ChunkPart, endingOf, type PartResult } from './chunk.js';

/**
 * Increased whenever the questions, or what counts as an answer, change, so that old answers don't
 * count for new ones.
 */
const PROMPT_VERSION = 8;

interface AskedQuestion {
  /** `open`, or the name and digest of one of the user's rules. */
  readonly question: string;
  readonly model: string;
}

/** One verified finding of a part, located by the part's own lines, so that it survives a rebase. */
interface CachedFinding {
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
  /** What was left out of the question or of its answer, without the path. */
  readonly leftOut?: readonly string[];
  /** The answer as text, where that was asked for. */
  readonly said?: string;
}

/** For the same prompt to the same model. */
export const wordsKey = (words: readonly string[], model: string): string =>
  createHash('sha256')
    .update(JSON.stringify([PROMPT_VERSION, model, ...words]))
    .digest('hex');

/**
 * The same lines, with the same question and model, have the same answer wherever they move. The
 * file extension and the enclosing code count; the path, the line numbers and the commit's subject,
 * which a hook doesn't know, don't.
 */
export function answerKey(part: ChunkPart, { question, model }: AskedQuestion): string {
  const hash = createHash('sha256');
  const about = [PROMPT_VERSION, model, question, endingOf(part.path), part.enclosing];
  hash.update(JSON.stringify(about));
  for (const line of part.lines) hash.update(`\n${line.kind}:${line.text}`);
  return hash.digest('hex');
}

/** A part's findings, by their position in it; undefined if one has no position. */
export function toAnswer({ part, candidates, leftOut = [] }: PartResult): CachedAnswer | undefined {
  const findings: CachedFinding[] = [];
  for (const candidate of candidates) {
    const at = part.lines.findIndex(line => isAt(line, candidate));
    const { severity, message, rule, confidence, source } = candidate;
    if (at === -1 || (source !== 'model' && source !== 'rule')) return undefined;
    const { column = 1, endColumn = 1 } = candidate;
    const quote = part.lines[at]?.text.slice(column - 1, endColumn - 1) ?? '';
    findings.push({ at, quote, severity, message, rule, source, confidence });
  }
  return { findings, ...(leftOut.length > 0 && { leftOut }) };
}

/** The findings, at the part's current position. */
export const restoreFindings = (part: ChunkPart, { findings }: CachedAnswer): FindingWithoutId[] =>
  findings.flatMap(({ at, quote, ...rest }) => {
    const line = part.lines[at];
    if (line === undefined) return [];
    const place = placeOfLine(line);
    const column = line.text.indexOf(quote) + 1;
    return [
      {
        ...rest,
        path: part.path,
        ...place,
        endLine: place.line,
        ...(quote !== '' && column > 0 && { column, endColumn: column + quote.length }),
        evidence: redact(line.text),
      },
    ];
  });

/** Answers of earlier runs, by what was asked. */
export interface AnswerCache {
  get(key: string): CachedAnswer | undefined;
  put(key: string, answer: CachedAnswer): void;
  /** Drops the oldest answers beyond the limit. */
  trim(): void;
}

/** A busy repository asks a few thousand questions a month; an answer takes a few hundred bytes. */
const MAX_ANSWERS = 20_000;

/** One small file per answer in the git directory, written atomically, so runs can share it. */
export function openAnswerCache(gitDir: string): AnswerCache {
  const root = join(gitDir, 'apfel-bot', 'answers');
  const fileOf = (key: string): string => join(root, key.slice(0, 2), key.slice(2));
  return {
    get: key => read(fileOf(key)),
    put: (key, answer) => {
      const file = fileOf(key);
      const beside = `${file}.${process.pid}`;
      mkdirSync(join(root, key.slice(0, 2)), { recursive: true });
      writeFileSync(beside, JSON.stringify(answer));
      renameSync(beside, file);
    },
    trim: () => trim(root),
  };
}

/** If a stored answer is unusable for any reason, the question is asked again. */
function read(file: string): CachedAnswer | undefined {
  try {
    // Written by `put`, so that nothing else needs to be checked.
    const answer: CachedAnswer = JSON.parse(readFileSync(file, 'utf8'));
    return Array.isArray(answer.findings) ? answer : undefined;
  } catch {
    return undefined;
  }
}

function trim(root: string): void {
  const files = namesIn(root).flatMap(folder =>
    namesIn(join(root, folder)).map(name => join(root, folder, name)),
  );
  if (files.length <= MAX_ANSWERS) return;
  const aged = files
    .map(file => ({ file, at: ageOf(file) }))
    .sort((one, other) => one.at - other.at);
  for (const { file } of aged.slice(0, files.length - MAX_ANSWERS)) rmSync(file, { force: true });
}

const ageOf = (file: string): number => statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0;
