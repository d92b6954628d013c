import type { Request } from '../core/request.js';
import { admit } from './admit.js';
import { answer } from './answer.js';
import type { Conversation } from './conversation.js';
import { parseCommand } from './parse-command.js';
import { readEvent } from './read-event.js';
import { recognise } from './recognise.js';

export interface Surroundings {
  /** Called only for what may be a command: most comments are none, and need no token. */
  openForge(): Promise<Conversation>;
  say(text: string): void;
}

/** Event → Request. Admits or refuses, reacts, and answers what needs no model; executes nothing. */
export async function respond(eventText: string, around: Surroundings): Promise<Request> {
  const event = readEvent(eventText);
  if (event.kind === 'ignore') return { ...NOTHING, reason: event.reason };
  const { comment: id, pull: number, repository, author, body } = event;
  const ignored = { ...NOTHING, repository, pull: number, comment: id };
  if (parseCommand(body).kind === 'none') {
    return { ...ignored, reason: 'the first line is no command' };
  }
  const forge = await around.openForge();
  if (forge.repository.toLowerCase() !== repository.toLowerCase()) {
    return { ...ignored, reason: `the event is not of ${forge.repository}` };
  }
  const self = await forge.login();
  const heard = recognise({ comment: await forge.comment(id), self, pull: number, author });
  if (heard.kind === 'ignore') return { ...ignored, reason: heard.reason };
  const { comment, command } = heard;
  const permission = await forge.permissionOf(comment.author);
  const pull = await forge.pull(number);
  if (pull === undefined) return { ...ignored, reason: 'there is no such pull request' };
  // Asked last: whatever was pushed before `pull` was read shows here.
  const headMovedAt = await forge.headMovedAt(number);
  const facts = { comment, command, bodyAtEvent: body, permission, repository, pull, headMovedAt };
  const admission = admit(facts);
  const said = command.kind === 'command' ? command : { verb: null, args: [] };
  const request = { ...ignored, verb: said.verb, args: said.args };
  return answer({ admission, request, pull }, { forge, say: around.say });
}

const NOTHING: Request = {
  version: 1,
  decision: 'ignore',
  reason: '',
  verb: null,
  args: [],
  repository: null,
  pull: null,
  base: null,
  head: null,
  headRepository: null,
  comment: null,
};
