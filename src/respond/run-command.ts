import { ask } from '../ask/command.js';
import { workOptions } from '../config/options.js';
import { BotError, isBotError } from '../core/bot-error.js';
import type { AnswerOutcome } from '../core/outcome.js';
import { type ParsedArguments, usage } from '../core/task.js';
import { describe } from '../describe/command.js';
import { fixLint } from '../fix/command.js';
import { openGit, type Repository } from '../git/git.js';
import {
  commitHere,
  fetchPull,
  hasRemote,
  isBranchHead,
  isFetchedBranchHead,
} from '../git/isolated-remote.js';
import { isFork } from '../github/target.js';
import { nodeClock } from '../platform/clock.js';
import { readText, writeText } from '../platform/files.js';
import { ownPlace, removeOwnFile, writeOwnFile } from '../platform/own-files.js';
import type { Environment } from '../platform/processes.js';
import { tokenNames } from '../platform/processes.js';
import { forTerminalLines } from '../platform/safe-text.js';
import { jsonText } from '../report/json.js';
import { review } from '../review/command.js';
import type { CommandEnd, Session } from '../session.js';
import { type RunRequest, type RunVerb, readRequest, runnable } from './parse-command.js';

const REMOTE = 'origin';

const VERBS: Readonly<Record<RunVerb, typeof review>> = {
  review,
  'fix-lint': fixLint,
  ask,
  describe,
};

/** `run REQUEST`: runs what `respond` admitted, on exactly those commits, without a token. */
export async function runRequest(parsed: ParsedArguments, session: Session): Promise<CommandEnd> {
  mustHaveNoToken(session.env);
  const request = await readRequest(fileIn(parsed));
  if (request.decision !== 'run') {
    const text = `nothing to do (${request.decision}): ${request.reason}`;
    return { text: `${forTerminalLines(text)}\n`, ending: 'done' };
  }
  const options = runnable(request, session.env['GITHUB_REPOSITORY'] || undefined);
  const { deadlineMs } = workOptions(parsed);
  // Includes the time for fetching.
  if (deadlineMs !== undefined) session.endAfter(deadlineMs);
  const { repository } = await openGit({ ...session, expectsStaged: false });
  const where = { repository, env: session.env, signal: session.signal, say: session.printError };
  const isOwn = await isOwnChange(options, where);
  if (options.verb === 'fix-lint' && !isOwn) throw foreign(options);
  await bringHead(options, where);
  await mustHaveBase(options, where);
  const inner = innerParsed(options, parsed);
  const end = await asOnPull(
    isOwn ? options : { ...options, headRepository: null },
    repository,
    event =>
      VERBS[options.verb](inner, {
        ...session,
        env: { ...session.env, GITHUB_EVENT_PATH: event, GITHUB_REPOSITORY: options.repository },
      }),
  );
  return options.verb === 'ask' ? bindAnswer(options, end, inner) : end;
}

/** A linter can read the environment of the process that started it, even if its own is clean. */
function mustHaveNoToken(env: Environment): void {
  const names = tokenNames(env);
  if (names.length === 0) return;
  throw new BotError(
    'not-permitted',
    `run works without a token or password, but found ${names.join(', ')}`,
    {
      hint: 'Set it only in the step or job that runs respond, post or push, or unset it here: env -u NAME',
    },
  );
}

function fileIn({ positionals: [file, stray], paths }: ParsedArguments): string {
  if (file === undefined)
    throw usage('run needs the file that respond wrote: apfel-bot run request.json');
  const more = stray ?? paths[0];
  if (more !== undefined) throw usage(`unexpected argument ${JSON.stringify(more)}`);
  return file;
}

interface Place {
  readonly repository: Repository;
  readonly env: Environment;
  readonly signal: AbortSignal;
  readonly say: (line: string) => void;
}

/** The file can claim anything: only the head of a branch here was certainly pushed here. */
async function isOwnChange(options: RunRequest, where: Place): Promise<boolean> {
  const { headRepository, repository, head } = options;
  if (isFork(headRepository, repository)) return false;
  if (!(await hasRemote(where, REMOTE))) return true;
  try {
    return await isBranchHead(where, { remote: REMOTE, commit: head });
  } catch (thrown) {
    // Without a token the remote may not answer; then the checkout's branches decide. A change that
    // isn't known to be ours is read, but none of its code is run.
    if (!isBotError(thrown)) throw thrown;
    return isFetchedBranchHead(where, { remote: REMOTE, commit: head });
  }
}

const foreign = ({ headRepository, repository, head }: RunRequest): BotError => {
  const why = isFork(headRepository, repository)
    ? `it comes from ${headRepository ?? 'an unnamed repository'}`
    : `no branch of ${repository} is known to have ${head} as its head`;
  return new BotError('not-permitted', `fix-lint doesn't run on a change from a fork: ${why}`, {
    hint: 'Linters run code of the change; review, ask and describe only read it',
  });
};

async function bringHead({ pull, head }: RunRequest, where: Place): Promise<void> {
  if ((await commitHere(where, head)) !== undefined) return;
  const fetched = await fetchPull(where, { pull, remote: REMOTE });
  if (fetched === head) return;
  throw new BotError('git', `the head of pull request ${pull} is ${fetched}, not ${head}`, {
    hint: 'Something was pushed after the command; post the command again',
  });
}

/** Without the base the defaults would silently apply. */
async function mustHaveBase({ base }: RunRequest, where: Place): Promise<void> {
  if ((await commitHere(where, base)) !== undefined) return;
  throw new BotError('git', `the base ${base} of the pull request isn't in this clone`, {
    hint: 'Check out with fetch-depth: 0, or run git fetch --unshallow',
  });
}

/** Runs as if for an event of that pull request: settings and rules come from its base. */
async function asOnPull<Value>(
  options: RunRequest,
  { gitDir }: Repository,
  run: (event: string) => Promise<Value>,
): Promise<Value> {
  const { repository, pull, base, head, headRepository } = options;
  const from = headRepository === null ? null : { full_name: headRepository };
  const file = ownPlace(gitDir, 'events', `${nodeClock.runId()}.json`);
  await writeOwnFile(file, {
    repository: { full_name: repository },
    pull_request: {
      number: pull,
      base: { sha: base, repo: { full_name: repository } },
      head: { sha: head, repo: from },
    },
  });
  try {
    return await run(file);
  } finally {
    await removeOwnFile(file);
  }
}

/** The options of our own command line, with the commits of the request. */
function innerParsed(
  { verb, args, base, head }: RunRequest,
  given: ParsedArguments,
): ParsedArguments {
  const isQuestion = verb === 'ask';
  const values = new Map(given.values);
  // `post` sets the conclusion.
  if (!values.has('fail-on')) values.set('fail-on', 'never');
  if (isQuestion) values.set('commit', head);
  else values.set('range', `${base}...${head}`);
  return { values, switches: given.switches, positionals: isQuestion ? args : [], paths: [] };
}

/** Adds the pull request and its commit to an answer, which has no change of its own. */
async function bindAnswer(
  options: RunRequest,
  end: CommandEnd,
  inner: ParsedArguments,
): Promise<CommandEnd> {
  const { base, head, repository, pull } = options;
  const change = { base, head, repository, pull, files: 0, hunks: 0, added: 0, removed: 0 };
  // Both texts are output of `ask`.
  const bind = (text: string): string =>
    jsonText({ ...(JSON.parse(text) as AnswerOutcome), change });
  const { out, format } = workOptions(inner);
  const text = out === undefined ? undefined : await readText(out);
  if (out !== undefined && text !== undefined) await writeText(out, bind(text));
  return format === 'json' ? { ...end, text: bind(end.text) } : end;
}
