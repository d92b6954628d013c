import type { GithubComment } from '../github/comments.js';
import type { GithubPermission } from '../github/people.js';
import type { GithubPull } from '../github/pulls.js';
import { isFork } from '../github/target.js';
import type { CommentCommand, RunVerb } from './parse-command.js';

/** What the API says about a command, all requested after the comment was written. */
export interface Facts {
  readonly comment: GithubComment;
  readonly command: Exclude<CommentCommand, { readonly kind: 'none' }>;
  /** The comment's body in the event. */
  readonly bodyAtEvent: string;
  readonly permission: GithubPermission;
  readonly repository: string;
  readonly pull: GithubPull;
  /** Requested after `pull`; otherwise a push in between would go unnoticed. */
  readonly headMovedAt: string | undefined;
}

export type Admission =
  | { readonly kind: 'run'; readonly verb: RunVerb; readonly reason: string }
  | { readonly kind: 'help' }
  | { readonly kind: 'ignore-finding'; readonly id: string }
  | { readonly kind: 'refuse'; readonly why: Refusal };

/** Each has its own reply in `answer.ts`. */
export type Refusal =
  | { readonly kind: 'stranger' | 'closed' | 'locked' | 'edited' | 'fork' }
  | { readonly kind: 'wrong'; readonly problem: string }
  | { readonly kind: 'other-commit'; readonly head: string }
  /** `again` is the command to post instead. */
  | { readonly kind: 'pushed'; readonly head: string; readonly again: string };

/** Whether the command is allowed. The author's permission is checked before the text is read. */
export function admit(facts: Facts): Admission {
  const { comment, command, pull } = facts;
  if (!MAY_COMMAND.has(facts.permission)) return refuse({ kind: 'stranger' });
  if (pull.isLocked) return refuse({ kind: 'locked' });
  if (!pull.isOpen) return refuse({ kind: 'closed' });
  if (isEdited(facts)) return refuse({ kind: 'edited' });
  if (command.kind === 'wrong') return refuse(command);
  const { verb, args, sha } = command;
  switch (verb) {
    case 'help':
      return { kind: 'help' };
    case 'ignore':
      return { kind: 'ignore-finding', id: args[0] ?? '' };
    case 'review':
    case 'ask':
    case 'describe':
    case 'fix-lint': {
      const why = refusalToRun(facts, verb, sha);
      const reason = `${comment.author} has ${facts.permission} permission`;
      return why === undefined ? { kind: 'run', verb, reason } : refuse(why);
    }
  }
}

const MAY_COMMAND: ReadonlySet<GithubPermission> = new Set(['write', 'maintain', 'admin'] as const);

/** Other people can edit a comment too, and then it isn't its author's command. */
const isEdited = ({ comment, bodyAtEvent }: Facts): boolean =>
  comment.updatedAt !== comment.createdAt || comment.body !== bodyAtEvent;

function refusalToRun(facts: Facts, verb: RunVerb, sha: string | undefined): Refusal | undefined {
  const { comment, pull, repository, headMovedAt } = facts;
  const head = pull.head.sha;
  // A linter runs code of the change.
  if (verb === 'fix-lint' && isFork(pull.head.repository, repository)) return { kind: 'fork' };
  if (sha !== undefined && !head.startsWith(sha)) return { kind: 'other-commit', head };
  // Two commits with the same first digits are easy to make; only the full id is safe.
  if (sha === head || !isAfter(headMovedAt, comment.createdAt)) return undefined;
  const again = verb === 'ask' ? `/apfel ask ${head}: …` : `/apfel ${verb} ${head}`;
  return { kind: 'pushed', head, again };
}

/** Within the same second the order is unknown, so the push counts as later. */
function isAfter(moved: string | undefined, commented: string): boolean {
  if (moved === undefined) return false;
  const [one, other] = [secondOf(moved), secondOf(commented)];
  return one === undefined || other === undefined || one >= other;
}

/** GitHub's times are in UTC and to the second, so they sort as text. */
const secondOf = (stamp: string): string | undefined =>
  /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(?:\.\d+)?Z$/.exec(stamp)?.[1];

const refuse = (why: Refusal): Admission => ({ kind: 'refuse', why });
