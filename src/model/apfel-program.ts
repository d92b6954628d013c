import { execFile } from 'node:child_process';
import { constants } from 'node:fs';
import { access, mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { parseJson } from '../core/json-fields.js';
import { type Environment, usersPath } from '../platform/processes.js';
import { oneLine } from '../platform/safe-text.js';
import { countIn, field } from './address.js';

/**
 * `apfel` on the PATH, or where Homebrew puts it: desktop clients and runners start git without
 * Homebrew on the PATH.
 */
export async function findApfel(environment: Environment): Promise<string | undefined> {
  const { PATH = '', HOMEBREW_PREFIX } = environment;
  const brewed = HOMEBREW_PREFIX ? [HOMEBREW_PREFIX] : ['/opt/homebrew', '/usr/local'];
  const folders = usersPath(PATH).split(delimiter).filter(Boolean);
  for (const folder of [...folders, ...brewed.map(each => join(each, 'bin'))]) {
    const file = join(folder, 'apfel');
    if (await isExecutable(file)) return file;
  }
  return undefined;
}

/** What to do without apfel, which exists for macOS only; another server may answer at `used`. */
export function withoutApfel(platform: string, used?: string): string {
  const other =
    used === undefined
      ? 'to use another server, set model.baseUrl in .apfel-bot.json'
      : `to use the server at ${used}, add --base-url ${used}, or set model.baseUrl in .apfel-bot.json`;
  if (platform !== 'darwin') return `it needs a Mac; ${other}`;
  return used === undefined ? 'brew install apfel' : `brew install apfel; ${other}`;
}

async function isExecutable(file: string): Promise<boolean> {
  try {
    await access(file, constants.X_OK);
    return (await stat(file)).isFile();
  } catch {
    // Missing, or not executable for us: try the next folder.
    return false;
  }
}

/**
 * The environment that apfel gets. It's an allowlist: tokens are not passed on, and variables such as
 * `APFEL_SYSTEM_PROMPT` make `apfel --serve` exit with 2.
 */
export function cleanEnvironment(environment: Environment): Record<string, string> {
  const clean: Record<string, string> = {};
  for (const [name, value] of Object.entries(environment)) {
    if (value !== undefined && (PASSED.has(name) || name.startsWith('LC_'))) clean[name] = value;
  }
  return clean;
}

const PASSED = new Set([
  'HOME',
  'LANG',
  'LOGNAME',
  'PATH',
  'SHELL',
  'TMPDIR',
  'TZ',
  'USER',
  '__CF_USER_TEXT_ENCODING',
]);

interface ApfelCommand {
  readonly executable: string;
  readonly environment: Environment;
  readonly timeoutMs: number;
}

/** apfel's own label for why the model isn't available; `/health` doesn't say. */
export async function askModelInfo(command: ApfelCommand): Promise<string | undefined> {
  const printed = await run(command, ['--model-info']);
  const label = /^├? *available: +no \((.+)\)$/m.exec(printed)?.[1];
  return label && oneLine(label);
}

/** The meaning of apfel's label, and what to do; undefined if it isn't one of apfel's. */
export function explainState(label: string): { what: string; fix: string } | undefined {
  const [, what, fix] = STATES.find(([pattern]) => pattern.test(label)) ?? [];
  return what === undefined || fix === undefined ? undefined : { what, fix };
}

const STATES: ReadonlyArray<readonly [RegExp, string, string]> = [
  [
    /not enabled/,
    'Apple Intelligence is off on this Mac',
    'turn it on in System Settings > Apple Intelligence & Siri, with the same supported language for the Mac and for Siri',
  ],
  [
    /not ready/,
    "the model isn't ready, most likely because it is still being downloaded (3 to 4 GB)",
    'keep the Mac on Wi-Fi and power, and try again in a few minutes',
  ],
  [
    /not eligible/,
    "this Mac can't run Apple Intelligence, which needs Apple silicon and no virtual machine",
    'use another server with --base-url, or review without a model (--no-model)',
  ],
  [
    /unknown reason/,
    "macOS doesn't provide the model, for a reason that this apfel doesn't know",
    'brew upgrade apfel, and see System Settings > Apple Intelligence & Siri',
  ],
];

/** The part of a reason for no model that doesn't quote a program, a server or a setting. */
export const reasonInOwnWords = (reason: string): string | undefined =>
  STATES.find(([, what]) => reason.startsWith(what))?.[1] ?? OWN_WORDS.exec(reason)?.[0];

const OWN_WORDS =
  /macOS is too old for apfel|apfel --serve ended with \d+|did not answer in time|found no free port|apfel is not installed|model\.start is off|nothing answers|doesn't answer|asks for a token|does not accept the token|refuses this host|redirects elsewhere|may have MCP tools|does not list its models|has no models|--(?:no-)?model\b/;

/**
 * apfel's own count; undefined without one, or if it is approximate, characters divided by four
 * because there is no model.
 */
export async function countTokens(
  command: ApfelCommand,
  text: string,
): Promise<number | undefined> {
  const folder = await mkdtemp(join(tmpdir(), 'apfel-bot-count-'));
  try {
    const file = join(folder, 'text.txt');
    await writeFile(file, text, { mode: 0o600 });
    const counted = parseJson(await run(command, ['--count-tokens', '-o', 'json', '-f', file]));
    if (field(counted, 'approximate') === true) return undefined;
    return countIn(counted, 'total') || undefined;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Its standard output; empty when it could not be run, failed or took too long. */
function run(command: ApfelCommand, args: readonly string[]): Promise<string> {
  const options = {
    env: cleanEnvironment(command.environment),
    timeout: Math.max(1, Math.round(command.timeoutMs)),
    killSignal: 'SIGKILL' as const,
    maxBuffer: 1024 * 1024,
  };
  return new Promise(resolve => {
    const child = execFile(command.executable, [...args], options, (failed, stdout) =>
      resolve(failed === null ? stdout : ''),
    );
    child.stdin?.end();
  });
}
