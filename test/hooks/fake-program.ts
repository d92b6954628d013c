import { existsSync, readFileSync } from 'node:fs';
import { chmod, copyFile, mkdir, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { HOOK_NAMES } from '../../src/hooks/facts.js';

/** All but prepare-commit-msg, which git also calls where there is nothing to draft. */
export const REVIEW_HOOKS = HOOK_NAMES.filter(hook => hook !== 'prepare-commit-msg');

/** What the stand-in for apfel-bot saw in one hook. */
interface Call {
  readonly argv: readonly string[];
  readonly cwd: string;
  /** The names that git says are staged, asked as the hook would. */
  readonly staged: readonly string[];
  /** What git says on standard input, for the hooks that have it. */
  readonly stdin: string;
  /** Which of several copies was run. */
  readonly file: string;
}

/** Reads standard input only where git speaks on it: elsewhere it may be a terminal. */
const program = (record: string): string => `#!/usr/bin/env node
const { appendFileSync, readFileSync } = require('node:fs');
const { execFileSync } = require('node:child_process');
const argv = process.argv.slice(2);
const call = {
  argv,
  cwd: process.cwd(),
  staged: execFileSync('git', ['diff', '--cached', '--name-only'], { encoding: 'utf8' }).split('\\n').filter(Boolean),
  stdin: ['post-rewrite', 'pre-push'].includes(argv[1]) ? readFileSync(0, 'utf8') : '',
  file: __filename,
};
appendFileSync(${JSON.stringify(record)}, JSON.stringify(call) + '\\n');
process.exitCode = argv[1].startsWith('pre-') ? Number(process.env.FAKE_EXIT || 0) : 0;
`;

/** Puts a package of our name into `node_modules`, with the real shims and a program that records. */
export async function installFake(dir: string, record: string): Promise<void> {
  const root = join(dir, 'node_modules', 'apfel-bot');
  await mkdir(join(root, 'dist'), { recursive: true });
  await mkdir(join(root, 'hooks'), { recursive: true });
  await writeExecutable(join(root, 'dist', 'cli.cjs'), program(record));
  for (const hook of HOOK_NAMES) {
    await copyFile(resolve('hooks', hook), join(root, 'hooks', hook));
  }
}

/** The same program as one file, for a folder on the PATH. */
export const writeFake = (path: string, record: string): Promise<void> =>
  writeExecutable(path, program(record));

export async function writeExecutable(path: string, text: string): Promise<void> {
  await writeFile(path, text);
  await chmod(path, 0o755);
}

export const callsIn = (record: string): Call[] =>
  existsSync(record)
    ? readFileSync(record, 'utf8')
        .trimEnd()
        .split('\n')
        .map((line): Call => JSON.parse(line))
    : [];

/** The hooks that were called, in order. */
export const hooksIn = (record: string): string[] =>
  callsIn(record).map(({ argv }) => argv[1] ?? '');
