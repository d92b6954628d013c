import { isBotError } from '../../core/failure.js';
import type { GitFact, RemoteFact, RepositoryFact } from '../../doctor/doctor-facts.js';
import type { Git } from '../../world.js';
import { openGit, userSpot } from '../git/git.js';
import type { Environment } from '../git/git-flags.js';
import { firstLine, runGit } from '../git/git-spawn.js';
import { oneLine } from '../openai/openai-one-line.js';

export interface GitPlace {
  readonly cwd: string;
  readonly env: Environment;
  readonly signal: AbortSignal;
}

export async function gitFact(place: GitPlace): Promise<GitFact> {
  try {
    const { stdout } = await runGit(userSpot(place), ['version']);
    // "git version 2.39.5 (Apple Git-154)"
    const printed = firstLine(stdout.subarray(0, 1000).toString('utf8'));
    return { kind: 'found', version: oneLine(printed.replace(/^git version /, '')) };
  } catch (thrown) {
    if (!isBotError(thrown)) throw thrown;
    return { kind: 'missing', message: thrown.message, hint: thrown.hint };
  }
}

export interface OpenedRepository {
  readonly fact: RepositoryFact;
  /** Undefined when there is none that can be used. */
  readonly git: Git | undefined;
}

export async function openRepository(place: GitPlace): Promise<OpenedRepository> {
  try {
    const git = await openGit({ ...place, expectsStaged: false });
    const { top, gitDir, isShallow } = git.repository;
    return { fact: { kind: 'found', place: top ?? `${gitDir} (bare)`, isShallow }, git };
  } catch (thrown) {
    if (!isBotError(thrown)) throw thrown;
    const { message, hint } = thrown;
    return { fact: whyNone(message, hint), git: undefined };
  }
}

function whyNone(message: string, hint: string | undefined): RepositoryFact {
  if (message.includes('is not inside a git repository')) return { kind: 'none' };
  // Then git itself is missing, which has a line of its own.
  if (message.includes('not found on the PATH')) return { kind: 'unasked' };
  return { kind: 'unusable', message, hint };
}

const MOST_REMOTES = 20;

/** The hosts behind the remotes, with the user's rewriting rules applied; never what else is in a URL. */
export async function remoteFacts(place: GitPlace): Promise<RemoteFact[]> {
  const { stdout } = await runGit(userSpot(place), ['remote', '--verbose']);
  const lines = stdout.subarray(0, 100_000).toString('utf8').split('\n');
  const facts = lines.flatMap(line => {
    const [name = '', rest] = line.split('\t', 2);
    if (rest === undefined) return [];
    const url = rest.replace(/ \((?:fetch|push)\)(?: \[.*)?$/, '');
    return [{ name: oneLine(name), host: hostOf(url) }];
  });
  return facts.slice(0, MOST_REMOTES);
}

/** `https://host/…`, `ssh://user@host:22/…`, `user@host:path`; a folder has none. */
export function hostOf(url: string): string | undefined {
  if (url.includes('://')) {
    const host = URL.canParse(url) ? new URL(url).host : '';
    return url.startsWith('file:') ? undefined : oneLine(host) || 'an unreadable address';
  }
  const colon = url.indexOf(':');
  // As git has it: a slash before the first colon makes it a path.
  if (colon === -1 || url.slice(0, colon).includes('/')) return undefined;
  return oneLine(url.slice(url.lastIndexOf('@', colon) + 1, colon));
}
