import { chmod, mkdir, symlink, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { Linter } from 'eslint';
import { type Repo, withRepo } from '../../support/with-repo.js';
import { type EslintServer, startEslintServer } from './eslint-server.js';

/** A file with complaints, and the configuration that makes them. */
export interface ProjectFile {
  readonly path: string;
  readonly text: string;
  readonly config: Linter.Config;
}

export interface CaseProject {
  readonly repo: Repo;
  readonly eslint: EslintServer;
}

const CONFIG = "module.exports = require('./cases.json');\n";

/** A repository with all files in one commit, whose ESLint is served by this process. */
export async function withCases(
  files: readonly ProjectFile[],
  body: (project: CaseProject) => Promise<void>,
): Promise<void> {
  const eslint = await startEslintServer();
  try {
    await withRepo(async repo => {
      const modules = join(repo.dir, 'node_modules');
      await mkdir(join(modules, '.bin'), { recursive: true });
      await symlink(resolve('node_modules/eslint'), join(modules, 'eslint'));
      await writeFile(join(modules, '.bin', 'eslint'), eslint.script);
      await chmod(join(modules, '.bin', 'eslint'), 0o755);
      for (const { path, text } of files) await repo.write(path, text);
      await repo.write('.gitignore', 'node_modules\n');
      await repo.write('cases.json', JSON.stringify(files.map(({ config }) => config)));
      await repo.write('eslint.config.js', CONFIG);
      await repo.git('add', '--all');
      await repo.git('commit', '--quiet', '--message', 'cases');
      await body({ repo, eslint });
    });
  } finally {
    await eslint.close();
  }
}
