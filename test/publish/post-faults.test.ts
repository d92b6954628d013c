import * as assert from 'uvu/assert';
import { FAULT_KINDS, type FaultKind } from '../../fixtures/github/faults.js';
import type { PostJob } from '../../src/publish/post.js';
import { notAll, suite } from '../support/suite.js';
import {
  DEBUGGER,
  exitOf,
  LOGIN,
  NINE,
  outcomeOf,
  type PullFixture,
  postIt,
  withFixture,
  withLines,
} from './post-fixture.js';

const test = suite('publish/post-faults');

/** To a read it makes no difference whether anything was written. */
const ON_READS: readonly FaultKind[] = ['primary-limit', 'error', 'reset', 'truncated'];

/** Every operation that `post` uses, in a scene where each of them has something to do. */
const READS = [
  'pulls/get',
  'POST /graphql',
  'pulls/list-files',
  'pulls/list-review-comments',
  'issues/list-comments',
  'issues/get-comment',
  'checks/list-for-ref',
  'repos/get-content',
];
const WRITES = [
  'pulls/delete-review-comment',
  'pulls/create-review',
  'issues/create-comment',
  'issues/update-comment',
  'checks/create',
  'checks/update',
];
const WHOLE = [
  ...READS.flatMap(on => ON_READS.map(kind => ({ on, kind }))),
  ...WRITES.flatMap(on => FAULT_KINDS.map(kind => ({ on, kind }))),
];

/** Every kind and every operation; each with each takes a minute, and is left to `npm run test:all`. */
const TABLE = WHOLE.filter((_, at) => notAll === undefined || (at + Math.floor(at / 9)) % 5 === 0);

interface Prepared {
  /** As after the first push: two comments at lines and a summary, all of them ours. */
  readonly reset: () => void;
  readonly second: PostJob['outcome'];
}

async function prepare({ github, push, githubApi, head }: PullFixture): Promise<Prepared> {
  await postIt(await githubApi(), outcomeOf(await head(), [DEBUGGER, NINE]));
  const changed = { 9: 'const nine = 10;\n', 20: 'debugger; // 20\n' };
  const fresh = await push({ 'src/a.js': withLines(changed) });
  const added = { ...DEBUGGER, line: 20, endLine: 20, evidence: 'debugger; // 20' };
  // More than one portion of annotations.
  const many = Array.from({ length: 58 }, (_, at) => ({
    ...NINE,
    severity: 'info' as const,
    rule: `model/m${at}`,
  }));
  const { comments, reviews, reviewComments, checks } = github.state;
  const lists: ReadonlyArray<object[]> = [comments, reviews, reviewComments, checks];
  const kept = lists.map(list => structuredClone(list));
  return {
    reset: () => {
      for (const [at, list] of lists.entries()) list.splice(0, list.length, ...clones(kept[at]));
    },
    second: outcomeOf(fresh, [added, NINE, ...many], { run: 'SECOND' }),
  };
}

const clones = (list: object[] = []): object[] => structuredClone(list);

/** Nothing twice. Whether anything is missing is only asked at the end. */
function mustBeSingle({ github }: PullFixture, title: string): void {
  const own = github.state.comments.filter(({ author }) => author === LOGIN);
  assert.ok(own.length <= 1, `${title}: ${own.length} summaries`);
  const marks = github.state.reviewComments.map(({ body }) => body.split('\n', 1)[0]);
  assert.is(new Set(marks).size, marks.length, `${title}: comments twice`);
}

function mustBeWhole({ github }: PullFixture, title: string): void {
  const { comments, reviewComments, checks } = github.state;
  assert.is(comments.length, 1, `${title}: the summary`);
  assert.match(comments[0]?.body ?? '', '"run":"SECOND"');
  const at = reviewComments.map(({ line }) => line);
  assert.not.ok(at.includes(5), `${title}: the fixed one is gone`);
  assert.ok(at.includes(20) && at.includes(9), `${title}: those that stand are there`);
  assert.is(at.length, 20, `${title}: as many as the limit allows`);
  const newest = checks.at(-1);
  assert.is(newest?.conclusion, 'failure', title);
  assert.is(newest?.annotations.length, 60, `${title}: annotations, none twice`);
}

const options = { withCheck: true };

test('every fault on every operation of post ends clearly, with nothing posted twice or lost', () =>
  withFixture(async fixture => {
    const { github, githubApi } = fixture;
    const { reset, second } = await prepare(fixture);
    let met = 0;
    for (const { on, kind } of TABLE) {
      const title = `${kind} on ${on}`;
      const before = github.requests.length;
      reset();
      if (on === 'issues/create-comment') github.state.comments.length = 0;
      github.addFault({ on, kind, delayMs: 5, waitSeconds: 0 });
      const exit = await exitOf(postIt(await githubApi(), second, options));
      assert.ok(exit === 0 || exit === 5, `${title}: exit ${exit}`);
      if (github.requests.slice(before).some(({ fault }) => fault === kind)) met += 1;
      mustBeSingle(fixture, title);
      await postIt(await githubApi(), second, options);
      mustBeSingle(fixture, title);
      mustBeWhole(fixture, title);
    }
    assert.is(met, TABLE.length, 'each fault was met');
    assert.equal(github.violations, []);
  }));

test('a post that was killed between any two calls is completed by the next run', () =>
  withFixture(async fixture => {
    const { github, githubApi } = fixture;
    const { reset, second } = await prepare(fixture);
    for (let answers = 1; answers <= 40; answers += 1) {
      reset();
      const before = github.requests.length;
      github.crashAfter(answers);
      const exit = await exitOf(postIt(await githubApi(), second, options));
      github.recover();
      mustBeSingle(fixture, `after ${answers} answers`);
      await postIt(await githubApi(), second, options);
      mustBeWhole(fixture, `after ${answers} answers`);
      if (exit === 0 && github.requests.length - before > answers) return;
    }
    assert.unreachable('no run came through without a crash');
  }));

test('post exits 5 at its deadline when a fault does not pass', () =>
  withFixture(async fixture => {
    const { github, githubApi, head } = fixture;
    const outcome = outcomeOf(await head(), [DEBUGGER]);
    for (const kind of ['error', 'reset', 'primary-limit', 'secondary-limit'] as const) {
      github.addFault({ on: 'POST', kind, times: 1000, waitSeconds: 3600 });
      assert.is(await exitOf(postIt(await githubApi({ deadlineMs: 4000 }), outcome)), 5, kind);
    }
    assert.is(github.state.comments.length, 0);
  }));

test.run();
