import { readFileSync } from 'node:fs';
import { nodeClock } from '../../../src/platform/clock.js';
import { review } from '../../../src/review/ask-chunks.js';
import type { Chunk } from '../../../src/review/chunk.js';
import { chunkCapacity } from '../../../src/review/plan.js';
import { packChunks, partTokens, splitHunk } from '../../../src/review/split.js';
import { DEFAULT_LIMITS } from '../../agent/default-limits.js';
import { keptHunks } from '../../review/kept-hunks.js';
import { corpus, readJsonLines } from '../../support/corpus.js';
import { chooses, fakeModel } from '../../support/fake-model.js';

export interface Packed {
  readonly id: string;
  /** Open questions as they were sent, to a model that finds nothing. */
  readonly questions: number;
  /** Tokens of text that must be shown, in windows; no fewer questions can do. */
  readonly fewest: number;
}

/** How well the questions about real changes fill a window of that size. */
export async function packRealChanges(contextWindow: number): Promise<Packed[]> {
  const { path } = corpus('real-diffs');
  const capacity = chunkCapacity(contextWindow);
  const packed: Packed[] = [];
  for (const { id, diff } of readJsonLines<{ id: string; diff?: string }>(path('cases.jsonl'))) {
    const hunks = diff === undefined ? [] : keptHunks(readFileSync(path(diff)));
    // What is shown twice, to lead over a cut, is not needed twice.
    const needed = hunks.map(({ number: hunk, ...kept }) => partTokens({ hunk, ...kept }));
    const tokens = needed.reduce((sum, each) => sum + each, 0);
    if (tokens === 0) continue;
    const parts = hunks.flatMap(each => [...splitHunk(each, capacity)]);
    const chunks = await packChunks(
      parts.map(part => ({ ...part, risk: 0 })),
      capacity,
      nodeClock,
    );
    const questions = await ask(chunks, contextWindow);
    packed.push({ id, questions, fewest: Math.ceil(tokens / capacity) });
  }
  return packed;
}

async function ask(chunks: readonly Chunk[], contextWindow: number): Promise<number> {
  const model = fakeModel([chooses('finish', { answer: 'nothing' })], { contextWindow });
  const { signal } = new AbortController();
  await review(
    { chunks, votes: 1, rulesFor: () => [] },
    { model, protocol: 'guided', limits: DEFAULT_LIMITS, clock: { now: () => 0 }, signal },
  );
  return model.requests.length;
}

export const ratioOf = (packed: readonly Packed[]): number =>
  packed.reduce((sum, each) => sum + each.questions, 0) /
  packed.reduce((sum, each) => sum + each.fewest, 0);
