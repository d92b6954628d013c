import { spawn } from 'node:child_process';
import { once } from 'node:events';
import * as assert from 'uvu/assert';
import { apfelBotProcess, CLI } from '../support/cli.js';
import { suite } from '../support/suite.js';
import { gitEnv, type Repo, withRepo } from '../support/with-repo.js';

const FILES = 1000;

/** A change that takes a while: many files with findings, one of many lines, one of one long line. */
async function bigChange(repo: Repo): Promise<void> {
  const child = spawn('git', ['fast-import', '--quiet'], {
    cwd: repo.dir,
    env: gitEnv(repo.dir),
    stdio: ['pipe', 'ignore', 'inherit'],
  });
  const files: Array<readonly [path: string, text: string]> = [
    ['many.js', 'const value = compute("text", options[1]); // and a word on it\n'.repeat(10_000)],
    ['long.txt', `${'word '.repeat(250_000)}\n`],
    ['data.json', `[\n${'{"a": 1},\n'.repeat(10_000)}{}]\n`],
  ];
  for (let at = 0; at < FILES; at += 1) files.push([`many/f${at}.js`, 'debugger;\n']);
  child.stdin.write('commit refs/heads/big\ncommitter A <a@b.c> 1 +0000\ndata 1\nx\n');
  for (const [path, text] of files) {
    child.stdin.write(`M 100644 inline ${path}\ndata ${Buffer.byteLength(text)}\n${text}\n`);
  }
  child.stdin.end('done\n');
  await once(child, 'close');
}

const ARGS = ['review', '--commit', 'big', '--no-model', '--format', 'json'];

/**
 * A clock that advances 10 ms at each reading, so that the program yields whenever it can; counts how
 * often it does. `npm run bench` measures the milliseconds in between.
 */
const PROBE = `
  let now = 0n, turns = 0;
  process.hrtime.bigint = () => (now += 10_000_000n);
  const later = setImmediate;
  globalThis.setImmediate = (...args) => ((turns += 1), later(...args));
  process.on('exit', () => process.stderr.write('yielded ' + turns + ' times'));
`;

async function timesYielded(args: readonly string[], repo: Repo): Promise<number> {
  const probe = `data:text/javascript,${encodeURIComponent(PROBE)}`;
  const run = await apfelBotProcess(args, {
    cwd: repo.dir,
    env: { NODE_OPTIONS: `--import "${probe}"` },
  });
  assert.is(run.code, 0, run.stderr);
  return Number(/yielded (\d+) times/.exec(run.stderr)?.[1]);
}

const test = suite('cli/interrupt');

for (const [passes, args] of [
  [5, ARGS],
  [5, ['review', '--commit', 'big', '--no-model']],
  [6, ['plan', '--commit', 'big', '--format', 'json']],
] as const) {
  test(`${args.join(' ')} yields to Ctrl-C in each pass over the files`, () =>
    withRepo(async repo => {
      await bigChange(repo);
      const times = await timesYielded(args, repo);
      assert.ok(times >= passes * FILES, `${times} times`);
    }));
}

test('a big review finds every problem', () =>
  withRepo(async repo => {
    await bigChange(repo);
    const run = await apfelBotProcess(ARGS, { cwd: repo.dir });
    const { findings, rejected } = JSON.parse(run.stdout);
    assert.ok(findings.length + rejected.length >= FILES);
  }));

test.long('Ctrl-C ends a big review, whenever it comes', () =>
  withRepo(async repo => {
    await bigChange(repo);
    const before = await repo.git('status', '--porcelain=v2', '--branch');
    let stopped = 0;
    for (const after of [50, 150, 300, 450, 600]) {
      const child = spawn(process.execPath, [CLI, ...ARGS], {
        cwd: repo.dir,
        env: gitEnv(repo.dir),
        stdio: 'ignore',
      });
      const ended = once(child, 'exit');
      await new Promise(done => setTimeout(done, after));
      // A fast machine may be done by then.
      const isRunning = child.kill('SIGINT');
      const [code, signal] = await ended;
      if (!isRunning) continue;
      stopped += 1;
      assert.ok(code === 130 || signal === 'SIGINT', `${code} ${signal} after ${after} ms`);
    }
    assert.ok(stopped > 0);
    assert.is(await repo.git('status', '--porcelain=v2', '--branch'), before);
  }),
);

test.run();
