import { createHash } from 'node:crypto';
import { BotError } from '../core/bot-error.js';
import { pathFromBytes, pathToBytes } from '../core/path-bytes.js';
import { writeFailure } from '../platform/files.js';
import {
  type BuiltCommit,
  type CommitPlan,
  OWN_SIGNATURE,
  type PlannedCommit,
  runOfMessage,
  withRunTrailer,
} from './commit-plan.js';
import { quotePath } from './scratch.js';
import { askGit, type GitContext } from './spawn.js';
import {
  asObjectId,
  isRegular,
  listChanges,
  listTree,
  readObjects,
  type TreeEntry,
  whyNotAnEdit,
} from './tree.js';

/** Only exists inside the scratch repository. */
const BUILD_REF = 'refs/heads/apfel-bot-build';

interface CommitRequest extends CommitPlan {
  /** The scratch repository; its index must be that of `base`. */
  readonly scratch: { readonly context: GitContext };
}

export interface BuiltCommits {
  readonly commits: readonly BuiltCommit[];
  /** The last commit, or `base` if there was nothing to change. */
  readonly tip: string;
  /** Files that already have the planned content; a commit with nothing else isn't made. */
  readonly unchanged: readonly string[];
}

/**
 * Makes commits from whole files, only in the scratch repository. Only existing files can change,
 * and only in content; the result is read back and compared.
 */
export async function buildCommits(request: CommitRequest): Promise<BuiltCommits> {
  const { context } = request.scratch;
  const base = asObjectId(request.base);
  const tree = await listTree(context, base);
  const current = new Map(tree);
  const unchanged: string[] = [];
  const texts: CommitText[] = [];
  for (const options of request.commits) {
    const files: Array<CommitText['files'][number]> = [];
    for (const [path, bytes] of await asBlobs(context, tree, options.files)) {
      const entry: TreeEntry = { mode: '', id: '', ...current.get(path) };
      const id = blobId(bytes, base.length);
      if (id === entry.id) unchanged.push(path);
      else files.push([path, entry.mode, bytes]);
      current.set(path, { ...entry, id });
    }
    const from = texts.length === 0 ? base : `:${texts.length}`;
    const { at, run } = request;
    if (files.length > 0) texts.push({ message: options.message, run, at, from, files });
  }
  const ids = texts.length === 0 ? [] : await importCommits(context, texts);
  const commits = await checkCommits(context, { base, texts, ids });
  return { commits, tip: ids.at(-1) ?? base, unchanged };
}

async function importCommits(context: GitContext, texts: readonly CommitText[]): Promise<string[]> {
  // On macOS, where git ignores case by default, an edit of `foo.txt` would change `Foo.txt`.
  const flags = ['-c', 'core.ignorecase=false'];
  const args = ['fast-import', '--quiet', '--done', '--force', '--date-format=raw'];
  try {
    const printed = await askGit(context, [...flags, ...args], commitStream(BUILD_REF, texts));
    return printed.toString('latin1').trim().split('\n').map(asObjectId);
  } catch (thrown) {
    throw writeFailure('cannot build the commits in the scratch copy', thrown);
  }
}

/** Exactly our paths, all of them plain edits, with the requested bytes. */
async function checkCommits(
  context: GitContext,
  { base, texts, ids }: { base: string; texts: readonly CommitText[]; ids: readonly string[] },
): Promise<BuiltCommit[]> {
  const commits: BuiltCommit[] = [];
  for (const [at, text] of texts.entries()) {
    const id = ids[at] ?? '';
    const changes = await listChanges(context, ids[at - 1] ?? base, id);
    const expected = new Map(
      text.files.map(([path, , bytes]) => [path, blobId(bytes, base.length)]),
    );
    const unexpected = changes.find(
      change => whyNotAnEdit(change) !== undefined || expected.get(change.path) !== change.after.id,
    );
    if (unexpected !== undefined || changes.length !== expected.size) {
      const path = unexpected?.path ?? [...expected.keys()].join(', ');
      throw new BotError('bug', `commit ${id} is not what was asked for: ${JSON.stringify(path)}`);
    }
    commits.push({ id, paths: changes.map(({ path }) => path) });
  }
  return commits;
}

interface CommitText {
  readonly message: string;
  readonly run: string;
  readonly at: number;
  /** The parent commit: an id, or a mark in the same stream. */
  readonly from: string;
  readonly files: ReadonlyArray<readonly [path: string, mode: string, bytes: Uint8Array]>;
}

/** The `fast-import` input that makes these commits on `ref` and prints the id of each. */
function commitStream(ref: string, commits: readonly CommitText[]): Buffer {
  const parts: Array<string | Uint8Array> = [];
  for (const [index, { message, run, at, from, files }] of commits.entries()) {
    const line = `${OWN_SIGNATURE} ${at} +0000`;
    parts.push(`commit ${ref}\nmark :${index + 1}\nauthor ${line}\ncommitter ${line}\n`);
    pushData(parts, Buffer.from(withRunTrailer(plainMessage(message), run)));
    parts.push(`from ${from}\n`);
    for (const [path, mode, bytes] of files) {
      parts.push(`M ${mode} inline ${quotePath(path)}\n`);
      pushData(parts, bytes);
    }
    parts.push(`get-mark :${index + 1}\n`);
  }
  parts.push('done\n');
  return Buffer.concat(parts.map(part => (typeof part === 'string' ? Buffer.from(part) : part)));
}

function pushData(parts: Array<string | Uint8Array>, bytes: Uint8Array): void {
  parts.push(`data ${bytes.length}\n`, bytes, '\n');
}

function plainMessage(message: string): string {
  const text = message.replaceAll('\r\n', '\n').trim();
  if (text === '' || text.includes('\0')) {
    throw new BotError('bug', `a commit message is empty or holds a NUL: ${JSON.stringify(text)}`);
  }
  return text;
}

/** Our messages list up to fifty lines for each of three sources of edits. */
const MAX_MESSAGE = 64 * 1024;

/**
 * One line for a commit message, from untrusted text. A forge or a CI system that reads
 * commit messages finds nothing in it to act on: no reference, link, mention, directive or escape sequence.
 */
export function messageLine(text: string, max: number): string {
  const line = harmless(text);
  return line.length > max ? `${line.slice(0, max - 1).replace(/[\ud800-\udbff]$/, '')}…` : line;
}

const harmless = (text: string): string =>
  text
    // Includes lone surrogates.
    .replace(/[\s\p{C}]+/gu, ' ')
    // Scoped rules, such as @typescript-eslint/no-var, would mention an organisation. First, since
    // what is left may be a reference.
    .replace(/(?<![A-Za-z0-9_])@+(?=[A-Za-z0-9])/g, '')
    .replace(/#(?=\d)|\bgh-(?=\d)|\/(?:issues|pull|discussions)\/(?=\d)/gi, '$& ')
    .replace(/:\/\/(?! )|\bwww\.(?! )/gi, '$& ')
    .replace(DIRECTIVE, '$& ')
    .replace(/\*{3}(?=NO_CI)/gi, '** ')
    .trim();

/** `[skip ci]` and similar directives of other services. */
const DIRECTIVE =
  /\[(?! )(?=[^\][]{0,40}(?<![\w-])(?:skip|ci|cd|ci-skip|skip-ci|no-ci|actions?|deploy|release|netlify|vercel|travis|circleci|appveyor|azurepipelines|buildkite|cirrus|semaphore)(?![\w-]))/gi;

/** What `fix-lint` writes: a subject, then places under a line that says who fixed them. */
const OWN_LINE = /^(?:Fix .+|\d+ by [a-z' ]{1,40}:|- .+|)$/;

/** Why a message wasn't written by this run; undefined if it was. */
export function whyNotOurMessage(message: string, run: string): string | undefined {
  if (message.length > MAX_MESSAGE) return 'has a longer message than apfel-bot writes';
  if (runOfMessage(message) !== run) return "isn't from the run of this outcome";
  const lines = message.trimEnd().split('\n').slice(0, -1);
  const foreign = lines.find(line => !OWN_LINE.test(line) || harmless(line) !== line);
  return foreign === undefined
    ? undefined
    : `has a line in its message that apfel-bot doesn't write: ${JSON.stringify(foreign.slice(0, 100))}`;
}

/** The files as blobs; fails if one isn't a regular file of the tree or can't be converted. */
async function asBlobs(
  context: GitContext,
  tree: ReadonlyMap<string, TreeEntry>,
  files: PlannedCommit['files'],
): Promise<Map<string, Uint8Array>> {
  const paths = [...files.keys()];
  for (const path of paths) {
    const reason = irregularity(tree.get(path));
    if (reason !== undefined) throw cannotCommit(path, reason);
  }
  const attributes = await readAttributes(context, paths);
  const bases = await readObjects(
    context,
    paths.map(path => tree.get(path)?.id ?? ''),
  );
  const blobs = new Map<string, Uint8Array>();
  for (const [path, bytes] of files) {
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
function blobId(bytes: Uint8Array, length: number): string {
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
