import { pathFromBytes } from '../core/path-bytes.js';
import { DIFF_ARGUMENTS } from './flags.js';
import type { Git } from './git.js';
import { askGit, type GitContext, streamGit } from './spawn.js';
import { splitAtNul } from './tree.js';

/**
 * What the reading tools see: the tracked files of one commit or of the index, never the work tree.
 * Paths have passed the guard.
 */
export interface Source {
  /** The direct contents of a folder, subfolders with a trailing slash; `''` is the top. */
  list(path: string): Promise<readonly Entry[]>;
  read(path: string): Promise<FileRead>;
  search(query: string, path: string | undefined): Promise<SearchResult>;
  /** The file's change as a unified diff without its header; undefined if it didn't change. */
  diff(path: string): Promise<string | undefined>;
  history(path: string): Promise<readonly HistoryEntry[]>;
}

export interface Entry {
  readonly name: string;
  readonly kind: 'file' | 'folder' | 'symlink' | 'submodule';
}

export type FileRead =
  | { readonly kind: 'file'; readonly bytes: Uint8Array }
  | {
      readonly kind: 'absent' | 'folder' | 'symlink' | 'submodule' | 'untracked' | 'too-big';
    };

interface SearchResult {
  readonly matches: readonly Match[];
  /** There are more matches than the search collects. */
  readonly isTruncated: boolean;
}

export interface Match {
  readonly path: string;
  readonly line: number;
  readonly text: string;
}

export interface HistoryEntry {
  readonly commit: string;
  /** ISO 8601, only the day. */
  readonly date: string;
  readonly subject: string;
}

/** Larger files aren't meant to be read line by line. */
const MAX_FILE_BYTES = 2 * 1024 * 1024;
/** A search with more matches is too broad. */
const MAX_MATCHES = 200;
const MAX_MATCH_CHARACTERS = 300;
const MAX_HISTORY = 20;
const MAX_DIFF_BYTES = 256 * 1024;

interface SourceOptions {
  readonly git: Git;
  readonly context: GitContext;
  /** The commit or the index whose files are shown. */
  readonly at: string | 'index';
  /** What the change is compared with; undefined if there is no change. */
  readonly base: string | undefined;
}

/** The tracked files of one commit or of the index, through git objects and never the work tree. */
export const gitSource = (options: SourceOptions): Source => ({
  list: path => list(options, path),
  read: path => read(options, path),
  search: (query, path) => search(options, query, path),
  diff: path => diff(options, path),
  history: path => history(options, path),
});

interface TreeRow {
  readonly mode: string;
  readonly id: string;
  readonly path: string;
}

/** Rows of `ls-tree` and `ls-files --stage` alike: mode, then an id, a tab, the path. */
async function rows({ context, at }: SourceOptions, path: string): Promise<TreeRow[]> {
  const where = path === '' ? [] : [path];
  const args =
    at === 'index'
      ? ['ls-files', '--stage', '-z', '--full-name', '--', ...where]
      : ['ls-tree', '-z', '--full-tree', at, '--', ...where];
  return splitAtNul(await askGit(context, args)).map(toRow);
}

function toRow(row: Buffer): TreeRow {
  const tab = row.indexOf(9);
  const fields = row.subarray(0, tab).toString('latin1').split(' ');
  const id = fields.find(field => /^[0-9a-f]{40,64}$/.test(field)) ?? '';
  return { mode: fields[0] ?? '', id, path: pathFromBytes(row.subarray(tab + 1)) };
}

const KINDS: Readonly<Record<string, Entry['kind']>> = {
  '040000': 'folder',
  '120000': 'symlink',
  '160000': 'submodule',
};

async function list(options: SourceOptions, path: string): Promise<Entry[]> {
  const folder = path === '' ? '' : `${path}/`;
  const found = new Map<string, Entry>();
  for (const row of await rows(options, folder)) {
    if (!row.path.startsWith(folder)) continue;
    const [name = '', ...deeper] = row.path.slice(folder.length).split('/');
    const kind = deeper.length > 0 ? 'folder' : (KINDS[row.mode] ?? 'file');
    found.set(name, { name: kind === 'folder' ? `${name}/` : name, kind });
  }
  return [...found.values()];
}

async function read(options: SourceOptions, path: string): Promise<FileRead> {
  const found = await rows(options, path);
  const row = found.find(each => each.path === path);
  if (row === undefined) return { kind: found.length > 0 ? 'folder' : 'absent' };
  const kind = KINDS[row.mode];
  if (kind !== undefined && kind !== 'file') return { kind };
  for await (const blob of options.git.blobs([{ id: row.id, keep: MAX_FILE_BYTES }])) {
    return blob.size > MAX_FILE_BYTES ? { kind: 'too-big' } : { kind: 'file', bytes: blob.bytes };
  }
  return { kind: 'absent' };
}

async function search(
  { context, at }: SourceOptions,
  query: string,
  path: string | undefined,
): Promise<SearchResult> {
  const asked = [
    ...['grep', '-n', '-I', '-z', '-i', '--no-color', '--full-name', '--no-textconv'],
    ...['--fixed-strings', '-e', query],
    ...(at === 'index' ? ['--cached'] : [at]),
    '--',
    ...(path === undefined || path === '' ? [] : [path]),
  ];
  const matches: Match[] = [];
  const prefix = at === 'index' ? '' : `${at}:`;
  for await (const line of lines(streamGit(context, asked, '', [0, 1]))) {
    if (matches.length === MAX_MATCHES) return { matches, isTruncated: true };
    const match = toMatch(line, prefix);
    if (match !== undefined) matches.push(match);
  }
  return { matches, isTruncated: false };
}

/** `path NUL line NUL text`. */
function toMatch(line: Buffer, prefix: string): Match | undefined {
  const first = line.indexOf(0);
  const second = line.indexOf(0, first + 1);
  if (first < 0 || second < 0) return undefined;
  return {
    path: pathFromBytes(line.subarray(prefix.length, first)),
    line: Number(line.subarray(first + 1, second).toString('latin1')),
    text: line
      .subarray(second + 1)
      .toString('utf8')
      .slice(0, MAX_MATCH_CHARACTERS),
  };
}

/** A path, a number and more text than is shown. */
const MAX_LINE_BYTES = 16 * 1024;

/** The beginning of each line: a tracked file can be one line of any length. */
async function* lines(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Buffer> {
  let rest: Buffer = Buffer.alloc(0);
  for await (const chunk of chunks) {
    let from = 0;
    for (let end = chunk.indexOf(10); end !== -1; end = chunk.indexOf(10, from)) {
      yield opened(rest, chunk.subarray(from, end));
      rest = Buffer.alloc(0);
      from = end + 1;
    }
    rest = opened(rest, chunk.subarray(from));
  }
  if (rest.length > 0) yield rest;
}

const opened = (start: Buffer, more: Uint8Array): Buffer =>
  start.length === MAX_LINE_BYTES
    ? start
    : Buffer.concat([start, more]).subarray(0, MAX_LINE_BYTES);

async function diff(
  { context, at, base }: SourceOptions,
  path: string,
): Promise<string | undefined> {
  if (base === undefined || path === '') return undefined;
  const ends = at === 'index' ? ['--cached', base] : [base, at];
  // A folder would include files that are never shown.
  const names = await askGit(context, ['diff', '--name-only', '-z', ...ends, '--', path]);
  if (splitAtNul(names).some(name => pathFromBytes(name) !== path)) return undefined;
  const args = ['diff', ...DIFF_ARGUMENTS, ...ends, '--', path];
  const text = await opening(streamGit(context, args), MAX_DIFF_BYTES);
  const body = text.indexOf('\n@@ ');
  return body === -1 ? undefined : text.slice(body + 1);
}

/** The first bytes; git is then stopped. */
async function opening(chunks: AsyncIterable<Uint8Array>, max: number): Promise<string> {
  const pieces: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of chunks) {
    pieces.push(chunk);
    bytes += chunk.length;
    if (bytes >= max) break;
  }
  return Buffer.concat(pieces).subarray(0, max).toString('utf8');
}

async function history({ context, at, git }: SourceOptions, path: string): Promise<HistoryEntry[]> {
  const from = at === 'index' ? git.repository.head : at;
  if (from === undefined) return [];
  const asked = [
    ...['log', `--max-count=${MAX_HISTORY}`, '-z', '--no-color', '--no-show-signature'],
    ...['--no-mailmap', '--format=%h%n%as%n%s', from, '--', path],
  ];
  const rows = (await askGit(context, asked)).toString('utf8').split('\0').filter(Boolean);
  return rows.map(row => {
    const [commit = '', date = '', subject = ''] = row.split('\n');
    return { commit, date, subject };
  });
}
