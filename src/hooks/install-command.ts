import * as fs from 'node:fs';
import { mkdirSync, rmdirSync, unlinkSync, writeFileSync } from 'node:fs';
import { dirname, isAbsolute, join } from 'node:path';
import { rejectPositionals } from '../config/options.js';
import { BotError, isBotError } from '../core/bot-error.js';
import type { ParsedArguments } from '../core/task.js';
import { userGitContext } from '../git/git.js';
import { runGit } from '../git/spawn.js';
import { NOTES_REF } from '../notes/transaction.js';
import { readRegular } from '../platform/files.js';
import { asRun } from '../platform/own-command.js';
import { PRIVATE } from '../platform/own-files.js';
import { shellWord } from '../platform/shell-word.js';
import type { CommandEnd, Session } from '../session.js';
import {
  DEFAULT_HOOKS,
  type HookFacts,
  type HookName,
  hookNames,
  readHookFacts,
  realOf,
  shownPath,
} from './facts.js';
import { installCommand, lookUp } from './installed.js';
import type { FileStep, InstallPlan } from './plan.js';
import { planInstall, planUninstall } from './plan-install.js';
import { type Lookup, lineLookupScript, lookupScript } from './shim.js';

/** `install [--hooks LIST] [--print]`: writes the hooks, or prints the lines to add. */
export async function install(parsed: ParsedArguments, session: Session): Promise<CommandEnd> {
  rejectPositionals(parsed);
  const list = parsed.values.get('hooks');
  const hooks = list === undefined ? DEFAULT_HOOKS : hookNames(list);
  const facts = await readHookFacts(session);
  const isPrintOnly = parsed.switches.has('print');
  const lookup = isPrintOnly ? undefined : await placeOf(facts, session);
  const plan = planInstall(facts, { hooks, isPrintOnly, lookup });
  // Where nothing is written, the user decides how the program is called.
  if (plan.steps.length > 0 && lookup === undefined) throw notFound(facts, session);
  return carryOut(plan, session, made => {
    rememberFolders(facts, made);
    return lookup === undefined || plan.steps.length === 0
      ? []
      : [FOUND[lookup], ...nextSteps(hooks)];
  });
}

const FOUND: Readonly<Record<Lookup, string>> = {
  local: 'the hooks run apfel-bot from node_modules',
  global: 'the hooks run the apfel-bot on the PATH',
};

const nextSteps = (hooks: readonly HookName[]): string[] =>
  [
    ...(hooks.includes('prepare-commit-msg')
      ? [
          'to get drafts as text instead of comments, in .apfel-bot.json: "hooks": {"draft": "text"}',
        ]
      : ['to draft commit messages too: apfel-bot install --hooks prepare-commit-msg']),
    'to fix lint on a branch: apfel-bot fix-lint',
    'to remove the hooks: apfel-bot uninstall',
  ].map(asRun);

/** Node usually starts in a tenth of a second, but far slower on a busy machine. */
const MAX_LOOKUP_MS = 60_000;

/** The line in a hook manager's file looks in fewer places than our own hooks. */
async function placeOf(facts: HookFacts, session: Session): Promise<Lookup | undefined> {
  const { env, signal } = session;
  const options = { cwd: facts.top ?? session.cwd, env, bound: { ms: MAX_LOOKUP_MS, signal } };
  if (facts.managers.length > 0 && !(await lookUp(lineLookupScript(), options))) return undefined;
  return lookUp(lookupScript(undefined), options);
}

function notFound({ top }: HookFacts, { cwd }: Session): BotError {
  const folder = top ?? cwd;
  return new BotError(
    'usage',
    `the hooks would not find apfel-bot in ${join(folder, 'node_modules')} or on the PATH, so nothing was written`,
    { hint: `Install it first: ${installCommand(folder, cwd)}` },
  );
}

/** `uninstall`: removes exactly what `install` wrote. */
export async function uninstall(parsed: ParsedArguments, session: Session): Promise<CommandEnd> {
  rejectPositionals(parsed);
  const facts = await readHookFacts(session);
  const kept = await hasNotes(session);
  const branches = await fixBranches(session);
  return carryOut(planUninstall(facts), session, () => [
    ...removeMadeFolders(facts).map(
      path => `removed ${shownPath(path, facts.top)}, which install had created`,
    ),
    ...records(facts, kept),
    ...branches,
  ]);
}

async function hasNotes(session: Session): Promise<boolean> {
  const args = ['rev-parse', '--verify', '--quiet', NOTES_REF];
  return (await runGit(userGitContext(session), args)).code === 0;
}

/** Branches of `fix-lint`, under any prefix. */
async function fixBranches(session: Session): Promise<string[]> {
  const args = ['for-each-ref', '--format=%(refname:lstrip=2)', 'refs/heads/**/fix-lint-*'];
  const { stdout } = await runGit(userGitContext(session), args);
  const names = stdout
    .toString('utf8')
    .split('\n')
    .filter(each => /\/fix-lint-[0-9a-f]{12}/.test(each));
  if (names.length === 0) return [];
  const command = ['git', 'branch', '-D', ...names.map(shellWord)].join(' ');
  return [`branches of fix-lint are kept; to remove them: ${command}`];
}

/** Records, notes and branches stay: only the user knows whether they are still wanted. */
function records({ commonDir, top }: HookFacts, hasNotes: boolean): string[] {
  const folder = join(commonDir, 'apfel-bot');
  return [
    ...(fs.existsSync(folder)
      ? [`records of runs are kept; to remove them: rm -r ${shownPath(folder, top)}`]
      : []),
    ...(hasNotes ? [`notes are kept; to remove them: git update-ref -d ${NOTES_REF}`] : []),
  ];
}

/** `tidy` handles folders after all files are written, and returns more lines to print. */
function carryOut(
  plan: InstallPlan,
  session: Session,
  tidy: (made: readonly string[]) => readonly string[],
): CommandEnd {
  for (const notice of plan.notices) session.printError(notice);
  const more = tidy(applyPlan(plan));
  for (const message of [...plan.messages, ...more]) session.printError(message);
  return { text: plan.printed.map(line => `${line}\n`).join(''), ending: 'done' };
}

/** The calls that change files, so that a test can make any of them fail. */
export type Disk = Pick<
  typeof fs,
  | 'chmodSync'
  | 'copyFileSync'
  | 'linkSync'
  | 'mkdirSync'
  | 'renameSync'
  | 'rmdirSync'
  | 'unlinkSync'
  | 'writeFileSync'
>;

/**
 * Does all steps or none: when one fails, those before it are undone. It is synchronous so that
 * Ctrl-C can't interrupt it. Returns the folders it had to create.
 */
export function applyPlan(plan: Pick<InstallPlan, 'steps'>, disk: Disk = fs): string[] {
  const done: Done[] = [];
  try {
    const left = [...plan.steps];
    for (let step = left.shift(); step !== undefined; step = left.shift()) {
      const [next] = left;
      if (step.kind === 'move' && next?.kind === 'write' && next.path === step.from) {
        replaceAndKeep(next, step.to, disk, done);
        left.shift();
      } else if (step.kind === 'remove' && next?.kind === 'move' && next.to === step.path) {
        putBack(step, next.from, disk, done);
        left.shift();
      } else perform(step, disk, done);
    }
  } catch (thrown) {
    throw failure(thrown, undo(done));
  }
  for (const { backup } of done) {
    if (backup !== undefined) removeQuietly(backup, disk);
  }
  return done.flatMap(({ path, isFolder }) => (isFolder ? [path] : []));
}

interface Done {
  readonly path: string;
  readonly undo: () => void;
  /** A copy of what the step replaced, until all steps are done. */
  readonly backup?: string;
  /** A folder that this step created. */
  readonly isFolder?: true;
}

function perform(step: FileStep, disk: Disk, done: Done[]): void {
  if (step.kind === 'move') {
    mustHold(step.to, undefined);
    disk.renameSync(step.from, step.to);
    done.push({ path: step.from, undo: () => disk.renameSync(step.to, step.from) });
    return;
  }
  mustHold(step.path, step.replaces);
  if (step.kind === 'remove') {
    const backup = `${step.path}.${process.pid}.old`;
    disk.renameSync(step.path, backup);
    done.push({ path: step.path, backup, undo: () => disk.renameSync(backup, step.path) });
    return;
  }
  makeFolder(dirname(step.path), disk, done);
  write(step satisfies Writing, disk, done);
}

type Writing = Extract<FileStep, { kind: 'write' }>;

/** Where links can be made, git finds a hook at every moment, even if this process is killed. */
function replaceAndKeep({ path, text }: Writing, keep: string, disk: Disk, done: Done[]): void {
  mustHold(keep, undefined);
  const fresh = `${path}.${process.pid}.new`;
  try {
    disk.writeFileSync(fresh, text, { flag: 'wx', mode: 0o777 });
    linkOrMove(path, keep, disk);
    const undo = (): void => {
      disk.renameSync(keep, path);
      // rename() keeps both names if they are links to the same file.
      removeQuietly(keep, disk);
    };
    done.push({ path, undo });
    disk.renameSync(fresh, path);
  } catch (thrown) {
    removeQuietly(fresh, disk);
    throw thrown;
  }
}

function linkOrMove(path: string, to: string, disk: Disk): void {
  try {
    // On macOS, link() follows a symbolic link.
    if (fs.lstatSync(path).isSymbolicLink()) throw new Error(`${path} is a link`);
    disk.linkSync(path, to);
  } catch {
    disk.renameSync(path, to);
  }
}

/** In one step, so that git always finds a hook. */
function putBack(
  { path, replaces }: Extract<FileStep, { kind: 'remove' }>,
  kept: string,
  disk: Disk,
  done: Done[],
): void {
  mustHold(path, replaces);
  const backup = `${path}.${process.pid}.old`;
  disk.copyFileSync(path, backup, fs.constants.COPYFILE_EXCL);
  done.push({ path, backup, undo: () => disk.renameSync(backup, path) });
  disk.renameSync(kept, path);
  done.push({ path, undo: () => disk.renameSync(path, kept) });
}

/** Writes a new file and renames it over the old one, so that git never runs half a hook. */
function write({ path, text, isExecutable }: Writing, disk: Disk, done: Done[]): void {
  const old = fs.statSync(path, { throwIfNoEntry: false });
  const fresh = `${path}.${process.pid}.new`;
  const backup = `${path}.${process.pid}.old`;
  try {
    disk.writeFileSync(fresh, text, { flag: 'wx', mode: isExecutable ? 0o777 : 0o666 });
    if (old !== undefined) disk.chmodSync(fresh, (old.mode & 0o7777) | (isExecutable ? 0o111 : 0));
    if (old === undefined) {
      disk.renameSync(fresh, path);
      done.push({ path, undo: () => disk.unlinkSync(path) });
      return;
    }
    disk.copyFileSync(path, backup, fs.constants.COPYFILE_EXCL);
    done.push({ path, backup, undo: () => disk.renameSync(backup, path) });
    disk.renameSync(fresh, path);
  } catch (thrown) {
    removeQuietly(fresh, disk);
    throw thrown;
  }
}

/** The step itself is done or undone; a leftover file does no harm. */
function removeQuietly(path: string, disk: Disk): void {
  try {
    disk.unlinkSync(path);
  } catch {
    // It isn't there, or can't be removed.
  }
}

function makeFolder(folder: string, disk: Disk, done: Done[]): void {
  if (fs.existsSync(folder)) return;
  makeFolder(dirname(folder), disk, done);
  disk.mkdirSync(folder);
  done.push({ path: folder, isFolder: true, undo: () => disk.rmdirSync(folder) });
}

/** The files may have changed since the plan was made. */
function mustHold(path: string, text: string | undefined): void {
  const isThere = fs.lstatSync(path, { throwIfNoEntry: false }) !== undefined;
  if (text === undefined ? !isThere : isThere && fs.readFileSync(path, 'utf8') === text) return;
  throw new BotError('git', `${path} changed while the hooks were being installed`, {
    hint: 'Nothing was changed; run it again',
  });
}

/** Returns what could not be undone. */
function undo(done: readonly Done[]): string[] {
  const problems: string[] = [];
  for (const { path, undo: back } of done.toReversed()) {
    try {
      back();
    } catch (thrown) {
      problems.push(`${path} couldn't be restored (${reasonOf(thrown)})`);
    }
  }
  return problems;
}

function failure(thrown: unknown, problems: readonly string[]): unknown {
  if (problems.length === 0 && isBotError(thrown)) return thrown;
  const named = thrown instanceof Error && 'path' in thrown ? String(thrown.path) : 'the hooks';
  const path = named.replace(/\.\d+\.new$/, '');
  const message = isBotError(thrown) ? thrown.message : `can't write ${path}: ${reasonOf(thrown)}`;
  return new BotError('git', [message, ...problems].join('; '), {
    hint: `${problems.length === 0 ? 'Nothing was changed. ' : ''}See what to add by hand with: apfel-bot install --print`,
    cause: thrown,
  });
}

const REASONS: Readonly<Record<string, string>> = {
  EACCES: 'no permission to write there',
  EPERM: 'no permission to write there',
  EROFS: 'the disk is read-only',
  ENOSPC: 'the disk is full',
  EDQUOT: 'the disk quota is used up',
  ENOTDIR: "part of the path isn't a folder",
  EEXIST: 'the file already exists',
};

function reasonOf(thrown: unknown): string {
  if (!(thrown instanceof Error)) return String(thrown);
  return ('code' in thrown ? REASONS[String(thrown.code)] : undefined) ?? thrown.message;
}

/** More than anyone needs; the file may have been tampered with. */
const MAX_FOLDERS = 50;

/** Records the folders that install created, so that uninstall removes those and no others. */
export function rememberFolders({ commonDir }: HookFacts, made: readonly string[]): void {
  if (made.length === 0) return;
  const file = placeIn(commonDir);
  try {
    mkdirSync(dirname(file), { recursive: true });
    const all = [...new Set([...readFolders(file), ...made])].slice(0, MAX_FOLDERS);
    writeFileSync(file, `${JSON.stringify(all)}\n`, { mode: PRIVATE });
  } catch {
    // Uninstall will leave an empty folder behind; the hooks themselves are in place.
  }
}

/** Removes those that are empty now; returns their paths. */
export function removeMadeFolders(facts: HookFacts): string[] {
  const file = placeIn(facts.commonDir);
  // Deepest first.
  const made = readFolders(file).sort((one, other) => other.length - one.length);
  const removed = made.filter(path => isOurs(path, facts) && attempt(() => rmdirSync(path)));
  if (made.length > 0) attempt(() => unlinkSync(file));
  // It stays if it contains anything else.
  if (made.length > 0) attempt(() => rmdirSync(dirname(file)));
  return removed;
}

const placeIn = (commonDir: string): string => join(commonDir, 'apfel-bot', 'hook-folders.json');

function readFolders(file: string): string[] {
  try {
    const read: unknown = JSON.parse(readRegular(file));
    const paths = Array.isArray(read) ? read : [];
    return paths.filter(path => typeof path === 'string').slice(0, MAX_FOLDERS);
  } catch {
    // No folder was created, or the record is unreadable.
    return [];
  }
}

/** Only folders in this repository, whatever the file says. */
const isOurs = (path: string, { top, commonDir }: HookFacts): boolean =>
  isAbsolute(path) &&
  [top, commonDir].some(root => root !== undefined && realOf(path).startsWith(`${realOf(root)}/`));

function attempt(act: () => void): boolean {
  try {
    act();
    return true;
  } catch {
    return false;
  }
}
