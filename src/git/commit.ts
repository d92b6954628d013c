import { BotError } from '../core/bot-error.js';
import { writeFailure } from '../platform/files.js';
import { asBlobs, blobId } from './blob-form.js';
import {
  type BuiltCommit,
  type CommitPlan,
  OWN_SIGNATURE,
  runOfMessage,
  withRunTrailer,
} from './commit-plan.js';
import { quotePath } from './scratch.js';
import { askGit, type GitContext } from './spawn.js';
import { asObjectId, listChanges, listTree, type TreeEntry, whyNotAnEdit } from './tree.js';

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
    for (const [path, bytes] of await asBlobs({ context, tree, options })) {
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
  const commits = await checkCommits({ context, base, texts, ids });
  return { commits, tip: ids.at(-1) ?? base, unchanged };
}

async function importCommits(context: GitContext, texts: readonly CommitText[]): Promise<string[]> {
  // On macOS, where git ignores case by default, an edit of `foo.txt` would change `Foo.txt`.
  const flags = ['-c', 'core.ignorecase=false'];
  const asked = ['fast-import', '--quiet', '--done', '--force', '--date-format=raw'];
  try {
    const printed = await askGit(context, [...flags, ...asked], commitStream(BUILD_REF, texts));
    return printed.toString('latin1').trim().split('\n').map(asObjectId);
  } catch (thrown) {
    throw writeFailure('cannot build the commits in the scratch copy', thrown);
  }
}

interface Imported {
  readonly context: GitContext;
  readonly base: string;
  readonly texts: readonly CommitText[];
  readonly ids: readonly string[];
}

/** Exactly our paths, all of them plain edits, with the requested bytes. */
async function checkCommits({ context, base, texts, ids }: Imported): Promise<BuiltCommit[]> {
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
