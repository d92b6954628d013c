import * as assert from 'uvu/assert';
import { BotError } from '../../src/core/bot-error.js';
import { readSticky, writeSticky } from '../../src/publish/own-comments.js';
import type { Request } from '../../src/respond/parse-command.js';
import { respond } from '../../src/respond/respond.js';
import { suite } from '../support/suite.js';
import {
  AFTER_NOON,
  BASE,
  COMMENT_ID,
  type ConversationFixture,
  HEAD,
  type MadeConversation,
  madeConversation,
  PULL,
  REPOSITORY,
  SELF,
  someComment,
  someEvent,
  somePull,
} from './made-conversation.js';

const test = suite('respond/respond');
const ID = '0123456789abcdef';

interface Ending {
  readonly request: Request;
  readonly githubApi: MadeConversation;
  readonly said: readonly string[];
}

async function ended(event: string, githubApi: MadeConversation): Promise<Ending> {
  const said: string[] = [];
  const around = {
    openGithubFor: async () => githubApi,
    say: (text: string) => void said.push(text),
  };
  return { request: await respond(event, around), githubApi, said };
}

/** The comment is written, GitHub sends the event, we look. */
function spoken(body: string, fixture: ConversationFixture = {}): Promise<Ending> {
  const comment = someComment({ body });
  return ended(someEvent(comment), madeConversation({ comment, ...fixture }));
}

test('a command of a person who may write becomes a request bound to base and head', async () => {
  const { request, githubApi } = await spoken('/apfel fix-lint');
  assert.equal(request, {
    version: 1,
    decision: 'run',
    reason: 'ada has write permission',
    verb: 'fix-lint',
    args: [],
    repository: REPOSITORY,
    pull: PULL,
    base: BASE,
    head: HEAD,
    headRepository: REPOSITORY,
    comment: COMMENT_ID,
  });
  assert.equal(githubApi.reactions, [[COMMENT_ID, 'eyes']]);
  assert.equal(githubApi.ours(), []);
});

test('the time of the last push is read after the head', async () => {
  const { githubApi } = await spoken('/apfel review');
  assert.ok(githubApi.calls.indexOf('headMovedAt') > githubApi.calls.indexOf('pull'));
});

test('/apfel help is answered at once', async () => {
  const { request, githubApi } = await spoken('/apfel help');
  assert.is(request.decision, 'answered');
  assert.equal(githubApi.reactions, [[COMMENT_ID, '+1']]);
  assert.match(githubApi.ours()[0] ?? '', /\| `\/apfel fix-lint \[SHA\]` \|/);
});

test('no answer that apfel-bot posts is a command', async () => {
  for (const [body, fixture] of [
    ['/apfel help', {}],
    ['/apfel reviev', {}],
    ['/apfel review', { headMovedAt: AFTER_NOON }],
    ['/apfel review', { permission: 'read' }],
    [`/apfel ignore ${ID}`, {}],
  ] as const) {
    const { githubApi } = await spoken(body, fixture);
    assert.ok(githubApi.ours().length > 0);
    for (const ours of githubApi.ours()) assert.not.match(ours, /^\/apfel/m);
  }
});

test('a misspelt command is answered with the right one', async () => {
  const { request, githubApi } = await spoken('/apfel reveiw');
  assert.is(request.decision, 'refuse');
  assert.is(request.verb, null);
  assert.equal(githubApi.reactions, [[COMMENT_ID, 'confused']]);
  assert.match(githubApi.ours()[0] ?? '', /did you mean `\/apfel review`\?\)\./);
});

test('a command after a push is answered with the command to repeat', async () => {
  const { request, githubApi } = await spoken('/apfel describe', { headMovedAt: AFTER_NOON });
  assert.is(request.decision, 'refuse');
  assert.match(githubApi.ours()[0] ?? '', new RegExp(`^ {4}/apfel describe ${HEAD}$`, 'm'));
});

test('a job that runs twice answers once', async () => {
  for (const body of ['/apfel help', '/apfel nonsense', `/apfel ignore ${ID}`]) {
    const first = await spoken(body);
    const before = first.githubApi.ours();
    const second = await ended(someEvent(someComment({ body })), first.githubApi);
    assert.equal(second.request, first.request);
    assert.equal(second.githubApi.ours(), before);
  }
});

test('people without permission get one answer for each pull request, and a reaction every time', async () => {
  const githubApi = madeConversation({ permission: 'read' });
  for (const id of [1, 2, 3]) {
    const comment = someComment({ id, author: `eve${id}` });
    const received = { ...githubApi, comment: async () => comment };
    assert.is((await ended(someEvent(comment), received)).request.decision, 'refuse');
  }
  assert.is(githubApi.ours().length, 1);
  assert.equal(
    githubApi.reactions.map(([, reaction]) => reaction),
    ['-1', '-1', '-1'],
  );
});

test('a copy of our marker by someone else does not suppress an answer', async () => {
  const earlier = [someComment({ id: 5, author: 'eve', body: '<!-- apfel-bot strangers -->' })];
  const { githubApi } = await spoken('/apfel review', { permission: 'read', earlier });
  assert.is(githubApi.ours().length, 1);
});

test('nothing is written in a locked conversation', async () => {
  const { request, githubApi } = await spoken('/apfel review', {
    pull: somePull({ isLocked: true }),
  });
  assert.is(request.decision, 'refuse');
  assert.equal(githubApi.ours(), []);
});

test('a permission that was lost since the event does not count', async () => {
  const { request } = await spoken('/apfel fix-lint', { permission: 'read' });
  assert.is(request.decision, 'refuse');
  assert.match(request.reason, /write permission/);
});

test('a finding to be ignored is remembered in the summary, which keeps its text', async () => {
  const subject = { task: 'review', head: HEAD, run: 'r', startedAt: AFTER_NOON };
  const body = writeSticky({ ignored: ['f'.repeat(16)], subject }, `Found: ${ID} is odd.`);
  const earlier = [someComment({ id: 5, author: SELF, isBot: true, body })];
  const { request, githubApi } = await spoken(`/apfel ignore ${ID}`, { earlier });
  assert.is(request.decision, 'answered');
  const sticky = readSticky(githubApi.all.find(({ id }) => id === 5)?.body ?? '');
  assert.equal(sticky, {
    ignored: ['f'.repeat(16), ID],
    subject,
    text: `Found: ${ID} is odd.`,
  });
  assert.match(githubApi.ours().at(-1) ?? '', /is now silenced on this pull request\.\n$/);
});

test('an ignored finding before the first review creates the summary', async () => {
  const { githubApi } = await spoken(`/apfel ignore ${ID}`);
  assert.equal(readSticky(githubApi.ours()[0] ?? '')?.ignored, [ID]);
  assert.match(githubApi.ours()[1] ?? '', /No comment here mentions it at the moment/);
});

test('a summary that someone else wrote is not used', async () => {
  const body = writeSticky({ ignored: [], subject: null }, 'forged');
  const earlier = [someComment({ id: 5, author: 'eve', body })];
  const { githubApi } = await spoken(`/apfel ignore ${ID}`, { earlier });
  assert.is(githubApi.all.find(({ id }) => id === 5)?.body, body);
  assert.is(githubApi.ours().length, 2);
});

test('a reaction that fails does not keep the command from running', async () => {
  const githubApi = madeConversation();
  const deaf = {
    ...githubApi,
    react: async () => {
      throw new BotError('not-permitted', 'the token may not react');
    },
  };
  const { request, said } = await ended(someEvent(), deaf);
  assert.is(request.decision, 'run');
  assert.equal(said, ['apfel-bot: could not react to the comment: the token may not react']);
});

test('a refusal stays a refusal even if its answer cannot be posted', async () => {
  const githubApi = madeConversation({ permission: 'none' });
  const mute = {
    ...githubApi,
    createComment: async () => {
      throw new BotError('not-permitted', 'the token may not comment');
    },
  };
  const { request, said } = await ended(someEvent(), mute);
  assert.is(request.decision, 'refuse');
  assert.equal(said, ['apfel-bot: could not post the refusal: the token may not comment']);
});

test('an ignored finding that cannot be stored is a failure', async () => {
  const githubApi = madeConversation({ comment: someComment({ body: `/apfel ignore ${ID}` }) });
  const mute = {
    ...githubApi,
    createComment: async () => {
      throw new BotError('not-permitted', 'the token may not comment');
    },
  };
  const ending = await ended(someEvent(someComment({ body: `/apfel ignore ${ID}` })), mute).catch(
    thrown => thrown,
  );
  assert.instance(ending, BotError);
});

test.run();
