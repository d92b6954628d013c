import type { CommentRecord, PullRecord } from '../../fixtures/github/state.js';

/** What starts a workflow. */
export interface WorkflowEvent {
  readonly name: 'pull_request' | 'merge_group' | 'issue_comment' | 'workflow_dispatch' | 'push';
  readonly action?: string;
  readonly payload: object;
  /** What GITHUB_REF and GITHUB_SHA say. */
  readonly ref: string;
  readonly sha: string;
  readonly isFromFork: boolean;
}

interface PullEventFacts {
  readonly action: string;
  readonly repository: string;
  /** GitHub's own merge of head and base. */
  readonly merge: string;
  readonly label?: string;
}

export function pullEvent(pull: PullRecord, facts: PullEventFacts): WorkflowEvent {
  const { action, repository, merge, label } = facts;
  const { number, baseSha, base, headSha, headRef, headRepository, isDraft } = pull;
  const repo =
    headRepository === null || headRepository === undefined ? null : { full_name: headRepository };
  return {
    name: 'pull_request',
    action,
    payload: {
      action,
      number,
      pull_request: {
        number,
        draft: isDraft,
        base: { ref: base, sha: baseSha, repo: { full_name: repository } },
        head: { ref: headRef, sha: headSha, repo },
      },
      repository: { full_name: repository },
      sender: { login: pull.author, type: 'User' },
      ...(label === undefined ? {} : { label: { name: label } }),
    },
    ref: `refs/pull/${number}/merge`,
    sha: merge,
    isFromFork: headRepository !== repository,
  };
}

export interface CommentEventFacts {
  readonly repository: string;
  /** The head of the default branch: where this event's workflow comes from. */
  readonly sha: string;
  readonly type?: 'User' | 'Bot';
  /** On an issue that is no pull request. */
  readonly isOnIssue?: boolean;
}

export function commentEvent(comment: CommentRecord, facts: CommentEventFacts): WorkflowEvent {
  const { repository, sha, type = 'User', isOnIssue = false } = facts;
  const { id, body, author, pull, createdAt } = comment;
  const user = { login: author, type };
  return {
    name: 'issue_comment',
    action: 'created',
    payload: {
      action: 'created',
      issue: {
        number: pull,
        state: 'open',
        ...(isOnIssue ? {} : { pull_request: { url: 'https://api.github.com/…' } }),
      },
      comment: {
        id,
        body,
        user,
        created_at: createdAt,
        updated_at: createdAt,
        performed_via_github_app: null,
      },
      repository: { full_name: repository },
      sender: user,
    },
    ref: 'refs/heads/main',
    sha,
    isFromFork: false,
  };
}
