import * as assert from 'uvu/assert';
import { apfelBotProcess } from '../support/cli.js';
import { suite } from '../support/suite.js';
import { withRepo } from '../support/with-repo.js';

/** Makes Node report another version. */
const pretend = (version: string): Record<string, string> => {
  const script = `Object.defineProperty(process.versions, 'node', { value: '${version}' })`;
  return { NODE_OPTIONS: `--import "data:text/javascript,${encodeURIComponent(script)}"` };
};

const test = suite('old node');

for (const version of ['12.22.0', '18.20.8', '20.18.3']) {
  test(`Node ${version} is refused with the version needed, and a hook lets git continue`, () =>
    withRepo(async repo => {
      const options = { cwd: repo.dir, env: pretend(version) };
      const review = await apfelBotProcess(['review'], options);
      assert.is(review.code, 2);
      assert.match(review.stderr, `needs Node 20.19 or newer, found ${version}`);
      assert.is((await apfelBotProcess(['hook', 'pre-commit'], options)).code, 0);
    }));
}

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
