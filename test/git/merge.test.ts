import * as assert from 'uvu/assert';
import { reviewJson } from '../support/cli.js';
import { suite } from '../support/suite.js';
import { withRepo } from '../support/with-repo.js';
import { conflictingMerge, DEBUGGER, placesOf } from './situation.js';

const test = suite('git/merge');

test('a merge in progress is reviewed on lines that differ from every parent', () =>
  withRepo(async repo => {
    await conflictingMerge(repo);
    await repo.stage('a.js', `one;\ntwo-main;\n${DEBUGGER}three;\n`);
    const { outcome } = await reviewJson(['--staged', '--no-model'], { cwd: repo.dir });
    // side.js came with the other parent: it is not this merge's doing.
    assert.equal(placesOf(outcome), ['a.js:3']);
    assert.ok(outcome.notices.some(notice => notice.includes('merge')));
  }));

test('a merge commit is reviewed on lines that differ from every parent', () =>
  withRepo(async repo => {
    await conflictingMerge(repo);
    await repo.stage('a.js', `one;\n${DEBUGGER}two-main;\nthree;\n`);
    await repo.git('commit', '--quiet', '--no-edit');
    const { outcome } = await reviewJson(['--commit', 'HEAD', '--no-model'], { cwd: repo.dir });
    assert.equal(placesOf(outcome), ['a.js:2']);
  }));

test('a line that a parent already has is not judged, though a merge adds lines right above it', () =>
  withRepo(async repo => {
    await repo.commit({ 'a.js': 'one;\nthree;\n' });
    await repo.git('checkout', '--quiet', '-b', 'side');
    await repo.commit({ 'a.js': 'one;\ndebugger; // side\nthree;\n' });
    await repo.git('checkout', '--quiet', 'main');
    await repo.commit({ 'a.js': 'one;\nmain;\nthree;\n' });
    await repo.git('merge', '--quiet', '--no-commit', 'side').catch(() => undefined);
    await repo.stage('a.js', `one;\n${DEBUGGER}${DEBUGGER}debugger; // side\nthree;\n`);
    const { outcome } = await reviewJson(['--staged', '--no-model'], { cwd: repo.dir });
    assert.equal(placesOf(outcome), ['a.js:2', 'a.js:3']);
  }));

test.run();
