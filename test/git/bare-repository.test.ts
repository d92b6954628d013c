import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { reviewJson } from '../support/cli.js';
import { suite } from '../support/suite.js';
import { withRepo } from '../support/with-repo.js';
import { DEBUGGER, placesOf } from './situation.js';

const test = suite('git: bare-repository');

test('a bare repository is reviewed by commit and by range', () =>
  withRepo(async repo => {
    await repo.commit({ 'a.js': DEBUGGER });
    await repo.git('clone', '--quiet', '--bare', '.', 'bare.git');
    const cwd = join(repo.dir, 'bare.git');
    const commit = await reviewJson(['--commit', 'HEAD'], { cwd });
    assert.equal(placesOf(commit.outcome), ['a.js:1']);
    const range = await reviewJson(['--range', 'HEAD~1..HEAD'], { cwd });
    assert.equal(placesOf(range.outcome), ['a.js:1']);
    const byDefault = await reviewJson([], { cwd });
    assert.equal(placesOf(byDefault.outcome), ['a.js:1']);
  }));

test.run();
