import { BotError, isBotError } from '../core/bot-error.js';

/**
 * What the bot asks of the place where pull requests live; `adapters/github` answers. Every failure
 * is a `BotError` that says what to do; `troubleOf` tells those that a caller can handle.
 */
export interface Github {
  /** `owner/name`, and where people see it, without a slash at the end. */
  readonly repository: string;
  readonly webUrl: string;
  /** The login this token writes as. */
  login(): Promise<string>;
  /** Undefined when there is no such pull request. */
  pull(number: number): Promise<GithubPull | undefined>;
  /** In GitHub's order; it shows at most 3,000, which `isWhole` tells. */
  pullFiles(number: number): Promise<{ files: readonly GithubFile[]; isWhole: boolean }>;
  comments(pull: number): Promise<readonly GithubComment[]>;
  /** Undefined when it is gone. */
  comment(id: number): Promise<GithubComment | undefined>;
  createComment(pull: number, body: string): Promise<GithubComment>;
  updateComment(id: number, body: string): Promise<void>;
  /** Also when it is gone already. */
  deleteComment(id: number): Promise<void>;
  react(comment: number, reaction: 'eyes' | '+1' | '-1' | 'confused' | 'rocket'): Promise<void>;
  reviewComments(pull: number): Promise<readonly GithubReviewComment[]>;
  createReview(pull: number, review: GithubReview): Promise<void>;
  /** Also when it is gone already. */
  deleteReviewComment(id: number): Promise<void>;
  /** A file as the commit has it; `unknown` when the token may not look. */
  fileAt(commit: string, path: string): Promise<GithubText>;
  /** Checks of this name on the commit, newest first. */
  checks(commit: string, name: string): Promise<readonly GithubCheckRun[]>;
  /** A completed check with its first portion of annotations. */
  createCheck(check: GithubCheck): Promise<GithubCheckRun>;
  /** The next portion: GitHub appends the annotations to those that are there. */
  updateCheck(id: number, check: GithubCheck): Promise<void>;
  /** What GitHub lets this person do here; `none` for a stranger. */
  permissionOf(login: string): Promise<GithubPermission>;
  /** When the head of the pull request last changed, as GitHub saw it; undefined when it never did. */
  headMovedAt(pull: number): Promise<string | undefined>;
  isArchived(): Promise<boolean>;
  defaultBranch(): Promise<string>;
  /** Undefined when there is no such branch. */
  branchHead(name: string): Promise<string | undefined>;
  /** Pull requests from this branch of the same repository: open, or closed without a merge. */
  pullsFrom(branch: string): Promise<readonly GithubPull[]>;
  createPull(options: GithubPullOptions): Promise<GithubPull>;
  updatePull(
    number: number,
    change: { readonly title?: string; readonly body?: string },
  ): Promise<void>;
}

export type GithubPermission = 'none' | 'read' | 'triage' | 'write' | 'maintain' | 'admin';

export interface GithubPull {
  readonly number: number;
  readonly url: string;
  readonly isOpen: boolean;
  readonly isLocked: boolean;
  readonly head: { readonly sha: string; readonly ref: string; readonly repository: string | null };
  readonly base: { readonly sha: string; readonly ref: string };
  readonly title: string;
  readonly body: string;
}

export interface GithubFile {
  readonly path: string;
  readonly status: string;
  /** The hunks; absent for binaries and for files that are too large to show. */
  readonly patch?: string;
}

export interface GithubComment {
  readonly id: number;
  readonly body: string;
  readonly author: string;
  readonly isBot: boolean;
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly url: string;
}

export interface GithubReviewComment extends GithubComment {
  readonly path: string;
  /** Null once the line is gone from the pull request's diff. */
  readonly line: number | null;
  readonly side: 'LEFT' | 'RIGHT';
  readonly inReplyTo: number | null;
}

export interface GithubReview {
  readonly commit: string;
  readonly body: string;
  readonly comments: ReadonlyArray<{
    readonly path: string;
    readonly line: number;
    readonly side: 'LEFT' | 'RIGHT';
    /** Only when the comment spans several lines; always smaller than `line`. */
    readonly startLine?: number;
    readonly body: string;
  }>;
}

export type GithubText =
  | { readonly state: 'there'; readonly text: string }
  | { readonly state: 'absent' }
  | { readonly state: 'unknown' };

export interface GithubCheckRun {
  readonly id: number;
  /** The digest it was created with; null for a check of somebody else. */
  readonly digest: string | null;
  readonly annotations: number;
}

export interface GithubCheck {
  readonly name: string;
  readonly commit: string;
  /** Tells one content from another, so that the same check is not made twice. */
  readonly digest: string;
  readonly conclusion: 'success' | 'failure' | 'neutral';
  readonly title: string;
  readonly summary: string;
  /** At most `MOST_ANNOTATIONS`. */
  readonly annotations: ReadonlyArray<{
    readonly path: string;
    readonly startLine: number;
    readonly endLine: number;
    readonly level: 'notice' | 'warning' | 'failure';
    readonly title: string;
    readonly message: string;
  }>;
}

export interface GithubPullOptions {
  readonly title: string;
  readonly body: string;
  readonly head: string;
  readonly base: string;
  readonly isDraft: boolean;
}

/** GitHub takes so many annotations in one request. */
export const MOST_ANNOTATIONS = 50;

/**
 * `unsettled`: the answer to a write was lost, so it may have been done; look before doing it again.
 * `gone`: what was to be changed is not there any more. `refused`: GitHub finds fault with the
 * content; sending it again would not help.
 */
export type GithubTrouble = 'unsettled' | 'gone' | 'refused';

export const githubError = (
  trouble: GithubTrouble,
  message: string,
  more: { readonly hint?: string; readonly cause: unknown },
): BotError =>
  new BotError('publish-failed', message, {
    ...(more.hint !== undefined && { hint: more.hint }),
    cause: { trouble, cause: more.cause },
  });

export function troubleOf(thrown: unknown): GithubTrouble | undefined {
  if (!isBotError(thrown) || typeof thrown.cause !== 'object' || thrown.cause === null) {
    return undefined;
  }
  const trouble = 'trouble' in thrown.cause ? thrown.cause.trouble : undefined;
  return trouble === 'unsettled' || trouble === 'gone' || trouble === 'refused'
    ? trouble
    : undefined;
}
