import type { LineCheck } from '../../src/checks/check.js';
import { corpus, readJsonLines } from '../support/corpus.js';
import { judgeText, linesOf } from './judge-text.js';

interface Snippet {
  readonly source: string;
  readonly kind: 'valid' | 'invalid';
  readonly code: string;
  readonly options?: unknown;
  readonly errors?: ReadonlyArray<{ readonly line: number }>;
  readonly name?: string;
}

interface Score {
  readonly right: number;
  readonly total: number;
  /** What was judged otherwise than upstream does. */
  readonly wrong: readonly string[];
}

export const focusedTests = corpus('focused-tests');

/** How often a check agrees, line by line, with the linter rules that the snippets were made for. */
export function score(
  check: LineCheck,
  sources: Readonly<Record<string, string>>,
  isAsked: (snippet: Snippet) => boolean = () => true,
): Score {
  const wrong: string[] = [];
  let total = 0;
  for (const snippet of readJsonLines<Snippet>(focusedTests.path('cases.jsonl'))) {
    const path = sources[snippet.source];
    if (path === undefined || !isAsked(snippet)) continue;
    total += 1;
    const errors = snippet.kind === 'valid' ? [] : (snippet.errors ?? []);
    const expected = [...new Set(errors.map(({ line }) => line))].join();
    const seen = linesOf(judgeText(check, path, snippet.code)).join();
    if (seen !== expected) wrong.push(`${snippet.kind} in ${snippet.source}: ${snippet.code}`);
  }
  return { right: total - wrong.length, total, wrong };
}

/** Answers that hang on a linter's options or on names set in its configuration. */
export const dependsOnSettings = ({ options, name }: Snippet): boolean =>
  options !== undefined || /custom|configured|settings/.test(name ?? '');
