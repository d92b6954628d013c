import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import * as assert from 'uvu/assert';
import {
  installFakeApfel,
  installScript,
  standInCommand,
} from '../../fixtures/fake-apfel/install.js';
import { countTokens } from '../../src/model/apfel-program.js';
import type { FoundModel, Model } from '../../src/model/model.js';
import { suite } from '../support/suite.js';
import { eventually, processesWith, reasonOf, withMachine } from './apfel-harness.js';
import { never, question, READ_FILE, realPace } from './openai-harness.js';

const test = suite('model/apfel-lifecycle');

function modelOf(found: FoundModel): Model {
  if (!found.available) throw new Error(found.reason);
  return found.model;
}

const portOf = (model: Model): string => new URL(model.facts.baseUrl).port;
/** The server itself, not the shell that watches it. */
const serversOn = async (port: string): Promise<string[]> =>
  (await processesWith(`--port ${port}`)).filter(line => line.includes('main.js'));
const isGone = (port: string) => async () => (await processesWith(`--port ${port}`)).length === 0;

test('apfel is started on a free port of this machine and stopped at the end', () =>
  withMachine(async ({ bin, find }) => {
    await installFakeApfel(bin);
    const model = modelOf(await find());
    assert.match(model.facts.baseUrl, /^http:\/\/127\.0\.0\.1:\d+\/v1$/);
    assert.not.equal(portOf(model), '11434');
    assert.is((await model.ask(question('Hello'), never)).kind, 'answer');
    assert.is((await serversOn(portOf(model))).length, 1);
    await model.close();
    assert.ok(await eventually(isGone(portOf(model))));
  }));

test('apfel is started with the first question and not before', () =>
  withMachine(async ({ bin, find }) => {
    await installScript(bin, `echo "$1" >> "$0.log"; exec ${standInCommand()} "$@"`);
    const starts = async () =>
      (await readFile(join(bin, 'apfel.log'), 'utf8')).split('\n').filter(Boolean).length;
    // Nothing is known of this machine's model yet.
    const first = modelOf(await find({ isAnswered: async () => true }));
    await first.close();
    assert.is(await starts(), 1);
    const later = modelOf(await find({ isAnswered: async () => true }));
    assert.is(later.facts.name, first.facts.name);
    assert.is(later.facts.contextWindow, first.facts.contextWindow);
    assert.equal([await starts(), later.usage().requests], [1, 0]);
    assert.is((await later.ask(question('Hello'), never)).kind, 'answer');
    assert.equal([await starts(), later.usage().requests], [2, 1]);
    await later.close();
    assert.ok(await eventually(isGone(portOf(later))));
    await find({ isAnswered: async () => false });
    assert.is(await starts(), 3);
  }));

test('apfel gets a clean environment and a token that nobody else can see', () =>
  withMachine(async ({ bin, environment, find }) => {
    await installScript(bin, `env > "$0.log"; exec ${standInCommand()} "$@"`);
    const dirty = {
      ...environment,
      LC_ALL: 'C',
      GITHUB_TOKEN: 'ghp_secret',
      AWS_SECRET_ACCESS_KEY: 'secret',
      APFEL_BOT_API_KEY: 'secret',
      APFEL_SYSTEM_PROMPT: 'be rude',
      APFEL_TEMPERATURE: '2',
      APFEL_CONTEXT_STRATEGY: 'strict',
      APFEL_MCP: '/tmp/server',
      APFEL_HOST: '0.0.0.0',
      APFEL_PORT: '1',
      APFEL_DEBUG: '1',
      APFEL_TOKEN: 'mine',
    };
    const found = await find({ environment: dirty });
    const model = modelOf(found);
    const seen = await readFile(join(bin, 'apfel.log'), 'utf8');
    const names = seen.split('\n').map(line => line.split('=')[0] ?? '');
    const ours = ['APFEL_TOKEN', 'HOME', 'LC_ALL', 'PATH'];
    // The shell of the fake adds a few of its own.
    const shells = ['', 'PWD', 'OLDPWD', 'SHLVL', '_', '__CF_USER_TEXT_ENCODING'];
    assert.equal(names.filter(name => !shells.includes(name)).sort(), ours);
    const token = /^APFEL_TOKEN=(.+)$/m.exec(seen)?.[1] ?? '';
    assert.match(token, /^[0-9a-f]{48}$/);
    assert.equal(await processesWith(token), []);
    assert.not.match(JSON.stringify([found, model.facts, model.usage()]), token);
    const open = await fetch(`${model.facts.baseUrl}/models`);
    assert.is(open.status, 401);
  }));

test('an apfel that ignores the signal to stop is ended anyway', () =>
  withMachine(async ({ bin, find }) => {
    const deaf = 'data:text/javascript,process.on("SIGTERM",()=>undefined)';
    await installScript(bin, `exec ${standInCommand([], ['--import', deaf])} "$@"`);
    const model = modelOf(await find());
    await model.close();
    assert.ok(await isGone(portOf(model))());
  }));

test('apfel gets another port, once, when its port was taken meanwhile', () =>
  withMachine(async ({ bin, find }) => {
    const taken = 'echo "error: Port $5 is already in use." >&2; exit 1';
    const script = `if [ ! -e "$0.log" ]; then : > "$0.log"; ${taken}; fi`;
    await installScript(bin, `${script}; exec ${standInCommand()} "$@"`);
    assert.ok((await find()).available);
    await installScript(bin, taken);
    assert.match(reasonOf(await find()), /no free port, twice/);
  }));

test('the message of an apfel that refuses to start is quoted', () =>
  withMachine(async ({ bin, find }) => {
    await installScript(bin, 'echo "first" >&2; echo "error: bad \u001b[31mflag" >&2; exit 2');
    assert.is(
      reasonOf(await find()),
      'apfel --serve ended with 2 (error: bad [31mflag): run it by hand',
    );
  }));

test('an apfel that the system cannot load gets the macOS version it needs', () =>
  withMachine(async ({ bin, find }) => {
    const loader = 'dyld[42]: Library not loaded: FoundationModels.framework/FoundationModels';
    await installScript(bin, `echo '${loader}\n  Reason: tried: (no such file)' >&2; exit 134`);
    assert.match(
      reasonOf(await find()),
      /^this macOS is too old for apfel.*: update macOS, or review without a model/,
    );
  }));

test('an apfel that is never ready costs no more than the time left, and is stopped', () =>
  withMachine(async ({ bin, find }) => {
    await installScript(bin, 'echo ready >&2; exec sleep 641.5');
    assert.match(reasonOf(await find({ pace: realPace(600) })), /did not answer in time/);
    assert.ok(await eventually(async () => (await processesWith('sleep 641.5')).length === 0));
  }));

test('an abort while apfel starts leaves no process behind', () =>
  withMachine(async ({ bin, find }) => {
    await installScript(bin, 'exec sleep 642.5');
    const giveUp = new AbortController();
    setTimeout(() => giveUp.abort('enough'), 150);
    assert.is(await find({ signal: giveUp.signal }).catch(thrown => thrown), 'enough');
    assert.ok(await eventually(async () => (await processesWith('sleep 642.5')).length === 0));
  }));

test('a started apfel without its model is stopped, with the reason', () =>
  withMachine(async ({ bin, find }) => {
    await installFakeApfel(bin, ['--no-model']);
    assert.match(reasonOf(await find()), /^Apple Intelligence is off/);
    assert.ok(await eventually(async () => (await processesWith(bin)).length === 0));
  }));

test('only an absolute folder of the PATH may hold apfel', () =>
  withMachine(async ({ bin, environment, find }) => {
    await installFakeApfel(bin);
    const before = process.cwd();
    process.chdir(bin);
    const found = await find({
      environment: { APFEL_PORT: environment.APFEL_PORT, PATH: '.::bin' },
    });
    process.chdir(before);
    assert.match(reasonOf(found), /not installed/);
  }));

test('a server that is killed during a request is restarted once', () =>
  withMachine(async ({ bin, find }) => {
    await installFakeApfel(bin);
    const model = modelOf(await find());
    const kill = async () => {
      for (const line of await serversOn(portOf(model))) {
        process.kill(Number.parseInt(line, 10), 'SIGKILL');
      }
    };
    const before = await serversOn(portOf(model));
    await kill();
    await eventually(isGone(portOf(model)));
    assert.is((await model.ask(question('Hello'), never)).kind, 'answer');
    const after = await serversOn(portOf(model));
    assert.is(after.length, 1);
    assert.not.equal(after, before);
    assert.is(model.usage().retries, 1);
    await kill();
    await eventually(isGone(portOf(model)));
    assert.is((await model.ask(question('Hello'), never)).kind, 'unreachable');
  }));

test('a reply that kills the server every time is given up after one new server', () =>
  withMachine(async ({ bin, find }) => {
    await installFakeApfel(bin, ['--quirks', 'scalar-arguments']);
    const model = modelOf(await find());
    const deadly = question('Use read_file.', { tools: [READ_FILE] });
    assert.is((await model.ask(deadly, never)).kind, 'died');
    assert.is(model.usage().requests, 2);
  }));

test('a broken connection does not end the server', () =>
  withMachine(async ({ bin, find }) => {
    await installFakeApfel(bin, ['--quirks', 'reset']);
    const model = modelOf(await find());
    const port = portOf(model);
    assert.is((await model.ask(question('Hello'), never)).kind, 'died');
    assert.is(portOf(model), port);
  }));

const PROGRAM = fileURLToPath(new URL('./apfel-program.js', import.meta.url));

for (const ending of ['kill', 'throw', 'return'] as const) {
  test(`apfel is gone within two seconds when our own process ends by ${ending}`, () =>
    withMachine(async ({ bin, environment }) => {
      await installFakeApfel(bin);
      const way = ending === 'kill' ? 'wait' : ending;
      const args = [PROGRAM, environment.PATH, environment.APFEL_PORT, way];
      const program = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'ignore'] });
      const ended = once(program, 'exit');
      const [printed] = (await once(program.stdout, 'data')) as [Buffer];
      const { port } = new URL(printed.toString().trim());
      if (ending === 'kill') {
        assert.is((await serversOn(port)).length, 1);
        program.kill('SIGKILL');
      }
      await ended;
      assert.ok(await eventually(isGone(port)), (await processesWith(port)).join('\n'));
    }));
}

test("apfel's own token count is read where it is installed", () =>
  withMachine(async ({ bin, environment }) => {
    const executable = await installFakeApfel(bin);
    const command = { executable, environment, timeoutMs: 5000 };
    const counted = await countTokens(command, 'const answer = 42;\n'.repeat(10));
    assert.ok(counted !== undefined && counted > 20);
    await installFakeApfel(bin, ['--no-model']);
    assert.is(await countTokens(command, 'approximate without a model'), undefined);
    await installScript(bin, 'exit 1');
    assert.is(await countTokens(command, 'text'), undefined);
  }));

test.run();
