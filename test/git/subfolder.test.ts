import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { reviewJson } from '../support/cli.js';
import { suite } from '../support/suite.js';
import { withRepo } from '../support/with-repo.js';
import { DEBUGGER, placesOf } from './situation.js';

const test = suite('git/subfolder');

test('a subfolder sees paths from the top, and -- PATH is relative to the subfolder', () =>
  withRepo(async repo => {
    await repo.stage('deep/a.js', DEBUGGER);
    await repo.stage('b.js', DEBUGGER);
    const cwd = join(repo.dir, 'deep');
    const whole = await reviewJson(['--staged'], { cwd });
    assert.equal(placesOf(whole.outcome), ['b.js:1', 'deep/a.js:1']);
    const narrow = await reviewJson(['--staged', '--', 'a.js'], { cwd });
    assert.equal(placesOf(narrow.outcome), ['deep/a.js:1']);
    const up = await reviewJson(['--staged', '--', '../b.js'], { cwd });
    assert.equal(placesOf(up.outcome), ['b.js:1']);
  }));

test.run();
