import { mkdtemp, readdir, realpath, rm, stat, writeFile } from 'node:fs/promises';
import { arch, hostname, release, tmpdir, totalmem, type, userInfo } from 'node:os';
import { basename, join } from 'node:path';
import { askModelInfo, findApfel } from '../model/apfel-program.js';
import { type Environment, processSpace, processStart } from '../platform/processes.js';
import { printedBy } from '../platform/run-program.js';
import { oneLine } from '../platform/safe-text.js';
import type { Session } from '../session.js';
import type { Check, DoctorReport } from './report.js';

/** What can only be found out on the machine itself. */
interface MachineFacts {
  readonly lines: ReadonlyArray<readonly [name: string, found: string]>;
  /** Names of the user and the machine, to be removed from the page. */
  readonly names: readonly string[];
}

const PROGRAM_MS = 2000;
/** SwiftLint loads SourceKit, and `brew` is written in Ruby. */
const SLOW_PROGRAM_MS = 10_000;
const SYSTEM_PATH = '/usr/bin:/bin:/usr/sbin:/sbin';

export async function gatherMachine({
  env,
  cwd,
  signal,
  isWatched,
}: Session): Promise<MachineFacts> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'apfel-bot-disk-')));
  const path = `${env['PATH'] ?? ''}:/opt/homebrew/bin:/usr/local/bin`;
  const run = (file: string, args: readonly string[], isSystem = false) =>
    printedBy(file, args, {
      env: { PATH: isSystem ? SYSTEM_PATH : path, HOME: env['HOME'] ?? '' },
      cwd: folder,
      bound: { ms: isSystem ? PROGRAM_MS : SLOW_PROGRAM_MS, signal },
    });
  try {
    const [system, limit, service, sockets, swiftlint, info, disk] = await Promise.all([
      run('sw_vers', ['-productVersion'], true),
      run('sh', ['-c', 'ulimit -n'], true),
      run('brew', ['services', 'list']),
      run('lsof', ['-nP', '-iTCP:11434', '-sTCP:LISTEN']),
      swiftlintPaths(folder, run),
      modelInfo(env),
      describeDisk(folder),
    ]);
    const git = await run('git', ['init', '--quiet', '.'], true).then(() =>
      run('git', ['config', '--local', '--get-regexp', 'ignorecase|precomposeunicode'], true),
    );
    const start = await processStart(process.pid);
    const lines = [
      ['system', system ?? `${type()} ${release()}`],
      ['processor', `${arch()}, ${Math.round(totalmem() / 2 ** 30)} GB`],
      ['started', startedFrom(env, isWatched)],
      ['locale', env['LC_ALL'] || env['LC_CTYPE'] || env['LANG'] || 'none'],
      ['temporary disk', disk],
      ['git there', git?.trim().replaceAll('\n', ', ') || 'takes names as they are'],
      ['open files', limit ?? 'unknown'],
      ['process start', start === undefined ? 'unknown' : 'known'],
      ['process ids', (await processSpace()).includes(hostname()) ? 'by host' : 'by boot session'],
      ['node', nodeFrom(process.execPath)],
      ['Homebrew', env['PATH']?.includes('/opt/homebrew/bin') ? 'on the PATH' : 'not on the PATH'],
      ['apfel as a service', /^apfel +(\S+)/m.exec(service ?? '')?.[1] ?? 'no'],
      ['listening on 11434', listeners(sockets ?? '')],
      ['model', info],
      ['SwiftLint', swiftlint],
    ] as const;
    const home = env['HOME'] ?? '';
    // Programs print a path as they were given it, or as it is on disk.
    const real = await Promise.all([home, cwd].map(path => realpath(path).catch(() => path)));
    const people = [basename(home), env['USER'], env['LOGNAME'], userName(), hostname()];
    const words = people.flatMap(name => [name ?? '', ...(name ?? '').split(/[\s._-]+/)]);
    return {
      lines: lines.map(([name, found]) => [name, oneLine(found.trim())]),
      names: [home, cwd, tmpdir(), ...real, ...words],
    };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** The addresses of a server on apfel's port; only loopback keeps other machines out. */
function listeners(printed: string): string {
  const found = [...printed.matchAll(/ (\S+):11434 \(LISTEN\)/g)].map(([, address]) => address);
  return [...new Set(found)].join(', ') || 'nothing seen';
}

async function modelInfo(environment: Environment): Promise<string> {
  const executable = await findApfel(environment);
  if (executable === undefined) return 'no apfel';
  const why = await askModelInfo({ executable, environment, timeoutMs: SLOW_PROGRAM_MS });
  return why ?? 'apfel --model-info names no reason against it';
}

/** How its reports name files decides whether its diagnostics can be matched. */
async function swiftlintPaths(
  folder: string,
  run: (file: string, args: readonly string[]) => Promise<string | undefined>,
): Promise<string> {
  const version = await run('swiftlint', ['version']);
  if (version === undefined) return 'not installed';
  const file = join(folder, 'a.swift');
  await writeFile(file, 'let a = 1 ;\n');
  const report = (await run('swiftlint', ['lint', '--quiet', '--reporter', 'json', file])) ?? '';
  const isReal = report.replaceAll('\\/', '/').includes(`"${file}"`);
  const how = report.includes('a.swift') ? (isReal ? 'real paths' : 'other paths') : 'no paths';
  return `${version.trim()}, reports ${how}`;
}

function startedFrom(env: Environment, isWatched: boolean): string {
  const places = [
    env['CI'] ? 'a CI job' : '',
    env['SSH_CONNECTION'] ? 'ssh' : '',
    env['GIT_DIR'] ? 'git' : '',
    isWatched ? 'a terminal' : 'no terminal',
  ];
  return places.filter(place => place !== '').join(', ');
}

/** How the disk treats names, which differs between macOS and other systems. */
async function describeDisk(folder: string): Promise<string> {
  const has = (name: string): Promise<boolean> =>
    stat(join(folder, name)).then(
      () => true,
      () => false,
    );
  await writeFile(join(folder, 'a\u00e9'), '');
  const names = await readdir(folder);
  return [
    (await has('A\u00e9')) ? 'ignores case' : 'minds case',
    (await has('ae\u0301')) ? 'ignores Unicode form' : 'minds Unicode form',
    names.includes('a\u00e9') ? 'keeps names' : 'rewrites names',
    (await realpath(tmpdir())) === tmpdir() ? 'reached directly' : 'reached by a link',
  ].join(', ');
}

const SOURCES = 'homebrew nvm fnm volta mise asdf nodenv Herd nix pnpm'.split(' ');

function nodeFrom(execPath: string): string {
  const source = SOURCES.find(name => execPath.toLowerCase().includes(name.toLowerCase()));
  return `${process.versions.node}, ${source ?? 'installed elsewhere'}`;
}

function userName(): string | undefined {
  try {
    return userInfo().username;
  } catch {
    // A container's user may have no name.
    return undefined;
  }
}

/**
 * Their messages name the user's repositories, files, hosts or tokens, so only the status is shown.
 */
const PRIVATE = /^(?:repository|config|hooks|github-token|egress-.*)$/;

/** `doctor --report`: Markdown that can be pasted into an issue. */
export function machinePage(
  { lines: found, names }: MachineFacts,
  { checks }: DoctorReport,
  version: string,
): string {
  const hide = hider(names);
  const line = ({ id, area, status, message, fix }: Check): string => {
    if (PRIVATE.test(id)) return `- ${id}: ${status}`;
    // A base URL that is refused is quoted as it was given.
    const found = area === 'config' ? '' : ` ${hide(message)}`;
    return `- ${id}: ${status}.${found}${fix === undefined ? '' : ` (${hide(fix)})`}`;
  };
  const lines = [
    `### apfel-bot ${version}`,
    '',
    ...found.map(([name, value]) => `- ${name}: ${hide(value)}`),
    '',
    ...checks.map(line),
    '',
    'Please add: which git client you commit from, whether SwiftLint is used, and how long a commit takes.',
  ];
  return `${lines.join('\n')}\n`;
}

/** Removes everything that may name the user, the machine, a folder or another machine. */
function hider(all: readonly string[]): (text: string) => string {
  const names = all
    .filter(name => name.length > 2 && !ORDINARY.has(name.toLowerCase()))
    .sort((one, other) => other.length - one.length)
    .map(name => name.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&'));
  const named = new RegExp(`(?<![\\p{L}\\p{N}])(?:${names.join('|')})(?![\\p{L}\\p{N}])`, 'giu');
  // Addresses first: a name may be part of one.
  return text => {
    const shown = text
      .replace(EMAIL, '[e-mail]')
      .replace(ADDRESS, address => (LOOPBACK.test(address) ? address : '[address]'));
    return (names.length === 0 ? shown : shown.replace(named, '[hidden]'))
      .replace(PATH, '$1[path]')
      .replace(TOKEN, '[token]');
  };
}

/** Our own words, which must stay even if a user has that name. */
const ORDINARY: ReadonlySet<string> = new Set(
  'root runner admin user home apfel git mac model node local the and'.split(' '),
);
/** A URL, a host that can't be found, an IPv4 address, a domain, or a host with its port. */
const ADDRESS =
  /https?:\/\/[^\s,;)]+|(?<=(?:ENOTFOUND|EAI_AGAIN) )[^\s,;)]+|(?<![\p{L}\p{N}._/@-])(?:\d{1,3}(?:\.\d{1,3}){3}(?![\d.])|(?:[\p{L}\p{N}-]+\.)+(?:local|lan|home|internal|test|corp|com|net|org|io|dev)(?![\p{L}\p{N}-])|(?=[\p{N}.-]*\p{L})[\p{L}\p{N}.-]+(?=:\d{4,5}\b))(?::\d+)?/gu;
const LOOPBACK = /^(?:https?:\/\/)?(?:127\.0\.0\.1|localhost|\[::1\]|0\.0\.0\.0)(?![\w.@-])/;
const EMAIL = /[\p{L}\p{N}._%+-]+@[\p{L}\p{N}-]+(?:\.[\p{L}\p{N}-]+)+/gu;
/** With every word up to the next punctuation: a folder's name may have spaces. */
const PATH =
  /(^|[\s("'=])(?:~|\[hidden\])?\/(?=[^\s,;)"'])(?:[^,;)"'\n]*\/)?[^\s,;)"']*(?: [^\s,;()"']+)*/gu;
/** Long runs of letters and digits; words have no digits in them. */
const TOKEN = /\b(?=\w*\d)(?=\w*[A-Za-z])\w{20,}\b/g;
