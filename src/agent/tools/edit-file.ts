import type { Source } from '../../git/source.js';
import { cutLine } from '../cut-text.js';
import { failed, parameters, stringOf, succeeded, type Tool } from '../tool.js';
import { replaceText } from './replace-text.js';
import { readSource, type SourceFile } from './source.js';

interface EditFileOptions {
  /** The overlay's view of the files: what an earlier edit changed is there. */
  readonly source: Source;
  readonly overlay: Overlay;
  /** Why this file must not be edited, or undefined; the task's scope and the protected paths. */
  readonly forbids?: (path: string) => string | undefined;
}

/** Edits live in memory. Nothing is written, and nothing is kept that verification does not accept. */
export const editFile = ({ source, overlay, forbids }: EditFileOptions): Tool => ({
  name: 'edit_file',
  description:
    'Replace one piece of a file. oldText must be copied exactly and occur once; read the file first.',
  parameters: parameters({
    path: { type: 'string', description: 'file, from the top of the repository' },
    oldText: { type: 'string', description: 'the text to replace, exactly as in the file' },
    newText: { type: 'string', description: 'what to put in its place' },
  }),
  example: { path: 'src/index.ts', oldText: 'let count = 0;', newText: 'const count = 0;' },
  changesFiles: true,
  run: async input => {
    const file = await readSource(source, stringOf(input, 'path'));
    if (!file.ok) return file.outcome;
    const forbidden = forbids?.(file.path);
    if (forbidden !== undefined) return failed(`${file.path} must not be edited: ${forbidden}`);
    return edit(file, {
      overlay,
      oldText: stringOf(input, 'oldText'),
      newText: stringOf(input, 'newText'),
    });
  },
});

function edit(
  file: Extract<SourceFile, { ok: true }>,
  { overlay, oldText, newText }: { overlay: Overlay; oldText: string; newText: string },
) {
  const { path, text } = file;
  if (oldText.trim() === '')
    return failed('oldText is empty. Copy the lines to replace from the file');
  if (oldText === newText) return failed('oldText and newText are the same; nothing would change');
  const done = replaceText(text, oldText, newText);
  switch (done.kind) {
    case 'absent':
      return failed(absent(path, text, oldText));
    case 'ambiguous': {
      const where = done.lines.slice(0, 5).join(', ');
      return failed(
        `oldText occurs ${done.lines.length} times in ${path} (lines ${where}). Add lines around it until it is unique`,
      );
    }
    case 'replaced': {
      if (done.text === text)
        return failed(`${path} already reads like that; nothing would change`);
      const after = new TextEncoder().encode(done.text);
      overlay.write(path, { before: file.bytes, after });
      const details = { path, line: done.line, how: done.how, oldText, newText };
      return succeeded(`edited ${path} at line ${done.line}`, details);
    }
    default: {
      const never: never = done;
      return never;
    }
  }
}

function absent(path: string, text: string, oldText: string): string {
  const near = nearestLine(text, oldText);
  const hint =
    near === undefined
      ? 'Read the file and copy the text exactly'
      : `The nearest is line ${near.line}: ${cutLine(near.text.trim(), 40)}`;
  return `oldText does not occur in ${path}. ${hint}`;
}

/** The line of a file that shares most with the first line of a text that is not in it. */
export function nearestLine(
  whole: string,
  wanted: string,
): { line: number; text: string } | undefined {
  const first = wanted.split('\n').find(line => line.trim() !== '') ?? '';
  const words = new Set(wordsOf(first));
  if (words.size === 0) return undefined;
  let best: { line: number; text: string } | undefined;
  // Half of the words at least, or it is merely another line.
  let most = words.size / 2;
  for (const [at, text] of whole.split('\n', MOST_LINES).entries()) {
    const shared = new Set(wordsOf(text).filter(word => words.has(word))).size;
    if (shared > most) {
      most = shared;
      best = { line: at + 1, text };
    }
  }
  return best;
}

const MOST_LINES = 20_000;
const MOST_LINE = 400;

const wordsOf = (line: string): string[] =>
  line.slice(0, MOST_LINE).match(/[\p{L}\p{N}_$]+/gu) ?? [];

/** Edits on top of a commit: whole files in memory, nothing written anywhere. */
export class Overlay {
  readonly #files = new Map<string, { before: Uint8Array; after: Uint8Array }>();

  /** `before` is the commit's file; the first one given is the one that is remembered. */
  write(path: string, file: { before: Uint8Array; after: Uint8Array }): void {
    const before = this.#files.get(path)?.before ?? file.before;
    this.#files.set(path, { before, after: file.after });
  }

  /** Files that are not as they were, in the order of their first edit. */
  changes(): OverlayChange[] {
    return [...this.#files]
      .filter(([, { before, after }]) => !sameBytes(before, after))
      .map(([path, file]) => ({ path, ...file }));
  }
}

interface OverlayChange {
  readonly path: string;
  readonly before: Uint8Array;
  readonly after: Uint8Array;
}

const sameBytes = (one: Uint8Array, other: Uint8Array): boolean =>
  one.length === other.length && one.every((byte, at) => byte === other[at]);
