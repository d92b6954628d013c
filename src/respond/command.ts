import { rejectPositionals, type WorkOptions, workOptions } from '../config/options.js';
import { orHint } from '../core/nearest.js';
import { type ParsedArguments, usage } from '../core/task.js';
import { openGithub } from '../github/github.js';
import { githubTarget, workflowRunUrl } from '../github/target.js';
import { nodeClock } from '../platform/clock.js';
import { readText, writeText } from '../platform/files.js';
import { forTerminalLines } from '../platform/safe-text.js';
import { mustBeBound } from '../publish/bound-event.js';
import { jsonText } from '../report/json.js';
import type { CommandEnd, Session } from '../session.js';
import type { Conversation } from './event.js';
import { type Request, readRequest, runnable } from './parse-command.js';
import { reportFailure, respond as respondTo } from './respond.js';

/** Enough for a dozen requests and a wait for a rate limit. */
const DEADLINE_MS = 3 * 60_000;

/** `respond`: has the token, so it neither talks to the model nor reads the change. */
export async function respond(parsed: ParsedArguments, session: Session): Promise<CommandEnd> {
  rejectPositionals(parsed);
  const [path] = parsed.paths;
  if (path !== undefined) throw usage(`unexpected argument ${JSON.stringify(path)}`);
  const options = workOptions(parsed);
  const failed = parsed.values.get('failed');
  session.endAfter(options.deadlineMs ?? DEADLINE_MS);
  const openGithubFor = (): Promise<Conversation> => openConversation(options, session);
  if (failed !== undefined) return reportFailureTo(failed, session, openGithubFor);
  const request = await respondTo(await eventText(session), {
    openGithubFor,
    say: session.printError,
  });
  if (options.out !== undefined) await writeText(options.out, jsonText(request));
  return {
    text:
      options.format === 'json'
        ? jsonText(request)
        : `${forTerminalLines(decisionLine(request))}\n`,
    ending: request.decision === 'refuse' ? 'not-permitted' : 'done',
  };
}

async function openConversation(options: WorkOptions, session: Session): Promise<Conversation> {
  const deadlineAt = nodeClock.now() + (options.deadlineMs ?? DEADLINE_MS);
  const { signal, version } = session;
  const githubApi = await openGithub(githubTarget(session.env), { signal, deadlineAt, version });
  return options.isDryRun ? readOnly(githubApi, session.printError) : githubApi;
}

async function eventText({ env }: Session): Promise<string> {
  const path = env['GITHUB_EVENT_PATH'];
  if (path === undefined || path === '') {
    throw usage('respond reads the comment from GITHUB_EVENT_PATH, which is not set');
  }
  const hint = 'Run it in a workflow on: issue_comment, which sets it';
  const text = await orHint(readText(path), hint);
  if (text === undefined) throw usage(`GITHUB_EVENT_PATH is ${path}, which doesn't exist`);
  return text;
}

/** For the last job of a workflow: an admitted command always gets an answer. */
async function reportFailureTo(
  file: string,
  session: Session,
  openGithubFor: () => Promise<Conversation>,
): Promise<CommandEnd> {
  const request = await readRequest(file);
  if (request.decision !== 'run') {
    const text = `nothing to report (${request.decision}): ${request.reason}`;
    return { text: `${forTerminalLines(text)}\n`, ending: 'done' };
  }
  const wanted = runnable(request, session.env['GITHUB_REPOSITORY'] || undefined);
  const githubApi = await openGithubFor();
  await mustBeBound(session.env, wanted, githubApi);
  await reportFailure(wanted, githubApi, workflowRunUrl(session.env));
  return { text: `reported the failure of ${wanted.verb} on #${wanted.pull}\n`, ending: 'done' };
}

function decisionLine({ decision, reason, verb, pull, head }: Request): string {
  if (decision === 'run') return `run: ${verb} on #${pull} at ${head}; ${reason}`;
  return `${{ ignore: 'ignored', refuse: 'refused', answered: 'answered' }[decision]}: ${reason}`;
}

/** `--dry-run`: reads as usual, and only reports what it would write. */
export const readOnly = (githubApi: Conversation, say: (text: string) => void): Conversation => ({
  ...githubApi,
  react: async (_, reaction) => say(`would react with ${reaction}`),
  updateComment: async (id, body) => say(`would change comment ${id} to:\n${body}`),
  createComment: async (pull, body) => {
    say(`would comment on #${pull}:\n${body}`);
    const nobody = { id: 0, author: '', isBot: true, createdAt: '', updatedAt: '', url: '' };
    return { ...nobody, body };
  },
});
