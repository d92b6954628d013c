import * as assert from 'uvu/assert';
import { suite } from '../support/suite.js';
import { withRepo } from '../support/with-repo.js';
import { DEBUGGER, reviewInHook, seenInHook } from './situation.js';

const test = suite('git/commit-path');

test('commit PATH is reviewed without what else is staged', () =>
  withRepo(async repo => {
    await repo.commit({ 'a.js': 'one;\n', 'b.js': 'one;\n' });
    const seen = await reviewInHook(repo);
    await repo.stage('a.js', DEBUGGER);
    await repo.write('b.js', `one;\n${DEBUGGER}`);
    await repo.git('commit', '--quiet', '-m', 'one path', '--', 'b.js');
    assert.equal(await seenInHook(seen), ['b.js:2']);
  }));

test.run();
