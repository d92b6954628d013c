import { spawnSync } from 'node:child_process';
import { readFile, symlink } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import * as assert from 'uvu/assert';
import { startStandIn } from '../../fixtures/apfel/stand-in.js';
import { fingerprint } from '../git/scratch-harness.js';
import { apfelBot } from '../support/cli.js';
import { suite } from '../support/suite.js';
import { gitEnv, openRepo, withFolder } from '../support/with-repo.js';
import { scriptedFixer, withProject } from './lint-project.js';
import { REAL_FIXES, REAL_PROJECT } from './real-project.js';

const test = suite('fix/story');

const hasShellCheck = spawnSync('shellcheck', ['--version']).status === 0;

/** What a clone of the project says when somebody lints its branch, rule by rule. */
function complaintsIn(dir: string): string[] {
  const options = { cwd: dir, env: gitEnv(dir), encoding: 'utf8' } as const;
  const eslint = spawnSync('node_modules/.bin/eslint', ['--format', 'json', '.'], options);
  const shell = ['--format=json', 'scripts/tag.sh', 'scripts/clean.sh'];
  const shellcheck = spawnSync('shellcheck', shell, options);
  const files: Array<{ messages: Array<{ ruleId: string }> }> = JSON.parse(eslint.stdout);
  const comments: Array<{ code: number }> = JSON.parse(shellcheck.stdout);
  return [
    ...files.flatMap(({ messages }) => messages.map(({ ruleId }) => ruleId)),
    ...comments.map(({ code }) => `SC${code}`),
  ];
}

const isOurs = (path: string): boolean =>
  /^\.git\/(objects|apfel-bot|(logs\/)?refs\/heads\/apfel-bot)(\/|$)/.test(path);

test.unless(
  hasShellCheck ? undefined : 'shellcheck is not installed',
  'in a project with problems of two linters, fix-lint makes a branch that lints clean, keeps the checkout and prints a short report',
  () =>
    withProject(REAL_PROJECT, async repo => {
      await repo.write('lib/queue.js', '// half of a thought\n');
      await repo.stage('notes.txt', 'staged\n');
      const status = await repo.git('status', '--porcelain');
      const before = await fingerprint(repo.dir, isOurs);
      const index = await readFile(join(repo.dir, '.git/index'));
      const server = await startStandIn({ policy: scriptedFixer(REAL_FIXES) });
      const run = await apfelBot(['fix-lint', '--base-url', server.baseUrl], { cwd: repo.dir });
      await server.close();
      assert.is(run.code, 1, run.stderr);
      assert.equal(await readFile(join(repo.dir, '.git/index')), index);
      assert.equal(await fingerprint(repo.dir, isOurs), before);
      assert.is(await repo.git('status', '--porcelain'), status);
      const lines = run.stdout.trimEnd().split('\n');
      assert.ok(lines.length <= 40, `${lines.length} lines take longer than a minute`);
      assert.match(run.stdout, /\n {2}fixed SC2086: 5 by the linter\n/);
      assert.match(run.stdout, /^ {4}lib\/backoff\.js:10 {2}no-useless-escape, by the model$/m);
      assert.match(
        run.stdout,
        /bin\/tiny-queue\.js:13:9 {2}error {2}no-cond-assign\n.*\n {2}left: after (?:1 try|[23] tries)(?: in \d requests)?: it suppresses the diagnostic/,
      );
      assert.match(run.stdout, /18 of 20 diagnostics fixed, 2 left · /);
      const [, branch = ''] = /git diff [0-9a-f]{12} (\S+)$/m.exec(run.stdout) ?? [];
      await withFolder(async folder => {
        const clone = openRepo(join(folder, 'clone'));
        await repo.git('clone', '--quiet', '--branch', branch, repo.dir, clone.dir);
        await symlink(resolve('node_modules'), join(clone.dir, 'node_modules'));
        const left = complaintsIn(clone.dir).sort();
        assert.equal(left, ['no-cond-assign', 'no-constant-condition']);
        const works = spawnSync(process.execPath, ['test/queue.test.js'], { cwd: clone.dir });
        assert.is(works.status, 0, 'its own test passes');
      });
    }),
);

test.run();
