import type { CommitWish } from '../core/commit-plan.js';
import type { Diagnostic, Fix } from '../core/diagnostic.js';

/** What a linter said of some files, tied to their text. */
export interface LintReport {
  readonly diagnostics: readonly Diagnostic[];
  /** One line each, for people. */
  readonly problems: readonly string[];
  /** False when something is missing: then the absence of a complaint says nothing. */
  readonly isWhole: boolean;
}

/** One linter of the project, ready to run in the scratch copy. */
export interface Linter {
  readonly name: string;
  readonly title: string;
  /** The files of the task that it looks at. */
  readonly files: readonly string[];
  /** It looks at everything, whatever it is asked. */
  readonly isForAll: boolean;
  readonly canFix: boolean;
  check(
    paths: readonly string[],
    wish?: { readonly withSuggestions: boolean },
  ): Promise<LintReport>;
  /** Writes its own fixes into the files; gives what went wrong, if anything. */
  fix(paths: readonly string[]): Promise<string | undefined>;
}

/** Where the work is done: a copy of the commit, and what runs in it. */
export interface Workshop {
  readonly commit: string;
  readonly linters: readonly Linter[];
  /** False when the copy lacks files of the task. */
  readonly isWhole: boolean;
  /** As it is on disk there; undefined when it is gone or no UTF-8 text. */
  read(path: string): Promise<string | undefined>;
  write(path: string, text: string): Promise<void>;
  /** Makes the file what the commit has. */
  reset(path: string): Promise<void>;
  /** Files that are not as the commit has them. */
  changed(): Promise<readonly string[]>;
  /** Why the bot may not write these; paths that it may are left out. */
  forbidden(paths: readonly string[]): Promise<ReadonlyMap<string, string>>;
  /** A command of `verify.commands`: undefined when it ended well, else one line. */
  verify(command: readonly string[]): Promise<string | undefined>;
}

/** What becomes of the commits; works after the run was stopped, too. */
export interface Press {
  build(commits: readonly CommitWish[]): Promise<{ readonly tip: string; readonly count: number }>;
  diff(tip: string): Promise<string>;
  /** Brings them into the user's repository; the name is not always the one wished for. */
  bring(tip: string): Promise<{ readonly branch: string; readonly notices: readonly string[] }>;
  /** Writes the bundle; gives its path relative to the outcome's. */
  bundle(tip: string, branch: string): Promise<string | null>;
}

/** What the room of the linters knows, handed in so that the rooms stay apart. */
export interface Craft {
  compare(
    before: readonly Diagnostic[],
    after: readonly Diagnostic[],
    moved?: (path: string, line: number) => number | undefined,
  ): {
    readonly fixed: readonly Diagnostic[];
    readonly remaining: readonly Diagnostic[];
    readonly introduced: readonly Diagnostic[];
  };
  order(
    diagnostics: readonly Diagnostic[],
    canFix: (tool: string) => boolean,
  ): {
    readonly suggested: ReadonlyArray<{ readonly diagnostic: Diagnostic; readonly fix: Fix }>;
    readonly model: ReadonlyArray<readonly Diagnostic[]>;
  };
  /** Why an edit is refused, whatever the linter says of it. */
  forbid(edit: {
    readonly path: string;
    readonly before: string;
    readonly after: string;
    readonly diagnostics: readonly Diagnostic[];
    readonly isByModel: boolean;
  }): string | undefined;
  /** Ties diagnostics to the text they are about. */
  anchor(
    diagnostics: readonly Diagnostic[],
    textOf: (path: string) => string | undefined,
  ): Diagnostic[];
  applyFix(text: string, fix: Fix): string | undefined;
  lineChanges(before: string, after: string): LineChange[];
  /** Where a line stands after one edit; undefined when it was edited. */
  lineMap(before: string, after: string): (line: number) => number | undefined;
}

export interface LineChange {
  /** The number of the first old line, or of the one that the new ones stand before. */
  readonly oldLine: number;
  readonly removed: readonly string[];
  readonly added: readonly string[];
}
