import type { PullOptions } from '../config/options.js';
import { BotError, isBotError } from '../core/bot-error.js';
import type { Selector, Task } from '../core/task.js';
import { fetchPull, fetchRevision, listRemotes, remoteDefaultBranch } from '../git/fetch-pull.js';
import type { Git } from '../git/git.js';
import { remoteRepository } from '../git/remote.js';
import { complaintOf } from '../platform/files.js';
import type { Session } from '../session.js';

interface PulledChange {
  readonly selector: Selector;
  readonly repository: string | null;
}

interface PullPlace {
  readonly git: Git;
  readonly session: Session;
  /** What the event and the environment say. */
  readonly task: Task;
  readonly isQuiet: boolean;
}

const ORIGIN = 'origin';

/** `--pr N`: the head of the pull request and what it is compared with, by git alone. */
export async function openPull(asked: PullOptions, place: PullPlace): Promise<PulledChange> {
  const { git, session, task, isQuiet } = place;
  const { repository } = git;
  const where = { repository, env: session.env, signal: session.signal, say: session.say };
  const { name: remote, address } = await chooseRemote(asked, place);
  const eventBase = task.pull === asked.number ? task.configBase : undefined;
  try {
    const branch = await remoteDefaultBranch(where, remote);
    const to = await fetchPull(where, { pull: asked.number, remote });
    const from = asked.base ?? eventBase ?? (await defaultBase(branch, { asked, place, remote }));
    if (!isQuiet) session.say(told(asked, { to, from, branch, eventBase }));
    return {
      selector: { kind: 'range', from, to, symmetric: true },
      repository: remoteRepository(address)?.name ?? null,
    };
  } catch (thrown) {
    throw failure(thrown, { asked, remote, isLate: session.signal.aborted });
  }
}

/** `origin`, or the only one there is. */
async function chooseRemote(
  { number }: PullOptions,
  { git, session }: PullPlace,
): Promise<{ name: string; address: string }> {
  const { repository } = git;
  const remotes = await listRemotes({ repository, env: session.env, signal: session.signal });
  const [only, ...more] = [...remotes];
  const address = remotes.get(ORIGIN);
  if (address !== undefined) return { name: ORIGIN, address };
  if (only !== undefined && more.length === 0) return { name: only[0], address: only[1] };
  const found = only === undefined ? 'this repository has no remote' : 'no remote is called origin';
  throw new BotError('git', `${found} to fetch pull request ${number} from`, {
    hint: 'Add it: git remote add origin ADDRESS; or review what is here with --range A...B',
  });
}

interface Choice {
  readonly asked: PullOptions;
  readonly place: PullPlace;
  readonly remote: string;
}

/** As it is there now: an old copy of it here would count others' commits as the change. */
async function defaultBase(
  defaultBranch: string | undefined,
  { asked, place, remote }: Choice,
): Promise<string> {
  if (defaultBranch === undefined) {
    throw new BotError('git', `${remote} does not say which branch is its default`, {
      hint: `Name what to compare with: --pr ${asked.number} --base REV`,
    });
  }
  const { git, session } = place;
  const where = { repository: git.repository, env: session.env, signal: session.signal };
  return fetchRevision(where, { remote, ref: `refs/heads/${defaultBranch}` });
}

interface Said {
  readonly to: string;
  readonly from: string;
  readonly branch: string | undefined;
  readonly eventBase: string | undefined;
}

function told({ number, base }: PullOptions, { to, from, branch, eventBase }: Said): string {
  const isDefault = base === undefined && eventBase === undefined;
  const against = isDefault ? `${branch}, the default branch (--base REV names another)` : from;
  return `pull request ${number} at ${to.slice(0, 12)}, compared with ${against}`;
}

interface Try {
  readonly asked: PullOptions;
  readonly remote: string;
  readonly isLate: boolean;
}

function failure(thrown: unknown, { asked: { number }, remote, isLate }: Try): unknown {
  if (isLate) {
    return new BotError('git', `the time was up before pull request ${number} was here`, {
      hint: 'Give it more: --deadline 10m',
      cause: thrown,
    });
  }
  if (!isBotError(thrown) || thrown.hint !== undefined) return thrown;
  const cause = thrown;
  if (/couldn't find remote ref/.test(complaintOf(thrown))) {
    return new BotError('git', `${remote} has no pull request ${number}`, {
      hint: `See what there is with: git ls-remote ${remote} 'refs/pull/*/head'`,
      cause,
    });
  }
  return new BotError(
    'git',
    `cannot get pull request ${number} from ${remote}: ${thrown.message}`,
    {
      hint: `Check the way there with: git fetch ${remote}; what is here already needs none: --range A...B`,
      cause,
    },
  );
}
