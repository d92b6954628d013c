import { BotError } from '../core/bot-error.js';
import { orHint } from '../core/nearest.js';
import { schemaProblems } from '../core/schema-problem.js';
import { usage } from '../core/task.js';
import { validateRequest } from '../generated/validate-request.js';
import { nodeFiles } from '../platform/files.js';
import { isRunRequest, parseCommand, type Request, type RunRequest } from './parse-command.js';

/** A request as `respond --out` wrote it, or a failure: nothing in the file is taken on trust. */
export async function readRequest(file: string): Promise<Request> {
  const text = await orHint(nodeFiles.read(file), 'Name the file that respond --out wrote');
  if (text === undefined) throw usage(`there is no file ${file}`);
  const value = parse(text, file);
  const problems = schemaProblems(validateRequest(value));
  if (problems.length > 0) throw usage(`${file} is no request: ${problems.join('; ')}`);
  // The schema has just vouched for the shape; what it lets out is unknown.
  return { ...UNKNOWN, ...(value as Request) };
}

const UNKNOWN = { version: 1, headRepository: null, comment: null } as const;

/** The request as something to execute, here and only here. */
export function runnable(request: Request, here: string | undefined): RunRequest {
  if (!isRunRequest(request)) {
    throw usage('the request is admitted, but does not say what to run on which commits');
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
    return JSON.parse(text);
  } catch {
    throw usage(`${file} is no request: it is not JSON`);
  }
}

/**
 * Why a request cannot have come from `respond`, or undefined. The file is handed between jobs, so
 * what it asks for is held to the grammar of comments once more.
 */
export function requestProblem({ verb, args, head }: RunRequest): string | undefined {
  const said = args.join(' ');
  const again = parseCommand(['/apfel', verb, ...args].join(' '));
  if (again.kind !== 'command') {
    return again.kind === 'wrong' ? again.problem : 'its verb is not one of a comment';
  }
  const { sha } = again;
  if (verb === 'ask') {
    // A question may itself begin with something that looks like a commit.
    const whole = sha === undefined ? again.args.join(' ') : `${sha}: ${again.args.join(' ')}`;
    return whole === said ? undefined : 'its question is not one line of plain text';
  }
  if (again.args.join(' ') !== said) return 'its arguments are not one line of plain text';
  return sha === undefined || head.startsWith(sha)
    ? undefined
    : 'the commit it names is not the head it is bound to';
}
