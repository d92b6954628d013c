import { createHash } from 'node:crypto';
import type { EvalCase } from '../../evaluate/eval-case.js';
import type { CaseResult } from '../../evaluate/score.js';
import { field } from '../openai/openai-fields.js';
import type { UserCache } from '../records/user-cache.js';

const FILE = 'evaluation.json';

/** What an evaluation that was broken off has already found out. */
export interface EvalMemory {
  readonly done: ReadonlyMap<string, CaseResult>;
  keep(results: readonly CaseResult[]): Promise<void>;
  /** The next one begins anew. */
  forget(): Promise<void>;
}

/** Another suite, model, number of votes or version is another experiment. */
export async function openEvalMemory(
  cache: UserCache,
  cases: readonly EvalCase[],
  about: readonly unknown[],
): Promise<EvalMemory> {
  const key = createHash('sha256')
    .update(JSON.stringify([cases, about]))
    .digest('hex');
  const held = await cache.read(FILE);
  const results = field(held, 'key') === key ? field(held, 'results') : undefined;
  const known = Array.isArray(results) ? results.filter(isResult) : [];
  return {
    done: new Map(known.map(result => [result.name, result])),
    keep: async all => void (await cache.write(FILE, { version: 1, key, results: all })),
    forget: async () => void (await cache.write(FILE, { version: 1 })),
  };
}

const NUMBERS = ['bugs', 'found', 'findings', 'right', 'hunks', 'missed', 'requests', 'refusals'];

const isResult = (value: unknown): value is CaseResult =>
  typeof field(value, 'name') === 'string' &&
  [...NUMBERS, 'milliseconds'].every(name => Number.isFinite(field(value, name)));
