import { BotError } from '../core/bot-error.js';
import {
  type ChangeEnds,
  type DiffEvent,
  type FileChange,
  isSubmodule,
  type Line,
} from '../core/change.js';
import type { Selector } from '../core/task.js';
import type { DiffRequest, Git } from '../git/git.js';
import { parseDiff } from './parse.js';
import { resolveSelector } from './selector.js';

/** A change that can be read once, from its first file to its last, in bounded memory. */
export interface ChangeSet extends ChangeEnds {
  readonly events: AsyncIterable<readonly DiffEvent[]>;
  /** Complete once the events have been read. */
  readonly notices: readonly string[];
}

interface GatherRequest {
  readonly selector: Selector;
  /** Literal paths relative to the top of the repository; empty for all. */
  readonly paths: readonly string[];
}

/** Task → ChangeSet. Gets the diff from git; reads neither work tree nor configuration. */
export async function gather(request: GatherRequest, git: Git): Promise<ChangeSet> {
  const { ends, parents, notices: found } = await resolveSelector(request.selector, git);
  const [first, ...others] = parents;
  if (first === undefined) throw new BotError('bug', 'a change has nothing to compare with');
  const options = { from: first, to: ends.head, paths: request.paths, asText: false };
  const notices = [...found];
  const whole = revealHidden(parseDiff(git.diff(options)), options, git);
  const events =
    request.paths.length === 0 ? whole : noticeUnmatched(whole, request.paths, notices);
  return {
    ...ends,
    events: others.length === 0 ? events : keepSharedLines(events, { ...options, others }, git),
    notices,
  };
}

/** A change that couldn't even be resolved in time: reading its first line fails. */
export const unreadChange = (signal: AbortSignal): ChangeSet => ({
  base: null,
  head: 'unknown',
  // biome-ignore lint/correctness/useYield: there is nothing to yield.
  events: (async function* () {
    signal.throwIfAborted();
  })(),
  notices: [],
});

/** The same for a diff on standard input, without a repository or blobs. */
export function gatherStdin(
  input: AsyncIterable<Uint8Array>,
  paths: readonly string[] = [],
): ChangeSet {
  const notices: string[] = [];
  const whole = mustBeDiff(input);
  const narrowed = (): ChangeSet['events'] =>
    noticeUnmatched(onlyUnder(whole, paths, notices), paths, notices);
  return {
    base: null,
    head: 'stdin',
    events: paths.length === 0 ? whole : narrowed(),
    notices,
  };
}

/** No input at all is an empty change; input without a diff in it is an error. */
async function* mustBeDiff(input: AsyncIterable<Uint8Array>): AsyncGenerator<readonly DiffEvent[]> {
  let bytes = 0;
  let hasFile = false;
  const counted = async function* (): AsyncGenerator<Uint8Array> {
    for await (const chunk of input) {
      bytes += chunk.length;
      yield chunk;
    }
  };
  for await (const batch of parseDiff(counted())) {
    hasFile ||= batch.some(event => event.type === 'file');
    yield batch;
  }
  if (hasFile || bytes === 0) return;
  throw new BotError('usage', `there is no diff in the ${bytes} bytes on standard input`, {
    hint: 'Pipe one in: git diff | apfel-bot review --stdin',
  });
}

/** The files of a diff under one of the paths. Only for standard input; git filters by itself. */
async function* onlyUnder(
  events: AsyncIterable<readonly DiffEvent[]>,
  paths: readonly string[],
  notices: string[],
): AsyncGenerator<readonly DiffEvent[]> {
  let isWanted = false;
  for await (const batch of events) {
    const filtered: DiffEvent[] = [];
    for (const event of batch) {
      if (event.type === 'file') isWanted = isUnder(event.file, paths);
      if (isWanted) filtered.push(event);
      // What is missing may have been under one of the paths.
      else if (event.type === 'broken') notices.push(event.reason);
    }
    yield filtered;
  }
}

const isUnder = ({ path, oldPath }: FileChange, wanted: readonly string[]): boolean =>
  wanted.some(each =>
    [path, oldPath].some(
      name => each === '.' || name === each || name?.startsWith(`${each}/`) === true,
    ),
  );

/** The rest are only counted. */
const MAX_NAMED = 5;

/**
 * Passes the events on, then reports the paths that match no changed file: a typo in a path must not
 * look like a clean change.
 */
export async function* noticeUnmatched(
  events: AsyncIterable<readonly DiffEvent[]>,
  paths: readonly string[],
  notices: string[],
): AsyncGenerator<readonly DiffEvent[]> {
  const left = new Set(paths.filter(path => path !== '.'));
  let isWhole = true;
  for await (const batch of events) {
    for (const event of batch) {
      if (event.type === 'broken') isWhole = false;
      if (event.type !== 'file' || left.size === 0) continue;
      for (const path of foldersOf(event.file.path)) left.delete(path);
      for (const path of foldersOf(event.file.oldPath ?? '')) left.delete(path);
    }
    yield batch;
  }
  // The missing part of a broken diff may have had files under these paths.
  if (left.size > 0 && isWhole) notices.push(unmatchedNotice([...left]));
}

/** The path itself and its folders. */
function* foldersOf(path: string): Generator<string> {
  yield path;
  for (let at = path.lastIndexOf('/'); at > 0; at = path.lastIndexOf('/', at - 1)) {
    yield path.slice(0, at);
  }
}

function unmatchedNotice(paths: readonly string[]): string {
  // The value of an option would be shown as the path it isn't.
  const options = paths
    .filter(path => /(?:^|\/)--?[a-z]/.test(path))
    .map(path => path.replace(/=.*/, ''));
  const named = (options.length > 0 ? options : paths).slice(0, MAX_NAMED);
  const more = paths.length - named.length;
  const hint = options.length > 0 ? '; options go before --' : '';
  return `no changed file matches ${named.join(', ')}${more > 0 ? ` and ${more} more` : ''}${hint}`;
}

/** Like git, which looks for a NUL in this many bytes to detect binary files. */
const SNIFFED_BYTES = 8000;
/** More names than this may not fit on a command line. */
const MAX_NAMED_PATHS = 500;

/**
 * An attribute such as `-diff`, even in an untracked `.gitattributes`, makes git hide a text change
 * behind "Binary files differ", so a change could turn off its own review. Files that git calls binary
 * are held back, and requested again as text if they contain no NUL.
 */
async function* revealHidden(
  events: AsyncIterable<readonly DiffEvent[]>,
  options: DiffRequest,
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
  if (hidden.size > 0) yield* askAsText(hidden, options, git);
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
  const requests = files.flatMap(blobsOf).map(id => ({ id, keep: SNIFFED_BYTES }));
  for await (const blob of git.blobs(requests)) isText.set(blob.id, !blob.bytes.includes(0));
  // Both sides must be text: if one was an image, git decides.
  return new Map(
    files.filter(file => blobsOf(file).every(id => isText.get(id))).map(file => [file.path, file]),
  );
}

async function* askAsText(
  hidden: ReadonlyMap<string, FileChange>,
  options: DiffRequest,
  git: Git,
): AsyncGenerator<readonly DiffEvent[]> {
  const names = [...hidden.values()].flatMap(namesOf);
  const canName = names.length <= MAX_NAMED_PATHS && names.every(canBePassed);
  const paths = canName ? names : options.paths;
  const missing = new Map(hidden);
  let isHidden = false;
  for await (const batch of parseDiff(git.diff({ ...options, paths, asText: true }))) {
    const filtered: DiffEvent[] = [];
    for (const event of batch) {
      if (event.type === 'file') {
        isHidden = hidden.has(event.file.path);
        missing.delete(event.file.path);
      }
      if (isHidden) filtered.push(event);
    }
    yield filtered;
  }
  yield [...missing.values()].flatMap(notShown);
}

/** A file that git didn't show counts as failed; without it the change would look clean. */
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

/** Node can't pass a name that isn't UTF-8 to a process; such bytes are lone surrogates here. */
const canBePassed = (path: string): boolean => !/[\udc80-\udcff]/u.test(path);

/** Runs of added lines on the new side; the end is exclusive. */
type Ranges = Array<[from: number, to: number]>;

/**
 * In a merge, only the lines that differ from every parent are reviewed. All comparisons share the new
 * side, so a line that is added against the first parent but not against another becomes context.
 */
async function* keepSharedLines(
  events: AsyncIterable<readonly DiffEvent[]>,
  options: DiffRequest & { readonly others: readonly string[] },
  git: Git,
): AsyncGenerator<readonly DiffEvent[]> {
  const against = await Promise.all(
    options.others.map(from => {
      const other = { ...options, from };
      return addedRanges(revealHidden(parseDiff(git.diff(other)), other, git));
    }),
  );
  let path = '';
  for await (const batch of events) {
    yield batch.map(event => {
      if (event.type === 'file') path = event.file.path;
      if (event.type !== 'lines') return event;
      const ranges = against.map(added => added.get(path) ?? []);
      return { type: 'lines', lines: event.lines.map(line => demote(line, ranges)) };
    });
  }
}

async function addedRanges(
  events: AsyncIterable<readonly DiffEvent[]>,
): Promise<Map<string, Ranges>> {
  const added = new Map<string, Ranges>();
  let ranges: Ranges = [];
  for await (const batch of events) {
    for (const event of batch) {
      if (event.type === 'file') {
        ranges = added.get(event.file.path) ?? [];
        added.set(event.file.path, ranges);
      }
      if (event.type === 'lines') for (const line of event.lines) extend(ranges, line);
    }
  }
  return added;
}

function extend(ranges: Ranges, line: Line): void {
  if (line.kind !== 'added') return;
  const last = ranges.at(-1);
  if (last !== undefined && last[1] === line.newLine) last[1] += 1;
  else ranges.push([line.newLine, line.newLine + 1]);
}

function demote(line: Line, everyParent: readonly Ranges[]): Line {
  if (line.kind !== 'added') return line;
  if (everyParent.every(ranges => contains(ranges, line.newLine))) return line;
  // It isn't in the first parent, which 0 indicates.
  return { kind: 'context', text: line.text, oldLine: 0, newLine: line.newLine };
}

/** A binary search: ranges are in order. */
function contains(ranges: Ranges, line: number): boolean {
  let low = 0;
  let high = ranges.length - 1;
  while (low <= high) {
    const middle = (low + high) >> 1;
    const range = ranges[middle];
    if (range === undefined) return false;
    if (line < range[0]) high = middle - 1;
    else if (line >= range[1]) low = middle + 1;
    else return true;
  }
  return false;
}
