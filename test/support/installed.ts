import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, rename, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

/** The `node_modules` of a real package, installed once per machine into the temporary folder. */
export async function modulesOf(name: string, version: string): Promise<string> {
  const folder = join(tmpdir(), `apfel-bot-test-${name}-${version}`);
  if (!existsSync(folder)) {
    const fresh = `${folder}-${process.pid}`;
    await mkdir(fresh, { recursive: true });
    await writeFile(join(fresh, 'package.json'), '{}');
    const args = ['install', '--no-audit', '--no-fund', '--ignore-scripts', `${name}@${version}`];
    await promisify(execFile)('npm', args, { cwd: fresh });
    // Another run may have been faster.
    await rename(fresh, folder).catch(() => undefined);
  }
  return join(folder, 'node_modules');
}
