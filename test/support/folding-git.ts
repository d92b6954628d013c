import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * Makes a program `git` in the folder and gives a PATH on which it is found first. When it checks
 * files out, each of the names below leads to one file, as on a disk that ignores case and the form
 * of Unicode: the one that was written last is there under all of them.
 */
export async function foldingGit(
  folder: string,
  twins: ReadonlyArray<readonly string[]>,
): Promise<string> {
  const program = [
    `#!${process.execPath}`,
    `const { existsSync, linkSync, rmSync, statSync } = require('node:fs');`,
    `const { spawnSync } = require('node:child_process');`,
    `const args = process.argv.slice(2);`,
    `const env = { ...process.env, PATH: process.env.PATH.split(':').slice(1).join(':') };`,
    `const { status } = spawnSync('git', args, { stdio: 'inherit', env });`,
    `for (const names of args.includes('checkout-index') ? ${JSON.stringify(twins)} : []) {`,
    `  const [last, ...others] = names.filter(name => existsSync(name)).reverse();`,
    `  for (const other of others) {`,
    // The disk may fold names by itself.
    `    if (statSync(other).ino === statSync(last).ino) continue;`,
    `    rmSync(other);`,
    `    linkSync(last, other);`,
    `  }`,
    `}`,
    `process.exit(status ?? 1);`,
    '',
  ];
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, 'git'), program.join('\n'), { mode: 0o755 });
  return `${folder}:${process.env['PATH']}`;
}

/** Adds files to the index by plumbing, so that the disk of the work tree need not hold them. */
export async function commitTwins(
  repo: {
    git(...args: string[]): Promise<string>;
    write(path: string, text: string): Promise<void>;
  },
  files: Readonly<Record<string, string>>,
): Promise<void> {
  for (const [path, content] of Object.entries(files)) {
    await repo.write('.git/content', content);
    const id = await repo.git('hash-object', '-w', '.git/content');
    const entry = `100644,${id},${path}`;
    await repo.git(
      '-c',
      'core.precomposeunicode=false',
      'update-index',
      '--add',
      '--cacheinfo',
      entry,
    );
  }
  await repo.git('commit', '--quiet', '--message', 'twins');
}
