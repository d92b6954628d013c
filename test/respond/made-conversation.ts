import type { GithubComment } from '../../src/github/comments.js';
import type { GithubPermission } from '../../src/github/people.js';
import type { GithubPull } from '../../src/github/pulls.js';
import type { Conversation } from '../../src/respond/event.js';

export const REPOSITORY = 'ada/engine';
export const SELF = 'github-actions[bot]';
export const BASE = 'b'.repeat(40);
export const HEAD = '0123456789abcdef0123456789abcdef01234567';
export const NOON = '2026-05-01T12:00:00Z';
export const BEFORE_NOON = '2026-05-01T11:59:59Z';
export const AFTER_NOON = '2026-05-01T12:00:01Z';

export const COMMENT_ID = 41;
export const PULL = 7;

export const someComment = (parts: Partial<GithubComment> = {}): GithubComment => ({
  id: COMMENT_ID,
  body: '/apfel review',
  author: 'ada',
  isBot: false,
  createdAt: NOON,
  updatedAt: NOON,
  url: `https://github.com/${REPOSITORY}/pull/${PULL}#issuecomment-${parts.id ?? COMMENT_ID}`,
  ...parts,
});

export const somePull = (parts: Partial<GithubPull> = {}): GithubPull => ({
  number: PULL,
  url: `https://github.com/${REPOSITORY}/pull/${PULL}`,
  isOpen: true,
  isLocked: false,
  head: { sha: HEAD, ref: 'topic', repository: REPOSITORY },
  base: { sha: BASE, ref: 'main' },
  title: 'A change',
  body: '',
  ...parts,
});

export interface ConversationFixture {
  readonly comment?: GithubComment | undefined;
  readonly pull?: GithubPull | undefined;
  readonly permission?: GithubPermission;
  readonly headMovedAt?: string;
  /** What else was said on the pull request. */
  readonly earlier?: readonly GithubComment[];
}

export interface MadeConversation extends Conversation {
  /** Every call, in order. */
  readonly calls: string[];
  readonly reactions: Array<readonly [comment: number, reaction: string]>;
  readonly all: GithubComment[];
  /** What was said since by us. */
  ours(): string[];
}

/** A pull request in memory, on which things are as the scene says. */
export function madeConversation(fixture: ConversationFixture = {}): MadeConversation {
  const comment = 'comment' in fixture ? fixture.comment : someComment();
  const pull = 'pull' in fixture ? fixture.pull : somePull();
  const calls: string[] = [];
  const reactions: Array<readonly [number, string]> = [];
  const all = [...(fixture.earlier ?? []), ...(comment === undefined ? [] : [comment])];
  const told = <Value>(call: string, value: Value): Value => {
    calls.push(call);
    return value;
  };
  return {
    calls,
    reactions,
    all,
    ours: () => all.filter(({ author }) => author === SELF).map(({ body }) => body),
    repository: REPOSITORY,
    login: async () => SELF,
    branchHead: async () => undefined,
    pull: async number => told('pull', number === PULL ? pull : undefined),
    permissionOf: async login => told(`permissionOf ${login}`, fixture.permission ?? 'write'),
    headMovedAt: async () => told('headMovedAt', fixture.headMovedAt),
    comment: async id => told('comment', id === comment?.id ? comment : undefined),
    comments: async () => [...all],
    createComment: async (_, body) => {
      const made = someComment({ id: 1000 + all.length, body, author: SELF, isBot: true });
      all.push(made);
      return told('createComment', made);
    },
    updateComment: async (id, body) => {
      const at = all.findIndex(each => each.id === id);
      all[at] = someComment({ ...all[at], body });
      calls.push('updateComment');
    },
    react: async (id, reaction) => {
      reactions.push([id, reaction]);
      calls.push('react');
    },
    reviewComments: async () => [],
  };
}

/** A comment on a pull request as GitHub sends it, as far as anybody reads it here. */
export const someEvent = (comment: GithubComment = someComment(), more: object = {}): string =>
  JSON.stringify({
    action: 'created',
    issue: { number: PULL, pull_request: { url: 'https://api.github.com/…' }, state: 'open' },
    comment: {
      id: comment.id,
      body: comment.body,
      user: { login: comment.author, type: comment.isBot ? 'Bot' : 'User' },
      author_association: 'OWNER',
      performed_via_github_app: null,
    },
    repository: { full_name: REPOSITORY },
    sender: { login: comment.author, type: comment.isBot ? 'Bot' : 'User' },
    ...more,
  });
