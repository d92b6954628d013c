import { mkdir } from 'node:fs/promises';
import { createServer as createTcpServer } from 'node:net';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { type StandIn, type StandInOptions, startStandIn } from '../../fixtures/apfel/stand-in.js';
import { installFakeApfel, installScript } from '../../fixtures/fake-apfel/install.js';
import { isBotError } from '../../src/core/bot-error.js';
import { askSmall } from '../../src/doctor/gather-model.js';
import { checkAddress, defaultBaseUrl } from '../../src/model/address.js';
import { withoutApfel } from '../../src/model/apfel-program.js';
import type { FoundModel, Model } from '../../src/model/model.js';
import { suite } from '../support/suite.js';
import { reasonOf, withMachine } from './apfel-harness.js';
import { never, question, withServer } from './openai-harness.js';

const test = suite('model/apfel-server');

async function withApfel(
  options: StandInOptions,
  body: (standIn: StandIn) => Promise<void>,
): Promise<void> {
  const standIn = await startStandIn(options);
  try {
    await body(standIn);
  } finally {
    await standIn.close();
  }
}

function modelOf(found: FoundModel): Model {
  if (!found.available) throw new Error(found.reason);
  return found.model;
}

test('a running apfel on the default port is used', () =>
  withApfel({ contextWindow: 8192 }, standIn =>
    withMachine(async ({ find }) => {
      const model = modelOf(await find({ defaultPort: new URL(standIn.baseUrl).port }));
      assert.equal(model.facts, {
        name: 'apple-foundationmodel',
        baseUrl: standIn.baseUrl,
        isApfel: true,
        version: '1.8.4',
        contextWindow: 8192,
        isWindowAssumed: false,
        isOwn: false,
      });
      assert.is((await model.ask(question('Hello'), never)).kind, 'answer');
    }),
  ));

test('the window is read from the server, and again once the model has answered', () =>
  withApfel({}, standIn =>
    withMachine(async ({ find }) => {
      const model = modelOf(await find({ baseUrl: standIn.url }));
      standIn.setContextWindow(8192);
      assert.is(model.facts.contextWindow, 4096);
      await model.ask(question('Hello'), never);
      assert.is(model.facts.contextWindow, 8192);
    }),
  ));

test('a configured window can lower what apfel says, not raise it', () =>
  withApfel({}, standIn =>
    withMachine(async ({ find }) => {
      const windowFor = async (contextWindow: number) =>
        modelOf(await find({ baseUrl: standIn.baseUrl, contextWindow })).facts.contextWindow;
      assert.is(await windowFor(2048), 2048);
      assert.is(await windowFor(8192), 4096);
    }),
  ));

test('a missing token is noticed before the first question', () =>
  withApfel({ token: 'right' }, standIn =>
    withMachine(async ({ find }) => {
      const bare = await find({ baseUrl: standIn.baseUrl });
      assert.match(reasonOf(bare), /asks for a token: set APFEL_BOT_API_KEY/);
      const wrong = await find({ baseUrl: standIn.baseUrl, apiKey: 'wrong-secret' });
      assert.match(reasonOf(wrong), /does not accept the token/);
      assert.not.match(reasonOf(wrong), 'wrong-secret');
      const right = modelOf(await find({ baseUrl: standIn.baseUrl, apiKey: 'right' }));
      assert.is((await right.ask(question('Hello'), never)).kind, 'answer');
    }),
  ));

test('a model that is not available is explained by apfel itself', () =>
  withApfel({ modelAvailable: false }, standIn =>
    withMachine(async ({ bin, find }) => {
      assert.match(
        reasonOf(await find({ baseUrl: standIn.baseUrl })),
        /^apfel runs, but its model/,
      );
      await installFakeApfel(bin, ['--no-model']);
      const reason = reasonOf(await find({ defaultPort: new URL(standIn.baseUrl).port }));
      assert.match(reason, /^Apple Intelligence is off on this Mac: turn it on in System Settings/);
    }),
  ));

const UNAVAILABLE: ReadonlyArray<readonly [string, RegExp]> = [
  [
    'model not ready - still downloading?',
    /^the model isn't ready.*: keep the Mac on Wi-Fi and power/,
  ],
  [
    'device not eligible',
    /virtual machine: use another server with --base-url, or review without a model/,
  ],
  ['unknown reason', /^macOS doesn't provide the model.*: brew upgrade apfel/],
  ['a state of tomorrow', /not available \(a state of tomorrow\): see apfel --model-info/],
];

for (const [label, nextStep] of UNAVAILABLE) {
  test(`the next step fits when apfel reports "${label}"`, () =>
    withApfel({ modelAvailable: false }, standIn =>
      withMachine(async ({ bin, find }) => {
        await installScript(
          bin,
          `printf '├ on-device:  true (always)\\n├ available:  no (${label})\\n'`,
        );
        const reason = reasonOf(await find({ baseUrl: standIn.baseUrl }));
        assert.match(reason, nextStep);
      }),
    ));
}

test('a model that apfel does not have is reported as missing', () =>
  withApfel({}, standIn =>
    withMachine(async ({ find }) => {
      const found = await find({ baseUrl: standIn.baseUrl, modelName: 'gpt-4o' });
      assert.match(
        reasonOf(found),
        /has apple-foundationmodel, not gpt-4o: leave out --model \(or APFEL_BOT_MODEL, or model\.name\)/,
      );
    }),
  ));

/** What Ollama says to the requests that tell it apart. */
const ollama = (models: readonly string[]) =>
  withServer.bind(undefined, (request, response) => {
    if (request.url === '/') response.end('Ollama is running');
    else if (request.url === '/v1/models') {
      response.end(JSON.stringify({ object: 'list', data: models.map(id => ({ id })) }));
    } else response.writeHead(404).end('404 page not found');
  });

test('Ollama on the default port is recognised and not used', () =>
  ollama(['llama3'])(baseUrl =>
    withMachine(async ({ find }) => {
      const port = new URL(baseUrl).port;
      assert.is(
        reasonOf(await find({ defaultPort: new URL(baseUrl).port })),
        `port ${port} answers as Ollama, not apfel, and apfel is not installed: ${withoutApfel(process.platform, baseUrl)}`,
      );
      assert.match(withoutApfel('linux', baseUrl), `add --base-url ${baseUrl}`);
    }),
  ));

test('a configured Ollama is used if it is clear which model is meant', () =>
  withMachine(async ({ find }) => {
    await ollama(['llama3'])(async baseUrl => {
      const { facts } = modelOf(await find({ baseUrl, contextWindow: 16_384 }));
      assert.equal(facts, {
        name: 'llama3',
        baseUrl,
        isApfel: false,
        version: undefined,
        contextWindow: 16_384,
        isWindowAssumed: false,
      });
      assert.is(modelOf(await find({ baseUrl })).facts.contextWindow, 4096);
    });
    await ollama(['llama3', 'qwen'])(async baseUrl => {
      assert.match(reasonOf(await find({ baseUrl })), /has llama3, qwen: name one with --model/);
      assert.is(modelOf(await find({ baseUrl, modelName: 'qwen' })).facts.name, 'qwen');
      assert.match(reasonOf(await find({ baseUrl, modelName: 'phi' })), /not phi/);
    });
  }));

test('the window of other servers is read where they report it', () =>
  withServer(
    (request, response) => {
      const data = [
        { id: 'm', max_model_len: 32_768 },
        { id: 'n', meta: { n_ctx: 16_384, n_ctx_train: 131_072 } },
      ];
      if (request.url === '/v1/models') response.end(JSON.stringify({ data }));
      else response.end('{"status":"ok"}');
    },
    baseUrl =>
      withMachine(async ({ find }) => {
        const windowOf = async (modelName: string): Promise<number> =>
          modelOf(await find({ baseUrl, modelName })).facts.contextWindow;
        assert.equal([await windowOf('m'), await windowOf('n')], [32_768, 16_384]);
        assert.match(
          reasonOf(await find({ defaultPort: new URL(baseUrl).port })),
          /but not as apfel/,
        );
      }),
  ));

test('a server that lists nothing needs a model name', () =>
  withServer(
    (_request, response) => void response.writeHead(404).end(),
    baseUrl =>
      withMachine(async ({ find }) => {
        assert.match(reasonOf(await find({ baseUrl })), /name one with --model/);
        assert.is(modelOf(await find({ baseUrl, modelName: 'm' })).facts.name, 'm');
      }),
  ));

test('apfel is looked for at the port that its own variable names, if that is a port', () => {
  assert.is(defaultBaseUrl({ APFEL_PORT: '8080' }), 'http://127.0.0.1:8080/v1');
  for (const port of [undefined, '', '0', '65536', '-1', 'x', '80/x']) {
    assert.is(defaultBaseUrl({ APFEL_PORT: port }), 'http://127.0.0.1:11434/v1');
  }
});

test('a configured base URL is never replaced', () =>
  withMachine(async ({ bin, find }) => {
    await installFakeApfel(bin);
    const found = await find({ baseUrl: 'http://127.0.0.1:9/v1' });
    assert.match(reasonOf(found), /^nothing answers at http:\/\/127\.0\.0\.1:9\/v1: start/);
  }));

test('without a server and without apfel, the message names the next step', () =>
  withMachine(async ({ find }) => {
    assert.is(reasonOf(await find()), `apfel is not installed: ${withoutApfel(process.platform)}`);
    assert.match(reasonOf(await find({ start: false })), /model\.start is off: run apfel --serve/);
  }));

test('a program that listens and says nothing costs no more than the time left', () =>
  withMachine(async ({ find }) => {
    const server = createTcpServer(() => undefined);
    await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
    const address = server.address();
    const port = typeof address === 'object' && address !== null ? address.port : 0;
    const baseUrl = `http://127.0.0.1:${port}/v1`;
    const pace = { remainingMs: () => 150, random: Math.random, sleep: async () => undefined };
    const found = await find({ baseUrl, pace });
    server.close();
    assert.match(reasonOf(found), /doesn't answer/);
  }));

const WRONG: ReadonlyArray<readonly [string, RegExp]> = [
  ['http://192.168.1.5:11434/v1', /192\.168\.1\.5:11434, which is not this machine/],
  ['http://0.0.0.0:11434/v1', /not this machine/],
  ['http://localhost.evil.example/v1', /not this machine/],
  ['http://127.0.0.1.evil.example/v1', /not this machine/],
  ['http://[::ffff:10.0.0.1]:11434/v1', /not this machine/],
  ['http://user:hunter2@127.0.0.1/v1', /contains a user name or password/],
  ['ftp://127.0.0.1/v1', /must start with http/],
  ['file:///etc/passwd', /not a URL|must start with http/],
  ['http://127.0.0.1/v1?key=1', /must not have a query/],
  ['127.0.0.1:11434', /not a URL|must start with http/],
  ['user:hunter2@', /not a URL|must start with http/],
  ['', /not a URL/],
];

for (const [url, expected] of WRONG) {
  test(`the base URL ${JSON.stringify(url)} is refused as a configuration error`, async () => {
    const thrown: unknown = await checkAddress(url, false).catch(error => error);
    assert.ok(isBotError(thrown) && thrown.code === 'usage');
    assert.match(thrown instanceof Error ? thrown.message : '', expected);
    assert.not.match(thrown instanceof Error ? thrown.message : '', 'hunter2');
  });
}

const RIGHT: ReadonlyArray<readonly [string, string]> = [
  ['http://127.0.0.1:11434', 'http://127.0.0.1:11434/v1'],
  ['http://127.1:8080/', 'http://127.0.0.1:8080/v1'],
  ['http://[::1]:8080/v1/', 'http://[::1]:8080/v1'],
  ['http://localhost:8080/other/v1', 'http://localhost:8080/other/v1'],
];

for (const [url, expected] of RIGHT) {
  test(`the base URL ${url} is this machine`, async () => {
    assert.is(await checkAddress(url, false), expected);
  });
}

test('a server on another machine is reached only with --allow-remote', async () => {
  assert.is(await checkAddress('https://example.org/v1', true), 'https://example.org/v1');
});

test('one small question shows whether a server decodes under a schema', () =>
  withMachine(async ({ find }) => {
    for (const [options, expected] of [
      [{}, 'honoured'],
      [{ mcp: true }, 'honoured'],
      [{ version: '0.5.0' }, 'ignored'],
      [{ quirks: { guardrail: 1 } }, 'unknown'],
      [{ quirks: { 'decoding-failure': 1 } }, 'unknown'],
    ] as const) {
      await withApfel(options, async standIn => {
        const model = modelOf(await find({ baseUrl: standIn.baseUrl }));
        assert.is((await askSmall(model, never)).schema, expected);
      });
    }
  }));

test('an apfel that we did not start never runs its MCP tools for us, whatever the model writes', () =>
  withMachine(async ({ find }) => {
    const steal = { kind: 'call', name: 'fetch_url', arguments: { url: 'http://evil' } } as const;
    await withApfel({ mcp: true, policy: () => steal }, async standIn => {
      const model = modelOf(await find({ baseUrl: standIn.baseUrl }));
      const plain = {
        system: '',
        messages: [{ role: 'user', content: [{ type: 'text', text: 'Hello' }] }],
        maxTokens: 50,
      } as const;
      const schema = {
        name: 'X',
        schema: { type: 'object', properties: { a: { type: 'string' } } },
      };
      await model.ask(plain, never);
      const guided = await model.ask({ ...plain, schema }, never);
      assert.equal(standIn.executed, []);
      assert.ok(guided.kind === 'answer' && guided.text.startsWith('{'));
      for (const { body } of standIn.requests) {
        assert.is((body as { tool_choice?: string }).tool_choice, 'none');
      }
    });
  }));

test('the protocol text is refused with a server that may have MCP tools, and used with our own', () =>
  withMachine(async ({ find, bin }) => {
    await withApfel({}, async standIn => {
      const found = await find({ baseUrl: standIn.baseUrl, protocol: 'text' });
      assert.match(reasonOf(found), /MCP tools: use --protocol auto$/);
      const { port } = new URL(standIn.baseUrl);
      const atDefault = await find({ defaultPort: port, protocol: 'text' });
      assert.match(reasonOf(atDefault), /MCP tools: use --protocol auto, or stop that server/);
    });
    await installFakeApfel(bin);
    assert.ok((await find({ protocol: 'text' })).available);
  }));

test('an apfel that listens beyond this machine and asks for the key on /health is known as apfel', () =>
  withMachine(async ({ find }) => {
    await withApfel({ host: '0.0.0.0', token: 'secret', contextWindow: 8192 }, async standIn => {
      const model = modelOf(await find({ baseUrl: standIn.baseUrl, apiKey: 'secret' }));
      assert.equal([model.facts.isApfel, model.facts.contextWindow], [true, 8192]);
      standIn.setContextWindow(16_384);
      await model.ask(question('Hello'), never);
      assert.is(model.facts.contextWindow, 16_384);
      const unknown = await find({ baseUrl: standIn.baseUrl });
      assert.match(reasonOf(unknown), /asks for a token: set APFEL_BOT_API_KEY/);
    });
  }));

test('with Ollama on its port an installed apfel is started on another', () =>
  withServer(
    (request, response) => response.end(request.url === '/' ? 'Ollama is running' : '{}'),
    baseUrl =>
      withMachine(async ({ find, bin }) => {
        await installFakeApfel(bin);
        const model = modelOf(await find({ defaultPort: new URL(baseUrl).port }));
        assert.ok(model.facts.isApfel && model.facts.baseUrl !== baseUrl);
        const off = await find({ defaultPort: new URL(baseUrl).port, start: false });
        assert.match(reasonOf(off), /answers as Ollama, not apfel, and model\.start is off/);
      }),
  ));

test('an apfel from Homebrew is found without Homebrew on the PATH', () =>
  withMachine(async ({ find, bin }) => {
    await mkdir(join(bin, 'brew', 'bin'), { recursive: true });
    await installFakeApfel(join(bin, 'brew', 'bin'));
    const environment = { PATH: '/usr/bin:/bin', HOMEBREW_PREFIX: join(bin, 'brew') };
    assert.ok((await find({ environment })).available);
  }));

test('an abort ends the search for a server at once', () =>
  withMachine(async ({ find }) => {
    const giveUp = new AbortController();
    giveUp.abort('enough');
    assert.is(await find({ signal: giveUp.signal }).catch(thrown => thrown), 'enough');
  }));

test.run();
