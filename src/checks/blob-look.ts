import { isSubmodule, isSymlink } from '../core/change.js';
import type { Blob, BlobWish, Clock, Git } from '../world.js';
import { type FileSurvey, MOST_PARSED_BYTES } from './file-survey.js';
import { syntaxOf } from './invalid-syntax.js';

/** Objects by the name they were asked for: a blob's id, or `<commit>:path`. */
export type Blobs = ReadonlyMap<string, Blob>;

/** A marker of generated files stands within the first lines. */
const OPENING_BYTES = 1024;
/** In a change of more files than this, reading every opening costs more than it tells. */
const MOST_OPENINGS = 500;
const MOST_ATTRIBUTE_BYTES = 64 * 1024;
const MOST_ATTRIBUTE_FOLDERS = 500;

/** Reads, through one git process, what the checks want of objects that the diff does not show. */
export async function lookAtBlobs(
  files: readonly FileSurvey[],
  head: string,
  { git, clock }: { readonly git: Git; readonly clock: Clock },
): Promise<Blobs> {
  const wishes = new Map<string, BlobWish>();
  const wish = (id: string | undefined, keep: number): void => {
    if (id === undefined || /^0+$/.test(id)) return;
    wishes.set(id, { id, keep: Math.max(keep, wishes.get(id)?.keep ?? 0) });
  };
  const folders = attributeFolders(files.map(seen => seen.file.path));
  for (const folder of folders.slice(0, MOST_ATTRIBUTE_FOLDERS)) {
    wish(attributeName(head, folder), MOST_ATTRIBUTE_BYTES);
  }
  for (const seen of files) {
    await clock.breathe();
    for (const [id, keep] of wishesFor(seen, files.length)) wish(id, keep);
  }
  const blobs = new Map<string, Blob>();
  for await (const blob of git.blobs([...wishes.values()])) blobs.set(blob.id, blob);
  return blobs;
}

type Wanted = readonly [id: string | undefined, keep: number];

function wishesFor(seen: FileSurvey, fileCount: number): Wanted[] {
  const { file } = seen;
  if (file.status === 'deleted' || isSubmodule(file) || isSymlink(file)) return [];
  if (file.isBinary)
    return [
      [file.newBlob, 0],
      [file.oldBlob, 0],
    ];
  if (seen.hunks.length === 0) return [];
  if (syntaxOf(file.path) !== undefined && seen.whole === undefined) {
    return [
      [file.newBlob, MOST_PARSED_BYTES],
      [file.oldBlob, MOST_PARSED_BYTES],
    ];
  }
  const sizes: Wanted[] = growsMuch(seen)
    ? [
        [file.newBlob, 0],
        [file.oldBlob, 0],
      ]
    : [];
  const showsOpening = file.status === 'added' || (seen.hunks[0]?.newStart ?? 0) <= 1;
  const isCheap = !showsOpening && fileCount <= MOST_OPENINGS;
  return isCheap ? [...sizes, [file.newBlob, OPENING_BYTES]] : sizes;
}

/** Where so much was added, the size of the whole file is worth asking for. */
export const growsMuch = ({ file, addedBytes }: FileSurvey): boolean =>
  file.status !== 'added' && addedBytes >= 64 * 1024;

/** `.gitattributes` of a folder in the reviewed tree; the work tree's is not believed. */
export const attributeName = (head: string, folder: string): string =>
  `${head === 'index' ? ':0' : head}:${folder}.gitattributes`;

/** The folders whose attribute file can speak of these paths, the top first. */
export function attributeFolders(paths: Iterable<string>): string[] {
  const folders = new Set(['']);
  for (const path of paths) {
    for (let at = path.indexOf('/'); at !== -1; at = path.indexOf('/', at + 1)) {
      folders.add(path.slice(0, at + 1));
    }
  }
  // A line break would end the question, and bytes that are not UTF-8 cannot be asked for by name.
  return [...folders].filter(folder => !/[\n\udc80-\udcff]/u.test(folder));
}

export const textOf = (blob: Blob | undefined): string | undefined =>
  blob === undefined ? undefined : new TextDecoder().decode(blob.bytes);
