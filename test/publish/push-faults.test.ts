import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { FAULT_KINDS } from '../../fixtures/github/faults.js';
import { EXIT } from '../../src/core/bot-error.js';
import type { RemoteRepo } from '../../src/publish/remote-repo.js';
import { notAll, suite } from '../support/suite.js';
import { openRepo } from '../support/with-repo.js';
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

const test = suite('publish/push-faults');

const READS = ['pulls/get', 'repos/get', 'POST /graphql', 'pulls/list', 'issues/list-comments'];
const WRITES = ['pulls/create', 'pulls/update', 'issues/create-comment'];

const WHOLE = [...READS, ...WRITES].flatMap(on =>
  FAULT_KINDS.filter(kind => WRITES.includes(on) || !kind.includes('after')).map(kind => ({
    on,
    kind,
  })),
);
/** Every kind and every operation; each with each takes a minute, and is left to `npm run test:all`. */
const TABLE = WHOLE.filter((_, at) => notAll === undefined || (at + Math.floor(at / 9)) % 5 === 0);

interface Prepared {
  readonly outcome: FixOutcome;
  readonly through: RemoteRepo;
  /** As before the push; with a branch and a pull request of an earlier run where that is wanted. */
  reset(isUpdate: boolean): Promise<void>;
}

async function prepare(fixture: PullFixture): Promise<Prepared> {
  const { github, repo, head } = fixture;
  const first = outcomeOf(fixture, await fixedCommit(fixture));
  await pushIt(fixture, first);
  const { pulls, comments } = github.state;
  const kept = [structuredClone(pulls), structuredClone(comments)] as const;
  const files = { 'src/b.js': 'b === 1\n' };
  const commit = await fixedCommit(fixture, { files, run: 'SECOND', at: 2 });
  const diagnostics = { before: 3, after: 2, fixed: 1, introduced: 0 };
  const outcome = outcomeOf(fixture, commit, { run: 'SECOND', diagnostics });
  return {
    outcome,
    through: await fixture.remoteRepo(),
    reset: async isUpdate => {
      const refspec = isUpdate ? `+${first.branch?.commit}` : '';
      const ref = `refs/heads/${branchFor(head)}`;
      await repo.git('push', '--quiet', 'origin', `${refspec}:${ref}`);
      pulls.splice(0, pulls.length, ...structuredClone(kept[0].slice(0, isUpdate ? 2 : 1)));
      comments.splice(0, comments.length);
    },
  };
}

const opened = ({ github }: PullFixture) =>
  github.state.pulls.filter(({ author }) => author === LOGIN);

/** Nothing twice. Whether anything is missing is only asked at the end. */
function mustBeSingle(fixture: PullFixture, title: string): void {
  assert.ok(opened(fixture).length <= 1, `${title}: ${opened(fixture).length} pull requests`);
  assert.ok(fixture.github.state.comments.length <= 1, `${title}: answers`);
}

async function mustBeWhole(
  fixture: PullFixture,
  { outcome }: Prepared,
  title: string,
): Promise<void> {
  assert.is(opened(fixture).length, 1, `${title}: the pull request`);
  assert.match(opened(fixture)[0]?.body ?? '', 'Fixes 1 of 3', title);
  assert.is(fixture.github.state.comments.length, 1, `${title}: the answer`);
  const ref = `refs/heads/${branchFor(fixture.head)}`;
  assert.equal(await fixture.ours(), [`${outcome.branch?.commit}\t${ref}`], title);
}

test('every fault on every operation of push ends clearly, with nothing pushed twice or lost', () =>
  withFixture(async fixture => {
    const { github } = fixture;
    const prepared = await prepare(fixture);
    const { outcome, through, reset } = prepared;
    const met: string[] = [];
    for (const { on, kind } of TABLE) {
      const title = `${kind} on ${on}`;
      await reset(on === 'pulls/update');
      github.addFault({ on, kind, delayMs: 5, waitSeconds: 0 });
      const { code } = await endOf(pushIt(fixture, outcome, { through }));
      assert.ok(code === 0 || code === 5, `${title}: exit ${code}`);
      if (github.requests.some(({ fault }) => fault === kind)) met.push(title);
      mustBeSingle(fixture, title);
      await pushIt(fixture, outcome, { through });
      mustBeSingle(fixture, title);
      await mustBeWhole(fixture, prepared, title);
    }
    assert.is(met.length, TABLE.length, 'each fault was met');
    assert.equal(github.violations, []);
    await through.remove();
  }));

test('a git push that fails before or after it took effect is done once', () =>
  withFixture(async fixture => {
    const { github } = fixture;
    const prepared = await prepare(fixture);
    const { outcome, through, reset } = prepared;
    for (const isUpdate of [false, true]) {
      for (const kind of ['error', 'error-after-write', 'reset', 'reset-after-write'] as const) {
        const title = `${kind} on ${isUpdate ? 'an update' : 'a new branch'}`;
        await reset(isUpdate);
        const before = github.gitRequests.filter(({ status }) => status !== 200).length;
        github.addFault({ on: 'git-push', kind });
        const { lines } = await pushIt(fixture, outcome, { through });
        assert.match(lines.join('\n'), isUpdate ? /branch \S+ updated/ : /branch \S+ pushed/);
        const failed = github.gitRequests.filter(({ status }) => status !== 200).length - before;
        assert.ok(failed >= 1, `${title} was met`);
        await mustBeWhole(fixture, prepared, title);
      }
    }
    await reset(false);
    github.addFault({ on: 'git-push', kind: 'error', times: 100 });
    const end = await endOf(pushIt(fixture, outcome, { through }));
    assert.is(end.code, 5);
    assert.match(end.said, /could not reach GitHub.*502[\s\S]*nothing is pushed twice/);
    await through.remove();
  }));

test('a push that was killed between any two calls is completed by the next run', () =>
  withFixture(async fixture => {
    const { github } = fixture;
    const prepared = await prepare(fixture);
    const { outcome, through, reset } = prepared;
    for (let answers = 1; answers <= 30; answers += 1) {
      await reset(false);
      const before = github.requests.length;
      github.crashAfter(answers);
      const { code } = await endOf(pushIt(fixture, outcome, { through }));
      github.recover();
      mustBeSingle(fixture, `after ${answers} answers`);
      await pushIt(fixture, outcome, { through });
      await mustBeWhole(fixture, prepared, `after ${answers} answers`);
      if (code !== 0) continue;
      assert.ok(github.requests.length - before > answers);
      return through.remove();
    }
    assert.unreachable('no run came through without a crash');
  }));

test('a push to a branch that is checked out at the receiver fails with that reason', () =>
  withFixture(async fixture => {
    await pushIt(fixture, outcomeOf(fixture, await fixedCommit(fixture)));
    const hub = openRepo(join(fixture.dir, 'hub.git'));
    await mkdir(join(fixture.dir, 'checkout'));
    await hub.git('config', 'core.bare', 'false');
    await hub.git('config', 'core.worktree', join(fixture.dir, 'checkout'));
    await hub.git('--work-tree=../checkout', 'checkout', '--quiet', branchFor(fixture.head));
    const files = { 'src/b.js': 'b === 1\n' };
    const commit = await fixedCommit(fixture, { files, run: 'SECOND', at: 2 });
    const { code, said } = await endOf(
      pushIt(fixture, outcomeOf(fixture, commit, { run: 'SECOND' })),
    );
    assert.is(code, EXIT['not-permitted'], said);
    assert.match(said, 'branch is currently checked out');
    assert.match(said, 'Push to a bare repository, or check out another branch there');
    assert.not.match(said, 'A rule of the repository');
  }));

test.run();
