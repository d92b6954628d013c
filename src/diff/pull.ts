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

const ORIGIN = 'origin';

/**
 * `--pr N`: gets the head of the pull request and its base with git alone. `task` is what the event
 * and the environment say.
 */
export async function openPull(
  asked: PullOptions,
  {
    git: { repository },
    session,
    task,
    isQuiet,
  }: {
    readonly git: Git;
    readonly session: Session;
    readonly task: Task;
    readonly isQuiet: boolean;
  },
): Promise<{ selector: Selector; repository: string | null }> {
  const { env, signal } = session;
  const where = { repository, env, signal, say: session.printError };
  const { name: remote, address } = chooseRemote(
    await listRemotes({ repository, env, signal }),
    asked,
  );
  const eventBase = task.pull === asked.number ? task.configBase : undefined;
  try {
    const branch = await remoteDefaultBranch(where, remote);
    const to = await fetchPull(where, { pull: asked.number, remote });
    const given = asked.base ?? eventBase;
    // Fetched, because an old local copy would make others' commits part of the change.
    const from =
      given ??
      (await fetchRevision(
        { repository, env, signal },
        { remote, ref: `refs/heads/${mustBeKnown(branch, remote, asked)}` },
      ));
    const against = given ?? `${branch}, the default branch (choose another with --base REV)`;
    if (!isQuiet) {
      const head = to.slice(0, 12);
      session.printError(`pull request ${asked.number} at ${head}, compared with ${against}`);
    }
    return {
      selector: { kind: 'range', from, to, symmetric: true },
      repository: remoteRepository(address)?.name ?? null,
    };
  } catch (thrown) {
    throw failure(thrown, asked, signal.aborted ? undefined : remote);
  }
}

/** `origin`, or the only remote. */
function chooseRemote(
  remotes: ReadonlyMap<string, string>,
  { number }: PullOptions,
): { name: string; address: string } {
  const [only, ...more] = [...remotes];
  const address = remotes.get(ORIGIN);
  if (address !== undefined) return { name: ORIGIN, address };
  if (only !== undefined && more.length === 0) return { name: only[0], address: only[1] };
  const found = only === undefined ? 'this repository has no remote' : 'no remote is called origin';
  throw new BotError('git', `${found} to fetch pull request ${number} from`, {
    hint: 'Add one: git remote add origin ADDRESS; or review local commits with --range A...B',
  });
}

function mustBeKnown(branch: string | undefined, remote: string, { number }: PullOptions): string {
  if (branch !== undefined) return branch;
  throw new BotError('git', `${remote} doesn't say which branch is its default`, {
    hint: `Choose what to compare with: --pr ${number} --base REV`,
  });
}

/** `remote` is undefined if time ran out. */
function failure(thrown: unknown, { number }: PullOptions, remote: string | undefined): unknown {
  if (remote === undefined) {
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
