import * as assert from 'uvu/assert';
import type { Github } from '../../src/github/github.js';
import { suite } from '../support/suite.js';
import {
  branchFor,
  endOf,
  fixedCommit,
  LOGIN,
  outcomeOf,
  type PullFixture,
  pushIt,
  withFixture,
} from './push-fixture.js';

const test = suite('publish/push');

const fixed = async (fixture: PullFixture) => outcomeOf(fixture, await fixedCommit(fixture));
const opened = ({ github }: PullFixture) =>
  github.state.pulls.filter(({ author }) => author === LOGIN);
const answers = ({ github }: PullFixture): string[] =>
  github.state.comments.filter(({ author }) => author === LOGIN).map(({ body }) => body);

test('the branch is pushed, the pull request opened and a comment left on the one that was linted', () =>
  withFixture(async fixture => {
    const { github, head } = fixture;
    const outcome = await fixed(fixture);
    const { lines } = await pushIt(fixture, outcome);
    assert.equal(await fixture.ours(), [
      `${outcome.branch?.commit}\trefs/heads/${branchFor(head)}`,
    ]);
    const [pull] = opened(fixture);
    assert.is(pull?.base, 'topic');
    assert.is(pull?.title, 'Fix 2 linter diagnostics: no-var, semi');
    assert.match(pull?.body ?? '', /Fixes 2 of 3 linter diagnostics in #1 \(`topic`\)/);
    assert.match(pull?.body ?? '', '| `no-var` | 1 by the linter |');
    assert.match(pull?.body ?? '', '3 before, 1 after, 0 introduced');
    assert.match(pull?.body ?? '', 'GITHUB_TOKEN');
    assert.is(answers(fixture).length, 1);
    assert.match(
      answers(fixture)[0] ?? '',
      `[#${pull?.number}](https://github.com/ada/fixture/pull/`,
    );
    assert.match(lines.join('\n'), 'GitHub starts no workflows for it');
    assert.equal(github.violations, []);
  }));

test('pushing the same outcome again writes nothing', () =>
  withFixture(async fixture => {
    const { github } = fixture;
    const outcome = await fixed(fixture);
    await pushIt(fixture, outcome);
    const [writes, pushes] = [github.writes().length, github.state.pushes.length];
    const { lines } = await pushIt(fixture, outcome);
    assert.is(github.writes().length, writes);
    assert.is(github.state.pushes.length, pushes);
    assert.match(
      lines.join('\n'),
      /branch \S+ is up to date[\s\S]*#2 is up to date[\s\S]*comment on #1 unchanged/,
    );
    assert.is(opened(fixture).length, 1);
  }));

test('a later run on the same commit replaces the earlier one', () =>
  withFixture(async fixture => {
    await pushIt(fixture, await fixed(fixture));
    const files = { 'src/a.js': 'let a = 1;\n', 'src/b.js': 'b === 1\n' };
    const second = await fixedCommit(fixture, { files, run: 'SECOND', at: 2 });
    const diagnostics = { before: 3, after: 0, fixed: 3, introduced: 0 };
    const { lines } = await pushIt(
      fixture,
      outcomeOf(fixture, second, { run: 'SECOND', diagnostics }),
    );
    assert.equal(await fixture.ours(), [`${second}\trefs/heads/${branchFor(fixture.head)}`]);
    assert.is(opened(fixture).length, 1);
    assert.match(opened(fixture)[0]?.body ?? '', 'Fixes 3 of 3');
    assert.match(lines.join('\n'), /branch \S+ updated\npull request #2 updated/);
    assert.is(answers(fixture).length, 2);
  }));

test.long('a later run that comes to the same files leaves the branch as it is', () =>
  withFixture(async fixture => {
    const first = await fixed(fixture);
    await pushIt(fixture, first);
    const same = await fixedCommit(fixture, { run: 'SECOND', at: 2 });
    const { lines } = await pushIt(fixture, outcomeOf(fixture, same, { run: 'SECOND' }));
    assert.match((await fixture.ours()).join(), first.branch?.commit ?? '');
    assert.match(lines.join('\n'), 'is up to date');
  }),
);

test('a branch that someone else has worked on is left alone, and another name is used', () =>
  withFixture(async fixture => {
    const { repo, head } = fixture;
    const outcome = await fixed(fixture);
    await repo.git('switch', '--quiet', '--detach', head);
    const theirs = await repo.commit({ 'src/a.js': 'const a = 1;\n' }, 'mine');
    await repo.git('push', '--quiet', 'origin', `HEAD:refs/heads/${branchFor(head)}`);
    const { lines } = await pushIt(fixture, outcome);
    assert.match(lines.join('\n'), 'was left alone: it has commits of somebody else');
    assert.equal(await fixture.ours(), [
      `${theirs}\trefs/heads/${branchFor(head)}`,
      `${outcome.branch?.commit}\trefs/heads/${branchFor(head)}-2`,
    ]);
    assert.is(opened(fixture)[0]?.headRef, `${branchFor(head)}-2`);
  }));

test('a commit that others push while we choose the branch is not overwritten', () =>
  withFixture(async fixture => {
    const { repo, head } = fixture;
    const outcome = await fixed(fixture);
    await repo.git('switch', '--quiet', '--detach', head);
    const theirs = await repo.commit({ 'src/a.js': 'const a = 1;\n' }, 'mine');
    const githubApi = await fixture.githubApi();
    let times = 0;
    // Asked after the branches were read and before the push.
    const pullsFrom: Github['pullsFrom'] = async branch => {
      times += 1;
      const isFirst = times === 1;
      if (isFirst)
        await repo.git('push', '--quiet', 'origin', `HEAD:refs/heads/${branchFor(head)}`);
      return githubApi.pullsFrom(branch);
    };
    await pushIt(fixture, outcome, { githubApi: { ...githubApi, pullsFrom } });
    assert.equal(await fixture.ours(), [
      `${theirs}\trefs/heads/${branchFor(head)}`,
      `${outcome.branch?.commit}\trefs/heads/${branchFor(head)}-2`,
    ]);
  }));

test('a title or description that people have edited stays', () =>
  withFixture(async fixture => {
    await pushIt(fixture, await fixed(fixture));
    const [pull] = opened(fixture);
    if (pull !== undefined) pull.title = 'Let us do this';
    const files = { 'src/b.js': 'b === 1\n' };
    const second = await fixedCommit(fixture, { files, run: 'SECOND', at: 2 });
    const { lines } = await pushIt(fixture, outcomeOf(fixture, second, { run: 'SECOND' }));
    assert.is(opened(fixture)[0]?.title, 'Let us do this');
    assert.match(lines.join('\n'), 'was edited by people');
  }));

test('nothing is published for a head that a push has replaced meanwhile', () =>
  withFixture(async fixture => {
    const { repo, github } = fixture;
    const outcome = await fixed(fixture);
    await repo.commit({ 'src/c.js': 'let c = 3;\n' });
    await repo.git('push', '--quiet', 'origin', 'HEAD:topic');
    const early = await endOf(pushIt(fixture, outcome));
    assert.is(early.code, 5);
    assert.match(early.said, 'is now at');
    assert.equal(await fixture.ours(), []);
    assert.equal(github.writes(), []);
  }));

test.long('nothing is published when the head moves after everything was checked', () =>
  withFixture(async fixture => {
    const { repo, github } = fixture;
    const outcome = await fixed(fixture);
    const githubApi = await fixture.githubApi();
    // Asked once the bundle was checked.
    const login: Github['login'] = async () => {
      await repo.commit({ 'src/c.js': 'let c = 3;\n' });
      await repo.git('push', '--quiet', 'origin', 'HEAD:topic');
      return githubApi.login();
    };
    const work = pushIt(fixture, outcome, { githubApi: { ...githubApi, login } });
    assert.is((await endOf(work)).code, 5);
    assert.equal(await fixture.ours(), []);
    assert.equal(github.writes(), []);
  }),
);

test('without a pull request, push opens one to the default branch, also when that has moved on', () =>
  withFixture(async fixture => {
    const { repo, main } = fixture;
    const onMain = { ...fixture, head: main, pull: null };
    const commit = await fixedCommit(fixture, { from: main });
    await repo.git('switch', '--quiet', 'main');
    await repo.commit({ 'src/d.js': 'd();\n' });
    await repo.git('push', '--quiet', 'origin', 'main');
    await pushIt(fixture, outcomeOf(onMain, commit));
    assert.is(opened(fixture)[0]?.base, 'main');
    assert.equal(answers(fixture), []);
  }));

test('push refuses a commit that no branch of the repository has', () =>
  withFixture(async fixture => {
    const { repo, github } = fixture;
    await repo.git('switch', '--quiet', '--detach', fixture.main);
    const lost = await repo.commit({ 'src/a.js': 'evil();\n' });
    // As a fork's commit: to be had by its id, though no branch leads to it.
    await repo.git('push', '--quiet', 'origin', `${lost}:refs/pull/99/head`);
    const commit = await fixedCommit(fixture, { from: lost });
    const end = await endOf(pushIt(fixture, outcomeOf({ head: lost, pull: null }, commit)));
    assert.is(end.code, 5);
    assert.match(end.said, 'neither in main nor the head');
    assert.equal(github.writes(), []);
    assert.equal(await fixture.ours(), []);
  }));

test('push --dry-run checks everything and writes nothing', () =>
  withFixture(async fixture => {
    const { lines } = await pushIt(fixture, await fixed(fixture), { isDryRun: true });
    assert.match(
      lines.join('\n'),
      /would push apfel-bot\/fix-lint-\w{12}, to be merged into topic/,
    );
    assert.match(lines.join('\n'), 'Fix eslint no-var (src/a.js)');
    assert.equal(fixture.github.writes(), []);
    assert.equal(await fixture.ours(), []);
  }));

test('push publishes nothing when nothing was fixed, and answers only a command', () =>
  withFixture(async fixture => {
    const diagnostics = { before: 2, after: 2, fixed: 0, introduced: 0 };
    const { branch, ...bare } = outcomeOf(fixture, fixture.head, { diagnostics, edits: [] });
    assert.ok(branch);
    await pushIt(fixture, bare);
    assert.equal(answers(fixture), []);
    await pushIt(fixture, bare, { isAnswer: true });
    await pushIt(fixture, bare, { isAnswer: true });
    assert.is(answers(fixture).length, 1);
    assert.match(answers(fixture)[0] ?? '', '0 of 2 linter diagnostics fixed, 2 left');
    assert.equal(await fixture.ours(), []);
  }));

test.long('two runs at once: one branch, one pull request, one answer each', () =>
  withFixture(async fixture => {
    const outcome = await fixed(fixture);
    await Promise.all([pushIt(fixture, outcome), pushIt(fixture, outcome)]);
    assert.is((await fixture.ours()).length, 1);
    assert.is(opened(fixture).length, 1);
    assert.is(answers(fixture).length, 1);
  }),
);

test.run();
