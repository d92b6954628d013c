import * as assert from 'uvu/assert';
import { isBotError } from '../../src/core/bot-error.js';
import { workflowRunUrl } from '../../src/github/target.js';
import type { RunRequest } from '../../src/respond/parse-command.js';
import { reportFailure } from '../../src/respond/respond.js';
import { suite } from '../support/suite.js';
import {
  BASE,
  COMMENT_ID,
  HEAD,
  madeConversation,
  PULL,
  REPOSITORY,
  someComment,
} from './made-conversation.js';

const test = suite('respond/report-failure');

const REQUEST: RunRequest = {
  version: 1,
  decision: 'run',
  reason: 'ada has write permission',
  verb: 'review',
  args: [],
  repository: REPOSITORY,
  pull: PULL,
  base: BASE,
  head: HEAD,
  headRepository: REPOSITORY,
  comment: COMMENT_ID,
};

const RUN = 'https://github.com/ada/engine/actions/runs/77';

test('the comment about a failure says what failed and where the log is', async () => {
  const githubApi = madeConversation();
  await reportFailure(REQUEST, githubApi, RUN);
  assert.equal(githubApi.ours(), [
    '<!-- apfel-bot failure to 41 -->\n`/apfel review` failed without a result. ' +
      `See the log: ${RUN}\n`,
  ]);
});

test('a second failure changes the first comment instead of adding one', async () => {
  const githubApi = madeConversation();
  for (const run of [RUN, RUN, `${RUN}8`, undefined]) await reportFailure(REQUEST, githubApi, run);
  assert.is(githubApi.ours().length, 1);
  assert.is(githubApi.calls.filter(call => call === 'updateComment').length, 2);
  assert.match(githubApi.ours()[0] ?? '', /see the log of the run/);
});

const FORGED: ReadonlyArray<readonly [title: string, request: Partial<RunRequest>]> = [
  ['another repository', { repository: 'eve/engine' }],
  ['another pull request', { pull: 8 }],
  ['another comment', { comment: 42 }],
  ['no comment', { comment: null }],
  ['another verb', { verb: 'fix-lint' }],
];
for (const [title, parts] of FORGED) {
  test(`nothing is written for a request that names ${title}`, async () => {
    const githubApi = madeConversation();
    const thrown = await reportFailure({ ...REQUEST, ...parts }, githubApi, RUN).catch(why => why);
    assert.ok(isBotError(thrown) && thrown.code === 'not-permitted');
    assert.equal(githubApi.ours(), []);
  });
}

test("nothing is written under a bot's comment", async () => {
  for (const parts of [{ isBot: true }, { author: 'ada[bot]' }]) {
    const githubApi = madeConversation({ comment: someComment(parts) });
    const thrown = await reportFailure(REQUEST, githubApi, RUN).catch(why => why);
    assert.ok(isBotError(thrown) && thrown.code === 'not-permitted');
  }
});

const HERE = { GITHUB_REPOSITORY: REPOSITORY, GITHUB_RUN_ID: '77' };

test("the link to the run is made from the runner's variables", () => {
  assert.is(workflowRunUrl(HERE), RUN);
  const own = { ...HERE, GITHUB_SERVER_URL: 'https://git.example.test:8443' };
  assert.is(workflowRunUrl(own), 'https://git.example.test:8443/ada/engine/actions/runs/77');
});

for (const odd of [
  { GITHUB_RUN_ID: '' },
  { GITHUB_RUN_ID: '77) [x](http://evil.example' },
  { GITHUB_REPOSITORY: 'ada/engine/..' },
  { GITHUB_SERVER_URL: 'javascript:alert(1)//' },
  { GITHUB_SERVER_URL: 'https://a@b/c' },
]) {
  test(`no link to a run is made of ${JSON.stringify(odd)}`, () => {
    assert.is(workflowRunUrl({ ...HERE, ...odd }), undefined);
  });
}

test.run();
