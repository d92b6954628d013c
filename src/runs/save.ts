import { lstatSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Line, placeOfLine } from '../core/change.js';
import type { Finding } from '../core/finding.js';
import type { Outcome } from '../core/outcome.js';
import type { ParsedArguments } from '../core/task.js';
import { parseDiff } from '../diff/parse.js';
import type { Git } from '../git/git.js';
import type { Clock } from '../platform/clock.js';
import { namesIn } from '../platform/files.js';
import { makeOwnFolder, ownPlace, PRIVATE } from '../platform/own-files.js';
import { wellFormed } from '../platform/safe-text.js';
import { shellWord } from '../platform/shell-word.js';
import { joinPieces, jsonPieces } from '../report/json.js';
import { redact, textRedactor } from '../secrets/redact.js';
import type { AuditFacts, DiffHunk, RunLog } from './run-log.js';

type Kept = { readonly run: string } & Partial<Pick<Outcome, 'change' | 'findings' | 'rejected'>>;

interface Keeping {
  readonly opened: {
    readonly git: Git | undefined;
    readonly context: { readonly runLog: RunLog; readonly clock: Clock };
  };
  /** The command's name. */
  readonly command: string;
  readonly parsed: ParsedArguments;
}

/**
 * Saves a run for `show`. If findings are in the staged change, their hunks are saved too: no
 * commit may ever have them. A run never fails because of this.
 */
export async function keepRun(outcome: Kept, keeping: Keeping): Promise<void> {
  const { git } = keeping.opened;
  if (git === undefined || keeping.parsed.switches.has('dry-run')) return;
  const texts = outcome.change?.head === 'index' ? await stagedTexts(outcome, git) : [];
  const { runLog, clock } = keeping.opened.context;
  const facts = runLog.facts(askedText(keeping), texts);
  await saveRun(git.repository.commonDir, { outcome, facts }, clock);
}

async function stagedTexts(outcome: Kept, git: Git): Promise<DiffHunk[]> {
  const lines = linesOf(outcome);
  if (lines.size === 0) return [];
  const from = outcome.change?.base ?? git.repository.emptyTree;
  // Time may be up, or the index may have changed: then the findings are saved without their hunks.
  return diffHunks(git, { from, to: 'index', lines }).catch(() => []);
}

const nameOf = ({ side, line }: Pick<Finding, 'side' | 'line'>): string => `${side} ${line}`;

/** The lines that have findings, by path: `new 12`, or `old 12` for a removed one. */
export function linesOf({
  findings = [],
  rejected = [],
}: Omit<Kept, 'run'>): Map<string, Set<string>> {
  const lines = new Map<string, Set<string>>();
  const all: readonly Finding[] = [...findings, ...rejected.map(({ finding }) => finding)];
  for (const finding of all) {
    const { path } = finding;
    lines.set(path, (lines.get(path) ?? new Set<string>()).add(nameOf(finding)));
  }
  return lines;
}

/** The command line, reconstructed. */
export function askedText({ command, parsed }: Pick<Keeping, 'command' | 'parsed'>): string {
  const { positionals: words, values, switches, paths } = parsed;
  return [
    'apfel-bot',
    command,
    ...words,
    ...[...values].flatMap(([name, value]) => [`--${name}`, value]),
    ...[...switches].map(name => `--${name}`),
    ...(paths.length === 0 ? [] : ['--', ...paths]),
  ]
    .map(shellWord)
    .join(' ');
}

/** Of a longer hunk, only the parts around the lines in question are shown. */
const MAX_HUNK_LINES = 120;
const MAX_LINES = 4000;
const AROUND = 8;
/** With more paths than this, git isn't limited to them. */
const MAX_PATHS = 200;

interface DiffHunksOptions {
  readonly from: string;
  readonly to: string | 'index';
  /** The lines in question by path; if absent, every hunk is wanted. */
  readonly lines: ReadonlyMap<string, ReadonlySet<string>> | undefined;
}

/** The hunks of a diff that contain the lines in question, secrets masked, in bounded memory. */
export async function diffHunks(git: Git, options: DiffHunksOptions): Promise<DiffHunk[]> {
  const found: DiffHunk[] = [];
  let left = MAX_LINES;
  let path = '';
  let open: { readonly number: number; readonly section: string; lines: Line[] } | undefined;
  const close = (): void => {
    const wanted = options.lines?.get(path);
    const isWanted = options.lines === undefined || wanted !== undefined;
    if (open !== undefined && isWanted && left > 0) {
      const whole = { path, hunk: open.number, section: open.section, lines: open.lines };
      const pieces = excerpts(whole, wanted).map(masked);
      for (const piece of pieces) left -= piece.lines.length;
      found.push(...pieces);
    }
    open = undefined;
  };
  const paths = pathsFor(options);
  for await (const batch of parseDiff(git.diff({ ...options, paths, asText: false }))) {
    if (left <= 0) break;
    for (const event of batch) {
      if (event.type === 'file' || event.type === 'hunk') close();
      if (event.type === 'file') path = event.file.path;
      if (event.type === 'hunk') open = { ...event.hunk, lines: [] };
      if (event.type === 'lines' && (open?.lines.length ?? MAX_LINES) < MAX_LINES) {
        open?.lines.push(...event.lines);
      }
    }
  }
  close();
  return found;
}

/** A name that isn't UTF-8 can't be an argument; then the whole diff is read. */
function pathsFor({ lines }: DiffHunksOptions): string[] {
  const paths = [...(lines?.keys() ?? [])];
  const areValid = paths.every(path => wellFormed(path) === path);
  return areValid && paths.length <= MAX_PATHS ? paths : [];
}

/** The hunk, or the parts of a long one that are near the lines in question. */
function excerpts(hunk: DiffHunk, wanted: ReadonlySet<string> | undefined): DiffHunk[] {
  const { lines } = hunk;
  if (wanted === undefined) return [{ ...hunk, lines: lines.slice(0, MAX_HUNK_LINES * 4) }];
  const hits = lines.flatMap((line, at) => (wanted.has(nameOf(placeOfLine(line))) ? [at] : []));
  if (hits.length === 0) return [];
  if (lines.length <= MAX_HUNK_LINES) return [hunk];
  const pieces: Array<{ from: number; to: number }> = [];
  for (const at of hits) {
    const last = pieces.at(-1);
    const [from, to] = [Math.max(0, at - AROUND), at + AROUND + 1];
    if (last !== undefined && from <= last.to) last.to = to;
    else pieces.push({ from, to });
  }
  return pieces.map(({ from, to }) => ({ ...hunk, lines: lines.slice(from, to) }));
}

/** All lines at once: a key may span several. */
function masked(hunk: DiffHunk): DiffHunk {
  const texts = redact(hunk.lines.map(({ text }) => text).join('\n')).split('\n');
  return { ...hunk, lines: hunk.lines.map((line, at) => ({ ...line, text: texts[at] ?? '' })) };
}

/** As many as there are transcripts, which belong to them. */
const MAX_RUNS = 50;
/** A review of thousands of hunks with hundreds of findings takes half of this. */
const MAX_BYTES = 4 * 1024 * 1024;
const RUN_FILE = /^([0-9A-Za-z][0-9A-Za-z_-]{0,63})\.json$/;

/** A saved run: its outcome, and facts for an audit. */
export interface SavedRun {
  readonly outcome: { readonly run: string };
  readonly facts: AuditFacts;
}

/**
 * Saves a run in the git directory and keeps the newest fifty. Written atomically, without secrets;
 * never makes the run fail: returns false if it couldn't be saved.
 */
export async function saveRun(
  commonDir: string,
  saved: SavedRun,
  { yieldToEventLoop }: Pick<Clock, 'yieldToEventLoop'>,
): Promise<boolean> {
  try {
    const { outcome, facts } = saved;
    if (isTooMuch(outcome)) return false;
    const folder = makeOwnFolder(place(commonDir));
    const shorter = { outcome, facts: { ...facts, texts: [], hunks: [] } };
    const text =
      (await textOf(saved, yieldToEventLoop)) ?? (await textOf(shorter, yieldToEventLoop));
    if (text === undefined) return false;
    const file = join(folder, `${outcome.run}.json`);
    writeFileSync(`${file}.tmp`, text, { mode: PRIVATE });
    renameSync(`${file}.tmp`, file);
    removeOldest(folder);
    return true;
  } catch {
    // A full disk, a read-only git directory, a link in its place: the run itself is fine.
    return false;
  }
}

/** This many findings never fit, so it isn't worth trying. */
const MAX_FINDINGS = 10_000;

const isTooMuch = (outcome: SavedRun['outcome']): boolean =>
  ['findings', 'rejected'].some(name => {
    const list: unknown = Object.getOwnPropertyDescriptor(outcome, name)?.value;
    return Array.isArray(list) && list.length > MAX_FINDINGS;
  });

async function textOf(
  saved: SavedRun,
  yieldToEventLoop: Clock['yieldToEventLoop'],
): Promise<string | undefined> {
  const redact = textRedactor();
  const replace = (_: string, each: unknown): unknown =>
    typeof each === 'string' ? redact(each) : each;
  const text = await joinPieces(jsonPieces({ v: 1, ...saved }, { replace }), yieldToEventLoop);
  return text.length >= MAX_BYTES ? undefined : `${text}\n`;
}

/** The ids of saved runs, newest first. */
export const savedRunNames = (commonDir: string): string[] =>
  namesIn(place(commonDir))
    .flatMap(name => RUN_FILE.exec(name)?.[1] ?? [])
    .sort()
    .reverse();

/** A saved run, not yet validated: a git directory may come from anybody. */
export function readSavedRun(commonDir: string, run: string): unknown {
  try {
    const file = join(place(commonDir), `${run}.json`);
    const facts = lstatSync(file);
    if (!facts.isFile() || facts.size > 2 * MAX_BYTES) return undefined;
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    // Missing, half-written or invalid: as if it had never been saved.
    return undefined;
  }
}

/** Not `runs`: that folder has the records of active runs, and is cleaned up. */
const place = (commonDir: string): string => ownPlace(commonDir, 'outcomes');

function removeOldest(folder: string): void {
  const names = namesIn(folder).sort();
  const kept = names.filter(name => RUN_FILE.test(name));
  const old = kept.slice(0, Math.max(0, kept.length - MAX_RUNS));
  // Besides the one just written, a temporary file can only be left over from a crash.
  const broken = names.filter(name => name.endsWith('.json.tmp')).slice(0, -1);
  for (const name of [...old, ...broken]) rmSync(join(folder, name), { force: true });
}
