import { BotError } from '../core/bot-error.js';
import { isObject, type JsonObject, objectAt } from '../core/json-fields.js';
import type { Github } from '../github/github.js';

/** The ids of a new comment on a pull request; everything else is requested from the API. */
type CommentEvent =
  | { readonly kind: 'ignore'; readonly reason: string }
  | {
      readonly kind: 'comment';
      readonly comment: number;
      readonly pull: number;
      readonly repository: string;
      readonly author: string;
      /** Only to see whether it is a command at all, and whether it has changed since. */
      readonly body: string;
    };

/**
 * Reads a GitHub event. An event can only take permissions away, never grant any: what it says
 * about bots counts, what it says about permissions isn't even read.
 */
export function readEvent(text: string): CommentEvent {
  const event = parse(text);
  const issue = objectAt(event, 'issue');
  const comment = objectAt(event, 'comment');
  if (comment === undefined || issue === undefined) {
    return ignore("the event isn't a comment on a pull request");
  }
  if (event['action'] !== 'created') return ignore('only new comments are read');
  if (objectAt(issue, 'pull_request') === undefined) {
    return ignore('the comment is on an issue, not on a pull request');
  }
  const id = idIn(comment['id']);
  const pull = idIn(issue['number']);
  const repository = objectAt(event, 'repository')?.['full_name'];
  const body = comment['body'];
  if (id === undefined || pull === undefined) return ignore('the event has no comment');
  if (typeof repository !== 'string' || !/^[\w.-]+\/[\w.-]+$/.test(repository)) {
    return ignore('the event has no repository');
  }
  if (typeof body !== 'string') return ignore('the comment has no text');
  const author = objectAt(comment, 'user')?.['login'];
  if (typeof author !== 'string') return ignore("the comment's author no longer exists");
  const reason = whyAutomated(event, comment);
  return reason === undefined
    ? { kind: 'comment', comment: id, pull, repository, author, body }
    : ignore(reason);
}

function parse(text: string): JsonObject {
  try {
    const value: unknown = JSON.parse(text.replace(/^\ufeff/, ''));
    if (isObject(value)) return value;
  } catch (cause) {
    throw new BotError('usage', "the file in GITHUB_EVENT_PATH isn't valid JSON", {
      hint: HINT,
      cause,
    });
  }
  throw new BotError('usage', "the file in GITHUB_EVENT_PATH isn't an event", { hint: HINT });
}

const HINT = 'Run it in a workflow on: issue_comment, which writes the event there';

const idIn = (value: unknown): number | undefined =>
  typeof value === 'number' && Number.isSafeInteger(value) && value > 0 ? value : undefined;

/** An app can write in a person's name, and may repeat other people's text. */
function whyAutomated(event: JsonObject, comment: JsonObject): string | undefined {
  const isBot = ['sender', 'user'].some(role => {
    const who = objectAt(role === 'sender' ? event : comment, role);
    const login = who?.['login'];
    return who?.['type'] === 'Bot' || (typeof login === 'string' && login.endsWith('[bot]'));
  });
  if (isBot) return 'comments by bots are ignored';
  const app = comment['performed_via_github_app'];
  return isObject(app) ? 'the comment was written by an app, not by a person' : undefined;
}

const ignore = (reason: string): CommentEvent => ({ kind: 'ignore', reason });

/** The part of GitHub that `respond` may use: it reads no code and writes no review. */
export type Conversation = Pick<
  Github,
  | 'repository'
  | 'login'
  | 'pull'
  | 'branchHead'
  | 'permissionOf'
  | 'headMovedAt'
  | 'comment'
  | 'comments'
  | 'createComment'
  | 'updateComment'
  | 'react'
  | 'reviewComments'
>;
