import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import * as assert from 'uvu/assert';
import { isBotError } from '../../src/core/bot-error.js';
import type { Request } from '../../src/respond/parse-command.js';
import { respond } from '../../src/respond/respond.js';
import { suite } from '../support/suite.js';
import {
  COMMENT_ID,
  type MadeConversation,
  madeConversation,
  PULL,
  REPOSITORY,
  someComment,
  someEvent,
} from './made-conversation.js';

type Payload = Record<string, unknown>;

interface Definition {
  readonly name: string;
  readonly examples: readonly Payload[];
}

const home = dirname(
  createRequire(import.meta.url).resolve('@octokit/webhooks-examples/package.json'),
);

const definitionsOf = (server: string): Definition[] =>
  JSON.parse(readFileSync(join(home, server, 'index.json'), 'utf8'));

const decide = (event: string, githubApi: MadeConversation): Promise<Request> =>
  respond(event, { openGithubFor: async () => githubApi, say: () => undefined });

/** Nothing may be written, and no token asked for. */
async function ignoredUnheard(event: string): Promise<string> {
  const openGithubFor = () => Promise.reject(new Error('the forge was opened'));
  const request = await respond(event, { openGithubFor, say: () => undefined });
  assert.is(request.decision, 'ignore');
  return request.reason;
}

const test = suite('respond/events');

const servers = readdirSync(home).filter(name => /^(api\.github\.com|ghes-\d+)$/.test(name));

test("GitHub's examples of events are found", () => {
  const count = definitionsOf('api.github.com').flatMap(({ examples }) => examples).length;
  assert.ok(count >= 329, `${count} payloads`);
  assert.ok(servers.length >= 6, servers.join());
});

for (const server of servers) {
  test(`no event of ${server} is a command as it stands`, async () => {
    for (const { name, examples } of definitionsOf(server)) {
      for (const example of examples) {
        const reason = await ignoredUnheard(JSON.stringify(example));
        assert.is(reason, expected(name, example), name);
      }
    }
  });

  test(`of all events of ${server}, only a new comment on a pull request becomes a command`, async () => {
    for (const { name, examples } of definitionsOf(server)) {
      for (const example of examples) {
        const githubApi = madeConversation({ comment: someComment({ author: 'Codertocat' }) });
        const { decision } = await decide(JSON.stringify(asCommand(example)), githubApi);
        const isOurs = name === 'issue_comment' && example['action'] === 'created';
        assert.is(decision, isOurs ? 'run' : 'ignore', name);
        assert.is(githubApi.calls.includes('react'), isOurs, name);
      }
    }
  });
}

function expected(name: string, { action }: Payload): string {
  if (name !== 'issue_comment') return "the event isn't a comment on a pull request";
  return action === 'created'
    ? 'the comment is on an issue, not on a pull request'
    : 'only new comments are read';
}

/** The same event, had the comment been a command on our pull request, by the schema of GitHub. */
function asCommand(example: Payload): Payload {
  const { comment, issue } = example;
  const repository = { ...fields(example['repository']), full_name: REPOSITORY };
  const url = `https://api.github.com/repos/${REPOSITORY}/pulls/${PULL}`;
  return {
    ...example,
    repository,
    ...(comment !== undefined && {
      comment: { ...fields(comment), id: COMMENT_ID, body: '/apfel review' },
    }),
    ...(issue !== undefined && {
      issue: { ...fields(issue), number: PULL, pull_request: { url, merged_at: null } },
    }),
  };
}

const fields = (value: unknown): Payload => (value ?? {}) as Payload;

test('an event with any part missing or of another kind is ignored or decided, never a crash', async () => {
  const whole = fields(JSON.parse(someEvent()));
  const odd: readonly unknown[] = [
    undefined,
    null,
    [],
    {},
    '',
    'x'.repeat(100_000),
    -1,
    0,
    1.5,
    1e300,
    true,
    { login: [], type: {}, id: '41', full_name: 7 },
  ];
  let count = 0;
  for (const path of pathsOf(whole)) {
    for (const value of odd) {
      const githubApi = madeConversation();
      const { decision } = await decide(JSON.stringify(replaced(whole, path, value)), githubApi);
      assert.ok(['ignore', 'run', 'refuse'].includes(decision));
      count += 1;
    }
  }
  assert.ok(count > 200, `${count} events`);
});

function pathsOf(value: unknown, path: readonly string[] = []): string[][] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => [
    [...path, key],
    ...pathsOf(inner, [...path, key]),
  ]);
}

function replaced(whole: Payload, [key = '', ...rest]: readonly string[], value: unknown): Payload {
  const inner = rest.length === 0 ? value : replaced(fields(whole[key]), rest, value);
  return { ...whole, [key]: inner };
}

for (const text of ['', '{', '[]', '"/apfel review"', 'null', '\0']) {
  test(`text that is not an event is a usage error: ${JSON.stringify(text)}`, async () => {
    const ending = await decide(text, madeConversation()).catch(thrown => thrown);
    assert.ok(isBotError(ending) && ending.code === 'usage');
  });
}

const BYPASSES: ReadonlyArray<readonly [title: string, event: string]> = [
  ['an edited comment', someEvent(someComment(), { action: 'edited' })],
  ['a deleted comment', someEvent(someComment(), { action: 'deleted' })],
  ['a comment on an issue', someEvent(someComment(), { issue: { number: PULL } })],
  [
    'an issue that says false',
    someEvent(someComment(), { issue: { number: PULL, pull_request: false } }),
  ],
  ['a bot', someEvent(someComment({ author: 'dependabot[bot]', isBot: true }))],
  ['a name that ends in [bot]', someEvent(someComment({ author: 'github-actions[bot]' }))],
  ['a bot for a person', someEvent(someComment(), { sender: { login: 'x', type: 'Bot' } })],
  ['an app for a person', viaApp()],
  ['a second line', someEvent(someComment({ body: 'Hello\n/apfel review' }))],
  ['a quotation', someEvent(someComment({ body: '> /apfel review' }))],
  ['a fence', someEvent(someComment({ body: '```\n/apfel review\n```' }))],
  ['other case', someEvent(someComment({ body: '/APFEL review' }))],
  ['look-alikes', someEvent(someComment({ body: '/\u0430pfel review' }))],
  ['zero width', someEvent(someComment({ body: '\u200b/apfel review' }))],
];
for (const [title, event] of BYPASSES) {
  test(`an event is ignored without a message: ${title}`, () => ignoredUnheard(event));
}

function viaApp(): string {
  const event = fields(JSON.parse(someEvent()));
  const comment = { ...fields(event['comment']), performed_via_github_app: { id: 1 } };
  return JSON.stringify({ ...event, comment });
}

const LIES: ReadonlyArray<readonly [title: string, githubApi: MadeConversation]> = [
  ['the comment is gone', madeConversation({ comment: undefined })],
  ['the comment is by a bot', madeConversation({ comment: someComment({ isBot: true }) })],
  ['the author is a [bot]', madeConversation({ comment: someComment({ author: 'ada[bot]' }) })],
  ['the author is another', madeConversation({ comment: someComment({ author: 'eve' }) })],
  ['the author is nobody', madeConversation({ comment: someComment({ author: '' }) })],
  ['it was never a command', madeConversation({ comment: someComment({ body: 'Nice!' }) })],
  ['it is on another pull request', elsewhere('pull/8')],
  ['it is on an issue', elsewhere(`issues/${PULL}`)],
  ['there is no such pull request', madeConversation({ pull: undefined })],
  ['we are elsewhere', { ...madeConversation(), repository: 'eve/engine' }],
];
for (const [title, githubApi] of LIES) {
  test(`the API is trusted where the event differs: ${title}`, async () => {
    const { decision } = await decide(someEvent(), githubApi);
    assert.is(decision, 'ignore');
    assert.not.ok(githubApi.calls.includes('react') || githubApi.calls.includes('createComment'));
  });
}

test('our own comments are never commands', async () => {
  const comment = someComment();
  const githubApi = { ...madeConversation({ comment }), login: async () => 'Ada' };
  assert.is((await decide(someEvent(comment), githubApi)).reason, 'the comment is one of our own');
});

function elsewhere(place: string): MadeConversation {
  const url = `https://github.com/${REPOSITORY}/${place}#issuecomment-${COMMENT_ID}`;
  return madeConversation({ comment: someComment({ url }) });
}

test.run();
