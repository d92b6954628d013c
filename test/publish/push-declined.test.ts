import * as assert from 'uvu/assert';
import { BotError } from '../../src/core/bot-error.js';
import { declinedPull } from '../../src/publish/push.js';
import { suite } from '../support/suite.js';
import {
  branchFor,
  endOf,
  type FixOutcome,
  fixedCommit,
  LOGIN,
  outcomeOf,
  type PullFixture,
  pushIt,
  withFixture,
} from './push-fixture.js';

const test = suite('publish/push-declined');

const OURS = 2;
const opened = ({ github }: PullFixture) =>
  github.state.pulls.filter(({ author }) => author === LOGIN);
const answers = ({ github }: PullFixture): string[] =>
  github.state.comments.filter(({ author }) => author === LOGIN).map(({ body }) => body);

/** The first run's pull request, which somebody closed. */
async function declined(fixture: PullFixture): Promise<FixOutcome> {
  const outcome = outcomeOf(fixture, await fixedCommit(fixture));
  await pushIt(fixture, outcome);
  assert.is(opened(fixture)[0]?.number, OURS);
  fixture.github.closePull(OURS);
  return outcome;
}

/** What another run on the same commit has come to. */
async function second(fixture: PullFixture): Promise<FixOutcome> {
  const options = { files: { 'src/b.js': 'b === 1\n' }, run: 'SECOND', at: 2 };
  return outcomeOf(fixture, await fixedCommit(fixture, options), { run: 'SECOND' });
}

test('after a pull request was closed, the same outcome opens no other, and says why and what to do', () =>
  withFixture(async fixture => {
    const outcome = await declined(fixture);
    const [writes, branches] = [fixture.github.writes().length, await fixture.ours()];
    const { lines, text } = await pushIt(fixture, outcome);
    assert.is(fixture.github.writes().length, writes);
    assert.equal(await fixture.ours(), branches);
    assert.equal(
      opened(fixture).map(({ isOpen }) => isOpen),
      [false],
    );
    const said = new RegExp(
      `^nothing pushed: pull request #2 from ${branchFor(fixture.head)} was closed without a merge: ` +
        'https://github.com/ada/fixture/pull/2\nto get the fixes after all, reopen #2 and push again; or ' +
        'push with --branch-only',
    );
    assert.match(lines.join('\n'), said);
    assert.match(text, 'closed without a merge');
    assert.equal(fixture.github.violations, []);
  }));

test('after a pull request was closed, a new outcome for its branch changes nothing, so that it can be reopened', () =>
  withFixture(async fixture => {
    await declined(fixture);
    const [pushes, branches] = [fixture.github.state.pushes.length, await fixture.ours()];
    await pushIt(fixture, await second(fixture));
    assert.is(fixture.github.state.pushes.length, pushes);
    assert.equal(await fixture.ours(), branches);
    assert.is(opened(fixture).length, 1);
    assert.is(answers(fixture).length, 1, 'nobody is told who did not ask');
  }));

test.long('a closed pull request whose branch was deleted is not brought back', () =>
  withFixture(async fixture => {
    const { repo, head } = fixture;
    await declined(fixture);
    await repo.git('push', '--quiet', 'origin', `:refs/heads/${branchFor(head)}`);
    await pushIt(fixture, await second(fixture));
    assert.equal(await fixture.ours(), []);
    assert.is(opened(fixture).length, 1);
  }),
);

test('a /apfel fix-lint after a closed pull request is answered once', () =>
  withFixture(async fixture => {
    await declined(fixture);
    const outcome = await second(fixture);
    const { lines } = await pushIt(fixture, outcome, { isAnswer: true });
    await pushIt(fixture, outcome, { isAnswer: true });
    assert.match(lines.at(-1) ?? '', 'comment on #1 posted');
    assert.is(answers(fixture).length, 2);
    assert.match(
      answers(fixture)[1] ?? '',
      /Nothing was pushed: \[#2\]\(https:\/\/github\.com\/ada\/fixture\/pull\/2\) .*closed without a merge\. To get them after all, reopen it/,
    );
  }));

test('a reopened pull request is brought up to date', () =>
  withFixture(async fixture => {
    await declined(fixture);
    fixture.github.reopenPull(OURS);
    const outcome = await second(fixture);
    const { lines } = await pushIt(fixture, outcome);
    assert.match(lines.join('\n'), /branch \S+ updated\npull request #2 updated/);
    assert.match((await fixture.ours()).join(), outcome.branch?.commit ?? '');
  }));

test.long('a pull request that someone opened by hand instead counts as the answer', () =>
  withFixture(async fixture => {
    await declined(fixture);
    await fixture.github.openPull({ head: branchFor(fixture.head), base: 'topic', author: 'ada' });
    const { lines } = await pushIt(fixture, await second(fixture));
    assert.match(lines.join('\n'), 'pull request #3 is there; people have edited it');
    assert.is(opened(fixture).length, 1);
  }),
);

test.long('--branch-only asks nobody: the branch is all that is wanted', () =>
  withFixture(async fixture => {
    await declined(fixture);
    const outcome = await second(fixture);
    const { lines } = await pushIt(fixture, outcome, { isBranchOnly: true });
    assert.match(lines.join('\n'), /branch \S+ updated\nopen a pull request:/);
    assert.match((await fixture.ours()).join(), outcome.branch?.commit ?? '');
  }),
);

test.long('a merged pull request, or one into another branch, does not count as declined', () =>
  withFixture(async fixture => {
    const { github } = fixture;
    const outcome = outcomeOf(fixture, await fixedCommit(fixture));
    await pushIt(fixture, outcome);
    github.mergePull(OURS);
    await pushIt(fixture, outcome);
    assert.is(opened(fixture).length, 2);
    github.mergePull(3);
    await github.openPull({ head: branchFor(fixture.head), base: 'main', author: 'ada' });
    github.closePull(4);
    await pushIt(fixture, outcome);
    assert.is(opened(fixture).filter(({ isOpen }) => isOpen).length, 1);
    assert.equal(github.violations, []);
  }),
);

test.long('--dry-run says that nothing would be pushed', () =>
  withFixture(async fixture => {
    const outcome = await declined(fixture);
    const { lines } = await pushIt(fixture, outcome, { isDryRun: true });
    assert.match(lines[0] ?? '', /^would push nothing, because pull request #2 from .* closed/);
  }),
);

test.long('a name that was passed over is not asked about, the one that is taken is', () =>
  withFixture(async fixture => {
    const { repo, head, github } = fixture;
    const outcome = outcomeOf(fixture, await fixedCommit(fixture));
    await repo.git('switch', '--quiet', '--detach', head);
    await repo.commit({ 'src/a.js': 'const a = 1;\n' }, 'mine');
    await repo.git('push', '--quiet', 'origin', `HEAD:refs/heads/${branchFor(head)}`);
    const theirs = await github.openPull({ head: branchFor(head), base: 'topic' });
    github.closePull(theirs.number);
    await pushIt(fixture, outcome);
    const [made] = opened(fixture);
    assert.is(made?.headRef, `${branchFor(head)}-2`);
    github.closePull(made?.number ?? 0);
    const { lines } = await pushIt(fixture, outcome);
    assert.match(lines.join('\n'), new RegExp(`nothing pushed: .* from ${branchFor(head)}-2 was`));
    assert.is(opened(fixture).length, 1);
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
