import { execFileSync } from 'node:child_process';
import { pathToBytes } from '../../src/core/path-bytes.js';
import { gitEnv, withFolder } from '../support/with-repo.js';

export interface Entry {
  readonly mode: string;
  readonly content: string;
}

/** What a commit holds, by path as the program spells it. */
export type Tree = ReadonlyMap<string, Entry>;

export interface Commit {
  readonly tree: Tree;
  /** Numbers of earlier commits. */
  readonly parents: readonly number[];
}

/** Asks git in bytes. The commit with number n is called `n` and its number. */
export type AskGit = (...args: string[]) => Buffer;

/**
 * A bare repository with these commits. Built by fast-import, so that names and modes that this
 * machine's disk would refuse are there all the same.
 */
export function withHistory(
  commits: readonly Commit[],
  body: (git: AskGit) => void,
): Promise<void> {
  return withFolder(async folder => {
    const run = (input: Buffer, args: readonly string[]): Buffer =>
      execFileSync('git', args, { cwd: folder, env: gitEnv(folder), input, maxBuffer: 1e9 });
    run(Buffer.alloc(0), ['init', '--quiet', '--bare']);
    run(Buffer.concat(commits.map(streamOf)), ['fast-import', '--quiet']);
    body((...args) => run(Buffer.alloc(0), args));
  });
}

function streamOf(commit: Commit, number: number): Buffer {
  const [from, ...merged] = commit.parents;
  const head = [
    `commit refs/heads/n${number}`,
    `mark :${number + 1}`,
    'committer Ada <ada@example.test> 0 +0000',
    'data 0',
    ...(from === undefined ? [] : [`from :${from + 1}`]),
    ...merged.map(parent => `merge :${parent + 1}`),
    'deleteall\n',
  ];
  const files = Array.from(commit.tree, ([path, { mode, content }]) => {
    const bytes = Buffer.from(content);
    return Buffer.concat([
      Buffer.from(`M ${mode} inline ${quoted(path)}\ndata ${bytes.length}\n`),
      bytes,
      Buffer.from('\n'),
    ]);
  });
  return Buffer.concat([Buffer.from(head.join('\n')), ...files]);
}

function quoted(path: string): string {
  const octal = Array.from(pathToBytes(path), byte => `\\${byte.toString(8).padStart(3, '0')}`);
  return `"${octal.join('')}"`;
}
