import type { RunRequest } from '../core/request.js';
import { parseCommand } from './parse-command.js';

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
