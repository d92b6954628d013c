import { TIME_UP } from '../../src/core/deadline.js';
import type { Session } from '../../src/session.js';
import { gitEnv } from './with-repo.js';

interface TestSession extends Session {
  /** What was said on standard error. */
  readonly said: string[];
}

/** The surroundings of a command without a process: for failures that have no exit code yet. */
export function testSession(cwd: string, parts: Partial<Session> = {}): TestSession {
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
    printError: text => said.push(text),
    said,
    ...parts,
  };
}

async function* nothing(): AsyncGenerator<Uint8Array> {
  yield* [];
}
