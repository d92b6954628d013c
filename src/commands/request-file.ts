import { nodeFiles } from '../adapters/node-files.js';
import { BotError } from '../core/failure.js';
import { orHint } from '../core/or-hint.js';
import { isRunRequest, type Request, type RunRequest } from '../core/request.js';
import { schemaProblems } from '../core/schema-problem.js';
import { validateRequest } from '../generated/validate-request.js';
import { requestProblem } from '../respond/request-problem.js';
import { usage } from '../trigger/parse-argv.js';

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
