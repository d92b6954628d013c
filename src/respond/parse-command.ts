import { BotError } from '../core/bot-error.js';
import { parseJson } from '../core/json-fields.js';
import { nearest, orHint } from '../core/nearest.js';
import { schemaProblems } from '../core/schema-problem.js';
import { usage } from '../core/task.js';
import type { RequestFile } from '../generated/shapes.js';
import { validateRequest } from '../generated/validate-request.js';
import { readText } from '../platform/files.js';
import { reveal } from '../platform/safe-text.js';

/** What a comment may ask for. */
const COMMENT_VERBS = ['help', 'review', 'fix-lint', 'ask', 'describe', 'ignore'] as const;
type CommentVerb = (typeof COMMENT_VERBS)[number];

/** Commands that are executed later, without the token; the others are answered at once. */
const RUN_VERBS = ['review', 'fix-lint', 'ask', 'describe'] as const;
export type RunVerb = (typeof RUN_VERBS)[number];

/** What `respond` decided about a comment; the file that `run` reads. Null is unknown. */
export type Request = Required<RequestFile>;

/** A request with everything that `run` needs. */
export interface RunRequest extends Request {
  readonly decision: 'run';
  readonly verb: RunVerb;
  readonly repository: string;
  readonly pull: number;
  readonly base: string;
  readonly head: string;
}

function isRunRequest(request: Request): request is RunRequest {
  const { decision, verb, repository, pull, base, head } = request;
  return (
    decision === 'run' &&
    RUN_VERBS.some(each => each === verb) &&
    [repository, pull, base, head].every(each => each !== null)
  );
}

export type CommentCommand =
  /** Not for us. */
  | { readonly kind: 'none' }
  /** For us, but not understood; the problem is in our own words. */
  | { readonly kind: 'wrong'; readonly problem: string }
  | {
      readonly kind: 'command';
      readonly verb: CommentVerb;
      readonly args: readonly string[];
      /** The commit that was named. */
      readonly sha: string | undefined;
    };

const NAME = '/apfel';
/** The model's context is small. */
const MAX_QUESTION = 1000;
/** A longer word isn't a misspelt command. */
const MAX_VERB = 20;
/** GitHub shows seven digits. */
const SHA = /^[0-9a-f]{7,64}$/;
const FINDING = /^[0-9a-f]{16}$/;
const NAMED_QUESTION = /^([0-9a-f]{7,64}): (.*)$/;

/**
 * The grammar of comments: the first line is exactly `/apfel VERB [args]`, with single spaces.
 * Nothing is corrected: what is almost a command is for somebody else, or gets a reply that shows
 * the right form.
 */
export function parseCommand(body: string): CommentCommand {
  const line = (/^[^\r\n]*/.exec(body)?.[0] ?? '').trimEnd();
  if (line !== NAME && !line.startsWith(`${NAME} `)) return { kind: 'none' };
  if (reveal(line) !== line) return wrong('the line has invisible characters');
  const [, verb = '', ...args] = line.split(' ');
  if (verb === '') return wrong(args.length > 0 ? SPACES : 'there is no command after `/apfel`');
  const known = COMMENT_VERBS.find(each => each === verb);
  if (known === undefined) return wrong(unknownVerb(verb));
  // Before anything else: settings come from the base branch, never from a comment.
  if (args[0]?.startsWith('-')) return wrong("comments can't change settings");
  return known === 'ask' ? question(args.join(' ')) : plain(known, args);
}

const SPACES = 'there is more than one space between two words';

function unknownVerb(verb: string): string {
  const meant = verb.length > MAX_VERB ? undefined : nearest(verb, COMMENT_VERBS);
  return meant === undefined
    ? 'there is no such command'
    : `there is no such command (did you mean \`${NAME} ${meant}\`?)`;
}

function plain(verb: Exclude<CommentVerb, 'ask'>, args: readonly string[]): CommentCommand {
  const [first, stray] = args.filter(word => word !== '');
  if (stray === undefined && args.includes('')) return wrong(SPACES);
  if (stray !== undefined) return wrong(`\`${verb}\` takes ${takes(verb)}`);
  if (verb === 'ignore') {
    return first !== undefined && FINDING.test(first)
      ? { kind: 'command', verb, args, sha: undefined }
      : wrong(`\`ignore\` takes ${takes(verb)}`);
  }
  if (first === undefined) return { kind: 'command', verb, args, sha: undefined };
  return verb !== 'help' && SHA.test(first)
    ? { kind: 'command', verb, args, sha: first }
    : wrong(`\`${verb}\` takes ${takes(verb)}`);
}

function takes(verb: Exclude<CommentVerb, 'ask'>): string {
  switch (verb) {
    case 'help':
      return 'no arguments';
    case 'ignore':
      return 'the id of one finding, the 16 characters shown with it';
    case 'review':
    case 'fix-lint':
    case 'describe':
      return 'only the id of the head commit, in lower case';
  }
}

/** `ask …` or `ask SHA: …`; the text becomes one argument and is never parsed for options. */
function question(text: string): CommentCommand {
  const [, sha, rest] = NAMED_QUESTION.exec(text) ?? [];
  const asked = (rest ?? text).trim();
  if (asked === '') return wrong('`ask` needs a question on the same line');
  if (asked.startsWith('-')) return wrong("comments can't change settings");
  if (asked.length > MAX_QUESTION) {
    return wrong(
      `a question can have at most ${MAX_QUESTION} characters; this one has ${asked.length}`,
    );
  }
  return { kind: 'command', verb: 'ask', args: [asked], sha };
}

const wrong = (problem: string): CommentCommand => ({ kind: 'wrong', problem });

/** A request as `respond --out` wrote it, or a failure: nothing in the file is trusted. */
export async function readRequest(file: string): Promise<Request> {
  const text = await orHint(readText(file), 'Name the file that respond --out wrote');
  if (text === undefined) throw usage(`${file} doesn't exist`);
  const value = parseJson(text);
  if (value === undefined) throw usage(`${file} isn't a request: it isn't JSON`);
  const problems = schemaProblems(validateRequest(value));
  if (problems.length > 0) throw usage(`${file} isn't a request: ${problems.join('; ')}`);
  // Validated by the schema; optional fields that are absent are unknown.
  return { version: 1, headRepository: null, comment: null, ...(value as RequestFile) };
}

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
