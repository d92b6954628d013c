import { openGithub } from '../adapters/github/github.js';
import { githubPlace } from '../adapters/github/github-place.js';
import { nodeClock } from '../adapters/node-clock.js';
import { nodeFiles } from '../adapters/node-files.js';
import { forTerminalLines } from '../core/neutralise.js';
import { orHint } from '../core/or-hint.js';
import type { Request } from '../core/request.js';
import { jsonText } from '../publish/json-text.js';
import type { Conversation } from '../respond/conversation.js';
import { failedRunUrl } from '../respond/failed-run-url.js';
import { onlyListening } from '../respond/only-listening.js';
import { reportFailure } from '../respond/report-failure.js';
import { respond as respondTo } from '../respond/respond.js';
import { type Parsed, usage } from '../trigger/parse-argv.js';
import { mustHaveNoWords, type WorkOptions, workOptions } from '../trigger/work-options.js';
import type { CommandEnd, Desk } from './desk.js';
import { readRequest, runnable } from './request-file.js';

/** A dozen requests, with patience for a rate limit that is lifted soon. */
const LONGEST_MS = 3 * 60_000;

/** `respond`: holds the token, so it neither talks to the model nor reads anything of the change. */
export async function respond(parsed: Parsed, desk: Desk): Promise<CommandEnd> {
  mustHaveNoWords(parsed);
  const [path] = parsed.paths;
  if (path !== undefined) throw usage(`unexpected argument ${JSON.stringify(path)}`);
  const options = workOptions(parsed);
  const failed = parsed.values.get('failed');
  desk.endAfter(options.deadlineMs ?? LONGEST_MS);
  const openForge = (): Promise<Conversation> => openConversation(options, desk);
  if (failed !== undefined) return tellFailure(failed, { desk, openForge });
  const request = await respondTo(await eventText(desk), { openForge, say: desk.say });
  if (options.out !== undefined) await nodeFiles.write(options.out, jsonText(request));
  return {
    text: options.format === 'json' ? jsonText(request) : `${forTerminalLines(told(request))}\n`,
    ending: request.decision === 'refuse' ? 'not-permitted' : 'done',
  };
}

async function openConversation(options: WorkOptions, desk: Desk): Promise<Conversation> {
  const deadlineAt = nodeClock.now() + (options.deadlineMs ?? LONGEST_MS);
  const { signal, version } = desk;
  const forge = await openGithub(githubPlace(desk.env), { signal, deadlineAt, version });
  return options.isDryRun ? onlyListening(forge, desk.say) : forge;
}

async function eventText({ env }: Desk): Promise<string> {
  const path = env['GITHUB_EVENT_PATH'];
  if (path === undefined || path === '') {
    throw usage('respond reads the comment from GITHUB_EVENT_PATH, which is not set');
  }
  const hint = 'Run it in a workflow on: issue_comment, which sets it';
  const text = await orHint(nodeFiles.read(path), hint);
  if (text === undefined) throw usage(`GITHUB_EVENT_PATH names ${path}, which is not there`);
  return text;
}

interface Telling {
  readonly desk: Desk;
  openForge(): Promise<Conversation>;
}

/** For the last step of a workflow: an admitted command must not end in silence. */
async function tellFailure(file: string, { desk, openForge }: Telling): Promise<CommandEnd> {
  const request = await readRequest(file);
  if (request.decision !== 'run') {
    const text = `nothing to report (${request.decision}): ${request.reason}`;
    return { text: `${forTerminalLines(text)}\n`, ending: 'done' };
  }
  const wish = runnable(request, desk.env['GITHUB_REPOSITORY'] || undefined);
  await reportFailure(wish, await openForge(), failedRunUrl(desk.env));
  return { text: `told the failure of ${wish.verb} on #${wish.pull}\n`, ending: 'done' };
}

function told({ decision, reason, verb, pull, head }: Request): string {
  switch (decision) {
    case 'run':
      return `run: ${verb} on #${pull} at ${head}; ${reason}`;
    case 'ignore':
      return `ignored: ${reason}`;
    case 'refuse':
      return `refused: ${reason}`;
    case 'answered':
      return `answered: ${reason}`;
    default: {
      const never: never = decision;
      return never;
    }
  }
}
