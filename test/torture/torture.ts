import { spawn } from 'node:child_process';
import { readdir, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import * as assert from 'uvu/assert';
import { seeded } from '../git/scratch-harness.js';
import { withFolder } from '../support/with-repo.js';
import type { Scenario, Victim } from './scenario.js';

interface Torture {
  /** How often to kill it. */
  readonly moments: number;
  readonly seed: number;
  /** The part of a run in which it is killed, both from 0 to 1; the whole when not given. */
  readonly from?: number;
  readonly to?: number;
  readonly tell?: (text: string) => void;
}

interface Tortured {
  readonly killed: number;
  /** What a whole run takes. */
  readonly wholeMs: number;
}

/** How often `git fsck` runs; it takes longer than a kill. */
const FSCK_EVERY = 10;
const MAX_RUN_MS = 120_000;
/** Some runs end before they are killed, so this many are started for each wanted kill. */
const MAX_RUNS = 2;

/**
 * Runs the command once, then kills it (only the process, as `kill -9` does) at `moments` random
 * moments. After each, the user's files are unchanged; after one more whole run, nothing is left over.
 */
export async function torture(scenario: Scenario, options: Torture): Promise<Tortured> {
  let killed = 0;
  let wholeMs = 0;
  await withFolder(async folder => {
    const victim = await scenario.open(folder);
    try {
      await victim.prepare?.();
      wholeMs = await wholeRun(victim);
      await victim.prepare?.();
      const before = await victim.state();
      const random = seeded(options.seed);
      const { from = 0, to = 1 } = options;
      for (let at = 1; killed < options.moments && at <= options.moments * MAX_RUNS; at += 1) {
        await victim.prepare?.();
        const delay = wholeMs * (from + (to - from) * random());
        const took = await runFor(victim, delay);
        if (took === undefined) killed += 1;
        // The machine is less busy than before, so later kills have to come sooner.
        else wholeMs = took;
        const moment = `moment ${at}, after ${delay.toFixed(0)} of ${wholeMs.toFixed(0)} ms`;
        assert.equal(await victim.state(), before, moment);
        if (at % FSCK_EVERY === 0) await fsck(victim, moment);
        options.tell?.(moment);
      }
      await finish(victim, before);
    } finally {
      await victim.close();
    }
  });
  return { killed, wholeMs };
}

/** The next run cleans up and succeeds. */
async function finish(victim: Victim, before: Readonly<Record<string, unknown>>): Promise<void> {
  // A git or a linter that lost its parent may still be running.
  await wait(500);
  await ageLeftovers(join(victim.repo.dir, '.git'));
  await victim.prepare?.();
  await wholeRun(victim);
  assert.equal(await victim.state(), before, 'after the last run');
  await fsck(victim, 'after the last run');
  const left = await readdir(join(victim.repo.dir, '.git'), { recursive: true });
  assert.equal(
    left.filter(name => /\.lock$|tmp_pack_|tmp_obj_/.test(name)),
    [],
    'nothing is locked or half-written',
  );
  await victim.afterwards();
}

async function wholeRun(victim: Victim): Promise<number> {
  const took = await runFor(victim, MAX_RUN_MS);
  if (took === undefined) throw new Error('the command fails even when it is not killed');
  return took;
}

/** The milliseconds it took; undefined when it was killed before its end. */
function runFor(victim: Victim, killAfterMs: number): Promise<number | undefined> {
  const [program, ...args] = victim.argv;
  const started = performance.now();
  const child = spawn(program, args, {
    cwd: victim.cwd,
    env: { ...victim.env },
    stdio: ['pipe', 'ignore', 'pipe'],
  });
  child.stdin.on('error', () => undefined).end(victim.input ?? '');
  let stderr = '';
  child.stderr.on('data', chunk => (stderr += chunk));
  const timer = setTimeout(() => child.kill('SIGKILL'), killAfterMs);
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('exit', code => {
      clearTimeout(timer);
      if (code === null) resolve(undefined);
      else if (code === victim.exitCode) resolve(performance.now() - started);
      else reject(new Error(`${args.join(' ')} ended with ${code}: ${stderr}`));
    });
  });
}

async function fsck({ repo }: Victim, moment: string): Promise<void> {
  const found = await repo.git('-c', 'core.fsmonitor=false', 'fsck', '--no-dangling');
  assert.is(found, '', moment);
}

/** Makes leftovers old enough to be removed by the next run. */
async function ageLeftovers(gitDir: string): Promise<void> {
  const then = new Date(Date.now() - 7_200_000);
  for (const folder of [join(gitDir, 'refs'), join(gitDir, 'apfel-bot')]) {
    for (const name of await readdir(folder, { recursive: true }).catch(() => [])) {
      if (/\.(?:lock|tmp)$/.test(name)) await utimes(join(folder, name), then, then);
    }
  }
}
