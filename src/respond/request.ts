import { BotError } from '../core/bot-error.js';
import { parseBounded } from '../core/json-fields.js';
import { orHint } from '../core/nearest.js';
import { schemaProblems } from '../core/schema-problem.js';
import { usage } from '../core/task.js';
import { validateRequest } from '../generated/validate-request.js';
import { readText } from '../platform/files.js';
import { isRunRequest, parseCommand, type Request, type RunRequest } from './parse-command.js';

/** A request as `respond --out` wrote it, or a failure: nothing in the file is trusted. */
export async function readRequest(file: string): Promise<Request> {
  const text = await orHint(readText(file), 'Name the file that respond --out wrote');
  if (text === undefined) throw usage(`${file} doesn't exist`);
  const value = parse(text, file);
  const problems = schemaProblems(validateRequest(value));
  if (problems.length > 0) throw usage(`${file} isn't a request: ${problems.join('; ')}`);
  // Validated by the schema; optional fields that are absent are unknown.
  return { ...UNKNOWN, ...(value as Request) };
}

const UNKNOWN = { version: 1, headRepository: null, comment: null } as const;

/** The request if it can be run in this repository, or a failure. */
export function runnable(request: Request, here: string | undefined): RunRequest {
  if (!isRunRequest(request)) {
    throw usage("the request is admitted, but doesn't say what to run on which commits");
  }
  const problem = requestProblem(request);
  if (problem !== undefined) throw usage(`the request was not written by respond: ${problem}`);
  if (here !== undefined && here.toLowerCase() !== request.repository.toLowerCase()) {
    throw new BotError('not-permitted', `the request is for ${request.repository}, not ${here}`);
  }
  return request;
}

function parse(text: string, file: string): unknown {
  try {
    return parseBounded(text);
  } catch {
    throw usage(`${file} isn't a request: it isn't JSON`);
  }
}

/**
 * Why a request can't have come from `respond`, or undefined. The file passed between jobs, so its
 * command is parsed again.
 */
function requestProblem({ verb, args, head }: RunRequest): string | undefined {
  const text = args.join(' ');
  const again = parseCommand(['/apfel', verb, ...args].join(' '));
  if (again.kind !== 'command') {
    return again.kind === 'wrong' ? again.problem : "its verb isn't a command for comments";
  }
  const { sha } = again;
  if (verb === 'ask') {
    // A question may itself begin with something that looks like a commit.
    const whole = sha === undefined ? again.args.join(' ') : `${sha}: ${again.args.join(' ')}`;
    return whole === text ? undefined : "its question isn't one line of plain text";
  }
  if (again.args.join(' ') !== text) return "its arguments aren't one line of plain text";
  return sha === undefined || head.startsWith(sha)
    ? undefined
    : "the commit it names isn't its head";
}
