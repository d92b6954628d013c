import { isBotError } from '../core/bot-error.js';
import type { GithubPull } from '../github/pulls.js';
import {
  NOTHING_REMEMBERED,
  type OwnSticky,
  ownMarked,
  ownStickies,
  writeSticky,
} from '../publish/own-comments.js';
import type { Admission, Refusal } from './admit.js';
import type { Conversation } from './event.js';
import type { Request } from './parse-command.js';

interface Place {
  readonly githubApi: Conversation;
  say(text: string): void;
}

/** Reacts to the comment, answers what can be answered now, and returns the decision. */
export async function answer(
  admission: Admission,
  about: { readonly request: Request & { readonly comment: number }; readonly pull: GithubPull },
  place: Place,
): Promise<Request> {
  const { request, pull } = about;
  const { githubApi } = place;
  const mark = `<!-- apfel-bot answer to ${request.comment} -->`;
  const react = (reaction: Parameters<Conversation['react']>[1]): Promise<void> =>
    attempt('could not react to the comment', place, () =>
      githubApi.react(request.comment, reaction),
    );
  switch (admission.kind) {
    case 'run':
      await react('eyes');
      return { ...request, decision: 'run', reason: admission.reason };
    case 'help':
      await react('+1');
      await reply(githubApi, { pull: pull.number, mark, text: HELP });
      return { ...request, decision: 'answered', reason: 'posted the help text' };
    case 'ignore-finding': {
      const { id } = admission;
      await react('+1');
      const ignored = await ignoreFinding(githubApi, pull.number, id);
      await reply(githubApi, { pull: pull.number, mark, text: ignoredReply(id, ignored) });
      await attempt('could not check the summary again', place, () =>
        keepIgnored(githubApi, pull.number, { id, before: ignored.before }),
      );
      return { ...request, decision: 'answered', reason: `finding ${id} is ignored` };
    }
    case 'refuse': {
      const { kind } = admission.why;
      const [reason, next] = refusalOf(admission.why);
      await react(kind === 'wrong' ? 'confused' : '-1');
      // In a locked conversation nobody wants more comments.
      if (kind !== 'locked') {
        const text = `Not done: ${reason}.\n\n${next}`;
        const once = kind === 'stranger' ? STRANGERS : mark;
        // The refusal counts even if it can't be posted.
        await attempt('could not post the refusal', place, () =>
          reply(githubApi, { pull: pull.number, mark: once, text }),
        );
      }
      return { ...request, decision: 'refuse', reason };
    }
  }
}

/** For what may fail without changing the decision. */
async function attempt(what: string, { say }: Place, write: () => Promise<void>): Promise<void> {
  try {
    await write();
  } catch (thrown) {
    if (!isBotError(thrown)) throw thrown;
    say(`apfel-bot: ${what}: ${thrown.message}`);
  }
}

/** For people without permission: once per pull request, however often they try. */
const STRANGERS = '<!-- apfel-bot strangers -->';

interface Reply {
  readonly pull: number;
  /** The hidden first line, by which a later run recognises our comment. */
  readonly mark: string;
  readonly text: string;
  /** Replaces an earlier reply with the same mark. */
  readonly replaces?: boolean;
}

/** Posts the comment unless an earlier run of the same job already did. */
export async function reply(
  githubApi: Conversation,
  { pull, mark, text, replaces }: Reply,
): Promise<void> {
  const body = `${mark}\n${text}\n`;
  const [earlier] = ownMarked(await githubApi.comments(pull), await githubApi.login(), mark);
  if (earlier === undefined) await githubApi.createComment(pull, body);
  else if (replaces === true && earlier.body.trim() !== body.trim()) {
    await githubApi.updateComment(earlier.id, body);
  }
}

/** Why a command isn't run, for the log and the request file, and what people can do about it. */
function refusalOf(why: Refusal): readonly [reason: string, next: string] {
  switch (why.kind) {
    case 'stranger':
      return [
        'only people with write permission can use commands here',
        'This reply is posted once per pull request; further attempts only get a reaction.',
      ];
    case 'closed':
      return ['the pull request is closed', 'Reopen it and post the command again.'];
    case 'locked':
      return ['the conversation is locked', ''];
    case 'edited':
      return [
        'the comment was edited',
        'Post the command as a new comment: somebody else may have edited this one.',
      ];
    case 'wrong':
      return [`the command was not understood: ${why.problem}`, HELP];
    case 'fork':
      return [
        "fix-lint doesn't run on a change from a fork, because linters run code of the change",
        '`/apfel review`, `/apfel ask` and `/apfel describe` only read the change and are allowed.',
      ];
    case 'other-commit':
      return [
        `the named commit isn't the head, which is ${why.head}`,
        'Check the head, then post the command again with that commit or without one.',
      ];
    case 'pushed':
      return [
        `something was pushed after the comment; the head is now ${why.head}`,
        `Check what was pushed, then post the command with the full commit id:\n\n    ${why.again}`,
      ];
  }
}

/** A table, so that no line of it can be mistaken for a command. */
const HELP = [
  'Write one of these as the first line of a comment, exactly like this:',
  '',
  '| command | what it does |',
  '|---|---|',
  '| `/apfel help` | shows this text |',
  '| `/apfel review [SHA]` | reviews the change |',
  '| `/apfel fix-lint [SHA]` | fixes linter diagnostics on a separate branch; not for forks |',
  '| `/apfel ask QUESTION` | answers a question about the files at the head |',
  '| `/apfel ask SHA: QUESTION` | the same, for exactly that commit |',
  '| `/apfel describe [SHA]` | suggests a title and a description |',
  '| `/apfel ignore ID` | silences the finding with that id on this pull request |',
  '',
  'They work for people with write permission, in new comments only. `SHA` is the head commit; after a',
  'push it must be the full id. Settings come from the base branch, never from a comment.',
].join('\n');

const ignoredReply = (id: string, { isNew, isShown }: Ignored): string =>
  `Finding \`${id}\` ${isNew ? 'is now' : 'was already'} silenced on this pull request.` +
  (isShown ? '' : ' No comment here mentions it at the moment.');

interface Ignored {
  readonly isNew: boolean;
  /** Whether one of our comments on this pull request mentions the finding. */
  readonly isShown: boolean;
  /** The summary as it was before; undefined if there was none. */
  readonly before: string | undefined;
}

/** The text of the summary until the first review is posted. */
const NOTHING_YET = 'No review has been posted on this pull request yet.';

/** Records in the summary comment that a finding is ignored. */
async function ignoreFinding(githubApi: Conversation, pull: number, id: string): Promise<Ignored> {
  const self = (await githubApi.login()).toLowerCase();
  const inline = (await githubApi.reviewComments(pull)).filter(
    ({ author, body }) => author.toLowerCase() === self && body.includes(id),
  );
  // Read last, to leave other writers as little time as possible.
  const found = await findSummary(githubApi, pull);
  const isShown = found?.sticky.text.includes(id) === true || inline.length > 0;
  if (found === undefined) {
    const remembered = { ...NOTHING_REMEMBERED, ignored: [id] };
    await githubApi.createComment(pull, writeSticky(remembered, NOTHING_YET));
    return { isNew: true, isShown, before: undefined };
  }
  const { comment, sticky, body: before } = found;
  if (sticky.ignored.includes(id)) return { isNew: false, isShown, before };
  const remembered = { ...sticky, ignored: [...sticky.ignored, id] };
  await githubApi.updateComment(comment, writeSticky(remembered, sticky.text));
  return { isNew: true, isShown, before };
}

/**
 * Checks a moment later whether a review posted at the same time has overwritten the summary with
 * an older version. A summary that is the same as before wasn't overwritten.
 */
async function keepIgnored(
  githubApi: Conversation,
  pull: number,
  { id, before }: { readonly id: string; readonly before: string | undefined },
): Promise<void> {
  const found = await findSummary(githubApi, pull);
  if (found === undefined || found.body === before) return;
  if (!found.sticky.ignored.includes(id)) await ignoreFinding(githubApi, pull, id);
}

const findSummary = async (githubApi: Conversation, pull: number): Promise<OwnSticky | undefined> =>
  ownStickies(await githubApi.comments(pull), await githubApi.login())[0];
