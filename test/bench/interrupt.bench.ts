import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { startStandIn } from '../../fixtures/apfel/stand-in.js';
import { apfelBotProcess, CLI } from '../support/cli.js';
import { reviewer } from '../support/reviewer.js';
import { gitEnv, type Repo, withRepo } from '../support/with-repo.js';
import { median } from './measure.js';

const ROUNDS = 11;

/** Prints the longest time in which the process did not look up. */
const PROBE = `
  let last = performance.now(), ticks = 0, longest = 0;
  setInterval(() => {
    // Until the program is loaded no handler is installed, and Ctrl-C ends it by itself.
    if ((ticks += 1) > 3) longest = Math.max(longest, performance.now() - last);
    last = performance.now();
  }, 1).unref();
  process.on('exit', () => process.stderr.write('longest stretch ' + longest.toFixed(0) + ' ms'));
`;

await withRepo(async repo => {
  for (let at = 0; at < 3000; at += 1) await repo.write(`many/f${at}.js`, 'debugger;\n');
  await repo.write('many.js', 'const value = compute("text", options[1]);\n'.repeat(40_000));
  await repo.write('long.txt', `${'word '.repeat(1_000_000)}\n`);
  await repo.git('add', '--all');
  const stretches: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) stretches.push(await longestStretch(repo));
  row('longest stretch without a look at Ctrl-C', stretches, 50);
});

await withRepo(async repo => {
  await repo.stage(
    'each.js',
    'export function each(list) {\n  for (const one of list) use(one);\n}\n',
  );
  const times: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) times.push(await timeToStop(repo));
  row('from Ctrl-C while the model thinks to the end', times, 200);
});

async function longestStretch(repo: Repo): Promise<number> {
  const probe = `data:text/javascript,${encodeURIComponent(PROBE)}`;
  const { stderr } = await apfelBotProcess(
    ['review', '--staged', '--no-model', '--format', 'json'],
    {
      cwd: repo.dir,
      env: { NODE_OPTIONS: `--import "${probe}"` },
    },
  );
  return Number(/longest stretch (\d+) ms/.exec(stderr)?.[1]);
}

async function timeToStop(repo: Repo): Promise<number> {
  const server = await startStandIn({ policy: reviewer({ sees: [] }), latencyMs: 600_000 });
  const child = spawn(process.execPath, [CLI, 'review', '--base-url', server.baseUrl], {
    cwd: repo.dir,
    env: gitEnv(repo.dir),
    stdio: 'ignore',
  });
  const ended = once(child, 'close');
  while (server.requests.length === 0) await new Promise(done => setTimeout(done, 10));
  const asked = performance.now();
  child.kill('SIGINT');
  await ended;
  const took = performance.now() - asked;
  await server.close();
  return took;
}

function row(name: string, times: readonly number[], aim: number): void {
  const [middle, max] = [median(times), Math.max(...times)];
  console.log(
    `${name.padEnd(48)} ${middle.toFixed(0)} ms, at most ${max.toFixed(0)} ms   aim: at most ${aim}`,
  );
}
