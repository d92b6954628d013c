import { execFile, spawnSync } from 'node:child_process';
import { mkdir, readdir, symlink, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { CLI } from './cli.js';
import { withFolder } from './with-repo.js';

const exec = promisify(execFile);

export interface Run {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** npm with nothing of this machine's configuration. */
export async function npm(args: readonly string[], cwd: string): Promise<Run> {
  const own = Object.entries(process.env).filter(([name]) => !/^npm_config_/i.test(name));
  const env = { ...Object.fromEntries(own), npm_config_userconfig: '/dev/null' };
  const options = ['--no-audit', '--no-fund', '--no-update-notifier'];
  try {
    return { code: 0, ...(await exec('npm', [...options, ...args], { cwd, env, maxBuffer: 1e8 })) };
  } catch (thrown) {
    const { code, stdout, stderr } = thrown as Run;
    return { code, stdout, stderr };
  }
}

/** Our build in the place of an installed package, so that hooks find it. */
export async function linkPackage(dir: string): Promise<void> {
  await mkdir(join(dir, 'node_modules'), { recursive: true });
  await symlink(dirname(dirname(CLI)), join(dir, 'node_modules/apfel-bot'));
}

export interface Installed {
  /** A project with the packed package and nothing else, far from our own node_modules. */
  readonly dir: string;
  readonly bin: string;
  /** What npm said about the installation. */
  readonly install: Run;
  readonly packed: { readonly unpackedSize: number; readonly files: readonly string[] };
}

/** `npm pack`, then `npm install` of the tarball with no network and strict engines. */
export const withInstalled = (body: (installed: Installed) => Promise<void>): Promise<void> =>
  withFolder(async top => {
    const packed = join(top, 'packed');
    const dir = join(top, 'project');
    await Promise.all([mkdir(packed), mkdir(dir)]);
    const pack = ['pack', '--ignore-scripts', '--json', '--pack-destination', packed];
    const [facts] = JSON.parse((await npm(pack, resolve('.'))).stdout);
    const files = facts.files.map(({ path }: { path: string }) => path);
    const [tarball = ''] = await readdir(packed);
    await writeFile(join(dir, 'package.json'), '{"private": true}');
    const args = ['install', '--offline', '--engine-strict', '--save-dev', join(packed, tarball)];
    const install = await npm(args, dir);
    const bin = join(dir, 'node_modules', '.bin', 'apfel-bot');
    await body({ dir, bin, install, packed: { unpackedSize: facts.unpackedSize, files } });
  });

const LOOPBACK_ONLY = ['unshare', '-rn', 'sh', '-c', 'ip link set lo up && exec "$@"', 'sh'];
const canCut = spawnSync(LOOPBACK_ONLY[0] ?? '', [...LOOPBACK_ONLY.slice(1), 'true']).status === 0;

/** The command with only the loopback network, where the system lets us (Linux). */
export const withoutNetwork = (argv: readonly string[]): readonly string[] =>
  canCut ? [...LOOPBACK_ONLY, ...argv] : argv;
