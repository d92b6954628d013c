import * as assert from 'uvu/assert';
import type { Github } from '../../src/github/github.js';
import { readSticky, writeSticky } from '../../src/publish/own-comments.js';
import { suite } from '../support/suite.js';
import { DEBUGGER, LOGIN, NINE, outcomeOf, postIt, type Scene, withScene } from './post-scene.js';

const test = suite('post while somebody says /apfel ignore');

const ID = '0123456789abcdef';
/** The summary as `/apfel ignore` writes it. */
function ignoring(body: string, id: string): string | undefined {
  const sticky = readSticky(body);
  return sticky && writeSticky({ ...sticky, ignored: [...sticky.ignored, id] }, sticky.text);
}

const LATER = { run: 'SECOND', startedAt: '2027-01-01T00:00:00Z' };

/** Posted once; what it says is about to change. */
async function started({ githubApi, head }: Scene): Promise<void> {
  await postIt(await githubApi(), outcomeOf(await head(), [DEBUGGER, NINE]));
}

const bodyOf = ({ github }: Scene): string => github.state.comments[0]?.body ?? '';

function write({ github }: Scene, body: string | undefined): void {
  const [comment] = github.state.comments;
  if (comment !== undefined && body !== undefined) comment.body = body;
}

test('an id that comes between our look and our write is kept', () =>
  withScene(async scene => {
    await started(scene);
    const there = await scene.githubApi();
    let reads = 0;
    const githubApi: Github = {
      ...there,
      comment: async id => {
        reads += 1;
        if (reads === 1) write(scene, ignoring(bodyOf(scene), ID));
        return there.comment(id);
      },
    };
    await postIt(githubApi, outcomeOf(await scene.head(), [DEBUGGER], LATER));
    assert.equal(readSticky(bodyOf(scene))?.ignored, [ID]);
    assert.match(bodyOf(scene), '"run":"SECOND"');
  }));

test('our text stands in the end though the other wrote the old one after us', () =>
  withScene(async scene => {
    await started(scene);
    const old = bodyOf(scene);
    const there = await scene.githubApi();
    let writes = 0;
    const githubApi: Github = {
      ...there,
      updateComment: async (id, body) => {
        await there.updateComment(id, body);
        writes += 1;
        if (writes === 1) write(scene, ignoring(old, ID));
      },
    };
    await postIt(githubApi, outcomeOf(await scene.head(), [DEBUGGER], LATER));
    assert.is(writes, 2);
    assert.equal(readSticky(bodyOf(scene))?.ignored, [ID]);
    assert.match(bodyOf(scene), '"run":"SECOND"');
    assert.match(readSticky(bodyOf(scene))?.text ?? '', '**apfel-bot: 1 warning**');
  }));

test('a reader that lags behind costs one more write and no failure', () =>
  withScene(async scene => {
    await started(scene);
    const there = await scene.githubApi();
    const old = await there.comments(1);
    let writes = 0;
    const githubApi: Github = {
      ...there,
      comment: async () => old[0],
      comments: async () => old,
      updateComment: async (id, body) => {
        writes += 1;
        await there.updateComment(id, body);
      },
    };
    await postIt(githubApi, outcomeOf(await scene.head(), [DEBUGGER], LATER));
    assert.is(writes, 2);
    assert.match(bodyOf(scene), '"run":"SECOND"');
  }));

test('of two summaries the younger one goes, and what it was asked to remember stays', () =>
  withScene(async scene => {
    const { github, githubApi, head } = scene;
    await started(scene);
    const body = writeSticky({ ignored: [ID], subject: null }, 'nothing yet');
    github.comment({ pull: 1, author: LOGIN, body });
    await postIt(await githubApi(), outcomeOf(await head(), [DEBUGGER, NINE]));
    assert.is(github.state.comments.length, 1);
    assert.equal(readSticky(bodyOf(scene))?.ignored, [ID]);
    assert.equal(github.violations, []);
  }));

test.run();
