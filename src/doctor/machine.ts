import { mkdtemp, readdir, realpath, rm, stat, writeFile } from 'node:fs/promises';
import { arch, hostname, release, tmpdir, totalmem, type } from 'node:os';
import { join } from 'node:path';
import { askModelInfo, explainState, findApfel, reasonInOwnWords } from '../model/apfel-program.js';
import { type Environment, processSpace, processStart } from '../platform/processes.js';
import { printedBy } from '../platform/run-program.js';
import type { Session } from '../session.js';
import type { DoctorFacts, ModelFact, ServerFact } from './facts.js';
import type { Check } from './report.js';

/** What can only be found out on the machine itself, in our own words. */
type MachineLines = ReadonlyArray<readonly [name: string, found: string]>;

const PROGRAM_MS = 2000;
/** SwiftLint loads SourceKit, and `brew` is written in Ruby. */
const SLOW_PROGRAM_MS = 10_000;
const SYSTEM_PATH = '/usr/bin:/bin:/usr/sbin:/sbin';

export async function gatherMachine({ env, signal, isWatched }: Session): Promise<MachineLines> {
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
    return [
      ['system', shape(NUMBERS, system ?? '', `${type()} ${shape(NUMBERS, release())}`)],
      ['processor', `${arch()}, ${Math.round(totalmem() / 2 ** 30)} GB`],
      ['started', startedFrom(env, isWatched)],
      ['locale', shape(LOCALE, env['LC_ALL'] || env['LC_CTYPE'] || env['LANG'] || 'none')],
      ['temporary disk', disk],
      ['git there', git?.match(GIT_SETTING)?.join(', ') ?? 'takes names as they are'],
      ['open files', shape(/^(?:\d+|unlimited)/, limit ?? '')],
      ['process start', start === undefined ? 'unknown' : 'known'],
      ['process ids', (await processSpace()).includes(hostname()) ? 'by host' : 'by boot session'],
      ['node', nodeFrom(process.execPath)],
      ['Homebrew', env['PATH']?.includes('/opt/homebrew/bin') ? 'on the PATH' : 'not on the PATH'],
      [
        'apfel as a service',
        /^apfel +(started|stopped|scheduled|error|none|other|unknown)\b/m.exec(
          service ?? '',
        )?.[1] ?? 'no',
      ],
      ['listening on 11434', listeners(sockets ?? '')],
      ['model', info],
      ['SwiftLint', swiftlint],
    ];
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

const NUMBERS = /^\d+(?:\.\d+)*/;
const LOCALE = /^(?:none|C|POSIX|[a-z]{2,3}(?:_[A-Z]{2})?)(?:\.(?:UTF-8|utf8))?$/;
const GIT_SETTING = /^core\.(?:ignorecase|precomposeunicode) (?:true|false)$/gm;

/** The part of a text that looks as it should, since anything else may name somebody. */
const shape = (pattern: RegExp, text: string, otherwise = 'unknown'): string =>
  pattern.exec(text)?.[0] ?? otherwise;

/** The addresses of a server on apfel's port; only loopback keeps other machines out. */
function listeners(printed: string): string {
  const found = [...printed.matchAll(/ (\S+):11434 \(LISTEN\)/g)].map(([, address = '']) =>
    shape(/^(?:127\.0\.0\.1|\[::1\]|\*)$/, address, 'another address'),
  );
  return [...new Set(found)].join(', ') || 'nothing seen';
}

async function modelInfo(environment: Environment): Promise<string> {
  const executable = await findApfel(environment);
  if (executable === undefined) return 'no apfel';
  const why = await askModelInfo({ executable, environment, timeoutMs: SLOW_PROGRAM_MS });
  if (why === undefined) return 'apfel --model-info names no reason against it';
  return explainState(why)?.what ?? 'not available, in words that this version does not know';
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
  return `${shape(NUMBERS, version)}, reports ${how}`;
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

/** Their messages name the user's repositories, files and hosts, so only the status is shown. */
const PRIVATE = /^(?:repository|config|hooks|github-token|egress-.*)$/;

/** `doctor --report`: Markdown that can be pasted into an issue. */
export function machinePage(
  machine: MachineLines,
  checks: readonly Check[],
  version: string,
): string {
  const lines = [
    `### apfel-bot ${version}`,
    '',
    ...machine.map(([name, value]) => `- ${name}: ${value}`),
    '',
    ...checks.map(({ id, status, message, fix }) =>
      PRIVATE.test(id)
        ? `- ${id}: ${status}`
        : `- ${id}: ${status}. ${message}${fix === undefined ? '' : ` (${fix})`}`,
    ),
    '',
    "Please add: which git client you commit from, whether SwiftLint is used, how long a commit takes, and which model it is if not apfel's.",
  ];
  return `${lines.join('\n')}\n`;
}

/**
 * The facts for that page, in our own words: what a program, a server or a setting says may contain
 * the name of anything.
 */
export function inOwnWords(facts: DoctorFacts): DoctorFacts {
  const { git, program, server, model } = facts;
  return {
    ...facts,
    git:
      git.kind === 'found'
        ? { ...git, version: shape(/^\d+(?:\.\d+)+(?: \(Apple Git-[\d.]+\))?/, git.version) }
        : { ...git, message: "git can't be run" },
    program: program && { ...program, path: brewedOr(program.path) },
    server: withoutHost(server),
    model: withoutWords(model),
  };
}

const brewedOr = (path: string): string =>
  /^\/(?:opt\/homebrew|usr\/local)\/bin\/apfel$/.test(path) ? path : 'installed elsewhere';

function withoutHost(server: ServerFact): ServerFact {
  if (server.kind === 'refused') return { ...server, message: 'the base URL is refused' };
  const { baseUrl, isLocal, version } = server;
  return {
    ...server,
    baseUrl: isLocal ? `${new URL(baseUrl).origin}/v1` : 'https://another-machine/v1',
    version: version === undefined ? undefined : NUMBERS.exec(version)?.[0],
  };
}

function withoutWords(model: ModelFact): ModelFact {
  if (model.kind === 'none') {
    const reason = reasonInOwnWords(model.reason) ?? 'doctor without --report says why';
    return { ...model, reason };
  }
  if (model.kind !== 'found') return model;
  const { name, languages, reply } = model;
  const said = reply.kind === 'answered' ? '' : shape(/unsupported ?language/i, reply.message);
  return {
    ...model,
    name: name === 'apple-foundationmodel' ? name : 'the model',
    languages: languages.filter(each => /^[a-z]{2,3}(?:[-_][A-Za-z]{2,4})*$/.test(each)),
    reply:
      reply.kind === 'answered'
        ? reply
        : { ...reply, message: said === 'unknown' ? reply.kind : said },
  };
}
