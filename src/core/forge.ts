/** What the bot asks of the place where pull requests live; `adapters/github` answers. */
export interface Forge {
  /** `owner/name`, and where people see it, without a slash at the end. */
  readonly repository: string;
  readonly webUrl: string;
  /** The login this token writes as. */
  login(): Promise<string>;
  /** Undefined when there is no such pull request. */
  pull(number: number): Promise<ForgePull | undefined>;
  /** In GitHub's order; it shows at most 3,000, which `isWhole` tells. */
  pullFiles(number: number): Promise<{ files: readonly ForgeFile[]; isWhole: boolean }>;
  comments(pull: number): Promise<readonly ForgeComment[]>;
  /** Undefined when it is gone. */
  comment(id: number): Promise<ForgeComment | undefined>;
  createComment(pull: number, body: string): Promise<ForgeComment>;
  updateComment(id: number, body: string): Promise<void>;
  react(comment: number, reaction: 'eyes' | '+1' | '-1' | 'confused' | 'rocket'): Promise<void>;
  reviewComments(pull: number): Promise<readonly ForgeReviewComment[]>;
  createReview(pull: number, review: ForgeReview): Promise<void>;
  deleteReviewComment(id: number): Promise<void>;
  /** Our own checks of this name on the commit, newest first. */
  checks(commit: string, name: string): Promise<ReadonlyArray<{ readonly id: number }>>;
  createCheck(check: ForgeCheck): Promise<number>;
  updateCheck(id: number, check: ForgeCheck): Promise<void>;
  /** What GitHub lets this person do here; `none` for a stranger. */
  permissionOf(login: string): Promise<ForgePermission>;
  /** When the head of the pull request last changed, as GitHub saw it; undefined when it never did. */
  headMovedAt(pull: number): Promise<string | undefined>;
  isArchived(): Promise<boolean>;
  defaultBranch(): Promise<string>;
  /** Undefined when there is no such branch. */
  branchHead(name: string): Promise<string | undefined>;
  /** Open pull requests from this branch of the same repository. */
  pullsFrom(branch: string): Promise<readonly ForgePull[]>;
  createPull(wish: ForgePullWish): Promise<ForgePull>;
  updatePull(
    number: number,
    change: { readonly title?: string; readonly body?: string },
  ): Promise<void>;
}

export type ForgePermission = 'none' | 'read' | 'triage' | 'write' | 'maintain' | 'admin';

export interface ForgePull {
  readonly number: number;
  readonly url: string;
  readonly isOpen: boolean;
  readonly isLocked: boolean;
  readonly head: { readonly sha: string; readonly ref: string; readonly repository: string | null };
  readonly base: { readonly sha: string; readonly ref: string };
  readonly title: string;
  readonly body: string;
}

export interface ForgeFile {
  readonly path: string;
  readonly status: string;
  /** The hunks; absent for binaries and for files that are too large to show. */
  readonly patch?: string;
}

export interface ForgeComment {
  readonly id: number;
  readonly body: string;
  readonly author: string;
  readonly isBot: boolean;
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly url: string;
}

export interface ForgeReviewComment extends ForgeComment {
  readonly path: string;
  /** Null once the line is gone from the pull request's diff. */
  readonly line: number | null;
  readonly side: 'LEFT' | 'RIGHT';
  readonly inReplyTo: number | null;
}

export interface ForgeReview {
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

export interface ForgeCheck {
  readonly name: string;
  readonly commit: string;
  readonly conclusion: 'success' | 'failure' | 'neutral';
  readonly title: string;
  readonly summary: string;
  /** Any number; the adapter sends them in GitHub's portions. */
  readonly annotations: ReadonlyArray<{
    readonly path: string;
    readonly startLine: number;
    readonly endLine: number;
    readonly level: 'notice' | 'warning' | 'failure';
    readonly title: string;
    readonly message: string;
  }>;
}

export interface ForgePullWish {
  readonly title: string;
  readonly body: string;
  readonly head: string;
  readonly base: string;
  readonly isDraft: boolean;
}
