import { existsSync } from 'node:fs';
import { delimiter, join, relative, resolve, sep } from 'node:path';
import { field, parseJson, textOf } from '../core/json-fields.js';
import { managerIn } from '../platform/own-command.js';
import type { Environment } from '../platform/processes.js';
import { type Bound, printedBy } from '../platform/run-program.js';
import { readHookText } from './facts.js';
import type { Lookup } from './shim.js';

interface LookupOptions {
  /** The folder that git starts hooks in. */
  readonly cwd: string;
  readonly env: Environment;
  readonly bound: Bound;
}

/**
 * Looks for the program with the hooks' own script, without what yarn adds to the PATH for this one
 * call.
 */
export async function lookUp(
  script: string,
  { cwd, bound, ...options }: LookupOptions,
): Promise<Lookup | undefined> {
  const { BERRY_BIN_FOLDER: yarns, ...rest } = options.env;
  const own = Object.entries(rest).filter(([name]) => !/^npm_|^INIT_CWD$/i.test(name));
  const path = (rest['PATH'] ?? '')
    .split(delimiter)
    .filter(folder => folder !== yarns)
    .join(delimiter);
  const env = { ...Object.fromEntries(own), PATH: path };
  const place = (await printedBy('/bin/sh', ['-c', script], { cwd, env, bound }))?.trim();
  return place === 'local' || place === 'global' ? place : undefined;
}

/** As in the README: it isn't on npm yet. */
const SOURCE = 'git+https://github.com/OWNER/apfel-bot.git';

/** The command that installs this program where a repository's hooks find it. */
export function installCommand(top: string, cwd: string): string {
  const [project = ''] = resolve(process.argv[1] ?? '').split(`${sep}node_modules${sep}`);
  // pnpm and Yarn keep packages outside the project that names them.
  const source = [project, cwd, top].map(sourceIn).find(found => found !== undefined) ?? SOURCE;
  // Yarn's Plug'n'Play has no node_modules, and a project in another language no package.json.
  if (existsSync(join(top, '.pnp.cjs')) || !existsSync(join(top, 'package.json'))) {
    return `npm install --global ${source}`;
  }
  const folder = relative(cwd, top);
  const adds = managerIn(top)?.[2] ?? 'npm install --save-dev';
  return `${folder === '' ? '' : `cd ${folder} && `}${adds} ${source}`;
}

/** Where a project's package.json installs us from, if that isn't the registry. */
export function sourceIn(project: string): string | undefined {
  const manifest = parseJson(readHookText(join(project, 'package.json')) ?? '');
  const source = ['devDependencies', 'dependencies']
    .map(kind => textOf(field(field(manifest, kind), 'apfel-bot')))
    .join('');
  if (/^(?:git|https?:)/.test(source)) return source;
  const path = source.replace(/^file:/, '');
  return path.endsWith('.tgz') || path !== source ? resolve(project, path) : undefined;
}
