import { type Finding, withoutSpace } from '../core/finding.js';
import type { GithubFile } from '../github/pulls.js';

/** The lines that a comment is on, all of them shown in the pull request. */
export interface Anchor {
  readonly path: string;
  readonly side: DiffSide;
  readonly startLine: number;
  readonly line: number;
  readonly texts: readonly string[];
  /** GitHub replaces exactly the lines of the comment, so they must be those of the suggestion. */
  readonly canSuggest: boolean;
}

type FoundAnchor =
  | { readonly ok: true; readonly anchor: Anchor }
  | { readonly ok: false; readonly reason: 'outside-diff' | 'other-text' };

/** Finds the lines in the pull request. The outcome's own claims aren't trusted. */
export function findAnchor(finding: Finding, diff: PullDiff): FoundAnchor {
  const { path, line, endLine, suggestion } = finding;
  const side: DiffSide = finding.side === 'new' ? 'RIGHT' : 'LEFT';
  const meant = spanOf(diff, { path, side, from: line, to: endLine });
  const first = meant ?? spanOf(diff, { path, side, from: line, to: line });
  if (first === undefined) return { ok: false, reason: 'outside-diff' };
  if (!isQuoted(finding, first.texts)) return { ok: false, reason: 'other-text' };
  if (suggestion !== undefined && side === 'RIGHT' && isNear(finding, suggestion)) {
    const { startLine: from, endLine: to } = suggestion;
    const replaced = spanOf(diff, { path, side, from, to });
    if (replaced !== undefined) return { ok: true, anchor: { ...replaced, canSuggest: true } };
  }
  return { ok: true, anchor: { ...first, canSuggest: false } };
}

/** A fix replaces the lines of its finding, and at most a few around them. */
const MAX_DISTANCE = 3;

const isNear = (
  { line, endLine }: Finding,
  { startLine, endLine: end }: NonNullable<Finding['suggestion']>,
): boolean =>
  startLine <= endLine &&
  end >= line &&
  startLine >= line - MAX_DISTANCE &&
  end <= endLine + MAX_DISTANCE;

/** A comment on more lines would hide the code, so it goes on the first line only. */
const MAX_LINES = 50;

function spanOf(
  diff: PullDiff,
  { path, side, from, to }: { path: string; side: DiffSide; from: number; to: number },
): Omit<Anchor, 'canSuggest'> | undefined {
  if (to < from || to - from >= MAX_LINES) return undefined;
  const texts: string[] = [];
  const start = diff.lineAt(path, side, from);
  for (let line = from; line <= to; line += 1) {
    const shown = diff.lineAt(path, side, line);
    if (shown === undefined || shown.hunk !== start?.hunk) return undefined;
    texts.push(shown.text);
  }
  return { path, side, startLine: from, line: to, texts };
}

/** The evidence is the line with its secrets masked, or a part of a long line. */
function isQuoted({ evidence }: Finding, texts: readonly string[]): boolean {
  const text = withoutSpace(texts.join('\n'));
  let at = 0;
  for (const piece of withoutSpace(evidence ?? '').split(MASKED)) {
    const found = text.indexOf(piece, at);
    if (found < 0) return false;
    at = found + piece.length;
  }
  return true;
}

const MASKED = /\*{4,}/;

export type DiffSide = 'LEFT' | 'RIGHT';

/** A line that GitHub shows in a pull request, and so accepts comments on. */
interface ShownLine {
  readonly text: string;
  /** Comments on several lines must stay within one hunk. */
  readonly hunk: number;
}

/** The changed files of a pull request from the API: there is no checkout. */
export interface PullDiff {
  /** Undefined when the line isn't shown. */
  lineAt(path: string, side: DiffSide, line: number): ShownLine | undefined;
  /** All lines that are shown of one side, in order. */
  textsOf(path: string, side: DiffSide): readonly string[];
  /** Whether the file is in the list, with or without a patch. */
  has(path: string): boolean;
}

type Sides = Readonly<Record<DiffSide, ReadonlyMap<number, ShownLine>>>;

export function readPullDiff(files: readonly GithubFile[]): PullDiff {
  const byPath = new Map(files.map(({ path, patch }) => [path, readPatch(patch ?? '')]));
  return {
    lineAt: (path, side, line) => byPath.get(path)?.[side].get(line),
    textsOf: (path, side) => [...(byPath.get(path)?.[side].values() ?? [])].map(({ text }) => text),
    has: path => byPath.has(path),
  };
}

const HUNK = /^@@ -(\d{1,9})(?:,\d{1,9})? \+(\d{1,9})(?:,\d{1,9})? @@/;

/** GitHub's patch: hunks without a file header. An unexpected line ends the hunk. */
function readPatch(patch: string): Sides {
  const sides = { LEFT: new Map<number, ShownLine>(), RIGHT: new Map<number, ShownLine>() };
  let hunk = 0;
  let at: { old: number; new: number } | undefined;
  for (const line of patch.split('\n')) {
    const [isHeader, oldStart, newStart] = HUNK.exec(line) ?? [];
    if (isHeader !== undefined) {
      hunk += 1;
      at = { old: Number(oldStart), new: Number(newStart) };
      continue;
    }
    if (at === undefined) continue;
    const shown = { text: line.slice(1), hunk };
    const mark = line[0];
    if (mark === '+' || mark === ' ') sides.RIGHT.set(at.new++, shown);
    if (mark === '-' || mark === ' ') sides.LEFT.set(at.old++, shown);
    // `\ No newline at end of file` belongs to neither side.
    else if (mark !== '+' && mark !== '\\') at = undefined;
  }
  return sides;
}
