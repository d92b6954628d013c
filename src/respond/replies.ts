import type { Refusal } from './admit.js';
import type { Ignored } from './ignore-finding.js';

/** One sentence for the log and the request file. */
export function reasonOf(why: Refusal): string {
  switch (why.kind) {
    case 'stranger':
      return 'only people with write permission can command here';
    case 'closed':
      return 'the pull request is closed';
    case 'locked':
      return 'the conversation is locked';
    case 'edited':
      return 'the comment was edited';
    case 'wrong':
      return `the command was not understood: ${why.problem}`;
    case 'fork':
      return 'fix-lint does not run on a change from a fork, because a linter runs code of the change';
    case 'other-commit':
      return `the commit that was named is not the head, which is ${why.head}`;
    case 'pushed':
      return `there was a push after the comment; the head is now ${why.head}`;
    default: {
      const never: never = why;
      return never;
    }
  }
}

/** The same as a comment, with what to do next. Every word is ours or an id that was checked. */
export function refusalReply(why: Refusal): string {
  const sentence = `Not done: ${reasonOf(why)}.`;
  const next = nextStep(why);
  return next === '' ? sentence : `${sentence}\n\n${next}`;
}

function nextStep(why: Refusal): string {
  switch (why.kind) {
    case 'stranger':
      return 'This is said once for each pull request; later tries get a reaction only.';
    case 'closed':
      return 'Reopen it and write the command again.';
    case 'locked':
      return '';
    case 'edited':
      return 'Write the command as a new comment: an edited one may be somebody else’s words.';
    case 'wrong':
      return HELP;
    case 'fork':
      return '`/apfel review`, `/apfel ask` and `/apfel describe` only read the change and are allowed.';
    case 'other-commit':
      return 'Look at the head, then name that commit or none.';
    case 'pushed':
      return `Look at what was pushed, then name the commit that is meant:\n\n    ${why.again}`;
    default: {
      const never: never = why;
      return never;
    }
  }
}

/** A table, so that no line of ours can be taken for a command. */
export const HELP = [
  'The first line of a comment can be one of these, exactly:',
  '',
  '| command | what it does |',
  '|---|---|',
  '| `/apfel help` | this text |',
  '| `/apfel review [SHA]` | reviews the change |',
  '| `/apfel fix-lint [SHA]` | fixes linter diagnostics on a branch of its own; not for forks |',
  '| `/apfel ask QUESTION` | answers a question from the files of the head |',
  '| `/apfel ask SHA: QUESTION` | the same, for exactly that commit |',
  '| `/apfel describe [SHA]` | proposes a title and a description |',
  '| `/apfel ignore ID` | keeps the finding with that id silent on this pull request |',
  '',
  'They are taken from people with write permission, from new comments only. `SHA` is the head commit;',
  'the whole id is needed when something was pushed after the comment. Settings come from the base',
  'branch, never from a comment.',
].join('\n');

export function ignoredReply(id: string, { isNew, isShown }: Ignored): string {
  const sentence = isNew
    ? `Finding \`${id}\` stays silent on this pull request from now on.`
    : `Finding \`${id}\` was silent on this pull request already.`;
  return isShown ? sentence : `${sentence} Nothing here speaks of it at present.`;
}

export const failureReply = (command: string, runUrl: string | undefined): string =>
  runUrl === undefined
    ? `\`${command}\` failed before there was a result; the log of the run tells why.`
    : `\`${command}\` failed before there was a result. The log tells why: ${runUrl}`;
