import type { PullOptions } from '../config/options.js';
import { BotError, isBotError } from '../core/bot-error.js';
import type { Selector, Task } from '../core/task.js';
import type { Git } from '../git/git.js';
import {
  fetchPull,
  fetchRevision,
  listRemotes,
  remoteDefaultBranch,
} from '../git/isolated-remote.js';
import { remoteRepository } from '../git/remote.js';
import { complaintOf } from '../platform/files.js';
import type { Session } from '../session.js';

interface PulledChange {
  readonly selector: Selector;
  readonly repository: string | null;
}

interface PullContext {
  readonly git: Git;
  readonly session: Session;
  /** From the event and the environment. */
  readonly task: Task;
  readonly isQuiet: boolean;
}

const ORIGIN = 'origin';

/** `--pr N`: gets the head of the pull request and its base with git alone. */
export async function openPull(asked: PullOptions, context: PullContext): Promise<PulledChange> {
  const { git, session, task, isQuiet } = context;
  const { repository } = git;
  const where = { repository, env: session.env, signal: session.signal, say: session.printError };
  const { name: remote, address } = await chooseRemote(asked, context);
  const eventBase = task.pull === asked.number ? task.configBase : undefined;
  try {
    const branch = await remoteDefaultBranch(where, remote);
    const to = await fetchPull(where, { pull: asked.number, remote });
    const from = asked.base ?? eventBase ?? (await defaultBase(branch, { asked, context, remote }));
    if (!isQuiet) session.printError(startMessage(asked, { to, from, branch, eventBase }));
    return {
      selector: { kind: 'range', from, to, symmetric: true },
      repository: remoteRepository(address)?.name ?? null,
    };
  } catch (thrown) {
    throw failure(thrown, { asked, remote, isLate: session.signal.aborted });
  }
}

/** `origin`, or the only remote. */
async function chooseRemote(
  { number }: PullOptions,
  { git, session }: PullContext,
): Promise<{ name: string; address: string }> {
  const { repository } = git;
  const remotes = await listRemotes({ repository, env: session.env, signal: session.signal });
  const [only, ...more] = [...remotes];
  const address = remotes.get(ORIGIN);
  if (address !== undefined) return { name: ORIGIN, address };
  if (only !== undefined && more.length === 0) return { name: only[0], address: only[1] };
  const found = only === undefined ? 'this repository has no remote' : 'no remote is called origin';
  throw new BotError('git', `${found} to fetch pull request ${number} from`, {
    hint: 'Add one: git remote add origin ADDRESS; or review local commits with --range A...B',
  });
}

/** Fetched, because an old local copy would make others' commits part of the change. */
async function defaultBase(
  defaultBranch: string | undefined,
  {
    asked,
    context,
    remote,
  }: { readonly asked: PullOptions; readonly context: PullContext; readonly remote: string },
): Promise<string> {
  if (defaultBranch === undefined) {
    throw new BotError('git', `${remote} doesn't say which branch is its default`, {
      hint: `Choose what to compare with: --pr ${asked.number} --base REV`,
    });
  }
  const { git, session } = context;
  const where = { repository: git.repository, env: session.env, signal: session.signal };
  return fetchRevision(where, { remote, ref: `refs/heads/${defaultBranch}` });
}

interface Comparison {
  readonly to: string;
  readonly from: string;
  readonly branch: string | undefined;
  readonly eventBase: string | undefined;
}

function startMessage(
  { number, base }: PullOptions,
  { to, from, branch, eventBase }: Comparison,
): string {
  const isDefault = base === undefined && eventBase === undefined;
  const against = isDefault
    ? `${branch}, the default branch (choose another with --base REV)`
    : from;
  return `pull request ${number} at ${to.slice(0, 12)}, compared with ${against}`;
}

function failure(
  thrown: unknown,
  {
    asked: { number },
    remote,
    isLate,
  }: { readonly asked: PullOptions; readonly remote: string; readonly isLate: boolean },
): unknown {
  if (isLate) {
    return new BotError('git', `time ran out while fetching pull request ${number}`, {
      hint: 'Allow more time: --deadline 10m',
      cause: thrown,
    });
  }
  if (!isBotError(thrown) || thrown.hint !== undefined) return thrown;
  const cause = thrown;
  if (/couldn't find remote ref/.test(complaintOf(thrown))) {
    return new BotError('git', `${remote} has no pull request ${number}`, {
      hint: `List them with: git ls-remote ${remote} 'refs/pull/*/head'`,
      cause,
    });
  }
  return new BotError(
    'git',
    `cannot fetch pull request ${number} from ${remote}: ${thrown.message}`,
    {
      hint: `Test the connection with: git fetch ${remote}; or review local commits with --range A...B`,
      cause,
    },
  );
}
