/** The git side of a push: a repository of its own that knows the remote and nothing of the user's. */
export interface PushRoom {
  /** The branches of the remote and their commits. */
  branches(): Promise<ReadonlyMap<string, string>>;
  /** Whether the branch's history has the commit. */
  isPartOf(commit: string, branch: string): Promise<boolean>;
  /** Opens the bundle as if an enemy had written it; one straight line of edits, or a failure. */
  open(wish: BundleWish): Promise<OpenBundle>;
}

export interface BundleWish {
  /** The name of the file beside the outcome. */
  readonly bundle: string;
  readonly base: string;
  readonly mayEdit: (path: string) => boolean;
}

export interface OpenBundle {
  readonly branch: string;
  readonly tip: string;
  /** Oldest first. */
  readonly commits: readonly BundleCommit[];
  /** Why a commit of the remote may not be replaced; undefined when all from the base on is ours. */
  whyNotOurs(commit: string): Promise<string | undefined>;
  /** Whether a commit that was found to be ours has the very files of the tip. */
  hasSameFiles(commit: string): Promise<boolean>;
  /** Only if the branch is where it was seen, `undefined` for nowhere; else it was overtaken. */
  push(step: PushStep): Promise<'pushed' | 'overtaken'>;
}

export interface PushStep {
  readonly branch: string;
  readonly seen: string | undefined;
}

export interface BundleCommit {
  readonly id: string;
  readonly paths: readonly string[];
  /** `name <address>` */
  readonly author: string;
  readonly committer: string;
  readonly message: string;
}
