import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { suite } from '../support/suite.js';
import { withFolder } from '../support/with-repo.js';
import { readAction } from './read-workflow.js';
import { withActions } from './with-actions.js';

const test = suite('workflows/own-commit');

const manifestIn = (folder: string) =>
  JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));

test('the action builds its own commit once per job, and only its last step has the token', () =>
  withActions(
    async actions => {
      const manifest = { ...manifestIn(actions.action), version: '98.7.6' };
      await writeFile(join(actions.action, 'package.json'), JSON.stringify(manifest));
      const uses = 'OWNER/apfel-bot@COMMIT';
      const token = 'ghs_given';
      const steps = [
        { uses, with: { command: '--version' } },
        { uses, with: { command: 'post', args: '--help', token } },
        { run: 'apfel-bot --version' },
      ];
      const one = { 'runs-on': 'ubuntu-latest', 'timeout-minutes': 5, steps };
      const workflow = { name: 'own', on: { pull_request: null }, permissions: {}, jobs: { one } };
      const file = join(actions.folder, 'own.yml');
      await writeFile(file, JSON.stringify(workflow));
      const { jobs } = await actions.run(file, await actions.pullEvent('opened'));
      const { result, log = '', seen = [] } = jobs['one']?.[0] ?? {};
      assert.is(result, 'success', log);
      assert.is(log.match(/^98\.7\.6$/gm)?.length, 2, log);
      assert.equal(log.match(/stand-in for npm .*/g), [
        'stand-in for npm ci --ignore-scripts --include=dev --no-audit --no-fund',
      ]);
      assert.equal(
        seen.map(env => Object.values(env).includes(token)),
        [false, false, false, true, false],
      );
    },
    { isUnbuilt: true },
  ));

test('the lockfile has the packages of the build for every platform', () =>
  withFolder(async folder => {
    const copy = spawnSync(process.execPath, ['scripts/copy-for-action.mjs', folder]);
    assert.is(copy.status, 0, String(copy.stderr));
    const { dependencies, devDependencies } = manifestIn(folder);
    const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8'));
    const names = Object.keys({ ...dependencies, ...devDependencies });
    assert.ok(names.includes('openai') && !names.includes('eslint'), names.join(' '));
    for (const name of names) {
      const { optionalDependencies = {} } = packages[`node_modules/${name}`];
      for (const each of Object.keys(optionalDependencies)) {
        assert.ok(packages[`node_modules/${each}`], `${each} of ${name} is not in the lockfile`);
      }
    }
  }));

test('without npm the action says what to add to the workflow', () => {
  const [build] = readAction('action.yml').runs.steps;
  const env = { PATH: '/nowhere' };
  const { status, stdout } = spawnSync('/bin/bash', ['-e', '-c', build?.run ?? ''], { env });
  assert.is(status, 2);
  assert.match(String(stdout), /^::error::.*found no npm; add actions\/setup-node/);
});

test.run();
