import type { Line } from '../../core/change.js';
import type { DiffHunk } from '../../core/diary.js';
import { wellFormed } from '../../core/neutralise.js';
import { redact } from '../../core/secrets/redact.js';
import { parseDiff } from '../../gather/parse-diff.js';
import type { Git } from '../../world.js';

/** More of a hunk than this is shown around the lines in question only. */
const MOST_LINES_OF_ONE = 120;
const MOST_LINES = 4000;
const AROUND = 8;
/** More than this are not named one by one. */
const MOST_PATHS = 200;

export interface HunkWish {
  readonly from: string;
  readonly to: string | 'index';
  /** Lines of the new side by path; without it every hunk is wanted. */
  readonly lines: ReadonlyMap<string, ReadonlySet<number>> | undefined;
}

/** The hunks of a diff that hold the lines in question, secrets masked, in bounded memory. */
export async function diffHunks(git: Git, wish: HunkWish): Promise<DiffHunk[]> {
  const found: DiffHunk[] = [];
  let room = MOST_LINES;
  let path = '';
  let open: { readonly number: number; readonly section: string; lines: Line[] } | undefined;
  const close = (): void => {
    const wanted = wish.lines?.get(path);
    const isWanted = wish.lines === undefined || wanted !== undefined;
    if (open !== undefined && isWanted && room > 0) {
      const whole = { path, hunk: open.number, section: open.section, lines: open.lines };
      const pieces = excerpts(whole, wanted).map(masked);
      for (const piece of pieces) room -= piece.lines.length;
      found.push(...pieces);
    }
    open = undefined;
  };
  const paths = pathsFor(wish);
  for await (const batch of parseDiff(git.diff({ ...wish, paths, asText: false }))) {
    if (room <= 0) break;
    for (const event of batch) {
      if (event.type === 'file' || event.type === 'hunk') close();
      if (event.type === 'file') path = event.file.path;
      if (event.type === 'hunk') open = { ...event.hunk, lines: [] };
      if (event.type === 'lines' && (open?.lines.length ?? MOST_LINES) < MOST_LINES) {
        open?.lines.push(...event.lines);
      }
    }
  }
  close();
  return found;
}

/** A name that is no UTF-8 cannot be an argument; then the whole diff is read. */
function pathsFor({ lines }: HunkWish): string[] {
  const paths = [...(lines?.keys() ?? [])];
  const areSayable = paths.every(path => wellFormed(path) === path);
  return areSayable && paths.length <= MOST_PATHS ? paths : [];
}

/** The hunk, or the parts of a long one that are near the lines in question. */
function excerpts(hunk: DiffHunk, wanted: ReadonlySet<number> | undefined): DiffHunk[] {
  const { lines } = hunk;
  if (wanted === undefined) return [{ ...hunk, lines: lines.slice(0, MOST_LINES_OF_ONE * 4) }];
  const hits = lines.flatMap((line, at) =>
    line.kind !== 'removed' && wanted.has(line.newLine) ? [at] : [],
  );
  if (hits.length === 0) return [];
  if (lines.length <= MOST_LINES_OF_ONE) return [hunk];
  const pieces: Array<{ from: number; to: number }> = [];
  for (const at of hits) {
    const last = pieces.at(-1);
    const [from, to] = [Math.max(0, at - AROUND), at + AROUND + 1];
    if (last !== undefined && from <= last.to) last.to = to;
    else pieces.push({ from, to });
  }
  return pieces.map(({ from, to }) => ({ ...hunk, lines: lines.slice(from, to) }));
}

/** All lines at once: a key may go over several. */
function masked(hunk: DiffHunk): DiffHunk {
  const texts = redact(hunk.lines.map(({ text }) => text).join('\n')).split('\n');
  return { ...hunk, lines: hunk.lines.map((line, at) => ({ ...line, text: texts[at] ?? '' })) };
}
