import type { DiffEvent, FileChange, Hunk, Line } from '../../src/core/change.js';
import { DiffParser } from '../../src/diff/parse.js';

export type HunkReading = Hunk & {
  lines: Line[];
  /** Numbers within `lines` of those without a newline at their end. */
  unended: number[];
};
export type FileReading = FileChange & { hunks: HunkReading[] };

export interface DiffReading {
  files: FileReading[];
  broken: string[];
}

const encoder = new TextEncoder();

export const bytesOf = (text: string | Uint8Array): Uint8Array =>
  typeof text === 'string' ? encoder.encode(text) : text;

/** The events of a diff that arrives in parts which end at `cuts`; lines in one batch a stretch. */
export function eventsOf(diff: string | Uint8Array, cuts: readonly number[] = []): DiffEvent[] {
  const bytes = bytesOf(diff);
  const parser = new DiffParser();
  const events: DiffEvent[] = [];
  let from = 0;
  for (const cut of [...cuts, bytes.length]) {
    events.push(...parser.push(bytes.slice(from, cut)));
    from = cut;
  }
  return joined([...events, ...parser.end()]);
}

/** The same as a tree, which is easier to compare. */
export function readingOf(diff: string | Uint8Array): DiffReading {
  const reading: DiffReading = { files: [], broken: [] };
  for (const event of eventsOf(diff)) {
    const file = reading.files.at(-1);
    const hunk = file?.hunks.at(-1);
    if (event.type === 'file') reading.files.push({ ...event.file, hunks: [] });
    else if (event.type === 'hunk') file?.hunks.push({ ...event.hunk, lines: [], unended: [] });
    else if (event.type === 'lines') hunk?.lines.push(...event.lines);
    else if (event.type === 'no-newline') hunk?.unended.push(lastIndex(hunk.lines));
    else if (event.type === 'broken') reading.broken.push(event.reason);
  }
  return reading;
}

function lastIndex(lines: readonly Line[]): number {
  if (lines.length === 0) throw new Error('a marker stands before any line');
  return lines.length - 1;
}

/** The new text of a file, by the hunks alone; throws where they do not fit the old text. */
export function applied(old: string, file: FileReading): string {
  const oldLines = old.split(/(?<=\n)/).filter(line => line !== '');
  const result: string[] = [];
  let taken = 0;
  for (const hunk of file.hunks) {
    const start = hunk.oldLines === 0 ? hunk.oldStart : hunk.oldStart - 1;
    result.push(...oldLines.slice(taken, start));
    taken = start;
    for (const [number, line] of hunk.lines.entries()) {
      const text = `${line.text}${hunk.unended.includes(number) ? '' : '\n'}`;
      if (line.kind !== 'removed' && line.newLine !== result.length + 1) {
        throw new Error(`${file.path}: new line ${line.newLine} lands on ${result.length + 1}`);
      }
      if (line.kind !== 'removed') result.push(text);
      if (line.kind === 'added') continue;
      if (line.oldLine !== taken + 1 || oldLines[taken] !== text) {
        throw new Error(`${file.path}: old line ${line.oldLine} is not "${line.text}"`);
      }
      taken += 1;
    }
  }
  return [...result, ...oldLines.slice(taken)].join('');
}

/** The same numbers for the same seed, between 0 and 1. */
export function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

function joined(events: readonly DiffEvent[]): DiffEvent[] {
  const whole: DiffEvent[] = [];
  for (const event of events) {
    const last = whole.at(-1);
    if (event.type === 'lines' && last?.type === 'lines') {
      whole[whole.length - 1] = { type: 'lines', lines: [...last.lines, ...event.lines] };
    } else {
      whole.push(event);
    }
  }
  return whole;
}
