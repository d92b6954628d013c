import { constants } from 'node:fs';
import { access, open } from 'node:fs/promises';
import { delimiter, isAbsolute, join, relative, resolve } from 'node:path';
import { type Repository, userGitContext } from '../git/git.js';
import { runGit } from '../git/spawn.js';
import { lookUp } from '../hooks/lookup.js';
import { lookupIn } from '../hooks/shim.js';
import type { HookFact, HooksFact, ManagerFact } from './facts.js';
import type { GitPlace } from './gather.js';

/** The hooks that people run reviews in. */
const HOOKS = [
  'pre-commit',
  'prepare-commit-msg',
  'commit-msg',
  'post-commit',
  'post-rewrite',
  'pre-push',
];
const OUR_NAME = 'apfel-bot';
/** Node starts in a tenth of a second, or far slower on a busy machine. */
const MOST_LOOKUP_MS = 20_000;

interface ReadHook extends HookFact {
  readonly text: string;
}

/** What git would run in this repository, and which hook managers are set up. */
export async function hooksFact(place: GitPlace, repository: Repository): Promise<HooksFact> {
  const setting = await hooksPath(place);
  // A relative path starts where hooks run: the top, or a bare repository itself.
  const base = repository.top ?? repository.gitDir;
  const folder =
    setting === undefined ? join(repository.commonDir, 'hooks') : resolve(base, setting.value);
  const hooks = (await Promise.all(HOOKS.map(name => readHook(folder, name)))).flat();
  return {
    folder: shown(folder, base),
    scope: setting?.scope,
    hooks: hooks.map(({ name, isExecutable, namesUs }) => ({ name, isExecutable, namesUs })),
    managers: repository.top === undefined ? [] : await managersIn(repository.top, folder, hooks),
    areSkipped: place.env['APFEL_BOT'] === '0',
    program: await lookUp({
      cwd: base,
      env: place.env,
      bound: { ms: MOST_LOOKUP_MS, signal: place.signal },
      recorded: lookupIn(hooks.find(({ namesUs }) => namesUs)?.text ?? ''),
    }),
  };
}

const shown = (folder: string, base: string): string => {
  const short = relative(base, folder);
  return short.startsWith('..') || isAbsolute(short) ? folder : short || '.';
};

/** The last value, except the one that we pass to turn hooks off for our own git. */
async function hooksPath(
  place: GitPlace,
): Promise<{ readonly scope: string; readonly value: string } | undefined> {
  const asked = ['config', '--null', '--show-scope', '--type=path', '--get-all', 'core.hooksPath'];
  const { stdout } = await runGit(userGitContext(place), asked);
  const parts = stdout.toString('utf8').split('\0');
  let found: { scope: string; value: string } | undefined;
  for (let at = 0; at + 1 < parts.length; at += 2) {
    const [scope = '', value = ''] = parts.slice(at, at + 2);
    if (scope !== 'command') found = { scope, value };
  }
  return found;
}

async function readHook(folder: string, name: string): Promise<ReadHook[]> {
  const file = join(folder, name);
  const text = await readStart(file);
  if (text === undefined) return [];
  const namesUs = text.includes(OUR_NAME);
  return [{ name, isExecutable: await canUse(file, constants.X_OK), namesUs, text }];
}

const canUse = (file: string, mode: number): Promise<boolean> =>
  access(file, mode).then(
    () => true,
    () => false,
  );

/** Relative entries may point into the repository. */
export async function isOnPath(program: string, path: string): Promise<boolean> {
  for (const folder of path.split(delimiter)) {
    if (isAbsolute(folder) && (await canUse(join(folder, program), constants.X_OK))) return true;
  }
  return false;
}

const MOST_READ = 64 * 1024;

/** The beginning of a file; undefined when there is none, or it isn't a file. */
async function readStart(file: string): Promise<string | undefined> {
  try {
    // Non-blocking: opening a pipe would wait for a writer.
    const handle = await open(file, constants.O_RDONLY | constants.O_NONBLOCK);
    try {
      if (!(await handle.stat()).isFile()) return undefined;
      const { buffer, bytesRead } = await handle.read(Buffer.alloc(MOST_READ), 0, MOST_READ, 0);
      return buffer.toString('utf8', 0, bytesRead);
    } finally {
      await handle.close();
    }
  } catch {
    // Missing or unreadable: then git can't read it either.
    return undefined;
  }
}

/** Where each manager is configured. */
const MANAGERS: ReadonlyArray<{ readonly name: ManagerFact['name']; readonly files: string[] }> = [
  { name: 'husky', files: ['.husky/pre-commit'] },
  {
    name: 'lefthook',
    files: ['yml', 'yaml', 'json', 'toml'].flatMap(end => [`lefthook.${end}`, `.lefthook.${end}`]),
  },
  { name: 'pre-commit', files: ['.pre-commit-config.yaml', '.pre-commit-config.yml'] },
];

async function managersIn(
  top: string,
  folder: string,
  hooks: readonly ReadHook[],
): Promise<ManagerFact[]> {
  const found = MANAGERS.map(async ({ name, files }): Promise<ManagerFact[]> => {
    for (const file of files) {
      const text = await readStart(join(top, file));
      if (text === undefined) continue;
      const isInstalled =
        name === 'husky'
          ? folder.startsWith(join(top, '.husky'))
          : hooks.some(hook => hook.isExecutable && hook.text.includes(name));
      return [{ name, file, namesUs: text.includes(OUR_NAME), isInstalled }];
    }
    return [];
  });
  return (await Promise.all(found)).flat();
}
