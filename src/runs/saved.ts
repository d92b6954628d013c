import { lstatSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Clock } from '../platform/clock.js';
import { namesIn } from '../platform/files.js';
import { makeOwnFolder, ownPlace } from '../platform/own-files.js';
import { joinPieces, jsonPieces } from '../report/json.js';
import { textRedactor } from '../secrets/redact.js';
import type { AuditFacts } from './run-log.js';

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
    writeFileSync(`${file}.tmp`, text, { mode: 0o600 });
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
