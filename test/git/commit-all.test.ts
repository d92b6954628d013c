import * as assert from 'uvu/assert';
import { suite } from '../support/suite.js';
import { withRepo } from '../support/with-repo.js';
import { DEBUGGER, reviewInHook, seenInHook } from './situation.js';

const test = suite('git/commit-all');

test('commit -a is reviewed as it will be committed', () =>
  withRepo(async repo => {
    await repo.commit({ 'a.js': 'one;\n', 'b.js': 'one;\n' });
    const seen = await reviewInHook(repo);
    await repo.write('a.js', `one;\n${DEBUGGER}`);
    await repo.write('b.js', `${DEBUGGER}one;\n`);
    await repo.git('commit', '--quiet', '-am', 'all');
    assert.equal(await seenInHook(seen), ['a.js:2', 'b.js:1']);
  }));

test.run();
