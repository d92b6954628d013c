import { type DiffEvent, type FileChange, isSubmodule } from '../core/change.js';
import type { DiffWish, Git } from '../world.js';
import { parseDiff } from './parse-diff.js';

/** Git itself looks for a NUL in this many bytes to tell binary from text. */
const SNIFFED_BYTES = 8000;
/** More names than this would not fit on a command line everywhere. */
const MOST_NAMED_PATHS = 500;

/**
 * An attribute such as `-diff`, even in an untracked `.gitattributes`, makes git hide a text change
 * behind "Binary files differ", so a change could switch its own review off. Whatever git calls
 * binary is held back, looked at, and asked for again as text when there is no NUL in it.
 */
export async function* revealHidden(
  events: AsyncIterable<readonly DiffEvent[]>,
  wish: DiffWish,
  git: Git,
): AsyncGenerator<readonly DiffEvent[]> {
  const held: FileChange[] = [];
  for await (const batch of events) {
    if (!batch.some(isBinaryFile)) yield batch;
    else yield batch.filter(event => !hold(event, held));
  }
  const hidden = await textFiles(held, git);
  const binary = held.filter(file => !hidden.has(file.path));
  if (binary.length > 0) yield binary.map(file => ({ type: 'file', file }));
  if (hidden.size > 0) yield* askAsText(hidden, wish, git);
}

const isBinaryFile = (event: DiffEvent): boolean => event.type === 'file' && event.file.isBinary;

function hold(event: DiffEvent, held: FileChange[]): boolean {
  if (event.type !== 'file' || !event.file.isBinary) return false;
  held.push(event.file);
  return true;
}

async function textFiles(
  held: readonly FileChange[],
  git: Git,
): Promise<ReadonlyMap<string, FileChange>> {
  const isText = new Map<string, boolean>();
  const files = held.filter(file => !isSubmodule(file) && blobsOf(file).length > 0);
  const wishes = files.flatMap(blobsOf).map(id => ({ id, keep: SNIFFED_BYTES }));
  for await (const blob of git.blobs(wishes)) isText.set(blob.id, !blob.bytes.includes(0));
  // Both sides must be text: what was a picture and is now text stays for git to judge.
  return new Map(
    files.filter(file => blobsOf(file).every(id => isText.get(id))).map(file => [file.path, file]),
  );
}

async function* askAsText(
  hidden: ReadonlyMap<string, FileChange>,
  wish: DiffWish,
  git: Git,
): AsyncGenerator<readonly DiffEvent[]> {
  const names = [...hidden.values()].flatMap(namesOf);
  const canName = names.length <= MOST_NAMED_PATHS && names.every(canBePassed);
  const paths = canName ? names : wish.paths;
  const missing = new Map(hidden);
  let isAsked = false;
  for await (const batch of parseDiff(git.diff({ ...wish, paths, asText: true }))) {
    const kept: DiffEvent[] = [];
    for (const event of batch) {
      if (event.type === 'file') {
        isAsked = hidden.has(event.file.path);
        missing.delete(event.file.path);
      }
      if (isAsked) kept.push(event);
    }
    yield kept;
  }
  yield [...missing.values()].flatMap(notShown);
}

/** A file that git did not show is accounted for as failed; left out, it would look clean. */
const notShown = (file: FileChange): DiffEvent[] => [
  { type: 'file', file: { ...file, isBinary: false } },
  { type: 'hunk', hunk: NO_TEXT },
  { type: 'broken', reason: `git did not show the text of ${JSON.stringify(file.path)}` },
];

const NO_TEXT = { number: 1, oldStart: 0, oldLines: 0, newStart: 0, newLines: 0, section: '' };

const blobsOf = (file: FileChange): string[] =>
  [file.oldBlob, file.newBlob].filter(id => id !== undefined).filter(id => !/^0+$/.test(id));

const namesOf = (file: FileChange): string[] => [
  ...new Set([file.path, file.oldPath].filter(path => path !== undefined)),
];

/** Node cannot pass a name that is not UTF-8 to a process; such bytes are lone surrogates here. */
const canBePassed = (path: string): boolean => !/[\udc80-\udcff]/u.test(path);
