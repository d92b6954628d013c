import { lstatSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Clock } from '../platform/clock.js';
import { namesIn } from '../platform/files.js';
import { makeOwnFolder, ownPlace } from '../platform/own-files.js';
import { joinPieces, jsonPieces } from '../report/json.js';
import { textRedactor } from '../secrets/redact.js';
import type { AuditFacts } from './run-log.js';

/** As many as there are transcripts: what belongs together goes together. */
const MOST_RUNS = 50;
/** A review of thousands of hunks with hundreds of findings is half of this. */
const MOST_BYTES = 4 * 1024 * 1024;
const RUN_FILE = /^([0-9A-Za-z][0-9A-Za-z_-]{0,63})\.json$/;

/** A run as it is kept: its outcome, and what an audit wants to know beside it. */
export interface SavedRun {
  readonly outcome: { readonly run: string };
  readonly facts: AuditFacts;
}

/**
 * Keeps a run in the git directory, the newest fifty of them. In one step, without secrets, and
 * never at the cost of the run: false when it could not be kept.
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
    writeFileSync(`${file}.tmp`, text, { mode: 0o600 });
    renameSync(`${file}.tmp`, file);
    removeOldest(folder);
    return true;
  } catch {
    // A full disk, a read-only git directory, a link in our place: the run itself stands.
    return false;
  }
}

/** So many findings do not fit, whatever they say: then it is not worth the time to find out. */
const MOST_FINDINGS = 10_000;

const isTooMuch = (outcome: SavedRun['outcome']): boolean =>
  ['findings', 'rejected'].some(name => {
    const list: unknown = Object.getOwnPropertyDescriptor(outcome, name)?.value;
    return Array.isArray(list) && list.length > MOST_FINDINGS;
  });

async function textOf(
  saved: SavedRun,
  yieldToEventLoop: Clock['yieldToEventLoop'],
): Promise<string | undefined> {
  const redact = textRedactor();
  const replace = (_: string, each: unknown): unknown =>
    typeof each === 'string' ? redact(each) : each;
  const text = await joinPieces(jsonPieces({ v: 1, ...saved }, { replace }), yieldToEventLoop);
  return text.length >= MOST_BYTES ? undefined : `${text}\n`;
}

/** The names of kept runs, newest first. */
export const savedRunNames = (commonDir: string): string[] =>
  namesIn(place(commonDir))
    .flatMap(name => RUN_FILE.exec(name)?.[1] ?? [])
    .sort()
    .reverse();

/** What was kept, not yet looked at: a git directory may come from anybody. */
export function readSavedRun(commonDir: string, run: string): unknown {
  try {
    const file = join(place(commonDir), `${run}.json`);
    const facts = lstatSync(file);
    if (!facts.isFile() || facts.size > 2 * MOST_BYTES) return undefined;
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    // Gone, half-written or not JSON: as good as never kept.
    return undefined;
  }
}

/** Not `runs`: there lie the records of runs that are going on, and they are swept. */
const place = (commonDir: string): string => ownPlace(commonDir, 'outcomes');

function removeOldest(folder: string): void {
  const names = namesIn(folder).sort();
  const kept = names.filter(name => RUN_FILE.test(name));
  const old = kept.slice(0, Math.max(0, kept.length - MOST_RUNS));
  // Beside the one just written, a half-written one can only be what a crash has left.
  const broken = names.filter(name => name.endsWith('.json.tmp')).slice(0, -1);
  for (const name of [...old, ...broken]) rmSync(join(folder, name), { force: true });
}
