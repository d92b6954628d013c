import { count } from '../core/count.js';
import { foldName } from '../core/fold-name.js';
import { isSecretBearing } from '../diff/secret-bearing.js';
import type { Entry, FileRead, HistoryEntry, Match, Source } from '../git/source.js';
import { estimateTokens } from '../model/tokens.js';
import type { Clock } from '../platform/clock.js';
import { cutLine, cutText } from './tokens.js';
import {
  failed,
  integerOf,
  parameters,
  stringOf,
  succeeded,
  type Tool,
  type ToolInput,
  type ToolOutcome,
} from './tool.js';

/** With line numbers, so that an answer can name its line. */
export const readFile = (source: Source): Tool => ({
  name: 'read_file',
  description: 'Read a tracked text file. A long one is shown in parts; startLine gives the next.',
  parameters: parameters(
    {
      path: { type: 'string', description: 'file, from the top of the repository' },
      startLine: { type: 'integer', description: 'first line to show, from 1' },
      endLine: { type: 'integer', description: 'last line to show' },
    },
    ['path'],
  ),
  example: { path: 'src/index.ts' },
  run: async (input, { maxTokens }) => {
    const file = await readSource(source, stringOf(input, 'path'));
    if (!file.ok) return file.outcome;
    const lines = linesOf(file.text);
    if (lines.length === 0) return succeeded(`${file.path}: the file is empty`, { total: 0 });
    const range = rangeOf(input, lines.length);
    if (range.start > lines.length) {
      return failed(
        `${file.path} has ${lines.length} lines; startLine=${range.start} is past the end`,
      );
    }
    if (range.start > range.end)
      return failed(`startLine=${range.start} is after endLine=${range.end}`);
    const shown = takePart(lines, range, maxTokens - FRAME_TOKENS);
    const details = { path: file.path, total: lines.length, start: range.start, end: shown.end };
    return succeeded(page(file.path, lines.length, { ...range, ...shown }), details);
  },
});

/** Header and footer, each with a long path. */
const FRAME_TOKENS = 90;

/** Lines without their endings and without a byte order mark. */
function linesOf(text: string): string[] {
  const lines = text.replace(/^\ufeff/, '').split(/\r?\n/);
  if (lines.at(-1) === '') lines.pop();
  return lines;
}

interface Range {
  readonly start: number;
  readonly end: number;
}

const rangeOf = (input: ToolInput, total: number): Range => ({
  start: Math.max(1, integerOf(input, 'startLine') ?? 1),
  end: Math.min(total, Math.max(1, integerOf(input, 'endLine') ?? total)),
});

/** As many whole lines as fit; a single one that doesn't fit is cut. */
function takePart(
  lines: readonly string[],
  range: Range,
  maxTokens: number,
): { text: string; end: number; cutLines: number } {
  const shown: string[] = [];
  let tokens = 0;
  let cutLines = 0;
  for (let number = range.start; number <= range.end; number += 1) {
    const line = lines[number - 1] ?? '';
    const kept = cutLine(line, LINE_TOKENS);
    const text = `${number}| ${kept}`;
    tokens += estimateTokens(text) + 1;
    if (tokens > maxTokens && shown.length > 0) break;
    shown.push(text);
    if (kept !== line) cutLines += 1;
  }
  return { text: shown.join('\n'), end: range.start + shown.length - 1, cutLines };
}

/** In minified code the start of a line shows what it is; more of it adds nothing. */
const LINE_TOKENS = 200;

function page(
  path: string,
  total: number,
  part: { text: string; start: number; end: number; cutLines: number },
): string {
  const header = `${path}: lines ${part.start}-${part.end} of ${total}`;
  const more =
    part.end < total
      ? `[${count(total - part.end, 'more line')}: read_file with startLine=${part.end + 1}]`
      : '';
  const cut = part.cutLines > 0 ? `[${count(part.cutLines, 'very long line')} cut]` : '';
  return [header, part.text, more, cut].filter(text => text !== '').join('\n');
}

export const readDiff = (source: Source): Tool => ({
  name: 'read_diff',
  description: 'What the change under review does to one file, as a unified diff.',
  parameters: parameters({ path: { type: 'string', description: 'file, from the top' } }),
  example: { path: 'src/index.ts' },
  run: async (input, { maxTokens }) => {
    const guarded = guardPath(stringOf(input, 'path'));
    if (!guarded.ok) return failed(guarded.reason);
    const diff = await source.diff(guarded.path);
    if (diff === undefined) {
      return failed(`${guarded.path || 'the top'}: the change does not touch a file of this name`);
    }
    const { text, totalLines, shownLines } = cutText(
      diff,
      maxTokens - 60,
      'read_file shows the file as it is now',
    );
    const header = `${guarded.path}: ${count(totalLines, 'line')} of diff, ${shownLines} shown`;
    return succeeded(`${header}\n${text}`, { total: totalLines, shown: shownLines });
  },
});

export const listDir = (source: Source): Tool => ({
  name: 'list_dir',
  description: 'Names of the tracked files and folders directly in a folder. "." is the top.',
  parameters: parameters({ path: { type: 'string', description: 'folder, from the top' } }),
  example: { path: 'src' },
  run: async (input, { maxTokens }) => {
    const guarded = guardPath(stringOf(input, 'path'));
    if (!guarded.ok) return failed(guarded.reason);
    const where = guarded.path === '' ? '.' : guarded.path;
    const entries = await source.list(guarded.path);
    if (entries.length === 0) {
      return failed(`${where}: there is no such folder. List the folder above it`);
    }
    const folders = entries.filter(entry => entry.kind === 'folder').length;
    const header = `${where}: ${count(entries.length, 'entry', 'entries')} (${count(folders, 'folder')})`;
    const names = [...entries].sort(byKindThenName).map(shownName).join('\n');
    const { text, shownLines } = cutText(names, maxTokens - 40, 'list a subfolder or search');
    return succeeded(`${header}\n${text}`, {
      path: where,
      total: entries.length,
      shown: shownLines,
    });
  },
});

const byKindThenName = (one: Entry, other: Entry): number =>
  Number(other.kind === 'folder') - Number(one.kind === 'folder') ||
  (one.name < other.name ? -1 : 1);

const MARKS: Readonly<Record<Entry['kind'], string>> = {
  file: '',
  folder: '/',
  symlink: ' (symbolic link)',
  submodule: ' (submodule)',
};

/** A name may contain anything; a newline in it would read as two files. */
const shownName = (entry: Entry): string =>
  `${entry.name.replace(/[\p{Cc}]/gu, '?').replace(/\/$/, '')}${MARKS[entry.kind]}`;

export const searchCode = (source: Source): Tool => ({
  name: 'search_code',
  description: 'Lines of tracked files that contain a text, as path:line: text. Not a pattern.',
  parameters: parameters(
    {
      query: { type: 'string', description: 'the text to look for, as it stands in the code' },
      path: { type: 'string', description: 'only in this file or folder' },
    },
    ['query'],
  ),
  example: { query: 'parseConfig(' },
  run: async (input, { maxTokens }) => {
    const query = stringOf(input, 'query');
    if (query.trim() === '') return failed('the query is empty. Give a text to look for');
    const guarded = guardPath(stringOf(input, 'path'));
    if (!guarded.ok) return failed(guarded.reason);
    const within = guarded.path === '' ? undefined : guarded.path;
    const { matches, isTruncated } = await source.search(query, within);
    const visible = matches.filter(match => !isSecretBearing(match.path));
    if (visible.length === 0) return succeeded(nothingFound(query, within, matches.length));
    const files = new Set(visible.map(match => match.path)).size;
    const found = isTruncated
      ? `${visible.length} or more matches`
      : count(visible.length, 'match', 'matches');
    const header = `${found} in ${count(files, 'file')} for "${cutLine(query, 20)}"`;
    const { text, shownLines } = cutText(
      visible.map(shownMatch).join('\n'),
      maxTokens - 60,
      'narrow the query or give a path',
    );
    return succeeded(`${header}\n${text}`, {
      total: visible.length,
      shown: shownLines,
      hidden: matches.length - visible.length,
      isTruncated,
    });
  },
});

function nothingFound(query: string, within: string | undefined, hidden: number): string {
  const where = within === undefined ? '' : ` in ${within}`;
  if (hidden > 0) return `0 matches${where}: the text is only in files that are never shown`;
  return `0 matches for "${cutLine(query, 20)}"${where}. Try a shorter or another text`;
}

const shownMatch = (match: Match): string =>
  `${match.path}:${match.line}: ${cutLine(match.text.trim(), MATCH_TOKENS)}`;

/** One match must not crowd out the others. */
const MATCH_TOKENS = 50;

export const fileHistory = (source: Source): Tool => ({
  name: 'file_history',
  description: 'The last commits that changed a file: when, and the subject line.',
  parameters: parameters({ path: { type: 'string', description: 'file, from the top' } }),
  example: { path: 'src/index.ts' },
  run: async (input, { maxTokens }) => {
    const guarded = guardPath(stringOf(input, 'path'));
    if (!guarded.ok) return failed(guarded.reason);
    if (guarded.path === '') return failed('name a file; list_dir shows what there is');
    const entries = await source.history(guarded.path);
    if (entries.length === 0) {
      return failed(`${guarded.path}: no commit has touched it. Check the path with list_dir`);
    }
    const lines = entries.map(shownEntry).join('\n');
    const { text, shownLines } = cutText(lines, maxTokens - 40);
    const header = `${guarded.path}: ${count(entries.length, 'commit')}, ${shownLines} shown, newest first`;
    return succeeded(`${header}\n${text}`, { total: entries.length, shown: shownLines });
  },
});

const shownEntry = (entry: HistoryEntry): string =>
  `${entry.commit.slice(0, 10)} ${entry.date.slice(0, 10)}: ${cutLine(entry.subject, 30)}`;

const DAYS = 'Sunday Monday Tuesday Wednesday Thursday Friday Saturday'.split(' ');
const MONTHS =
  'January February March April May June July August September October November December'.split(
    ' ',
  );
const DAY_MS = 86_400_000;

/** The model doesn't know the date and makes one up. */
export const getTime = (clock: Pick<Clock, 'now' | 'stamp'>): Tool => ({
  name: 'get_time',
  description: 'The current date and time in UTC. Takes no arguments.',
  parameters: parameters({}),
  example: {},
  run: async () => {
    const now = clock.now();
    const stamp = clock.stamp(now).replace(/\.\d+Z$/, 'Z');
    return succeeded(`${stamp} (${inWords(now, stamp)})`);
  },
});

/** In words as well: a small model gets the month wrong if it has to count. */
function inWords(now: number, stamp: string): string {
  const [, year, month, day, time] = /^(\d+)-(\d+)-(\d+)T(\d+:\d+)/.exec(stamp) ?? [];
  // The first day of the epoch was a Thursday.
  const weekday = DAYS[(Math.floor(now / DAY_MS) + 4) % 7];
  return `${weekday}, ${Number(day)} ${MONTHS[Number(month) - 1]} ${year}, ${time} UTC`;
}

/** How the model ends a task. Code decides whether it is done. */
export const finish: Tool = {
  name: 'finish',
  description: 'End the task. Use it once everything asked for is done, with the answer.',
  parameters: parameters({
    answer: { type: 'string', description: 'the answer, in a few sentences' },
  }),
  // The model might repeat a worded example as its answer.
  example: { answer: '…' },
  // Never run: the conversation is over.
  run: async () => succeeded('finished'),
};

type SourceFile =
  | { readonly ok: true; readonly path: string; readonly bytes: Uint8Array; readonly text: string }
  | { readonly ok: false; readonly outcome: ToolOutcome };

/** A tracked text file by the name the model gave, or why it can't be shown and the next step. */
export async function readSource(source: Source, given: string): Promise<SourceFile> {
  const guarded = guardPath(given);
  if (!guarded.ok) return { ok: false, outcome: failed(guarded.reason) };
  const { path } = guarded;
  const read: FileRead = path === '' ? { kind: 'folder' } : await source.read(path);
  if (read.kind !== 'file') {
    return { ok: false, outcome: failed(`${path || 'the root'}: ${REASONS[read.kind]}`) };
  }
  const text = decode(read.bytes);
  if (text === undefined) return { ok: false, outcome: failed(`${path}: ${NOT_TEXT}`) };
  return { ok: true, path, bytes: read.bytes, text };
}

const REASONS: Readonly<Record<Exclude<FileRead['kind'], 'file'>, string>> = {
  absent: 'there is no such file. List the folder or search to find the right path',
  folder: 'this is a folder. Use list_dir, or name a file in it',
  symlink: 'this is a symbolic link, which is not followed. Name the file itself',
  submodule: 'this is a submodule, which is another repository',
  untracked: 'git does not track this file, so it is not shown',
  'too-big': 'the file is too big to read. Use search_code for a part of it',
};

const NOT_TEXT =
  'this is not UTF-8 text (binary, or another encoding) and cannot be shown or edited';

const BINARY_PREFIX = 8000;

/** The text, including a byte order mark, so that it encodes to the same bytes. */
function decode(bytes: Uint8Array): string | undefined {
  // Git's own rule for "binary": a NUL among the first bytes.
  if (bytes.subarray(0, BINARY_PREFIX).includes(0)) return undefined;
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    // Some other encoding: a wrong display would lead to a wrong edit.
    return undefined;
  }
}

type GuardedPath =
  | { readonly ok: true; readonly path: string }
  /** Why not, and what to do instead; for the model. */
  | { readonly ok: false; readonly reason: string };

/**
 * Accepts only repository-relative paths, spelt as git spells them, and refuses what the name alone
 * rules out. The source decides whether the file is tracked and of which type.
 */
export function guardPath(given: string): GuardedPath {
  if (given.includes('\0')) return refuse('a path cannot hold a NUL character', given);
  if (given.length > MAX_PATH) return refuse('the path is too long', given);
  if (/^(?:[/\\~]|[A-Za-z]:[/\\])/.test(given.trim())) {
    return refuse(
      'absolute paths are not allowed; give the path from the top of the repository',
      given,
    );
  }
  const parts = given
    .trim()
    .split('/')
    .filter(part => part !== '' && part !== '.');
  if (parts.includes('..')) {
    return refuse('".." is not allowed; give the path from the top of the repository', given);
  }
  if (parts.some(isGitFolder)) return refuse(".git is not part of the repository's files", given);
  const path = parts.join('/');
  if (isSecretBearing(path)) {
    return refuse('the file may hold secrets and is never shown; work without it', given);
  }
  return { ok: true, path };
}

const MAX_PATH = 4096;

/** Also as other file systems would read it: any case, trailing dots or spaces, the short name. */
const isGitFolder = (part: string): boolean => /^(?:\.git|git~1)[. ]*$/.test(foldName(part));

const refuse = (reason: string, given: string): GuardedPath => ({
  ok: false,
  reason: `${reason} ("${given.replaceAll('\0', '\\0').slice(0, 80)}")`,
});
