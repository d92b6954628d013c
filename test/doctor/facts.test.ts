import * as assert from 'uvu/assert';
import { OTHER_SERVERS, startOtherServer } from '../../fixtures/apfel/other-servers.js';
import { type StandInOptions, startStandIn } from '../../fixtures/apfel/stand-in.js';
import { installFakeApfel, installScript } from '../../fixtures/fake-apfel/install.js';
import { TIME_UP } from '../../src/core/deadline.js';
import { eventually, processesWith } from '../model/apfel-harness.js';
import { withServer } from '../model/openai-harness.js';
import { suite } from '../support/suite.js';
import { withPatient } from './patient.js';

const test = suite('doctor/facts');

const withApfel = async (
  options: StandInOptions,
  body: (baseUrl: string) => Promise<void>,
): Promise<void> => {
  const standIn = await startStandIn(options);
  try {
    await body(standIn.baseUrl);
  } finally {
    await standIn.close();
  }
};

test('without a server or apfel, doctor names what is missing and how to get it, and that reviews work', () =>
  withPatient(async ({ look }) => {
    const { ending, line, printed } = await look({ platform: 'darwin' });
    assert.is(ending, 'done');
    assert.match(line('server') ?? '', /^attention nothing answers .* \| brew install apfel$/);
    assert.match(line('repository') ?? '', /^attention not inside a git repository/);
    assert.is(line('config'), 'ok none, so the defaults apply | ');
    assert.match(line('node') ?? '', /^ok Node \d/);
    assert.match(line('git') ?? '', /^ok git \d/);
    assert.match(printed, /a review will work, with checks only; \d marked attention/);
  }));

test('a working apfel is reported with its model, window, schema and languages', () =>
  withApfel({ contextWindow: 8192 }, baseUrl =>
    withPatient(async ({ look }) => {
      const { ending, line } = await look({ defaultPort: new URL(baseUrl).port });
      assert.is(ending, 'done');
      assert.is(line('server'), `ok apfel 1.8.4 answers at ${baseUrl} | `);
      assert.match(line('model') ?? '', /^ok apple-foundationmodel answered .* in \d+\.\d s/);
      assert.is(line('window'), 'ok 8192 tokens | ');
      assert.match(line('schema') ?? '', /^ok /);
      assert.match(line('language') ?? '', /^ok .*yours is de/);
      assert.is(line('tokens'), undefined);
    }),
  ));

test('doctor says when the window of a server is assumed', async () => {
  const server = await startOtherServer(OTHER_SERVERS.MLX, () => ({ kind: 'text', text: 'yes' }));
  try {
    await withPatient(async ({ look }) => {
      const { line } = await look({ baseUrl: server.baseUrl });
      const assumed = "assumed: the server doesn't report it; model.contextWindow sets it";
      assert.is(line('window'), `ok 4096 tokens, ${assumed} | `);
    });
  } finally {
    await server.close();
  }
});

test('a model that is not available needs attention, with the reason that apfel gives', () =>
  withApfel({ modelAvailable: false }, baseUrl =>
    withPatient(async ({ home, look }) => {
      await installFakeApfel(home, ['--no-model']);
      const { ending, line } = await look({ defaultPort: new URL(baseUrl).port });
      assert.is(ending, 'done');
      assert.match(line('server') ?? '', /^ok /);
      assert.match(
        line('model') ?? '',
        /^attention Apple Intelligence is off on this Mac \| turn it on in System Settings/,
      );
    }),
  ));

test('a server under --mcp is asked like any other, without its tools', () =>
  withApfel({ mcp: true }, baseUrl =>
    withPatient(async ({ look }) => {
      const { ending, line } = await look({ baseUrl });
      assert.is(ending, 'done');
      assert.match(line('schema') ?? '', /^ok /);
      assert.match(line('protocol') ?? '', /text isn't used here.* MCP tools/);
    }),
  ));

test('Ollama on the port is recognised, and used when it is named', () =>
  withServer(
    (request, response, body) => {
      if (request.url === '/') response.end('Ollama is running');
      else if (request.url === '/v1/models') response.end('{"data":[{"id":"llama3"}]}');
      else if (body.includes('json_schema')) response.writeHead(400).end('{"error":{}}');
      else if (request.url === '/v1/chat/completions') {
        response.setHeader('content-type', 'application/json');
        response.end('{"choices":[{"message":{"content":"Yes"},"finish_reason":"stop"}]}');
      } else response.writeHead(404).end('404 page not found');
    },
    baseUrl =>
      withPatient(async ({ look }) => {
        const found = await look({ defaultPort: new URL(baseUrl).port });
        assert.is(found.ending, 'done');
        assert.match(
          found.line('server') ?? '',
          /^attention Ollama answers.*only if you name it, and apfel is not installed/,
        );
        const named = await look({ baseUrl });
        assert.is(named.ending, 'done');
        assert.match(named.line('model') ?? '', /^ok llama3 answered/);
      }),
  ));

test('apfel on the PATH is started as a review would, counts our samples, and is stopped', () =>
  withPatient(async ({ home, look }) => {
    await installFakeApfel(home);
    const { ending, line, facts } = await look({ limits: { modelMs: 120_000, programMs: 60_000 } });
    assert.is(ending, 'done');
    assert.match(line('server') ?? '', /^ok nothing answers .*apfel is started for each run/);
    assert.is(line('apfel'), `ok apfel 1.8.4 (${home}/apfel) | `);
    assert.match(line('tokens') ?? '', /^ok apfel counts \d+ % of the tokens/);
    assert.match(line('egress-model') ?? '', /: 127\.0\.0\.1, on this machine/);
    assert.is(facts.model.kind, 'found');
    assert.ok(await eventually(async () => (await processesWith(home)).length === 0));
  }));

test('a server that never answers gets a line within the deadline', () =>
  withServer(
    () => undefined,
    baseUrl =>
      withPatient(async ({ look }) => {
        const limits = { probeMs: 300, modelMs: 1000, programMs: 3000 };
        const value = await look({ baseUrl, limits });
        assert.is(value.ending, 'done');
        assert.match(value.line('server') ?? '', /^attention the server at .* doesn't answer/);
      }),
  ));

test('a model that hangs gets a line within the deadline', () =>
  withApfel({ quirks: { stall: 1 } }, baseUrl =>
    withPatient(async ({ look }) => {
      const value = await look({ baseUrl, limits: { modelMs: 1000 } });
      assert.match(
        value.line('model') ?? '',
        /^attention .*no reply within \d+ ms\) \| run it again/,
      );
      assert.is(value.line('schema'), "attention can't tell whether JSON schemas are honoured | ");
    }),
  ));

test('doctor does not wait for a program that hangs', () =>
  withPatient(async ({ home, look }) => {
    await installScript(home, 'sleep 600');
    const limits = { programMs: 400, modelMs: 600 };
    const value = await look({ limits });
    assert.is(value.line('apfel'), `ok apfel of unknown version (${home}/apfel) | `);
    assert.is(value.ending, 'done');
  }));

test('an address off this machine, or with a password in it, is refused and not shown', () =>
  withPatient(async ({ look }) => {
    const remote = await look({ baseUrl: 'https://models.example/v1' });
    assert.is(remote.ending, 'config');
    assert.match(remote.line('server') ?? '', /^problem .*models\.example.*--allow-remote/);
    assert.is(remote.line('model'), undefined);
    const secret = await look({ baseUrl: 'http://ada:hunter2@127.0.0.1:9/v1' });
    assert.match(secret.line('server') ?? '', /^problem .*contains a user name or password/);
    assert.not.match(secret.printed, 'hunter2');
  }));

test('doctor prints every line even when its deadline passes', () =>
  withServer(
    () => undefined,
    baseUrl =>
      withPatient(async ({ home, look }) => {
        await installScript(home, 'sleep 600');
        const abort = new AbortController();
        const timer = setTimeout(() => abort.abort(TIME_UP), 300);
        const value = await look({ baseUrl, signal: abort.signal });
        clearTimeout(timer);
        assert.match(value.line('server') ?? '', /^attention the server at/);
        // On a busy machine even git may not have answered by then.
        for (const id of ['git', 'node', 'model']) assert.ok(value.line(id), id);
      }),
  ));

test('an abort ends doctor at once', () =>
  withPatient(async ({ look }) => {
    const signal = AbortSignal.abort('interrupted');
    const thrown = await look({ signal }).catch((error: unknown) => error);
    assert.is(thrown, 'interrupted');
  }));

test.run();
