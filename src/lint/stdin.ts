import { realpath } from 'node:fs/promises';
import { join } from 'node:path';
import type { Environment } from '../platform/processes.js';
import { anchorDiagnostics } from './anchor.js';
import type { LinterSpec } from './find.js';
import { linterEnvironment, readRun, runLinter } from './run.js';
import type { LintReport } from './sandbox.js';

/** Enough for the slowest linter on one file. */
const LINTER_MS = 60_000;

/**
 * Installed packages are links to the checkout's. A plugin that searches upwards from its own
 * folder must find the copy, not the files of the change.
 */
const HERE = { NODE_OPTIONS: '--preserve-symlinks' };

/** A linter that reads a file's text from standard input and sees no other file of the change. */
export interface StdinLinter {
  readonly title: string;
  isFor(path: string): boolean;
  check(path: string, text: string): Promise<LintReport>;
}

interface StdinPlace {
  /** The top of a copy of the commit that configures the linters. */
  readonly dir: string;
  readonly env: Environment;
  readonly signal: AbortSignal;
}

/** Undefined for a linter that can't read standard input. */
export async function stdinLinter(
  spec: LinterSpec,
  files: readonly string[],
  { dir, env, signal }: StdinPlace,
): Promise<StdinLinter | undefined> {
  const { stdin, folder } = spec;
  if (stdin === undefined) return undefined;
  const bins = [...new Set([folder, ''])].map(each => join(dir, each, 'node_modules', '.bin'));
  const aliases = [await realpath(dir)];
  return {
    title: spec.title,
    isFor: path => files.includes(path),
    check: async (path, text) => {
      const inner = folder === '' ? path : path.slice(folder.length + 1);
      const name = inner.startsWith('-') ? `./${inner}` : inner;
      const run = await runLinter({
        argv: stdin.argv.map(word => (word === '{path}' ? name : word)),
        root: dir,
        folder,
        env: { ...linterEnvironment(env, bins), ...spec.env, ...HERE },
        timeoutMs: LINTER_MS,
        signal,
        input: text,
      });
      const context = { root: dir, aliases, files: new Set([path]), stdin: { as: stdin.as, path } };
      const { diagnostics, problems, isWhole } = readRun(
        spec,
        { ...spec.check, ...stdin },
        { run, context },
      );
      return { diagnostics: anchorDiagnostics(diagnostics, () => text), problems, isWhole };
    },
  };
}
