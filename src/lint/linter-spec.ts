import type { ReportFormat } from './report.js';

export type Stream = 'stdout' | 'stderr';

/** One way to run a linter. */
export interface LintCommand {
  /**
   * The program and its arguments, never a shell line. `{files}` marks where paths go. A program
   * `node_modules/.bin/…` is the project's own: looked for in the folder, then in those above it.
   */
  readonly argv: readonly string[];
  readonly format: ReportFormat;
  /** Where the report may be, the likeliest first. */
  readonly streams: readonly Stream[];
}

/** What is known of a linter, whatever the project. */
export interface LinterKind {
  readonly name: string;
  /** As its makers write it. */
  readonly title: string;
  /** Globs of the files it looks at. */
  readonly files: readonly string[];
  /** Scripts without an ending that it looks at too, by the program their first line names. */
  readonly interpreters?: readonly string[];
  /** What it can be limited to: `project` looks at everything, whatever it is given. */
  readonly scope: 'files' | 'folders' | 'project';
  readonly check: LintCommand;
  /** For versions that do not know the first way: to be tried when that gives no report. */
  readonly otherwise?: LintCommand;
  /** A second report that only adds suggestions to the first. */
  readonly suggest?: LintCommand;
  /** Its own fix, written into the files. */
  readonly fix?: readonly string[];
  /** For the text of one file on standard input; `{path}` marks where its path goes. */
  readonly stdin?: {
    readonly argv: readonly string[];
    /** What the report calls the file, where it does not say its path. */
    readonly as?: string;
  };
  /** Put before each path, for a linter that would take it for a pattern. */
  readonly pathPrefix?: string;
  /** Exit codes of a run that worked; any other is a crash. Absent: the report alone decides. */
  readonly exits?: { readonly clean: readonly number[]; readonly findings: readonly number[] };
}

/** A linter that this project uses. */
export interface LinterSpec extends LinterKind {
  /** Where it runs and what it may look at, relative to the repository; empty for the top. */
  readonly folder: string;
  readonly foundBy: 'config' | 'manifest' | 'files' | 'user';
  /** For people: why it is run. */
  readonly reason: string;
}

/** An entry of `lint` in the configuration. */
export interface UserLinter {
  readonly name: string;
  readonly command: readonly string[];
  readonly format: ReportFormat;
  readonly fix?: readonly string[];
  readonly stdin?: readonly string[];
  readonly files?: readonly string[];
}
