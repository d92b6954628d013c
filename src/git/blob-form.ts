import { createHash } from 'node:crypto';
import { BotError } from '../core/bot-error.js';
import { pathFromBytes, pathToBytes } from '../core/path-bytes.js';
import type { PlannedCommit } from './commit-plan.js';
import { askGit, type GitContext } from './spawn.js';
import { isRegular, readObjects, type TreeEntry } from './tree.js';

export interface BlobRequest {
  readonly context: GitContext;
  /** Of the commit all edits start from. */
  readonly tree: ReadonlyMap<string, TreeEntry>;
  readonly options: PlannedCommit;
}

/** The wished files as blobs; refused when one is no regular file of the tree or not convertible. */
export async function asBlobs(request: BlobRequest): Promise<Map<string, Uint8Array>> {
  const { context, tree, options } = request;
  for (const path of options.files.keys()) refuseIrregular(path, tree.get(path));
  const attributes = await readAttributes(context, [...options.files.keys()]);
  const ids = [...options.files.keys()].map(path => tree.get(path)?.id ?? '');
  const bases = await readObjects(context, ids);
  const blobs = new Map<string, Uint8Array>();
  for (const [path, bytes] of options.files) {
    const told = attributes.get(path) ?? new Map();
    const obstacle = whyNotConvertible(told);
    if (obstacle !== undefined) throw cannotCommit(path, obstacle);
    const base = bases.get(tree.get(path)?.id ?? '');
    if (base === undefined) throw cannotCommit(path, 'its blob cannot be read');
    const form = toBlobForm(bytes, base, told);
    if (!form.isKnown) throw cannotCommit(path, form.reason);
    blobs.set(path, form.bytes);
  }
  return blobs;
}

/** The id git gives to these bytes in a repository with ids of this length. */
export function blobId(bytes: Uint8Array, length: number): string {
  const hash = createHash(length === 64 ? 'sha256' : 'sha1');
  return hash.update(`blob ${bytes.length}\0`).update(bytes).digest('hex');
}

/** Why files of a scratch copy cannot be committed, for a caller who can do without them. */
export async function whyNotCommittable(
  context: GitContext,
  tree: ReadonlyMap<string, TreeEntry>,
  paths: readonly string[],
): Promise<Map<string, string>> {
  const reasons = new Map<string, string>();
  const attributes = await readAttributes(context, paths);
  for (const path of paths) {
    const reason =
      irregularity(tree.get(path)) ?? whyNotConvertible(attributes.get(path) ?? new Map());
    if (reason !== undefined) reasons.set(path, reason);
  }
  return reasons;
}

function refuseIrregular(path: string, entry: TreeEntry | undefined): void {
  const reason = irregularity(entry);
  if (reason !== undefined) throw cannotCommit(path, reason);
}

function irregularity(entry: TreeEntry | undefined): string | undefined {
  if (entry === undefined) return 'it is not in the commit it would change';
  if (entry.mode === '120000') return 'it is a symbolic link';
  if (entry.mode === '160000') return 'it is a submodule';
  return isRegular(entry.mode) ? undefined : `it has the mode ${entry.mode}`;
}

const cannotCommit = (path: string, reason: string): BotError =>
  new BotError('not-permitted', `${JSON.stringify(path)} cannot be edited: ${reason}`);

/** As the commit has them: the index of the scratch copy, not the files a linter may have touched. */
async function readAttributes(
  context: GitContext,
  paths: readonly string[],
): Promise<Map<string, Attributes>> {
  if (paths.length === 0) return new Map();
  const input = Buffer.concat(paths.flatMap(path => [pathToBytes(path), Buffer.from([0])]));
  const answer = await askGit(
    context,
    ['check-attr', '--cached', '-z', '--stdin', ...ATTRIBUTES],
    input,
  );
  const words = answer.toString('latin1').split('\0');
  const told = new Map<string, Map<string, string>>();
  for (let at = 0; at + 2 < words.length; at += 3) {
    const path = pathFromBytes(Buffer.from(words[at] ?? '', 'latin1'));
    const attributes = told.get(path) ?? new Map<string, string>();
    told.set(path, attributes.set(words[at + 1] ?? '', words[at + 2] ?? ''));
  }
  return told;
}

const NUL = 0;
const LINE_FEED = 10;
const CARRIAGE_RETURN = 13;

/** What `git check-attr` says of one file: attribute to `set`, `unset`, `unspecified` or a value. */
export type Attributes = ReadonlyMap<string, string>;

/** The attributes that decide between the bytes on disk and those in the blob. */
export const ATTRIBUTES = ['text', 'crlf', 'eol', 'filter', 'ident', 'working-tree-encoding'];

/** Why a file cannot be turned back into a blob without running something; undefined when it can. */
export function whyNotConvertible(attributes: Attributes): string | undefined {
  const filter = settingOf(attributes, 'filter');
  if (filter !== undefined) return `it goes through the filter ${JSON.stringify(filter)}`;
  if (settingOf(attributes, 'ident') !== undefined) return 'git expands $Id$ in it';
  const encoding = settingOf(attributes, 'working-tree-encoding');
  if (encoding === undefined || /^utf-?8$/i.test(encoding)) return undefined;
  return `it is encoded as ${JSON.stringify(encoding)} on disk`;
}

type LineEnds = 'as-is' | 'text' | 'auto' | 'text-crlf';

export type BlobForm =
  | { readonly isKnown: true; readonly bytes: Uint8Array }
  | { readonly isKnown: false; readonly reason: string };

/**
 * The file as a blob. `base` is the blob as it was: one that holds CRLF against its attributes
 * keeps them, or every line of it would change.
 */
export function toBlobForm(bytes: Uint8Array, base: Uint8Array, attributes: Attributes): BlobForm {
  const rule = lineEndsOf(attributes);
  if (rule === 'as-is') return { isKnown: true, bytes };
  const before = survey(base);
  if (before.pairs > 0) {
    if (rule === 'text-crlf' && before.loneFeeds > 0) {
      return { isKnown: false, reason: 'its line ends are mixed against its attributes' };
    }
    return { isKnown: true, bytes };
  }
  const now = survey(bytes);
  const isBinary = now.hasNul || now.loneReturns > 0;
  if (now.pairs === 0 || (rule === 'auto' && isBinary)) return { isKnown: true, bytes };
  return { isKnown: true, bytes: withoutReturns(bytes, now.pairs) };
}

/** Git's own order: `text` (or the older `crlf`), then `eol` unless the file is not text. */
function lineEndsOf(attributes: Attributes): LineEnds {
  const text = attributes.get('text') ?? 'unspecified';
  const word = text === 'unspecified' ? (attributes.get('crlf') ?? 'unspecified') : text;
  if (word === 'unset') return 'as-is';
  if (word === 'auto') return 'auto';
  const eol = attributes.get('eol');
  if (eol === 'crlf' && word !== 'input') return 'text-crlf';
  return eol === 'lf' || word === 'set' || word === 'input' ? 'text' : 'as-is';
}

function settingOf(attributes: Attributes, name: string): string | undefined {
  const value = attributes.get(name);
  return value === undefined || value === 'unspecified' || value === 'unset' ? undefined : value;
}

function survey(bytes: Uint8Array) {
  let pairs = 0;
  let loneFeeds = 0;
  let loneReturns = 0;
  let previous = NUL;
  for (const byte of bytes) {
    if (byte === LINE_FEED) {
      if (previous === CARRIAGE_RETURN) pairs += 1;
      else loneFeeds += 1;
    } else if (previous === CARRIAGE_RETURN) loneReturns += 1;
    previous = byte;
  }
  if (previous === CARRIAGE_RETURN) loneReturns += 1;
  return { pairs, loneFeeds, loneReturns, hasNul: bytes.includes(NUL) };
}

function withoutReturns(bytes: Uint8Array, pairs: number): Uint8Array {
  const kept = new Uint8Array(bytes.length - pairs);
  let at = 0;
  for (const [from, byte] of bytes.entries()) {
    if (byte === CARRIAGE_RETURN && bytes[from + 1] === LINE_FEED) continue;
    kept[at] = byte;
    at += 1;
  }
  return kept;
}
