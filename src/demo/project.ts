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
  /** For temporary files. */
  readonly temporary: string;
  /** Writes the sample project, with apfel-bot and ESLint (if found) linked as if installed. */
  fill(eslint: FoundEslint | undefined): Promise<void>;
  /** Copies one of the folders of `demo/` into the project. */
  copy(set: 'change' | 'fix' | 'colleague'): Promise<void>;
  write(name: string, text: string): Promise<void>;
  /** False if something couldn't be removed. Synchronous, because it runs on a signal. */
  remove(): boolean;
}

/** A folder in the system's temporary folder; nothing else on the machine is changed. */
export function makeDemoFolder(): DemoFolder {
  const path = makeFolder();
  const project = join(path, 'shop');
  const temporary = join(path, 'tmp');
  const write = async (name: string, text: string): Promise<void> => {
    const file = join(project, name);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, text);
  };
  const copy = async (set: string, isWanted = (_name: string): boolean => true): Promise<void> => {
    for (const [name, text] of await filesOf(set)) if (isWanted(name)) await write(name, text);
  };
  return {
    path,
    project,
    temporary,
    write,
    copy: set => copy(set),
    fill: async eslint => {
      await mkdir(temporary);
      await copy('project', name => eslint !== undefined || name !== 'eslint.config.mjs');
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
    // On macOS the temporary folder is behind a link, and git prints the real path.
    return realpathSync(mkdtempSync(join(base, 'apfel-bot-demo-')));
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new BotError('usage', `can't create a folder in ${base}: ${why}`, {
      hint: 'Choose a writable folder: TMPDIR=… apfel-bot demo',
      cause,
    });
  }
}

/** Without the `.txt`, which keeps linters away from deliberate mistakes. */
async function filesOf(set: string): Promise<Array<[name: string, text: string]>> {
  const from = packageFolder(join('demo', set));
  const names = await readdir(from, { recursive: true });
  const files: Array<[string, string]> = [];
  for (const name of names.filter(each => each.endsWith('.txt'))) {
    files.push([name.slice(0, -'.txt'.length), await readFile(join(from, name), 'utf8')]);
  }
  return files;
}

/** Links as npm makes them. */
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
    // A process that is about to end may still be writing there.
    rmSync(path, { recursive: true, force: true, maxRetries: 5, retryDelay: 50 });
    return true;
  } catch {
    // The caller prints where it is.
    return false;
  }
}

interface FoundEslint {
  readonly folder: string;
  readonly version: string;
}

/** The first that reads `eslint.config.mjs` by default. */
const FIRST_MAJOR = 9;

/** The ESLint of the current folder; undefined if there is none, or an old one. */
export async function findEslint(cwd: string): Promise<FoundEslint | undefined> {
  try {
    const manifest = createRequire(join(cwd, 'any.js')).resolve('eslint/package.json');
    const { version }: { version?: unknown } = JSON.parse(await readFile(manifest, 'utf8'));
    if (typeof version !== 'string' || !(Number.parseInt(version, 10) >= FIRST_MAJOR)) {
      return undefined;
    }
    return { folder: dirname(manifest), version };
  } catch {
    // Missing or broken: the toy linter is used instead.
    return undefined;
  }
}
