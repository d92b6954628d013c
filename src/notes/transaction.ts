import { randomBytes } from 'node:crypto';
import { lstatSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { BotError, isBotError } from '../core/bot-error.js';
import { OWN_NAME } from '../git/commit-plan.js';
import type { Repository } from '../git/git.js';
import { askGit, firstLine, type GitContext, gitFailure, runGit } from '../git/spawn.js';
import { sinceMs } from '../platform/clock.js';
import { causeIn, complaintOf, namesIn, readRegular } from '../platform/files.js';
import { makeOwnFolder, ownPlace } from '../platform/own-files.js';

export const NOTES_REF = 'refs/notes/apfel-bot';

/** With twenty writers at once the last one needs about as many tries. */
const MAX_TRIES = 40;
/** A lock that stays while the ref doesn't move for this many tries was left by a dead process. */
const MAX_STUCK = 6;
/** If the ref hasn't moved for this many tries, our old locks are removed. */
const SWEPT_AT = 2;
const MAX_WAIT_MS = 120;

export interface NotesLocation {
  readonly repository: Repository;
  /** The user's repository, from `writeContext`. */
  readonly context: GitContext;
  /** Runs the commands that write: simple-git, or `runGit` in a hook, which must load little. */
  readonly run: typeof runGit;
}

/** A bare scratch repository with only the notes ref; it shares the user's objects. */
export interface Transaction {
  readonly context: GitContext;
  /** Runs a command that writes, with `input` as its standard input; rejects when git fails. */
  write(args: readonly string[], input?: string): Promise<void>;
}

/**
 * Changes the notes without losing anybody's lines. `git notes` doesn't compare before it writes
 * its ref, so it works in a separate repository that shares only the objects; the user's ref is
 * then moved in one step from the value we started with, or everything is repeated. `change`
 * returns false if there is nothing to do.
 */
export async function rewriteNotes(
  place: NotesLocation,
  what: string,
  change: (transaction: Transaction) => Promise<boolean>,
): Promise<boolean> {
  const { commonDir } = place.repository;
  let stuck = 0;
  let tip = looseTip(place) ?? (await notesTip(place.context));
  for (let attempt = 1; ; attempt += 1) {
    const ending = await tryOnce(place, tip, change).catch(thrown => {
      throw notRecorded(what, thrown);
    });
    if (typeof ending === 'boolean') {
      await sweepOldTransactions(commonDir);
      return ending;
    }
    if (attempt === MAX_TRIES || stuck === MAX_STUCK) throw alwaysBusy(what, ending.complaint);
    await wait(Math.random() * MAX_WAIT_MS, null, { signal: place.context.signal });
    const now = await notesTip(place.context);
    stuck = now === tip ? stuck + 1 : 0;
    if (stuck === SWEPT_AT) await sweepNotes(commonDir);
    tip = now;
  }
}

const alwaysBusy = (what: string, complaint: string): BotError =>
  new BotError('publish-failed', `${what} was not recorded: ${firstLine(complaint)}`, {
    hint: 'apfel-bot removes its own lock when it is older than a minute and no run is alive',
  });

/** Read from its file, without a process; if that is outdated, moving the ref fails. */
function looseTip({ repository }: NotesLocation): string | undefined {
  const text = readIfThere(join(repository.commonDir, NOTES_REF));
  return /^([0-9a-f]{40}|[0-9a-f]{64})\n$/.exec(text)?.[1];
}

export async function notesTip(context: GitContext): Promise<string | undefined> {
  const { code, stdout } = await runGit(context, ['rev-parse', '--verify', '--quiet', NOTES_REF]);
  return code === 0 ? stdout.toString('latin1').trim() : undefined;
}

/** Whether something was written, or git's error message if the ref was moved by somebody else. */
async function tryOnce(
  place: NotesLocation,
  tip: string | undefined,
  change: (transaction: Transaction) => Promise<boolean>,
): Promise<boolean | { readonly complaint: string }> {
  const context = await openTransaction(place, tip);
  const write = async (args: readonly string[], input = ''): Promise<void> => {
    const { code, stderr } = await place.run(context, args, Buffer.from(input));
    if (code !== 0) throw gitFailure(args, stderr);
  };
  try {
    if (!(await change({ context, write }))) return false;
    const next = readFileSync(join(context.cwd, NOTES_REF), 'latin1').trim();
    if (next === tip) return false;
    const zero = '0'.repeat(place.repository.emptyTree.length);
    const args = ['update-ref', '-m', 'apfel-bot: notes', '--create-reflog', NOTES_REF];
    const { code, stderr } = await place.run(place.context, [...args, next, tip ?? zero]);
    if (code === 0) return true;
    const hasMoved = /cannot lock ref/.test(stderr) && causeIn(stderr) === undefined;
    if (hasMoved) return { complaint: stderr };
    throw new BotError('git', stderr.trim());
  } finally {
    rmSync(context.cwd, { recursive: true, force: true });
  }
}

async function openTransaction(place: NotesLocation, tip: string | undefined): Promise<GitContext> {
  const { repository, context } = place;
  const folder = makeOwnFolder(ownPlace(repository.commonDir, 'scratch'));
  const dir = join(folder, `notes-${randomBytes(9).toString('hex')}`);
  const config = await transactionConfig(place);
  // Synchronous, because git is waiting and these are a few bytes each.
  mkdirSync(join(dir, 'refs', 'notes'), { recursive: true });
  mkdirSync(join(dir, 'objects'));
  writeFileSync(join(dir, 'HEAD'), 'ref: refs/heads/none\n');
  writeFileSync(join(dir, 'config'), config);
  if (tip !== undefined) writeFileSync(join(dir, NOTES_REF), `${tip}\n`);
  return {
    cwd: dir,
    gitDir: dir,
    signal: context.signal,
    env: {
      ...context.env,
      GIT_OBJECT_DIRECTORY: join(repository.commonDir, 'objects'),
      GIT_AUTHOR_NAME: OWN_NAME.name,
      GIT_AUTHOR_EMAIL: OWN_NAME.email,
      GIT_COMMITTER_NAME: OWN_NAME.name,
      GIT_COMMITTER_EMAIL: OWN_NAME.email,
    },
  };
}

async function transactionConfig({ repository, context }: NotesLocation): Promise<string> {
  const isSha256 = repository.emptyTree.length === 64;
  const version = `[core]\n\trepositoryformatversion = ${isSha256 ? 1 : 0}\n\tbare = true\n`;
  const format = isSha256 ? '[extensions]\n\tobjectformat = sha256\n' : '';
  const own = readIfThere(join(repository.commonDir, 'config'));
  if (!/sharedrepository/i.test(own)) return version + format;
  // Objects that only the user can read would lock the others out.
  const args = ['config', '--get', 'core.sharedRepository'];
  const shared = (await askGit(context, args).catch(() => '')).toString().trim();
  const isPlain = /^[a-z0-9]+$/i.test(shared);
  return `${version}${isPlain ? `\tsharedRepository = ${shared}\n` : ''}${format}`;
}

function readIfThere(file: string): string {
  try {
    return readRegular(file);
  } catch {
    // Packed, stored elsewhere or missing: git is asked.
    return '';
  }
}

function notRecorded(what: string, thrown: unknown): unknown {
  if (!(thrown instanceof Error) || thrown.name === 'AbortError') return thrown;
  const cause = causeIn(complaintOf(thrown));
  const hint = cause?.hint ?? (isBotError(thrown) ? thrown.hint : undefined);
  return new BotError(
    'publish-failed',
    `${what} was not recorded: ${cause?.reason ?? thrown.message}`,
    { cause: thrown, ...(hint === undefined ? {} : { hint }) },
  );
}

/** Writing a note takes a fraction of a second; a folder this old was left by a dead run. */
const OLD_MS = 60 * 60_000;

/** Removes what dead runs left behind, such as a lock on the notes. */
async function sweepNotes(commonDir: string): Promise<void> {
  // Rarely needed, and a hook should load little.
  const { sweepRuns } = await import('../git/sweep.js');
  await sweepRuns(commonDir, Date.now());
}

/** The same, but only if there is something old in our folders; they are almost always empty. */
async function sweepOldTransactions(commonDir: string): Promise<void> {
  const folder = ownPlace(commonDir, 'scratch');
  if (namesIn(folder).some(name => isOld(join(folder, name)))) await sweepNotes(commonDir);
}

function isOld(path: string): boolean {
  const facts = lstatSync(path, { throwIfNoEntry: false });
  return facts !== undefined && sinceMs(facts.mtimeMs) >= OLD_MS;
}
