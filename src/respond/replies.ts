import type { Refusal } from './admit.js';
import type { Ignored } from './ignore-finding.js';

/** One sentence for the log and the request file. */
export function reasonOf(why: Refusal): string {
  switch (why.kind) {
    case 'stranger':
      return 'only people with write permission can use commands here';
    case 'closed':
      return 'the pull request is closed';
    case 'locked':
      return 'the conversation is locked';
    case 'edited':
      return 'the comment was edited';
    case 'wrong':
      return `the command was not understood: ${why.problem}`;
    case 'fork':
      return "fix-lint doesn't run on a change from a fork, because linters run code of the change";
    case 'other-commit':
      return `the named commit isn't the head, which is ${why.head}`;
    case 'pushed':
      return `something was pushed after the comment; the head is now ${why.head}`;
    default: {
      const never: never = why;
      return never;
    }
  }
}

/** The same as a comment, with the next step. Its only foreign text is validated ids. */
export function refusalReply(why: Refusal): string {
  const sentence = `Not done: ${reasonOf(why)}.`;
  const next = nextStep(why);
  return next === '' ? sentence : `${sentence}\n\n${next}`;
}

function nextStep(why: Refusal): string {
  switch (why.kind) {
    case 'stranger':
      return 'This reply is posted once per pull request; further attempts only get a reaction.';
    case 'closed':
      return 'Reopen it and post the command again.';
    case 'locked':
      return '';
    case 'edited':
      return 'Post the command as a new comment: somebody else may have edited this one.';
    case 'wrong':
      return HELP;
    case 'fork':
      return '`/apfel review`, `/apfel ask` and `/apfel describe` only read the change and are allowed.';
    case 'other-commit':
      return 'Check the head, then post the command again with that commit or without one.';
    case 'pushed':
      return `Check what was pushed, then post the command with the full commit id:\n\n    ${why.again}`;
    default: {
      const never: never = why;
      return never;
    }
  }
}

/** A table, so that no line of it can be mistaken for a command. */
export const HELP = [
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

export function ignoredReply(id: string, { isNew, isShown }: Ignored): string {
  const sentence = isNew
    ? `Finding \`${id}\` is now silenced on this pull request.`
    : `Finding \`${id}\` was already silenced on this pull request.`;
  return isShown ? sentence : `${sentence} No comment here mentions it at the moment.`;
}

export const failureReply = (command: string, runUrl: string | undefined): string =>
  runUrl === undefined
    ? `\`${command}\` failed without a result; see the log of the run.`
    : `\`${command}\` failed without a result. See the log: ${runUrl}`;
