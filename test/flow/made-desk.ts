import type { Desk } from '../../src/commands/desk.js';
import { openModelFor } from '../../src/commands/open-model.js';
import { openReviewAgent } from '../../src/commands/review-agent.js';
import { TIME_UP } from '../../src/core/time-up.js';
import { gitEnv } from '../support/with-repo.js';

export interface MadeDesk extends Desk {
  /** What was said on standard error. */
  readonly said: string[];
}

/** The surroundings of a command without a process: for failures that have no exit code yet. */
export function madeDesk(cwd: string, parts: Partial<Desk> = {}): MadeDesk {
  const said: string[] = [];
  const abort = new AbortController();
  return {
    cwd,
    env: gitEnv(cwd),
    stdin: nothing(),
    version: '0.0.0',
    color: false,
    columns: 80,
    isWatched: false,
    signal: abort.signal,
    endAfter: milliseconds => void setTimeout(() => abort.abort(TIME_UP), milliseconds).unref(),
    say: text => said.push(text),
    loadModelFinder: async () => openModelFor,
    loadReviewAgent: async () => openReviewAgent,
    said,
    ...parts,
  };
}

async function* nothing(): AsyncGenerator<Uint8Array> {
  yield* [];
}
