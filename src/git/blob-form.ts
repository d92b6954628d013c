import { createHash } from 'node:crypto';
import { BotError } from '../core/bot-error.js';
import { pathFromBytes, pathToBytes } from '../core/path-bytes.js';
import type { PlannedCommit } from './commit-plan.js';
import { askGit, type GitContext } from './spawn.js';
import { isRegular, readObjects, type TreeEntry } from './tree.js';

interface BlobRequest {
  readonly context: GitContext;
  /** The tree of the commit that all edits start from. */
  readonly tree: ReadonlyMap<string, TreeEntry>;
  readonly options: PlannedCommit;
}

/** The files as blobs; fails if one isn't a regular file of the tree or can't be converted. */
export async function asBlobs(request: BlobRequest): Promise<Map<string, Uint8Array>> {
  const { context, tree, options } = request;
  for (const path of options.files.keys()) refuseIrregular(path, tree.get(path));
  const attributes = await readAttributes(context, [...options.files.keys()]);
  const ids = [...options.files.keys()].map(path => tree.get(path)?.id ?? '');
  const bases = await readObjects(context, ids);
  const blobs = new Map<string, Uint8Array>();
  for (const [path, bytes] of options.files) {
    const ownAttributes = attributes.get(path) ?? new Map();
    const obstacle = whyNotConvertible(ownAttributes);
    if (obstacle !== undefined) throw cannotCommit(path, obstacle);
    const base = bases.get(tree.get(path)?.id ?? '');
    if (base === undefined) throw cannotCommit(path, 'its blob cannot be read');
    const form = toBlobForm(bytes, base, ownAttributes);
    if (!form.isKnown) throw cannotCommit(path, form.reason);
    blobs.set(path, form.bytes);
  }
  return blobs;
}

/** Git's id of these bytes in a repository with ids of this length. */
export function blobId(bytes: Uint8Array, length: number): string {
  const hash = createHash(length === 64 ? 'sha256' : 'sha1');
  return hash.update(`blob ${bytes.length}\0`).update(bytes).digest('hex');
}

/** Why files of a scratch copy can't be committed, for a caller that can continue without them. */
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
  if (entry === undefined) return "it isn't in the base commit";
  if (entry.mode === '120000') return 'it is a symbolic link';
  if (entry.mode === '160000') return 'it is a submodule';
  return isRegular(entry.mode) ? undefined : `it has the mode ${entry.mode}`;
}

const cannotCommit = (path: string, reason: string): BotError =>
  new BotError('not-permitted', `${JSON.stringify(path)} cannot be edited: ${reason}`);

/** From the index of the scratch copy, not from files that a linter may have changed. */
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
  const fields = answer.toString('latin1').split('\0');
  const byPath = new Map<string, Map<string, string>>();
  for (let at = 0; at + 2 < fields.length; at += 3) {
    const path = pathFromBytes(Buffer.from(fields[at] ?? '', 'latin1'));
    const attributes = byPath.get(path) ?? new Map<string, string>();
    byPath.set(path, attributes.set(fields[at + 1] ?? '', fields[at + 2] ?? ''));
  }
  return byPath;
}

const NUL = 0;
const LINE_FEED = 10;
const CARRIAGE_RETURN = 13;

/** What `git check-attr` reports for one file: attribute to `set`, `unset`, `unspecified` or a value. */
type Attributes = ReadonlyMap<string, string>;

/** The attributes that decide between the bytes on disk and those in the blob. */
const ATTRIBUTES = ['text', 'crlf', 'eol', 'filter', 'ident', 'working-tree-encoding'];

/** Why a file can't be turned back into a blob without running a program; undefined if it can. */
function whyNotConvertible(attributes: Attributes): string | undefined {
  const filter = settingOf(attributes, 'filter');
  if (filter !== undefined) return `it goes through the filter ${JSON.stringify(filter)}`;
  if (settingOf(attributes, 'ident') !== undefined) return 'git expands $Id$ in it';
  const encoding = settingOf(attributes, 'working-tree-encoding');
  if (encoding === undefined || /^utf-?8$/i.test(encoding)) return undefined;
  return `it is encoded as ${JSON.stringify(encoding)} on disk`;
}

type LineEndings = 'as-is' | 'text' | 'auto' | 'text-crlf';

type BlobForm =
  | { readonly isKnown: true; readonly bytes: Uint8Array }
  | { readonly isKnown: false; readonly reason: string };

/**
 * The file as a blob. `base` is the previous blob: if it has CRLF despite its attributes they are
 * kept, or every line would change.
 */
function toBlobForm(bytes: Uint8Array, base: Uint8Array, attributes: Attributes): BlobForm {
  const rule = lineEndingsOf(attributes);
  if (rule === 'as-is') return { isKnown: true, bytes };
  const before = countLineEndings(base);
  if (before.pairs > 0) {
    if (rule === 'text-crlf' && before.loneFeeds > 0) {
      return { isKnown: false, reason: 'its line endings are mixed, against its attributes' };
    }
    return { isKnown: true, bytes };
  }
  const now = countLineEndings(bytes);
  const isBinary = now.hasNul || now.loneReturns > 0;
  if (now.pairs === 0 || (rule === 'auto' && isBinary)) return { isKnown: true, bytes };
  return { isKnown: true, bytes: withoutReturns(bytes, now.pairs) };
}

/** In git's order: `text` (or the older `crlf`), then `eol` unless the file isn't text. */
function lineEndingsOf(attributes: Attributes): LineEndings {
  const text = attributes.get('text') ?? 'unspecified';
  const value = text === 'unspecified' ? (attributes.get('crlf') ?? 'unspecified') : text;
  if (value === 'unset') return 'as-is';
  if (value === 'auto') return 'auto';
  const eol = attributes.get('eol');
  if (eol === 'crlf' && value !== 'input') return 'text-crlf';
  return eol === 'lf' || value === 'set' || value === 'input' ? 'text' : 'as-is';
}

function settingOf(attributes: Attributes, name: string): string | undefined {
  const value = attributes.get(name);
  return value === undefined || value === 'unspecified' || value === 'unset' ? undefined : value;
}

function countLineEndings(bytes: Uint8Array) {
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
  const result = new Uint8Array(bytes.length - pairs);
  let at = 0;
  for (const [from, byte] of bytes.entries()) {
    if (byte === CARRIAGE_RETURN && bytes[from + 1] === LINE_FEED) continue;
    result[at] = byte;
    at += 1;
  }
  return result;
}
