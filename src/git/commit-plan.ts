import { devNull } from 'node:os';
import type { Environment } from '../platform/processes.js';
import { gitEnvironment } from './flags.js';
import type { Repository } from './git.js';
import type { GitContext } from './spawn.js';

/** Commits to make on top of `base`; the same plan always gives the same commit ids. */
export interface CommitPlan {
  readonly base: string;
  readonly commits: readonly PlannedCommit[];
  /** The time of every commit, in seconds since the epoch. */
  readonly at: number;
  /** Written into every commit, so that a later run recognises its own work. */
  readonly run: string;
}

export interface PlannedCommit {
  readonly message: string;
  /** Whole files in their form on disk or in the blob; their line endings follow the attributes. */
  readonly files: ReadonlyMap<string, Uint8Array>;
}

/** Author and committer of all our commits, so that a later run recognises them. */
export const OWN_NAME = { name: 'apfel-bot', email: 'apfel-bot@localhost' } as const;
export const OWN_SIGNATURE = `${OWN_NAME.name} <${OWN_NAME.email}>`;

export interface BuiltCommit {
  readonly id: string;
  readonly paths: readonly string[];
}

const RUN_TRAILER = 'Apfel-Bot-Run';
const TRAILER_LINE = /^[A-Za-z][A-Za-z0-9-]*: /;

export function withRunTrailer(message: string, run: string): string {
  const text = message.trimEnd();
  const last = lastParagraph(text);
  const hasTrailers = last !== text && last.split('\n').every(line => TRAILER_LINE.test(line));
  return `${text}${hasTrailers ? '\n' : '\n\n'}${RUN_TRAILER}: ${run}\n`;
}

/** The run that made a commit, from its message; undefined if it isn't ours. */
export function runOfMessage(message: string): string | undefined {
  const prefix = `${RUN_TRAILER}: `;
  const lines = lastParagraph(message.trimEnd()).split('\n');
  return lines.find(line => line.startsWith(prefix))?.slice(prefix.length);
}

const lastParagraph = (text: string): string => text.slice(text.lastIndexOf('\n\n') + 1).trim();

/** A longer name with `.lock` doesn't fit in a file name everywhere. */
const MAX_BRANCH_LENGTH = 200;

/** Stricter than git: a name that needs no quoting and can't be misread. */
export const isPlainBranch = (name: string): boolean =>
  name.length <= MAX_BRANCH_LENGTH &&
  name.split('/').every(part => /^[A-Za-z0-9][A-Za-z0-9._-]*$/.test(part) && isPlainPart(part));

const isPlainPart = (part: string): boolean =>
  !part.includes('..') && !part.endsWith('.') && !part.toLowerCase().endsWith('.lock');

/** Alternatives if a branch name is taken: `name`, `name-2`, `name-3`, … */
export const branchCandidates = (name: string, count: number): string[] =>
  Array.from({ length: count }, (_, at) => (at === 0 ? name : `${name}-${at + 1}`));

/** A branch whose name is a folder of this one: git can't have both. */
export const branchAbove = (
  name: string,
  branches: { has(branch: string): boolean },
): string | undefined =>
  name
    .split('/')
    .map((_, at, parts) => parts.slice(0, at).join('/'))
    .find(above => branches.has(above));

export interface RepositoryLocation {
  readonly repository: Repository;
  readonly env: Environment;
  readonly signal: AbortSignal;
}

/**
 * The user's repository, for writing our refs and objects. Named, never discovered; no index and no
 * variable of a hook is passed on, and only the repository's own configuration is read.
 */
export const writeContext = ({ repository, env, signal }: RepositoryLocation): GitContext => ({
  cwd: repository.top ?? repository.gitDir,
  env: isolatedEnvironment(env),
  gitDir: repository.gitDir,
  signal,
});

/** No configuration or attributes but the repository's own. */
export function isolatedEnvironment(env: Environment): Record<string, string> {
  const { GIT_CONFIG_SYSTEM, ...clean } = gitEnvironment(env, 'clean');
  return {
    ...clean,
    GIT_CONFIG_GLOBAL: devNull,
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_ATTR_NOSYSTEM: '1',
  };
}
