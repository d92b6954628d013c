import type { Diagnostic } from '../core/diagnostic.js';
import { protectedPath } from '../core/protected-path.js';
import { addedSuppression } from './added-suppression.js';
import { codeOnly } from './code-only.js';
import { countTests } from './count-tests.js';
import { exportedNames } from './exported-names.js';
import { languageOf } from './language.js';
import { type LineChange, lineChanges } from './line-changes.js';
import { isCode, isMereDeletion } from './mere-deletion.js';

export interface ProposedEdit {
  readonly path: string;
  /** Undefined when there was no such file. */
  readonly before: string | undefined;
  /** Undefined when the edit takes the file away. */
  readonly after: string | undefined;
  /** What the edit is meant to mend; its lines are those of `before`. */
  readonly diagnostics: readonly Diagnostic[];
  /** A linter that offers to take something away knows why; a model likes to please. */
  readonly isByModel?: boolean;
  /** As git writes them, where the edit could change them. */
  readonly modes?: { readonly before: string; readonly after: string };
}

/** From the contract. */
const MOST_DELETED_OUTSIDE = 3;
/** A complaint about a place is mended in that place; more is a rewrite that nobody asked for. */
const MOST_CHANGED = 40;

/**
 * Suppressing, deleting and reconfiguring make a complaint go away without mending anything. The
 * reason why an edit is refused, worded for whoever proposed it, or undefined.
 */
export function forbidEdit(edit: ProposedEdit): string | undefined {
  const { path, before, after } = edit;
  const ground = protectedPath(path);
  if (ground !== undefined) return `${path} is protected (${ground}): it may not be changed`;
  const mode = forbiddenMode(edit);
  if (mode !== undefined) return mode;
  if (before === undefined) return `${path} is new: only files of the commit may be changed`;
  if (after === undefined) return `it deletes ${path}`;
  if (after.trim() === '' && before.trim() !== '') return `it empties ${path}`;
  return (
    suppresses(before, after) ??
    takesAway(edit, before, after) ??
    changesTooMuch(edit, before, after)
  );
}

function forbiddenMode({ path, modes }: ProposedEdit): string | undefined {
  if (modes === undefined) return undefined;
  if (modes.before === '120000' || modes.after === '120000') return `${path} is a symbolic link`;
  if (modes.before === '160000' || modes.after === '160000') return `${path} is a submodule`;
  return modes.before === modes.after ? undefined : `it changes the mode of ${path}`;
}

function suppresses(before: string, after: string): string | undefined {
  const mark = addedSuppression(before, after);
  if (mark === undefined) return undefined;
  return `it tells the tool to look away (${mark}): mend the code instead`;
}

function takesAway({ path }: ProposedEdit, before: string, after: string): string | undefined {
  const language = languageOf(path);
  const [old, fresh] = [codeOnly(before, language), codeOnly(after, language)];
  if (countTests(fresh, language, path) < countTests(old, language, path))
    return 'it removes or skips a test';
  const left = exportedNames(fresh, language, path);
  const [lost] = [...exportedNames(old, language, path)].filter(name => !left.has(name));
  if (lost === undefined) return undefined;
  return `it removes or renames ${lost}, which other files may use`;
}

function changesTooMuch(edit: ProposedEdit, before: string, after: string): string | undefined {
  const changes = lineChanges(before, after);
  const changed = changes.reduce(
    (sum, { removed, added }) => sum + Math.max(removed.length, added.length),
    0,
  );
  const deleted = changes.reduce((sum, change) => sum + deletedOutside(change, edit), 0);
  if (deleted > MOST_DELETED_OUTSIDE) {
    return `it deletes ${deleted} lines away from the diagnostic; at most ${MOST_DELETED_OUTSIDE} are allowed`;
  }
  if (changed > MOST_CHANGED) {
    return `it changes ${changed} lines; at most ${MOST_CHANGED} are allowed`;
  }
  if (edit.isByModel === true && isMereDeletion(changes, edit.diagnostics)) {
    return 'it only deletes code: mend what the complaint is about, and keep what the code does';
  }
  return undefined;
}

/**
 * Lines outside every diagnostic's range that nothing stands for any more. Blank lines do not count
 * as deleted, and blank lines and comments do not make up for code.
 */
function deletedOutside({ oldLine, removed, added }: LineChange, edit: ProposedEdit): number {
  if (squeeze(removed) === squeeze(added)) return 0;
  const outside = removed.filter(
    (line, at) => line.trim() !== '' && !isInRange(oldLine + at, edit.diagnostics),
  ).length;
  const lost = removed.filter(line => line.trim() !== '').length - added.filter(isCode).length;
  return Math.max(0, Math.min(outside, lost));
}

const squeeze = (lines: readonly string[]): string => lines.join('').replace(/\s+/g, '');

const isInRange = (line: number, diagnostics: readonly Diagnostic[]): boolean =>
  diagnostics.some(
    ({ line: first, endLine = first }) =>
      first !== undefined && endLine !== undefined && line >= first && line <= endLine,
  );
