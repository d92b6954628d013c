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
  /** The hunks; absent for binary files and for files too large to show. */
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

export type GithubFileText =
  | { readonly state: 'there'; readonly text: string }
  | { readonly state: 'absent' }
  | { readonly state: 'unknown' };

export interface GithubCheckRun {
  readonly id: number;
  /** The digest it was created with; null for somebody else's check. */
  readonly digest: string | null;
  readonly annotations: number;
}

export interface GithubCheck {
  readonly name: string;
  readonly commit: string;
  /** Of the content, so that the same check isn't created twice. */
  readonly digest: string;
  readonly conclusion: 'success' | 'failure' | 'neutral';
  readonly title: string;
  readonly summary: string;
  /** At most `MAX_ANNOTATIONS`. */
  readonly annotations: ReadonlyArray<{
    readonly path: string;
    readonly startLine: number;
    readonly endLine: number;
    readonly level: 'notice' | 'warning' | 'failure';
    readonly title: string;
    readonly message: string;
  }>;
}

/** The most annotations that GitHub takes in one request. */
export const MAX_ANNOTATIONS = 50;
