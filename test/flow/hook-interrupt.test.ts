import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { setTimeout as wait } from 'node:timers/promises';
import * as assert from 'uvu/assert';
import { type StandIn, startStandIn } from '../../fixtures/apfel/stand-in.js';
import { CLI } from '../support/cli.js';
import { reviewer } from '../support/reviewer.js';
import { suite } from '../support/suite.js';
import { gitEnv, type Repo, withFolder } from '../support/with-repo.js';
import { git, until, withHooks } from './hooked-repo.js';

const CODE = 'export function each(list) {\n  for (const one of list) use(one);\n}\n';

/** What a person waits before thinking that it hangs. */
const PROMPT_MS = 200;
/** Chance may make one try slow; what is slow by itself is so every time. */
const TRIES = 4;

interface Stopped {
  readonly end: string;
  /** From the signal until nothing holds the terminal any more. */
  readonly tookMs: number;
}

/** Runs a program as a terminal does, and presses Ctrl-C: everything in its group is told. */
async function pressAt(
  [program, ...args]: readonly [string, ...string[]],
  { repo, server }: { readonly repo: Repo; readonly server: StandIn },
  moment: () => Promise<unknown>,
): Promise<Stopped> {
  const child = spawn(program, args, {
    cwd: repo.dir,
    env: { ...gitEnv(repo.dir), APFEL_BOT_BASE_URL: server.baseUrl },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  });
  child.stdout.resume();
  child.stderr.resume();
  // Not before the last process that holds our pipes is gone, the hook's children included.
  const closed = once(child, 'close');
  await moment();
  const asked = performance.now();
  process.kill(-(child.pid ?? 0), 'SIGINT');
  const [code, signal] = await closed;
  return { end: String(signal ?? code), tookMs: performance.now() - asked };
}

/** What must be the same. What was asked and answered is on record, as of every run. */
async function photograph(repo: Repo): Promise<string[]> {
  const names = await readdir(join(repo.dir, '.git'), { recursive: true });
  return [
    await repo.git('rev-parse', 'HEAD'),
    await repo.git('status', '--porcelain=v2'),
    await repo.git('ls-files', '--stage'),
    await repo.git('for-each-ref'),
    await repo.git('stash', 'list'),
    ...names
      .filter(name => !/^(objects|apfel-bot(\/(answers|transcripts))?)($|\/)/.test(name))
      .sort(),
  ];
}

const test = suite('hook and Ctrl-C');

const withSlowModel = (body: (repo: Repo, server: StandIn) => Promise<void>): Promise<void> =>
  withHooks(async repo => {
    const server = await startStandIn({ policy: reviewer({ sees: [] }), latencyMs: 30_000 });
    try {
      await body(repo, server);
    } finally {
      await server.close();
    }
  });

interface Scene {
  readonly repo: Repo;
  readonly server: StandIn;
  readonly command: readonly [string, ...string[]];
  readonly ends: readonly string[];
}

/** At every moment the prompt is back in time, with the right end and nothing left. */
async function stopsAtOnce({ repo, server, command, ends }: Scene): Promise<void> {
  const before = await photograph(repo);
  const moments: Record<string, () => Promise<unknown>> = {
    'at the start': () => wait(30),
    'while it loads': () => wait(80),
    'while it checks': () => wait(160),
    'later on': () => wait(300),
    'while the model thinks': async () => {
      const asked = server.requests.length;
      await until(async () => server.requests.length > asked, 8000);
    },
  };
  for (const [name, moment] of Object.entries(moments)) {
    const took: number[] = [];
    while (took.length < TRIES && !took.some(each => each <= PROMPT_MS)) {
      const stopped = await pressAt(command, { repo, server }, moment);
      took.push(Math.round(stopped.tookMs));
      assert.ok(ends.includes(stopped.end), `${name}: ${stopped.end}`);
      assert.equal(await photograph(repo), before, name);
    }
    assert.ok(Math.min(...took) <= PROMPT_MS, `${name}: ${took.join(', ')} ms`);
  }
}

test('git commit: the prompt is back within 200 ms, whatever the hook is doing', () =>
  withSlowModel(async (repo, server) => {
    await repo.stage('each.js', CODE);
    await repo.write('each.js', 'not staged\n');
    const command = ['git', 'commit', '--quiet', '-m', 'next'] as const;
    await stopsAtOnce({ repo, server, command, ends: ['SIGINT', '130'] });
  }));

test('hook pre-commit, as another hook manager calls it: 130', () =>
  withSlowModel(async (repo, server) => {
    await repo.stage('each.js', CODE);
    const command = [process.execPath, CLI, 'hook', 'pre-commit'] as const;
    // Node is ended by the signal itself before the program is loaded, which a shell calls 130 too.
    await stopsAtOnce({ repo, server, command, ends: ['SIGINT', '130'] });
  }));

test('git push: the same', () =>
  withSlowModel((repo, server) =>
    withFolder(async folder => {
      await repo.git('init', '--quiet', '--bare', folder);
      await repo.git('remote', 'add', 'origin', folder);
      await repo.stage('each.js', CODE);
      await git(repo, ['commit', '--quiet', '-m', 'next'], { APFEL_BOT: '0' });
      const command = ['git', 'push', '--quiet', 'origin', 'main'] as const;
      await stopsAtOnce({ repo, server, command, ends: ['SIGINT', '130'] });
      assert.is(await repo.git('ls-remote', 'origin'), '');
    }),
  ));

test.run();
