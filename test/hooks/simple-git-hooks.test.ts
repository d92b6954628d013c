import { spawnSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { suite } from '../support/suite.js';
import { gitEnv, withRepo } from '../support/with-repo.js';
import { installIn, uninstallIn } from './install-in.js';

const test = suite('hooks/simple-git-hooks');

for (const [what, file, text, path] of [
  [
    'in package.json',
    'package.json',
    '{\n  "name": "x",\n  "simple-git-hooks": {\n    "pre-commit": "echo \\"lint\\""\n  }\n}\n',
    ['simple-git-hooks'],
  ],
  ['in a file of its own', '.simple-git-hooks.json', '{"pre-commit":"echo \\"lint\\""}', []],
  ['without a hook', '.simple-git-hooks.json', '{}\n', []],
] as const) {
  test(`a configuration ${what} gets our commands, and uninstall restores every byte`, () =>
    withRepo(async repo => {
      await repo.write(file, text);
      const plan = await installIn(repo.dir);
      assert.match(
        plan.messages.join('\n'),
        /added pre-commit, post-commit, post-rewrite to .*json/,
      );
      assert.match(plan.messages.join('\n'), 'npx simple-git-hooks');
      const written = JSON.parse(await readFile(join(repo.dir, file), 'utf8'));
      const hooks = path.reduce((data, key) => data[key], written);
      assert.match(hooks['post-commit'], '"$bot" hook post-commit "$@"');
      // As simple-git-hooks writes it: the command is the script.
      const run = spawnSync('sh', ['-c', hooks['pre-commit']], {
        cwd: repo.dir,
        env: { ...gitEnv(repo.dir), PATH: '/usr/bin:/bin' },
        encoding: 'utf8',
      });
      assert.is(run.stdout, text.includes('lint') ? 'lint\n' : '');
      assert.match(run.stderr, 'apfel-bot is not installed here');
      assert.match((await installIn(repo.dir)).messages.join('\n'), 'already calls apfel-bot');
      await uninstallIn(repo.dir);
      assert.is(await readFile(join(repo.dir, file), 'utf8'), text);
    }));
}

test('a command that would keep ours from running is left alone, and the lines are printed', () =>
  withRepo(async repo => {
    const text = '{"pre-commit": "npm test # all of it"}\n';
    await repo.write('.simple-git-hooks.json', text);
    const plan = await installIn(repo.dir, ['pre-commit']);
    assert.equal(plan.steps, []);
    assert.match(plan.printed.join('\n'), 'apfel-bot/hooks/pre-commit');
    assert.is(await readFile(join(repo.dir, '.simple-git-hooks.json'), 'utf8'), text);
  }));

test.run();
