import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import * as assert from 'uvu/assert';
import { parseQuirks, readCommandLine } from '../../fixtures/apfel/command-line.js';
import { parseScript } from '../../fixtures/apfel/script.js';
import { startStandIn } from '../../fixtures/apfel/stand-in.js';
import { suite } from '../support/suite.js';
import { say } from './apfel-target.js';

const test = suite('stand-in/apfel-main');

const MAIN = fileURLToPath(new URL('../../fixtures/apfel/main.js', import.meta.url));

interface Ended {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

function start(
  args: readonly string[],
  environment: Record<string, string> = {},
): { child: ChildProcess; ended: Promise<Ended> } {
  // Whatever apfel settings the developer has must not reach the program.
  const clean = Object.entries(process.env).filter(([name]) => !name.startsWith('APFEL_'));
  const env = { ...Object.fromEntries(clean), ...environment };
  const child = spawn(process.execPath, [MAIN, ...args], {
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let out = '';
  let err = '';
  child.stdout.on('data', chunk => {
    out += chunk;
  });
  child.stderr.on('data', chunk => {
    err += chunk;
  });
  const ended = new Promise<Ended>(resolve => {
    child.on('close', code => resolve({ code, out, err }));
  });
  return { child, ended };
}

const run = (args: readonly string[], environment?: Record<string, string>): Promise<Ended> =>
  start(args, environment).ended;

/** Ends the program whatever the test finds, or a failure would leave it running. */
async function withProgram(
  args: readonly string[],
  body: (program: { child: ChildProcess; ended: Promise<Ended> }) => Promise<void>,
  environment: Record<string, string> = {},
): Promise<void> {
  const program = start(args, environment);
  try {
    await body(program);
  } finally {
    program.child.kill('SIGKILL');
    await program.ended;
  }
}

async function freePort(): Promise<number> {
  const standIn = await startStandIn();
  await standIn.close();
  return Number(new URL(standIn.url).port);
}

async function untilHealthy(port: number): Promise<Response> {
  for (let tries = 0; tries < 2000; tries += 1) {
    const response = await fetch(`http://127.0.0.1:${port}/health`).catch(() => undefined);
    if (response !== undefined) return response;
    await wait(30);
  }
  throw new Error('never became healthy');
}

const chat = (port: number, body: unknown, headers: Record<string, string> = {}) =>
  fetch(`http://127.0.0.1:${port}/v1/chat/completions`, {
    method: 'POST',
    body: JSON.stringify(body),
    headers,
  });

test('the stand-in serves as apfel does, and an interrupt ends it with 130', async () => {
  const port = await freePort();
  const args = [
    '--serve',
    '--host',
    '127.0.0.1',
    '--port',
    `${port}`,
    '--token',
    's3cret',
    '--debug',
  ];
  await withProgram([...args, '--max-concurrent', '2', '--retry=3'], async ({ child, ended }) => {
    assert.is((await untilHealthy(port)).status, 200);
    assert.is((await chat(port, say('hi'))).status, 401);
    assert.is((await chat(port, say('hi'), { authorization: 'Bearer s3cret' })).status, 200);
    child.kill('SIGINT');
    const { code, err } = await ended;
    assert.is(code, 130);
    assert.match(err, /apfel server v1\.8\.4[\s\S]*ready/);
    assert.not.match(err, /s3cret/);
  });
});

test('settings for a single request are refused as flags and in the environment', async () => {
  const flags = [
    ['--seed', '1'],
    ['--temperature', '0'],
    ['--top-p', '0'],
    ['--max-tokens', '9'],
    ['-s', 'be brief'],
    ['-f', 'x'],
    ['--context-strategy', 'strict'],
    ['--retry', '3'],
    ['--no-such-flag'],
    ['a prompt'],
  ];
  for (const more of flags)
    assert.is(readCommandLine(['--serve', ...more], {}).kind, 'refused', more.join(' '));
  for (const name of ['SYSTEM_PROMPT', 'TEMPERATURE', 'MAX_TOKENS', 'CONTEXT_STRATEGY'])
    assert.is(readCommandLine(['--serve'], { [`APFEL_${name}`]: '' }).kind, 'refused', name);
  assert.is(readCommandLine(['--seed', '1', '--serve', '--port', '9'], {}).kind, 'serve');
  const { code, err } = await run(['--serve'], { APFEL_TEMPERATURE: '1' });
  assert.is(code, 2);
  assert.is(
    err,
    'error: --serve does not accept --temperature - it would be ignored in this mode\n',
  );
});

test('with a port that is taken the stand-in exits 1 after printing that it is ready', async () => {
  const server = createServer();
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  const { code, err } = await run(['--serve', '--port', `${port}`]);
  server.close();
  assert.is(code, 1);
  assert.match(err, /ready[\s\S]*error: Port \d+ is already in use\.$/m);
});

test('the stand-in has flags of its own before --serve: a script, quirks, a version, a window', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'stand-in-'));
  const script = join(folder, 'script.json');
  writeFileSync(
    script,
    JSON.stringify([
      { when: 'ping', reply: { kind: 'text', text: 'pong' } },
      { kind: 'text', text: 'first' },
      { kind: 'call', name: 'f', arguments: { a: 1 } },
    ]),
  );
  const port = await freePort();
  const own = ['--script', script, '--seed', '3', '--version', '1.5.1', '--window', '8192'];
  const body = async (): Promise<void> => {
    const health = (await (await untilHealthy(port)).json()) as Record<string, unknown>;
    assert.is(health['version'], '1.5.1');
    assert.is(health['context_window'], 8192);
    const texts = [];
    for (const text of ['a', 'PING', 'b', 'c'])
      texts.push(await (await chat(port, say(text))).text());
    assert.match(texts[0] ?? '', /"first"/);
    assert.match(texts[1] ?? '', /"pong"/);
    assert.match(texts[2] ?? '', /"tool_calls"/);
    assert.match(texts[3] ?? '', /"tool_calls"/);
  };
  await withProgram([...own, '--serve'], body, { APFEL_PORT: `${port}` });
  rmSync(folder, { recursive: true });
});

test('an object in a script becomes what was asked for: fields of a schema, a tool call, or plain text', () => {
  const script = parseScript('[{"kind":"object","value":{"reason":"r","verdict":"v"}}]');
  if (!script.ok) throw new Error(script.error);
  const asked = (more: object) =>
    script.policy({
      messages: [],
      tools: [],
      schema: undefined,
      wantsJsonObject: false,
      toolChoice: undefined,
      seed: 1,
      droppedEntries: 0,
      attempt: 1,
      ...more,
    });
  const value = { reason: 'r', verdict: 'v' };
  assert.equal(asked({}), { kind: 'object', value });
  const properties = { a_reason: {}, b_verdict: {}, c_line: {} };
  assert.equal(asked({ schema: { properties } }), {
    kind: 'object',
    value: { a_reason: 'r', b_verdict: 'v' },
  });
  const tool = { name: 'answer', description: '', parameters: {} };
  assert.equal(asked({ tools: [tool] }), { kind: 'call', name: 'answer', arguments: value });
});

test('a reply that crashes apfel ends the stand-in', async () => {
  const port = await freePort();
  await withProgram(['--quirks', 'scalar-arguments', '--port', `${port}`], async ({ ended }) => {
    await untilHealthy(port);
    const tools = [{ type: 'function', function: { name: 'f' } }];
    const answer = await chat(port, say('hi', { tools })).catch(() => 'gone');
    assert.is(answer, 'gone');
    assert.is((await ended).code, 134);
  });
});

test('the stand-in prints its version, its model and its count of tokens', async () => {
  const counted = ['-o', 'json', '--window', '515', '--strict', '-s', 'be brief'];
  const [version, info, count] = await Promise.all([
    run(['--version']),
    run(['--no-model', '--model-info']),
    run(['--count-tokens', ...counted, 'how many words are these']),
  ]);
  assert.is(version.out, 'apfel v1.8.4\n');
  assert.is(info.code, 0);
  assert.match(info.out, /^├ available: {2}no \(Apple Intelligence not enabled\)$/m);
  assert.is(count.code, 4);
  const { prompt_tokens, total, fits, ...rest } = JSON.parse(count.out);
  assert.equal({ prompt_tokens, total, fits }, { prompt_tokens: 5, total: 7, fits: false });
  const keys = ['approximate', 'budget', 'context_size', 'file_tokens', 'mcp_tool_tokens'];
  assert.equal(Object.keys(rest), [...keys, 'output_reserve', 'system_tokens']);
});

test('with --server it is one of the other servers, which is found by its own paths', async () => {
  const port = await freePort();
  await withProgram(['--server', 'ollama', '--port', `${port}`], async () => {
    assert.is((await untilHealthy(port)).status, 404);
    const greeting = await fetch(`http://127.0.0.1:${port}/`);
    assert.is(await greeting.text(), 'Ollama is running');
  });
  const unknown = await run(['--server', 'gpt']);
  assert.is(unknown.code, 2);
  assert.is(
    unknown.err,
    "error: --server knows ollama, lm-studio, llama.cpp, vllm, mlx, not 'gpt'\n",
  );
  const refused = await run(['--server', 'mlx', '--decode', '40']);
  assert.is(refused.err, 'error: --server mlx takes --port and --script, not --decode\n');
});

test('a prompt on the command line is answered on standard output', async () => {
  const { out, code } = await run(['-s', 'be brief', 'hello you']);
  assert.is(out, 'You said: hello you\n');
  assert.is(code, 0);
});

test('a broken script and an unknown quirk are reported, not run', async () => {
  const nowhere = join(tmpdir(), 'no-such-file.json');
  const script = await run(['--script', nowhere]);
  assert.is(script.code, 2);
  const file = await run(['--count-tokens', '-f', nowhere]);
  assert.is(file.code, 1);
  for (const { err } of [script, file]) assert.match(err, /^error: .*ENOENT.*\n$/);
  assert.equal(parseQuirks('busy=0.5, stall'), { ok: true, rates: { busy: 0.5, stall: 1 } });
  assert.is(parseQuirks('busy=2').ok, false);
  assert.is(parseQuirks('busy=x').ok, false);
  assert.is(parseQuirks('nonsense').ok, false);
  const broken = [
    '{}',
    '[1]',
    '[{"kind":"text"}]',
    '[{"when":"(","reply":{"kind":"text","text":""}}]',
  ];
  for (const text of broken) assert.is(parseScript(text).ok, false, text);
});

test.run();
