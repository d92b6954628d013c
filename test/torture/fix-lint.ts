import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { startStandIn } from '../../fixtures/apfel/stand-in.js';
import { scriptedFixer } from '../fix/lint-project.js';
import { wordsProject } from '../fix/words-project.js';
import { fingerprint } from '../git/scratch-harness.js';
import { CLI } from '../support/cli.js';
import { gitEnv, openRepo, type Repo } from '../support/with-repo.js';
import type { Scenario } from './scenario.js';

const CONFIG = { verify: { commands: [['true']] } };

const EDITS = ['beta', 'gamma'].map(word => ({
  to: word,
  path: 'a.txt',
  oldText: word,
  newText: word.toUpperCase(),
}));

/** What the bot may write: objects, its refs with their logs, its records. */
const isOurs = (path: string): boolean =>
  /^\.git\/(objects|apfel-bot|(logs\/)?refs\/(heads\/apfel-bot|notes))(\/|$)/.test(path);

/** `fix-lint` with own fixes, a model, verify.commands, commits and a bundle. */
export const fixLint: Scenario = {
  name: 'fix-lint',
  open: async folder => {
    const [dir, temp, out] = ['repo', 'temp', 'out'].map(name => join(folder, name));
    if (dir === undefined || temp === undefined || out === undefined) throw new Error('no folder');
    for (const each of [dir, temp, out]) await mkdir(each);
    const repo = openRepo(dir);
    await addUnfinishedWork(repo);
    const server = await startStandIn({ policy: scriptedFixer(EDITS) });
    const args = ['fix-lint', '--base-url', server.baseUrl, '--out', join(out, 'outcome.json')];
    return {
      repo,
      argv: [process.execPath, CLI, ...args],
      cwd: dir,
      env: { ...gitEnv(dir), TMPDIR: temp },
      exitCode: 0,
      state: () => fingerprint(dir, isOurs),
      afterwards: async () => {
        assert.equal(await readdir(temp), [], 'scratch folders');
        assert.equal(await readdir(join(dir, '.git/apfel-bot/runs')), [], 'run records');
        // A killed write leaves only a temporary file beside its target.
        const written = (await readdir(out)).filter(name => !name.endsWith('.tmp'));
        assert.equal(written.sort(), ['outcome.bundle', 'outcome.json']);
        const fixed = await repo.git('show', `${await branchOf(repo)}:a.txt`);
        assert.match(fixed, /^Alpha\nBETA\nGAMMA/);
      },
      close: () => server.close(),
    };
  },
};

const branchOf = async (repo: Repo): Promise<string> =>
  `apfel-bot/fix-lint-${(await repo.git('rev-parse', 'HEAD')).slice(0, 12)}`;

/** Staged, stashed and unsaved work, and the user's programs that must not run. */
async function addUnfinishedWork(repo: Repo): Promise<void> {
  await repo.git('init', '--quiet', '--initial-branch', 'main');
  const text = `alpha\nbeta\ngamma\n${'line\n'.repeat(20)}`;
  const files = { ...wordsProject(CONFIG), 'a.txt': text, 'b.txt': 'alpha\n' };
  await repo.commit(files, 'files');
  await repo.write('a.txt', 'stashed\n');
  await repo.git('stash');
  await repo.stage('staged.txt', 'staged\n');
  await repo.write('b.txt', 'dirty\n');
  await repo.git('branch', 'other');
  await repo.git('tag', 'mark');
  const canary = join(repo.dir, '.git/canary');
  await writeFile(canary, `#!/bin/sh\ntouch "${repo.dir}/.git/sung"\ncat\n`, { mode: 0o755 });
  for (const key of ['filter.evil.smudge', 'filter.evil.clean']) {
    await repo.git('config', key, canary);
  }
  for (const hook of [
    'reference-transaction',
    'post-checkout',
    'post-index-change',
    'pre-commit',
  ]) {
    await writeFile(join(repo.dir, '.git/hooks', hook), `#!/bin/sh\n${canary}\n`, { mode: 0o755 });
  }
}
