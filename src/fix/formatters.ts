import type { Linter, LintSandbox } from '../lint/sandbox.js';
import type { EditSession } from './edit-session.js';

/** The project's formatters, for files that were edited. */
export class Formatters {
  readonly #all: readonly Linter[];
  /** Linters that are formatters: they may write where a file was formatted before. */
  readonly #checking: readonly Linter[];
  /** Files that a formatter would have changed anyway; formatting them would hide the edit. */
  readonly #unformatted = new Map<Linter, ReadonlySet<string>>();
  /** Files that a formatter which no command runs would spoil for a linter. */
  readonly #spoilt = new Set<string>();
  readonly #isWholeScope: boolean;

  constructor(
    { formatters }: Pick<LintSandbox, 'formatters'>,
    linters: readonly Linter[],
    isWholeScope: boolean,
  ) {
    this.#all = formatters;
    this.#checking = linters.filter(({ isFormatter }) => isFormatter);
    this.#isWholeScope = isWholeScope;
  }

  /** Finds out which of the files are formatted, before any of them is edited. */
  async prepare(paths: readonly string[]): Promise<void> {
    for (const formatter of this.#all) {
      if (formatter.formatter === 'named' && this.#isWholeScope) continue;
      const own = paths.filter(path => formatter.has(path));
      if (own.length === 0) continue;
      const { diagnostics, isWhole } = await formatter.check(own);
      const left = isWhole ? diagnostics.map(each => each.path) : own;
      this.#unformatted.set(formatter, new Set(left));
    }
  }

  /** Formats edited files, where the project would. */
  async format(paths: readonly string[], editSession: EditSession): Promise<void> {
    for (const formatter of this.#all) {
      const own = paths.filter(path => this.#formats(formatter, path));
      if (own.length > 0) await formatter.fix(own);
    }
    for (const linter of this.#checking) {
      const own = paths.filter(
        path => linter.has(path) && editSession.reported(linter, [path]).length === 0,
      );
      if (own.length > 0) await linter.fix(own);
    }
  }

  #formats(formatter: Linter, path: string): boolean {
    const isSpoilt = formatter.formatter === 'quiet' && this.#spoilt.has(path);
    return formatter.has(path) && !this.#unformatted.get(formatter)?.has(path) && !isSpoilt;
  }

  /** Leaves the file to the linters; returns whether a formatter that no command runs had formatted it. */
  leaveOut(path: string): boolean {
    const has = this.#all.some(each => each.formatter === 'quiet' && this.#formats(each, path));
    if (has) this.#spoilt.add(path);
    return has;
  }

  /** Undoes `leaveOut`. */
  takeBack(path: string): void {
    this.#spoilt.delete(path);
  }
}
