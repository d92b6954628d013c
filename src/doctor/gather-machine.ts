import { mkdtemp, readdir, realpath, rm, stat, writeFile } from 'node:fs/promises';
import { arch, hostname, release, tmpdir, totalmem, type, userInfo } from 'node:os';
import { join } from 'node:path';
import { type Environment, processSpace, processStart } from '../platform/processes.js';
import { printedBy } from '../platform/run-program.js';
import { oneLine } from '../platform/safe-text.js';
import type { Session } from '../session.js';

/** What can only be found out on the machine itself. */
export interface MachineFacts {
  readonly lines: ReadonlyArray<readonly [name: string, found: string]>;
  /** Of the user and the machine, to be taken out of the page. */
  readonly names: readonly string[];
}

const PROGRAM_MS = 2000;

export async function gatherMachine({ env, signal, isWatched }: Session): Promise<MachineFacts> {
  const ask = async (file: string, ...args: string[]): Promise<string | undefined> => {
    const bound = { ms: PROGRAM_MS, signal };
    const printed = await printedBy(file, args, { env: { PATH: SYSTEM_PATH }, bound });
    return printed === undefined ? undefined : oneLine(printed.trim());
  };
  const start = await processStart(process.pid);
  const lines = [
    ['system', (await ask('sw_vers', '-productVersion')) ?? `${type()} ${release()}`],
    ['processor', `${arch()}, ${Math.round(totalmem() / 2 ** 30)} GB`],
    ['started', startedFrom(env, isWatched)],
    ['locale', env['LC_ALL'] || env['LC_CTYPE'] || env['LANG'] || 'none'],
    ['temporary disk', await describeDisk()],
    ['open files', (await ask('sh', '-c', 'ulimit -n')) ?? 'unknown'],
    ['process start', start === undefined ? 'unknown' : 'known'],
    ['process ids', (await processSpace()).includes(hostname()) ? 'by host' : 'by boot session'],
    ['node', nodeFrom(process.execPath)],
    ['Homebrew', env['PATH']?.includes('/opt/homebrew/bin') ? 'on the PATH' : 'not on the PATH'],
  ] as const;
  const names = [env['HOME'], env['USER'], env['LOGNAME'], userName(), hostname()];
  return { lines, names: names.filter(name => name !== undefined) };
}

const SYSTEM_PATH = '/usr/bin:/bin:/usr/sbin:/sbin';

function startedFrom(env: Environment, isWatched: boolean): string {
  const places = [
    env['CI'] ? 'a CI job' : '',
    env['SSH_CONNECTION'] ? 'ssh' : '',
    env['GIT_DIR'] ? 'git' : '',
    isWatched ? 'a terminal' : 'no terminal',
  ];
  return places.filter(place => place !== '').join(', ');
}

/** How the disk treats names: what a Mac does differently from the machines this was built on. */
async function describeDisk(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'apfel-bot-disk-'));
  try {
    const has = (name: string): Promise<boolean> =>
      stat(join(folder, name)).then(
        () => true,
        () => false,
      );
    await writeFile(join(folder, 'a\u00e9'), '');
    const [kept = ''] = await readdir(folder);
    const isLinked = (await realpath(tmpdir())) !== tmpdir();
    return [
      (await has('A\u00e9')) ? 'ignores case' : 'minds case',
      (await has('ae\u0301')) ? 'ignores Unicode form' : 'minds Unicode form',
      kept === 'a\u00e9' ? 'keeps names' : 'rewrites names',
      isLinked ? 'reached by a link' : 'reached directly',
    ].join(', ');
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

const SOURCES = [
  'homebrew',
  'nvm',
  'fnm',
  'volta',
  'mise',
  'asdf',
  'nodenv',
  'Herd',
  'nix',
  'pnpm',
];

function nodeFrom(execPath: string): string {
  const source = SOURCES.find(name => execPath.toLowerCase().includes(name.toLowerCase()));
  return `${process.versions.node}, ${source ?? 'installed elsewhere'}`;
}

function userName(): string | undefined {
  try {
    return userInfo().username;
  } catch {
    // A container's user need not have a name.
    return undefined;
  }
}
