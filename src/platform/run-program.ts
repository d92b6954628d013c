import { execFile } from 'node:child_process';
import { isTimeUp } from '../core/deadline.js';
import { usersPath } from './processes.js';

export interface Bound {
  readonly ms: number;
  /** The whole command's signal. Its deadline ends this work too; any other abort is thrown. */
  readonly signal: AbortSignal;
}

/**
 * The work's value, or `late` if it takes too long. Its signal is aborted, but it isn't awaited:
 * work that hangs must not delay the rest.
 */
export async function bounded<Value>(
  bound: Bound,
  work: (signal: AbortSignal) => Promise<Value>,
  late: Value,
): Promise<Value> {
  const own = new AbortController();
  const timer = setTimeout(() => own.abort(), bound.ms);
  const signal = AbortSignal.any([bound.signal, own.signal]);
  const over = new Promise<never>((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
  try {
    bound.signal.throwIfAborted();
    return await Promise.race([work(signal), over]);
  } catch (thrown) {
    if (own.signal.aborted || isTimeUp(bound.signal)) return late;
    bound.signal.throwIfAborted();
    throw thrown;
  } finally {
    clearTimeout(timer);
  }
}

/** The output of a user's program; undefined if it is missing, failed or took too long. */
export function printedBy(
  file: string,
  args: readonly string[],
  {
    env,
    bound,
    cwd,
  }: { readonly env: Record<string, string>; readonly bound: Bound; readonly cwd?: string },
): Promise<string | undefined> {
  const options = {
    env: { ...env, ...(env['PATH'] === undefined ? {} : { PATH: usersPath(env['PATH']) }) },
    cwd,
    timeout: Math.max(1, bound.ms),
    signal: bound.signal,
    killSignal: 'SIGKILL' as const,
    maxBuffer: 256 * 1024,
  };
  return new Promise(resolve => {
    const child = execFile(file, [...args], options, (failed, stdout) =>
      resolve(failed === null ? stdout : undefined),
    );
    child.stdin?.end();
  });
}

/** Compares versions number by number; missing numbers count as 0, the rest is ignored. */
export function isAtLeast(version: string, oldest: string): boolean {
  const found = figuresOf(version);
  for (const [at, wanted] of figuresOf(oldest).entries()) {
    const figure = found[at] ?? 0;
    if (figure !== wanted) return figure > wanted;
  }
  return true;
}

const figuresOf = (version: string): number[] =>
  (/\d{1,9}(?:\.\d{1,9}){0,3}/.exec(version)?.[0] ?? '').split('.').map(Number);
