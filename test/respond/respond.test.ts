import * as assert from 'uvu/assert';
import { BotError } from '../../src/core/failure.js';
import type { Request } from '../../src/core/request.js';
import { readSticky, writeSticky } from '../../src/core/sticky.js';
import { respond } from '../../src/respond/respond.js';
import { suite } from '../support/suite.js';
import {
  AFTER_NOON,
  BASE,
  COMMENT_ID,
  HEAD,
  type MadeConversation,
  madeConversation,
  PULL,
  REPOSITORY,
  type Scene,
  SELF,
  someComment,
  someEvent,
  somePull,
} from './made-conversation.js';

const test = suite('respond');
const ID = '0123456789abcdef';

interface Ending {
  readonly request: Request;
  readonly forge: MadeConversation;
  readonly said: readonly string[];
}

async function ended(event: string, forge: MadeConversation): Promise<Ending> {
  const said: string[] = [];
  const around = { openForge: async () => forge, say: (text: string) => void said.push(text) };
  return { request: await respond(event, around), forge, said };
}

/** The comment is written, GitHub sends the event, we look. */
function spoken(body: string, scene: Scene = {}): Promise<Ending> {
  const comment = someComment({ body });
  return ended(someEvent(comment), madeConversation({ comment, ...scene }));
}

test('a command of somebody who may write becomes a request bound to both ends', async () => {
  const { request, forge } = await spoken('/apfel fix-lint');
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
  assert.equal(forge.reactions, [[COMMENT_ID, 'eyes']]);
  assert.equal(forge.ours(), []);
});

test('when the head moved is asked after what the head is', async () => {
  const { forge } = await spoken('/apfel review');
  assert.ok(forge.calls.indexOf('headMovedAt') > forge.calls.indexOf('pull'));
});

test('help is answered at once', async () => {
  const { request, forge } = await spoken('/apfel help');
  assert.is(request.decision, 'answered');
  assert.equal(forge.reactions, [[COMMENT_ID, '+1']]);
  assert.match(forge.ours()[0] ?? '', /\| `\/apfel fix-lint \[SHA\]` \|/);
});

test('no answer of ours is a command', async () => {
  for (const [body, scene] of [
    ['/apfel help', {}],
    ['/apfel reviev', {}],
    ['/apfel review', { headMovedAt: AFTER_NOON }],
    ['/apfel review', { permission: 'read' }],
    [`/apfel ignore ${ID}`, {}],
  ] as const) {
    const { forge } = await spoken(body, scene);
    assert.ok(forge.ours().length > 0);
    for (const ours of forge.ours()) assert.not.match(ours, /^\/apfel/m);
  }
});

test('a wrong verb is answered with the right one', async () => {
  const { request, forge } = await spoken('/apfel reveiw');
  assert.is(request.decision, 'refuse');
  assert.is(request.verb, null);
  assert.equal(forge.reactions, [[COMMENT_ID, 'confused']]);
  assert.match(forge.ours()[0] ?? '', /did you mean `\/apfel review`\?/);
});

test('a push in between is answered with the command to repeat', async () => {
  const { request, forge } = await spoken('/apfel describe', { headMovedAt: AFTER_NOON });
  assert.is(request.decision, 'refuse');
  assert.match(forge.ours()[0] ?? '', new RegExp(`^ {4}/apfel describe ${HEAD}$`, 'm'));
});

test('run twice, the same job answers once', async () => {
  for (const body of ['/apfel help', '/apfel nonsense', `/apfel ignore ${ID}`]) {
    const first = await spoken(body);
    const before = first.forge.ours();
    const second = await ended(someEvent(someComment({ body })), first.forge);
    assert.equal(second.request, first.request);
    assert.equal(second.forge.ours(), before);
  }
});

test('strangers are told once for each pull request, and get a reaction every time', async () => {
  const forge = madeConversation({ permission: 'read' });
  for (const id of [1, 2, 3]) {
    const comment = someComment({ id, author: `eve${id}` });
    const heard = { ...forge, comment: async () => comment };
    assert.is((await ended(someEvent(comment), heard)).request.decision, 'refuse');
  }
  assert.is(forge.ours().length, 1);
  assert.equal(
    forge.reactions.map(([, reaction]) => reaction),
    ['-1', '-1', '-1'],
  );
});

test("a stranger's copy of our mark does not keep us silent", async () => {
  const earlier = [someComment({ id: 5, author: 'eve', body: '<!-- apfel-bot strangers -->' })];
  const { forge } = await spoken('/apfel review', { permission: 'read', earlier });
  assert.is(forge.ours().length, 1);
});

test('in a locked conversation nothing is written', async () => {
  const { request, forge } = await spoken('/apfel review', { pull: somePull({ isLocked: true }) });
  assert.is(request.decision, 'refuse');
  assert.equal(forge.ours(), []);
});

test('whoever had the permission when the event was sent may have lost it since', async () => {
  const { request } = await spoken('/apfel fix-lint', { permission: 'read' });
  assert.is(request.decision, 'refuse');
  assert.match(request.reason, /write permission/);
});

test('a finding to be ignored is remembered in the summary, which keeps its text', async () => {
  const subject = { task: 'review', head: HEAD, run: 'r', startedAt: AFTER_NOON };
  const body = writeSticky({ ignored: ['f'.repeat(16)], subject }, `Found: ${ID} is odd.`);
  const earlier = [someComment({ id: 5, author: SELF, isBot: true, body })];
  const { request, forge } = await spoken(`/apfel ignore ${ID}`, { earlier });
  assert.is(request.decision, 'answered');
  const sticky = readSticky(forge.all.find(({ id }) => id === 5)?.body ?? '');
  assert.equal(sticky, {
    ignored: ['f'.repeat(16), ID],
    subject,
    text: `Found: ${ID} is odd.`,
  });
  assert.match(forge.ours().at(-1) ?? '', /stays silent on this pull request from now on\.\n$/);
});

test('before the first review there is a summary for it all the same', async () => {
  const { forge } = await spoken(`/apfel ignore ${ID}`);
  assert.equal(readSticky(forge.ours()[0] ?? '')?.ignored, [ID]);
  assert.match(forge.ours()[1] ?? '', /Nothing here speaks of it at present/);
});

test("somebody else's summary is not believed", async () => {
  const body = writeSticky({ ignored: [], subject: null }, 'forged');
  const earlier = [someComment({ id: 5, author: 'eve', body })];
  const { forge } = await spoken(`/apfel ignore ${ID}`, { earlier });
  assert.is(forge.all.find(({ id }) => id === 5)?.body, body);
  assert.is(forge.ours().length, 2);
});

test('a reaction that fails does not keep the command from running', async () => {
  const forge = madeConversation();
  const deaf = {
    ...forge,
    react: async () => {
      throw new BotError('not-permitted', 'the token may not react');
    },
  };
  const { request, said } = await ended(someEvent(), deaf);
  assert.is(request.decision, 'run');
  assert.equal(said, ['apfel-bot: there is no reaction to the comment: the token may not react']);
});

test('a refusal stays one when it cannot be told', async () => {
  const forge = madeConversation({ permission: 'none' });
  const mute = {
    ...forge,
    createComment: async () => {
      throw new BotError('not-permitted', 'the token may not comment');
    },
  };
  const { request, said } = await ended(someEvent(), mute);
  assert.is(request.decision, 'refuse');
  assert.equal(said, ['apfel-bot: the refusal was not told: the token may not comment']);
});

test('an ignored finding that cannot be remembered is a failure', async () => {
  const forge = madeConversation({ comment: someComment({ body: `/apfel ignore ${ID}` }) });
  const mute = {
    ...forge,
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
