import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { apfelBotProcess } from '../support/cli.js';
import { suite } from '../support/suite.js';
import { withRepo } from '../support/with-repo.js';

/** Makes Node report another version. */
const pretend = (version: string): Record<string, string> => {
  const script = `Object.defineProperty(process.versions, 'node', { value: '${version}' })`;
  return { NODE_OPTIONS: `--import "data:text/javascript,${encodeURIComponent(script)}"` };
};

const test = suite('cli/old-node');

for (const version of ['12.22.0', '18.20.8', '20.18.3']) {
  test(`Node ${version} is refused with the version needed, and a hook lets git continue`, () =>
    withRepo(async repo => {
      const options = { cwd: repo.dir, env: { ...pretend(version), PATH: '/nowhere' } };
      const review = await apfelBotProcess(['review'], options);
      assert.is(review.code, 2);
      assert.match(review.stderr, `needs Node 20.19 or newer, found ${version}`);
      assert.is((await apfelBotProcess(['hook', 'pre-commit'], options)).code, 0);
    }));
}

test('a node that is too old hands over to the next one on the PATH that is not', () =>
  withRepo(async repo => {
    const bins = ['older', 'newer'].map(name => join(repo.dir, name));
    const scripts = ['echo v18.0.0', `NODE_OPTIONS= exec '${process.execPath}' "$@"`];
    for (const [at, bin] of bins.entries()) {
      await mkdir(bin);
      await writeFile(join(bin, 'node'), `#!/bin/sh\n${scripts[at]}\n`, { mode: 0o755 });
    }
    const env = { ...pretend('18.20.8'), PATH: ['older-relative', ...bins].join(':') };
    const run = await apfelBotProcess(['--version'], { cwd: repo.dir, env });
    assert.equal([run.code, run.stderr], [0, '']);
    assert.match(run.stdout, /\d+\.\d+\.\d+/);
    const refused = await apfelBotProcess(['revieww'], { cwd: repo.dir, env });
    assert.is(refused.code, 2);
    assert.match(refused.stderr, 'revieww');
  }));

test('a second Node that is also too old does not hand over again', () =>
  withRepo(async repo => {
    const run = await apfelBotProcess(['review'], { cwd: repo.dir, env: pretend('18.20.8') });
    assert.is(run.code, 2);
    assert.match(run.stderr, 'needs Node 20.19 or newer, found 18.20.8');
  }));

for (const version of ['20.19.0', '22.1.0', '100.0.0']) {
  test(`Node ${version} is accepted`, () =>
    withRepo(async repo => {
      const { code } = await apfelBotProcess(['--version'], {
        cwd: repo.dir,
        env: pretend(version),
      });
      assert.is(code, 0);
    }));
}

test.run();
