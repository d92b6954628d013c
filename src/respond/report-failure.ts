import { BotError } from '../core/failure.js';
import type { RunRequest } from '../core/request.js';
import type { Conversation } from './conversation.js';
import { recognise } from './recognise.js';
import { failureReply } from './replies.js';
import { reply } from './reply.js';

/**
 * One comment that says that an admitted command came to nothing. The request was handed between
 * jobs, so the comment it names is read again: without such a command there is nothing to report.
 */
export async function reportFailure(
  request: RunRequest,
  forge: Conversation,
  runUrl: string | undefined,
): Promise<void> {
  const { comment: id, pull, verb } = request;
  if (request.repository.toLowerCase() !== forge.repository.toLowerCase()) {
    throw refused(`it is of ${request.repository}, and this is ${forge.repository}`);
  }
  if (id === null) throw refused('it does not name the comment');
  const comment = await forge.comment(id);
  const heard = recognise({ comment, self: await forge.login(), pull, author: undefined });
  if (heard.kind === 'ignore') throw refused(heard.reason);
  if (heard.command.kind !== 'command' || heard.command.verb !== verb) {
    throw refused('the comment asks for something else');
  }
  const text = failureReply(`/apfel ${verb}`, runUrl);
  await reply(forge, { pull, mark: { kind: 'failure', comment: id }, text, replaces: true });
}

const refused = (why: string): BotError =>
  new BotError('not-permitted', `the failure of this request is not reported: ${why}`);
