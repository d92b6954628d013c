import * as assert from 'uvu/assert';
import { suite } from '../support/suite.js';
import { withRepo } from '../support/with-repo.js';
import { DEBUGGER, reviewInHook, seenInHook } from './situation.js';

const test = suite('git/amend');

test('an amend is reviewed as the index against HEAD', () =>
  withRepo(async repo => {
    await repo.commit({ 'a.js': 'one;\n' });
    const seen = await reviewInHook(repo);
    await repo.stage('b.js', DEBUGGER);
    await repo.git('commit', '--quiet', '--amend', '--no-edit');
    assert.equal(await seenInHook(seen), ['b.js:1']);
  }));

test.run();
