import * as assert from 'uvu/assert';
import { BotError } from '../../src/core/bot-error.js';
import { readSticky, writeSticky } from '../../src/publish/own-comments.js';
import { readOnly } from '../../src/respond/command.js';
import type { Conversation } from '../../src/respond/event.js';
import { respond } from '../../src/respond/respond.js';
import { suite } from '../support/suite.js';
import {
  HEAD,
  type MadeConversation,
  madeConversation,
  NOON,
  SELF,
  someComment,
  someEvent,
} from './made-conversation.js';

const test = suite('respond/ignore-meanwhile');

const ID = '0123456789abcdef';
const SUMMARY = 5;
const subject = { task: 'review', head: HEAD, run: 'r', startedAt: NOON };
const posted = ['f'.repeat(16)];
const command = someComment({ body: `/apfel ignore ${ID}` });

const conversation = (): MadeConversation => {
  const body = writeSticky({ ignored: [], posted, subject }, 'old');
  const summary = someComment({ id: SUMMARY, author: SELF, isBot: true, body });
  return madeConversation({ comment: command, earlier: [summary] });
};

/** Our reply takes a moment; then the review writes what it had read before. */
const overwritten = (githubApi: MadeConversation): Conversation => ({
  ...githubApi,
  createComment: async (pull, body) => {
    const newer = { ignored: [], posted, subject: { ...subject, run: 's' } };
    await githubApi.updateComment(SUMMARY, writeSticky(newer, 'new'));
    return githubApi.createComment(pull, body);
  },
});

const summaryOf = ({ all }: MadeConversation) =>
  readSticky(all.find(({ id }) => id === SUMMARY)?.body ?? '');

async function answered(githubApi: Conversation): Promise<string[]> {
  const said: string[] = [];
  const around = { openGithubFor: async () => githubApi, say: (text: string) => said.push(text) };
  const request = await respond(someEvent(command), around);
  assert.is(request.decision, 'answered');
  return said;
}

test('an ignored id is written again into a summary that changed meanwhile', async () => {
  const githubApi = conversation();
  await answered(overwritten(githubApi));
  assert.equal(summaryOf(githubApi)?.ignored, [ID]);
  assert.is(summaryOf(githubApi)?.text, 'new');
  assert.is(summaryOf(githubApi)?.subject?.run, 's');
  assert.equal(summaryOf(githubApi)?.posted, posted);
});

test('an ignored id is written once when the summary did not change', async () => {
  const githubApi = conversation();
  await answered(githubApi);
  assert.equal(summaryOf(githubApi)?.ignored, [ID]);
  assert.is(githubApi.calls.filter(call => call === 'updateComment').length, 1);
});

test('respond --dry-run prints once what it would write', async () => {
  const githubApi = conversation();
  const said: string[] = [];
  await answered(readOnly(githubApi, text => said.push(text)));
  assert.is(said.filter(text => text.startsWith('would change comment 5')).length, 1);
  assert.equal(summaryOf(githubApi)?.ignored, []);
});

test('a failed second read of the summary is reported, and the answer stays', async () => {
  const githubApi = conversation();
  let looks = 0;
  const failing: Conversation = {
    ...githubApi,
    comments: async pull => {
      looks += 1;
      if (looks === 3) throw new BotError('publish-failed', 'GitHub is away');
      return githubApi.comments(pull);
    },
  };
  const said = await answered(failing);
  assert.match(said.join('\n'), 'could not check the summary again: GitHub is away');
});

test.run();
