import { type ChildProcess, spawn } from 'node:child_process';
import { readFile, realpath } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { findProgram, killGroup, type LintRun, MOST_OUTPUT_BYTES, type RunRequest } from './run.js';

/**
 * Rules of these plugins look at nothing but the file they check. Others may read further files and
 * remember them, as those with type information and those that follow imports do.
 */
const PER_FILE_PLUGINS = `@stylistic @stylistic/js @stylistic/ts @stylistic/jsx @typescript-eslint
  @eslint-community/eslint-comments eslint-comments react react-hooks react-refresh jsx-a11y vue
  unicorn promise jsdoc prettier regexp security perfectionist simple-import-sort sort-keys-fix
  unused-imports jest vitest mocha ava cypress playwright testing-library es-x n node json jsonc yml
  toml markdown css`.split(/\s+/);

/**
 * Runs in the project's Node: calls the same function as ESLint's own program, once for each message,
 * and sends back what it printed. `isPerFile` says whether each configuration it used depends on nothing
 * but the file. It ends with the process that started it.
 */
const SERVER = `
const { dirname, join } = require('path');
const program = process.argv[1];
const lib = join(dirname(program), '..', 'lib');
const cli = require(join(lib, 'cli.js'));
const api = require(join(lib, 'api.js'));
const more = require(join(lib, 'unsupported-api.js'));
const plugins = new Set(${JSON.stringify(PER_FILE_PLUGINS)});
let printed = { stdout: [], stderr: [] };
for (const name of ['stdout', 'stderr']) {
  process[name].write = (chunk, encoding, done) => {
    printed[name].push(String(chunk));
    const callback = typeof encoding === 'function' ? encoding : done;
    if (callback) callback();
    return true;
  };
}
let isPerFile = true;
const seen = new WeakMap();
const isOn = setting => ![0, 'off'].includes(Array.isArray(setting) ? setting[0] : setting);
const isKnownRule = id =>
  id.includes('/') ? plugins.has(id.slice(0, id.lastIndexOf('/'))) : more.builtinRules.has(id);
const isKnownParser = parser =>
  parser === undefined ||
  parser === null ||
  /^espree$|^(typescript-eslint|@typescript-eslint|vue-eslint-parser)(\\/parser)?$/.test(
    typeof parser === 'string'
      ? parser.replace(/\\\\/g, '/').replace(/^.*\\/node_modules\\/((@[^/]+\\/)?[^/]+)\\/.*$/, '$1')
      : (parser.meta || parser).name,
  );
const hasTypes = options =>
  !!options && !!(options.project || options.projectService || options.programs ||
    options.EXPERIMENTAL_useProjectService);
const usesTypes = (id, config) => {
  const [plugin, name] = [id.slice(0, id.lastIndexOf('/')), id.slice(id.lastIndexOf('/') + 1)];
  const rule = ((config.plugins[plugin] || {}).rules || {})[name];
  return !rule || !rule.meta || !rule.meta.docs || !!rule.meta.docs.requiresTypeChecking;
};
// Types come from other files, but only some rules ask for them.
const looksElsewhere = (options, config) =>
  !!options && typeof options.parser === 'object' || hasTypes(options) &&
    (!config.plugins || Array.isArray(config.plugins) ||
      Object.entries(config.rules || {}).some(
        ([id, setting]) => isOn(setting) && id.includes('/') && usesTypes(id, config)));
const dependsOnOneFile = config => {
  const language = config.languageOptions || config;
  return (
    isKnownParser(language.parser) &&
    !looksElsewhere(language.parserOptions, config) &&
    (!config.processor || (typeof config.processor === 'string' && isKnownRule(config.processor))) &&
    Object.entries(config.rules || {}).every(([id, setting]) => !isOn(setting) || isKnownRule(id))
  );
};
const classes = new Set(
  [...Object.values(api), ...Object.values(more)].filter(
    each => typeof each === 'function' && each.prototype && each.prototype.lintFiles,
  ),
);
for (const { prototype } of classes) {
  const { lintFiles } = prototype;
  prototype.lintFiles = async function (patterns) {
    const results = await lintFiles.call(this, patterns);
    for (const { filePath } of isPerFile ? results : []) {
      const config = await this.calculateConfigForFile(filePath);
      if (!config) continue;
      if (!seen.has(config)) seen.set(config, dependsOnOneFile(config));
      isPerFile = isPerFile && seen.get(config);
    }
    return results;
  };
}
process.on('disconnect', () => process.exit());
process.on('message', async ({ args }) => {
  printed = { stdout: [], stderr: [] };
  process.argv = [process.execPath, program, ...args];
  const code = await cli.execute(process.argv, null, true);
  const [stdout, stderr] = [printed.stdout.join(''), printed.stderr.join('')];
  process.send({ code, stdout, stderr, isPerFile: isPerFile && classes.size > 0 });
});
`;

/** Answers that ESLint gives after it has linted; everything else is left to its own program. */
const LINTED = [0, 1];

interface Answer {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
  readonly isPerFile: boolean;
}

/** The project's ESLint, loaded once for many runs where what it remembers cannot matter. */
export class EslintProcess {
  #child: ChildProcess | undefined;
  #isOff = false;

  /** Undefined when ESLint's own program has to be run instead. */
  async run(request: RunRequest): Promise<LintRun | undefined> {
    if (this.#isOff) return undefined;
    const child = this.#child ?? (await start(request));
    this.#child = child;
    const answer = child && (await ask(child, request));
    const isUsable = answer !== undefined && answer !== 'time-up' && LINTED.includes(answer.code);
    if (!isUsable || !answer.isPerFile) this.close();
    request.signal.throwIfAborted();
    if (answer === 'time-up') {
      const end = { kind: 'time-up', afterMs: request.timeoutMs } as const;
      return { end, stdout: '', stderr: '', isCut: false };
    }
    if (!isUsable) return undefined;
    const { code, stdout, stderr, isPerFile } = answer;
    const isCut = stdout.length + stderr.length > MOST_OUTPUT_BYTES;
    return { end: { kind: 'exit', code }, stdout, stderr, isCut, isPerFile };
  }

  /** Ends it; from then on ESLint's own program is run. */
  close(): void {
    this.#isOff = true;
    if (this.#child !== undefined) killGroup(this.#child);
    this.#child = undefined;
  }
}

/** Only for ESLint as npm installs it: what another program of that name does is not known. */
async function start(request: RunRequest): Promise<ChildProcess | undefined> {
  const path = await findProgram(request.argv[0] ?? '', request);
  const shim = await pnpmShim(path);
  const program = await realpath(shim.program ?? path ?? '').catch(() => undefined);
  if (!program?.endsWith('/eslint/bin/eslint.js')) return undefined;
  request.signal.throwIfAborted();
  return spawn('node', ['--eval', SERVER, program], {
    cwd: join(request.root, request.folder),
    env: { ...request.env, ...shim.env },
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    detached: true,
  });
}

/** pnpm installs a shell script that sets NODE_PATH and starts the program. */
async function pnpmShim(
  path = '',
): Promise<{ program?: string | undefined; env?: Record<string, string> }> {
  const text = await readFile(path, 'utf8').catch(() => '');
  if (!text.startsWith('#!/bin/sh')) return {};
  const [, program] = /"\$basedir\/([^"\n]+\/eslint\/bin\/eslint\.js)"/.exec(text) ?? [];
  const [, modules] = /NODE_PATH="([^"$\n]+)"/.exec(text) ?? [];
  return {
    program: program && join(dirname(path), program),
    ...(modules !== undefined && { env: { NODE_PATH: modules } }),
  };
}

/** Undefined when it ends without an answer. */
function ask(
  child: ChildProcess,
  { argv, timeoutMs, signal }: RunRequest,
): Promise<Answer | 'time-up' | undefined> {
  return new Promise(resolve => {
    const finish = (answer: Answer | 'time-up' | undefined): void => {
      clearTimeout(timer);
      signal.removeEventListener('abort', stop);
      child.removeAllListeners();
      child.on('error', () => undefined);
      resolve(answer);
    };
    if (!child.connected) {
      resolve(undefined);
      return;
    }
    const stop = (): void => killGroup(child);
    const timer = setTimeout(finish, timeoutMs, 'time-up');
    signal.addEventListener('abort', stop);
    child.on('error', () => finish(undefined));
    child.on('exit', () => finish(undefined));
    child.on('message', message => finish(message as Answer));
    child.send({ args: argv.slice(1) }, failure => failure && finish(undefined));
  });
}
