import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { BotError } from '../core/bot-error.js';
import { packageFolder } from '../platform/terminal.js';

export interface DemoFolder {
  readonly path: string;
  /** The sample repository. */
  readonly project: string;
  /** For scratch copies. */
  readonly temporary: string;
  /** The sample project as if apfel-bot, and ESLint where it is there, were installed in it. */
  furnish(eslint: FoundEslint | undefined): Promise<void>;
  /** Writes one of the sets of `demo/` into the project. */
  lay(set: 'change' | 'fix' | 'colleague'): Promise<void>;
  write(name: string, text: string): Promise<void>;
  /** False when something would not go. A signal leaves no time to wait for it. */
  remove(): boolean;
}

/** A folder of its own in the system's temporary one; nothing else of the machine is written to. */
export function makeDemoFolder(): DemoFolder {
  const path = makeFolder();
  const project = join(path, 'shop');
  const temporary = join(path, 'tmp');
  const write = async (name: string, text: string): Promise<void> => {
    const file = join(project, name);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, text);
  };
  const lay = async (set: string, isWanted = (_name: string): boolean => true): Promise<void> => {
    for (const [name, text] of await filesOf(set)) if (isWanted(name)) await write(name, text);
  };
  return {
    path,
    project,
    temporary,
    write,
    lay: set => lay(set),
    furnish: async eslint => {
      await mkdir(temporary);
      await lay('project', name => eslint !== undefined || name !== 'eslint.config.mjs');
      const toy = await readFile(packageFolder('demo/toy-lint.mjs'), 'utf8');
      if (eslint === undefined) await write('tools/toy-lint.mjs', toy);
      await link(join(project, 'node_modules'), [
        ['apfel-bot', packageFolder('.')],
        ...(eslint === undefined ? [] : [['eslint', eslint.folder] as const]),
      ]);
    },
    remove: () => remove(path),
  };
}

function makeFolder(): string {
  const base = tmpdir();
  try {
    // On a Mac the usual name leads through a link, and git tells the other one.
    return realpathSync(mkdtempSync(join(base, 'apfel-bot-demo-')));
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new BotError('usage', `no folder can be made in ${base}: ${why}`, {
      hint: 'Name a place that can be written to: TMPDIR=… apfel-bot demo',
      cause,
    });
  }
}

/** `.txt` is taken off the names: it keeps linters away from what is wrong on purpose. */
async function filesOf(set: string): Promise<Array<[name: string, text: string]>> {
  const from = packageFolder(join('demo', set));
  const names = await readdir(from, { recursive: true });
  const files: Array<[string, string]> = [];
  for (const name of names.filter(each => each.endsWith('.txt'))) {
    files.push([name.slice(0, -'.txt'.length), await readFile(join(from, name), 'utf8')]);
  }
  return files;
}

/** Bins lead through the packages, as installers make them. */
async function link(
  modules: string,
  packages: ReadonlyArray<readonly [name: string, folder: string]>,
): Promise<void> {
  await mkdir(join(modules, '.bin'), { recursive: true });
  for (const [name, folder] of packages) {
    await symlink(folder, join(modules, name));
    await symlink(`../${name}/${BINS[name]}`, join(modules, '.bin', name));
  }
}

const BINS: Readonly<Record<string, string>> = {
  'apfel-bot': 'dist/cli.cjs',
  eslint: 'bin/eslint.js',
};

function remove(path: string): boolean {
  try {
    // Somebody may be about to leave in there and write a last line.
    rmSync(path, { recursive: true, force: true, maxRetries: 5, retryDelay: 50 });
    return true;
  } catch {
    // Whoever asked says where it is.
    return false;
  }
}

export interface FoundEslint {
  readonly folder: string;
  readonly version: string;
}

/** The first that reads `eslint.config.mjs` without being told to. */
const FIRST_MAJOR = 9;

/** ESLint as the current folder has it; undefined when there is none, or an old one. */
export async function findEslint(cwd: string): Promise<FoundEslint | undefined> {
  try {
    const manifest = createRequire(join(cwd, 'any.js')).resolve('eslint/package.json');
    const { version }: { version?: unknown } = JSON.parse(await readFile(manifest, 'utf8'));
    if (typeof version !== 'string' || !(Number.parseInt(version, 10) >= FIRST_MAJOR)) {
      return undefined;
    }
    return { folder: dirname(manifest), version };
  } catch {
    // Not there, or not what it should be: the toy linter does as well.
    return undefined;
  }
}
