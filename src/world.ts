import type { CachedAnswer } from './core/answer-key.js';
import type { Diary } from './core/diary.js';
import type { FoundAgent } from './core/review-draft.js';
import type { SyntaxKind, SyntaxProblem } from './core/syntax.js';

/** Everything outside the program, as small interfaces. `adapters/` implements them. */
export interface World {
  readonly git: Git | undefined;
  readonly files: Files;
  readonly clock: Clock;
  readonly syntax: Syntax;
  readonly globs: Globs;
  readonly progress: Progress;
  readonly answers: AnswerCache;
  /** What happens, for those who want to know how it came about. */
  readonly diary: Diary;
  /** Looks for a model, once; the reason says why there is none. */
  findAgent(): Promise<FoundAgent>;
  readonly stdin: AsyncIterable<Uint8Array>;
  /** Aborted when the time is up or the user presses Ctrl-C. */
  readonly signal: AbortSignal;
}

/** What git says of the repository at the start of a run. */
export interface Repository {
  /** Absolute; in a linked worktree its own. */
  readonly gitDir: string;
  readonly commonDir: string;
  /** The top of the work tree; undefined in a bare repository. */
  readonly top: string | undefined;
  /** From the top to where the command was started, with a slash at its end or empty. */
  readonly prefix: string;
  readonly isShallow: boolean;
  /** The commit HEAD names; undefined on an unborn branch. */
  readonly head: string | undefined;
  readonly headTree: string | undefined;
  /** Of that commit; none for the first one. */
  readonly headParents: readonly string[];
  readonly emptyTree: string;
  /** The other parents of a merge in progress. */
  readonly mergeHeads: readonly string[];
}

export interface BlobWish {
  readonly id: string;
  /** How many bytes from the start are wanted; the rest is read past. */
  readonly keep: number;
}

export interface Blob {
  readonly id: string;
  readonly size: number;
  readonly bytes: Uint8Array;
}

export interface DiffWish {
  readonly from: string;
  readonly to: string | 'index';
  /** Literal paths from the top; empty for all. */
  readonly paths: readonly string[];
  /** Show what attributes or drivers call binary as text. */
  readonly asText: boolean;
}

/** Reading only. Revisions are resolved once; everything else takes full object ids. */
export interface Git {
  readonly repository: Repository;
  /** The full id of the commit, or a failure that names the revision. */
  resolve(revision: string): Promise<string>;
  parents(commit: string): Promise<readonly string[]>;
  mergeBase(one: string, other: string): Promise<string | undefined>;
  /** The commit of the branch's upstream, else of the remote's default branch. */
  upstream(): Promise<string | undefined>;
  hasStagedChange(): Promise<boolean>;
  diff(wish: DiffWish): AsyncIterable<Uint8Array>;
  /** In the order wished; an object that is not here is left out. */
  blobs(wishes: readonly BlobWish[]): AsyncIterable<Blob>;
  listPaths(at: string | 'index'): Promise<readonly string[]>;
  /** A file as the commit or the index has it. */
  readFile(at: string | 'index', path: string): Promise<Uint8Array | undefined>;
}

/** Answers of earlier runs by what was asked. */
export interface AnswerCache {
  get(key: string): CachedAnswer | undefined;
  put(key: string, answer: CachedAnswer): void;
  /** Drops the oldest answers beyond the limit. */
  trim(): void;
}

export interface Files {
  /** Undefined when there is no such file. */
  read(path: string): Promise<string | undefined>;
  /** Replaces the file in one step, so that a reader never sees half of it. */
  write(path: string, text: string): Promise<void>;
}

export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
  /** The same for people and files: ISO 8601 in UTC. */
  stamp(milliseconds: number): string;
  /** An identifier that sorts by the time it was made; within a run always the same. */
  runId(): string;
  /** For long loops: lets Ctrl-C and deadlines in when it is time to, else costs nothing. */
  breathe(): Promise<void> | undefined;
}

export interface Syntax {
  /** Undefined when the text is well-formed. */
  problem(kind: SyntaxKind, text: string): Promise<SyntaxProblem | undefined>;
}

export interface Globs {
  /** A test for repository paths. No package is loaded for an empty list. */
  matcher(globs: readonly string[]): Promise<(path: string) => boolean>;
}

export interface Progress {
  /** Shows the title while the work runs; gives its value or its error back unchanged. */
  stage<Value>(title: string, work: (row: Row) => Promise<Value>): Promise<Value>;
}

/** What work can tell while it runs. */
export interface Row {
  /** How far it is; replaces what was told before. */
  tell(text: string): void;
  /** Something that happened. */
  line(text: string): void;
}
