import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import {
  type Policy,
  type StandIn,
  type StandInOptions,
  startStandIn,
} from '../../fixtures/apfel/stand-in.js';
import { isBotError } from '../../src/core/bot-error.js';
import { TIME_UP } from '../../src/core/deadline.js';
import { describe } from '../../src/describe/command.js';
import { validateOutcome } from '../../src/generated/validate-outcome.js';
import type { CommandEnd, Session } from '../../src/session.js';
import { testSession } from '../support/session.js';
import { suite } from '../support/suite.js';
import { gitEnv, type Repo, withRepo } from '../support/with-repo.js';

const test = suite('describe/command');

/** Says what it is told for notes, joined notes and the title, in whatever protocol. */
const saying =
  (words: { note?: string; join?: string; title?: string }): Policy =>
  ({ messages, schema }) => {
    const all = messages.map(message => message.text).join('\n');
    const {
      note = 'Raises the limit.',
      join = 'Raises all limits.',
      title = 'Raise the limit',
    } = words;
    const answer = all.includes('Write its title')
      ? title
      : all.includes('notes about the parts')
        ? join
        : note;
    if (schema === undefined) return { kind: 'call', name: 'finish', arguments: { answer } };
    const keys = Object.keys((schema['properties'] as object | undefined) ?? {});
    const value = (key: string): string =>
      key.endsWith('action') ? 'finish' : key.endsWith('answer') ? answer : 'done';
    return { kind: 'object', value: Object.fromEntries(keys.map(key => [key, value(key)])) };
  };

async function withServer(
  options: StandInOptions,
  body: (server: StandIn, repo: Repo) => Promise<void>,
): Promise<void> {
  const server = await startStandIn({ policy: saying({}), ...options });
  try {
    await withRepo(async repo => {
      await repo.commit({ 'src/limits.ts': 'export const high = 17;\n' });
      await repo.stage('src/limits.ts', 'export const high = 18;\n');
      await body(server, repo);
    });
  } finally {
    await server.close();
  }
}

interface Asked {
  readonly values?: Readonly<Record<string, string>>;
  readonly switches?: readonly string[];
  readonly session?: Partial<Session>;
}

const describing = ({ baseUrl }: StandIn, repo: Repo, asked: Asked = {}): Promise<CommandEnd> =>
  describe(
    {
      values: new Map(Object.entries({ 'base-url': baseUrl, ...asked.values })),
      switches: new Set(asked.switches ?? []),
      positionals: [],
      paths: [],
    },
    testSession(repo.dir, asked.session),
  );

test('describe prints a title, a description and the files with their counts', () =>
  withServer({}, async (server, repo) => {
    const { text, ending } = await describing(server, repo);
    assert.is(
      text,
      'Raise the limit\n\nRaises the limit.\n\n1 file changed, +1 -1:\n- src/limits.ts (+1 -1)\n',
    );
    assert.is(ending, 'done');
    assert.is(server.requests.length, 2);
  }));

test('the outcome of describe is valid', () =>
  withServer({}, async (server, repo) => {
    const out = join(repo.dir, 'o.json');
    const { text } = await describing(server, repo, { values: { format: 'json', out } });
    const outcome = JSON.parse(text);
    assert.equal(validateOutcome(outcome), []);
    assert.is(outcome.task, 'describe');
    assert.is(outcome.description.title, 'Raise the limit');
    assert.is(outcome.complete, true);
    assert.is(outcome.ledger.reviewed, 1);
    assert.is(outcome.model.requests, server.requests.length);
    assert.is(await readFile(out, 'utf8'), text);
  }));

test('bad replies end describe at their limit, which the outcome lists', () =>
  withServer({ policy: () => ({ kind: 'text', text: 'I think so' }) }, async (server, repo) => {
    const values = { protocol: 'native', format: 'json' };
    const { text } = await describing(server, repo, { values });
    assert.is(server.requests.length, 3);
    const { limits, complete } = JSON.parse(text);
    assert.is(complete, false);
    assert.equal(limits.slice(1), [{ limit: 'badReplies', value: '3', hit: true }]);
  }));

test('in Markdown nothing that the model says is markup or a mention', () =>
  withServer(
    {
      policy: saying({
        note: 'Raises the *limit* for @everyone.',
        title: '<b> Raise',
      }),
    },
    async (server, repo) => {
      const { text } = await describing(server, repo, { values: { format: 'markdown' } });
      assert.match(text, /^# &lt;b&gt; Raise/);
      assert.not.match(text, /@everyone|[^\\]\*limit/);
      assert.match(text, /\n- src\/limits\.ts \(\+1 -1\)\n$/);
    },
  ));

for (const protocol of ['guided', 'native']) {
  test(`describe works in the ${protocol} protocol`, () =>
    withServer({}, async (server, repo) => {
      const { text } = await describing(server, repo, { values: { protocol } });
      assert.match(text, /^Raise the limit\n\nRaises the limit\.\n/);
    }));
}

test('a change that does not fit the window is described in parts', () =>
  withServer({ policy: saying({ note: 'Exports values and limits.' }) }, async (server, repo) => {
    for (let at = 0; at < 12; at += 1) {
      const line = `export const value${at} = compute(first, second, third);\n`;
      await repo.stage(`src/file${at}.ts`, line.repeat(60));
    }
    const { text } = await describing(server, repo, { values: { format: 'json' } });
    const outcome = JSON.parse(text);
    assert.is(outcome.ledger.reviewed, 13, JSON.stringify(outcome.ledger));
    assert.match(outcome.description.body, /^Raises all limits\.\n\n13 files changed/);
    assert.ok(server.requests.length >= 5, `${server.requests.length}`);
  }));

test('describe says nothing about a file that did not change', () =>
  withServer(
    {
      policy: saying({
        note: 'Raises the limit. Rewrites src/other.ts.',
        title: 'Fix src/other.ts',
      }),
    },
    async (server, repo) => {
      const { text } = await describing(server, repo);
      assert.not.match(text, /other\.ts/);
      assert.match(text, /^Change src\/limits\.ts\n\nRaises the limit\.\n/);
      assert.match(text, /note: left out 2 sentences about what isn't in the change/);
    },
  ));

test('secrets are masked before describe sends them', () =>
  withServer({}, async (server, repo) => {
    const key = `AKIA${'Q3EGR2X7LMPZ5W4T'}`;
    await repo.stage('src/key.ts', `const key = '${key}';\n`);
    await describing(server, repo);
    const sent = JSON.stringify(server.requests);
    assert.ok(sent.includes('AKIA****'), 'the file was sent');
    assert.not.ok(sent.includes(key));
  }));

test('files that the model gives no answer about are described by code, and the text says so', () =>
  withServer({ quirks: { 'unknown-500': 1 } }, async (server, repo) => {
    const values = { format: 'json', deadline: '5s' };
    const { text, ending } = await describing(server, repo, { values, switches: ['strict'] });
    const outcome = JSON.parse(text);
    assert.equal(validateOutcome(outcome), []);
    assert.is(outcome.description.title, 'Change src/limits.ts');
    assert.is(outcome.complete, false);
    assert.match(outcome.notices.join(), /described by code/);
    assert.is(ending, 'incomplete');
  }));

test('a server that stalls does not hold describe past its deadline', () =>
  withServer({ quirks: { stall: 1 } }, async (server, repo) => {
    const abort = new AbortController();
    // The time is up once it has asked, whenever that is.
    const timer = setInterval(() => server.requests.length > 0 && abort.abort(TIME_UP), 5);
    const session = { signal: abort.signal, endAfter: () => undefined };
    const { text } = await describing(server, repo, { values: { format: 'json' }, session });
    clearInterval(timer);
    const outcome = JSON.parse(text);
    assert.is(outcome.ledger.outOfTime, 1);
    assert.is(outcome.limits[0].hit, true);
  }));

test('the transcript of describe has every request and reply', () =>
  withServer({}, async (server, repo) => {
    const { text } = await describing(server, repo, { values: { format: 'json' } });
    const file = join(repo.dir, '.git/apfel-bot/transcripts', `${JSON.parse(text).run}.jsonl`);
    assert.match(await readFile(file, 'utf8'), /Raises the limit/);
  }));

test('a sentence that fits any change is not accepted as a description', () =>
  withServer({ policy: saying({ note: 'Das sieht alles gut aus.' }) }, async (server, repo) => {
    const run = await describing(server, repo, { values: { format: 'json' } });
    const { complete, ledger, description } = JSON.parse(run.text);
    assert.equal([complete, ledger.failed, server.requests.length], [false, 1, 3]);
    assert.not.match(description.body, /Das/);
  }));

test('a second describe does not ask again what was answered', () =>
  withServer({}, async (server, repo) => {
    const first = await describing(server, repo);
    const asked = server.requests.length;
    const { text } = await describing(server, repo, { values: { format: 'json' } });
    assert.is(server.requests.length, asked);
    const outcome = JSON.parse(text);
    assert.is(outcome.ledger.cached, 1, JSON.stringify(outcome.ledger));
    assert.is(outcome.complete, true);
    assert.is((await describing(server, repo)).text, first.text);
    await repo.stage('src/limits.ts', 'export const high = 19;\n');
    await describing(server, repo);
    assert.ok(server.requests.length > asked);
  }));

test('a hunk that is partly cached and partly refused counts as refused', () =>
  withServer(
    {
      policy: asked => {
        const isLast = asked.messages.some(({ text }) => text.includes('the last line'));
        return isLast
          ? { kind: 'refuse', text: 'I cannot help with that.' }
          : saying({ note: 'Exports a value.' })(asked);
      },
    },
    async (server, repo) => {
      const line = 'export const value = compute(first, second, third);\n';
      await repo.stage('src/long.ts', `${line.repeat(400)}// the last line\n`);
      const values = { format: 'json' };
      const first = JSON.parse((await describing(server, repo, { values })).text);
      const second = JSON.parse((await describing(server, repo, { values })).text);
      for (const { ledger, complete } of [first, second]) {
        assert.is(ledger.refused, 1, JSON.stringify(ledger));
        assert.is(complete, false);
      }
    },
  ));

test('describe without a model fails with the reason', () =>
  withRepo(async repo => {
    const env = { ...gitEnv(repo.dir), PATH: '/usr/bin:/bin' };
    const parsed = {
      values: new Map<string, string>(),
      switches: new Set<string>(),
      positionals: [],
      paths: [],
    };
    const failure = await describe(parsed, testSession(repo.dir, { env })).catch(thrown => thrown);
    assert.ok(isBotError(failure));
    assert.is(failure.code, 'model-required');
    assert.match(failure.message, /describe needs a model, and there is none: /);
  }));

test.run();
