import * as assert from 'uvu/assert';
import { BotError } from '../../src/core/bot-error.js';
import { declinedPull } from '../../src/publish/pull.js';
import { suite } from '../support/suite.js';
import {
  branchFor,
  endOf,
  type FixOutcome,
  fixedCommit,
  LOGIN,
  outcomeOf,
  pushIt,
  type Scene,
  withScene,
} from './push-scene.js';

const test = suite('push after somebody said no');

const OURS = 2;
const opened = ({ github }: Scene) => github.state.pulls.filter(({ author }) => author === LOGIN);
const answers = ({ github }: Scene): string[] =>
  github.state.comments.filter(({ author }) => author === LOGIN).map(({ body }) => body);

/** The first run's pull request, which somebody closed. */
async function declined(scene: Scene): Promise<FixOutcome> {
  const outcome = outcomeOf(scene, await fixedCommit(scene));
  await pushIt(scene, outcome);
  assert.is(opened(scene)[0]?.number, OURS);
  scene.github.closePull(OURS);
  return outcome;
}

/** What another run on the same commit has come to. */
async function second(scene: Scene): Promise<FixOutcome> {
  const options = { files: { 'src/b.js': 'b === 1\n' }, run: 'SECOND', at: 2 };
  return outcomeOf(scene, await fixedCommit(scene, options), { run: 'SECOND' });
}

test('the same outcome opens no other one, and says why and what to do', () =>
  withScene(async scene => {
    const outcome = await declined(scene);
    const [writes, branches] = [scene.github.writes().length, await scene.ours()];
    const { lines, text } = await pushIt(scene, outcome);
    assert.is(scene.github.writes().length, writes);
    assert.equal(await scene.ours(), branches);
    assert.equal(
      opened(scene).map(({ isOpen }) => isOpen),
      [false],
    );
    const said = new RegExp(
      `^nothing pushed: pull request #2 from ${branchFor(scene.head)} was closed without a merge: ` +
        'https://github.com/ada/fixture/pull/2\nto get the fixes after all, reopen #2 and push again; or ' +
        'push with --branch-only',
    );
    assert.match(lines.join('\n'), said);
    assert.match(text, 'closed without a merge');
    assert.equal(scene.github.violations, []);
  }));

test('nor does a new one for the same branch, which stays as it was, so that it can be reopened', () =>
  withScene(async scene => {
    await declined(scene);
    const [pushes, branches] = [scene.github.state.pushes.length, await scene.ours()];
    await pushIt(scene, await second(scene));
    assert.is(scene.github.state.pushes.length, pushes);
    assert.equal(await scene.ours(), branches);
    assert.is(opened(scene).length, 1);
    assert.is(answers(scene).length, 1, 'nobody is told who did not ask');
  }));

test.long('nor when the branch was deleted as well: it is not brought back', () =>
  withScene(async scene => {
    const { repo, head } = scene;
    await declined(scene);
    await repo.git('push', '--quiet', 'origin', `:refs/heads/${branchFor(head)}`);
    await pushIt(scene, await second(scene));
    assert.equal(await scene.ours(), []);
    assert.is(opened(scene).length, 1);
  }),
);

test('a person who waits for an answer gets one, once', () =>
  withScene(async scene => {
    await declined(scene);
    const outcome = await second(scene);
    const { lines } = await pushIt(scene, outcome, { isAnswer: true });
    await pushIt(scene, outcome, { isAnswer: true });
    assert.match(lines.at(-1) ?? '', 'comment on #1 posted');
    assert.is(answers(scene).length, 2);
    assert.match(
      answers(scene)[1] ?? '',
      /Nothing was pushed: \[#2\]\(https:\/\/github\.com\/ada\/fixture\/pull\/2\) .*closed without a merge\. To get them after all, reopen it/,
    );
  }));

test('reopened it is brought up to date', () =>
  withScene(async scene => {
    await declined(scene);
    scene.github.reopenPull(OURS);
    const outcome = await second(scene);
    const { lines } = await pushIt(scene, outcome);
    assert.match(lines.join('\n'), /branch \S+ updated\npull request #2 updated/);
    assert.match((await scene.ours()).join(), outcome.branch?.commit ?? '');
  }));

test.long('one that someone opened by hand in its place counts as the answer', () =>
  withScene(async scene => {
    await declined(scene);
    await scene.github.openPull({ head: branchFor(scene.head), base: 'topic', author: 'ada' });
    const { lines } = await pushIt(scene, await second(scene));
    assert.match(lines.join('\n'), 'pull request #3 is there; people have edited it');
    assert.is(opened(scene).length, 1);
  }),
);

test.long('--branch-only asks nobody: the branch is all that is wanted', () =>
  withScene(async scene => {
    await declined(scene);
    const outcome = await second(scene);
    const { lines } = await pushIt(scene, outcome, { isBranchOnly: true });
    assert.match(lines.join('\n'), /branch \S+ updated\nopen a pull request:/);
    assert.match((await scene.ours()).join(), outcome.branch?.commit ?? '');
  }),
);

test.long('a merged one does not count as declined, nor does one into another branch', () =>
  withScene(async scene => {
    const { github } = scene;
    const outcome = outcomeOf(scene, await fixedCommit(scene));
    await pushIt(scene, outcome);
    github.mergePull(OURS);
    await pushIt(scene, outcome);
    assert.is(opened(scene).length, 2);
    github.mergePull(3);
    await github.openPull({ head: branchFor(scene.head), base: 'main', author: 'ada' });
    github.closePull(4);
    await pushIt(scene, outcome);
    assert.is(opened(scene).filter(({ isOpen }) => isOpen).length, 1);
    assert.equal(github.violations, []);
  }),
);

test.long('--dry-run says that nothing would be pushed', () =>
  withScene(async scene => {
    const outcome = await declined(scene);
    const { lines } = await pushIt(scene, outcome, { isDryRun: true });
    assert.match(lines[0] ?? '', /^would push nothing, because pull request #2 from .* closed/);
  }),
);

test.long('a name that was passed over is not asked about, the one that is taken is', () =>
  withScene(async scene => {
    const { repo, head, github } = scene;
    const outcome = outcomeOf(scene, await fixedCommit(scene));
    await repo.git('switch', '--quiet', '--detach', head);
    await repo.commit({ 'src/a.js': 'const a = 1;\n' }, 'mine');
    await repo.git('push', '--quiet', 'origin', `HEAD:refs/heads/${branchFor(head)}`);
    const theirs = await github.openPull({ head: branchFor(head), base: 'topic' });
    github.closePull(theirs.number);
    await pushIt(scene, outcome);
    const [made] = opened(scene);
    assert.is(made?.headRef, `${branchFor(head)}-2`);
    github.closePull(made?.number ?? 0);
    const { lines } = await pushIt(scene, outcome);
    assert.match(lines.join('\n'), new RegExp(`nothing pushed: .* from ${branchFor(head)}-2 was`));
    assert.is(opened(scene).length, 1);
  }),
);

test('a token that cannot read pull requests does not fail the search for a closed one', async () => {
  const failing = (code: 'not-permitted' | 'publish-failed') => ({
    pullsFrom: async () => {
      throw new BotError(code, 'no');
    },
  });
  const search = (code: 'not-permitted' | 'publish-failed') =>
    declinedPull(failing(code), 'apfel-bot/x', 'topic');
  assert.is(await search('not-permitted'), undefined);
  assert.is((await endOf(search('publish-failed'))).code, 5);
});

test.run();
