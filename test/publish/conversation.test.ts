import * as assert from 'uvu/assert';
import type { AnswerOutcome, DescriptionOutcome } from '../../src/core/outcome.js';
import { targetsOf } from '../../src/publish/post-command.js';
import { EMPTY } from '../report/sample-outcome.js';
import { apfelBot } from '../support/cli.js';
import { suite } from '../support/suite.js';
import {
  DEBUGGER,
  exitOf,
  keepOutcome,
  NINE,
  outcomeOf,
  postIt,
  REPOSITORY,
  withFixture,
  withLines,
  writesOf,
} from './post-fixture.js';

const test = suite('publish/conversation');

const { version, run, startedAt, durationMs, model, limits, notices, ledger } = EMPTY;
const SHARED = { version, run, startedAt, durationMs, model, limits, notices, complete: true };
const ANSWER: AnswerOutcome = {
  ...SHARED,
  task: 'ask',
  answer: { text: 'It is in @you.', sources: [{ path: 'src/a.js', line: 5 }] },
};
const describing = (head: string): DescriptionOutcome => ({
  ...SHARED,
  task: 'describe',
  change: { ...EMPTY.change, head, repository: REPOSITORY, pull: 1 },
  ledger,
  description: { title: 'A thing', body: 'It does a thing.' },
});

test('an answer is posted once for its run, also when two post it and an answer gets lost', () =>
  withFixture(async ({ github, githubApi }) => {
    github.addFault({ on: 'issues/create-comment', kind: 'reset-after-write' });
    const forges = await Promise.all([1, 2].map(() => githubApi()));
    await Promise.all(forges.map(each => postIt(each, ANSWER)));
    const again = await postIt(await githubApi(), ANSWER);
    assert.match(again.lines[0] ?? '', /^comment unchanged/);
    assert.is(github.state.comments.length, 1);
    await postIt(await githubApi(), { ...ANSWER, run: 'ANOTHER' });
    assert.is(github.state.comments.length, 2);
    assert.equal(github.violations, []);
  }));

test('a marker that someone else wrote does not suppress an answer', () =>
  withFixture(async ({ github, githubApi }) => {
    github.comment({ pull: 1, author: 'mallory', body: `<!-- apfel-bot:ask ${run} -->` });
    await postIt(await githubApi(), ANSWER);
    assert.is(github.state.comments.length, 2);
  }));

test('a description is posted only for the head it describes', () =>
  withFixture(async ({ github, githubApi, head, push }) => {
    const outcome = describing(await head());
    await postIt(await githubApi(), outcome);
    await postIt(await githubApi(), outcome);
    assert.is(github.state.comments.length, 1);
    assert.match(github.state.comments[0]?.body ?? '', '### A thing');
    await push({ 'src/a.js': withLines({ 2: 'x\n' }) });
    assert.is(await exitOf(postIt(await githubApi(), { ...outcome, run: 'LATE' })), 5);
  }));

test('a check run is created once for one result, and again for another', () =>
  withFixture(async ({ github, githubApi, head }) => {
    const outcome = outcomeOf(await head(), [DEBUGGER]);
    const options = { withCheck: true, pull: undefined };
    await postIt(await githubApi(), outcome, options);
    await postIt(await githubApi(), { ...outcome, run: 'AGAIN', durationMs: 9 }, options);
    assert.is(github.state.checks.length, 1);
    assert.is(github.state.comments.length, 0, 'no pull request was named');
    await postIt(await githubApi(), outcomeOf(await head(), [NINE]), options);
    await postIt(await githubApi(), outcome, options);
    assert.equal(
      github.state.checks.map(({ conclusion, annotations }) => [conclusion, annotations.length]),
      [
        ['success', 1],
        ['failure', 1],
        ['success', 1],
      ],
    );
    assert.equal(github.violations, []);
  }));

test('a dry run prints what it would do, and writes nothing', () =>
  withFixture(async ({ github, githubApi, head, dir }) => {
    const outcome = outcomeOf(await head(), [DEBUGGER, NINE]);
    const dry = { isDryRun: true, withCheck: true };
    const { lines, text } = await postIt(await githubApi(), outcome, dry);
    assert.match(lines[0] ?? '', /^nothing written; would be: 2 comments posted, 0 removed/);
    assert.match(lines[1] ?? '', 'check apfel-bot would be failure');
    assert.match(text, 'src/a.js:5');
    await postIt(await githubApi(), ANSWER, dry);
    const env = { GITHUB_TOKEN: 'ghs_test', GITHUB_API_URL: github.url };
    const said = await apfelBot(['post', await keepOutcome(dir, outcome), '--dry-run'], {
      cwd: dir,
      env: { ...env, GITHUB_REPOSITORY: REPOSITORY },
    });
    assert.match(said.stdout, /^nothing written[\s\S]*src\/a\.js:5/, said.stderr);
    assert.equal(writesOf(github), []);
  }));

test('an outcome goes where it was asked to, else to its pull request, else into a note', () => {
  const outcome = outcomeOf('a'.repeat(40), []);
  const local = { ...outcome, change: { ...outcome.change, pull: null } };
  const told = (of: Parameters<typeof targetsOf>[0], parts: object): string => {
    const { pull, isNote, isCheck, onGithub } = targetsOf(of, {
      pr: undefined,
      note: false,
      check: false,
      ...parts,
    });
    return [pull ?? '-', isNote && 'note', isCheck && 'check', onGithub && 'forge']
      .filter(Boolean)
      .join(' ');
  };
  assert.is(told(outcome, {}), '1 forge');
  assert.is(told(outcome, { note: true }), '- note');
  assert.is(told(outcome, { pr: 7, note: true }), '7 note forge');
  assert.is(told(outcome, { pr: 7 }), '7 forge');
  assert.is(told(outcome, { check: true }), '1 check forge');
  assert.is(told(local, {}), '- note');
  assert.is(told(local, { check: true }), '- check forge');
  assert.is(told(ANSWER, { pr: 2 }), '2 forge');
  assert.throws(() => told(ANSWER, {}), /posted on a pull request/);
});

test.run();
