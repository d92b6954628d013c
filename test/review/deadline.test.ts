import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { type StandIn, type StandInOptions, startStandIn } from '../../fixtures/apfel/stand-in.js';
import type { Outcome } from '../../src/core/outcome.js';
import { withBrokenServer } from '../support/broken-server.js';
import { apfelBotProcess, reviewJson } from '../support/cli.js';
import { reviewer } from '../support/reviewer.js';
import { suite } from '../support/suite.js';
import { type Repo, withRepo } from '../support/with-repo.js';

const BUG = 'index <= list.length';
const HUNKS = 8;
/** Answers before the time is up. */
const ANSWERS = 6;

/** Files of one window each, the one with passwords first. */
async function stageFiles(repo: Repo): Promise<void> {
  for (let at = 0; at < HUNKS; at += 1) {
    const name = at === 5 ? 'src/login-password.js' : `src/file${at}.js`;
    const lines = Array.from({ length: 90 }, (_, line) => `const v${line} = call(${line}, ${at});`);
    await repo.write(name, `${lines.join('\n')}\nfor (;${BUG};) go();\n`);
  }
  await repo.git('add', '--all');
}

interface Server extends StandInOptions {
  /** The deadline has passed once this is true. */
  readonly isTimeUp?: (server: StandIn) => boolean;
  readonly work?: (server: StandIn) => void;
}

async function inTime(
  { isTimeUp = () => false, work, ...options }: Server,
  body: (outcome: Outcome) => void,
): Promise<void> {
  const server = await startStandIn({ policy: reviewer({ sees: [BUG] }), ...options });
  try {
    await withRepo(async repo => {
      await stageFiles(repo);
      work?.(server);
      const args = ['--deadline', '60s', '--base-url', server.baseUrl];
      const options = { cwd: repo.dir, isTimeUp: () => isTimeUp(server) };
      const { outcome } = await reviewJson(args, options);
      assert.is(outcome.ledger.total, HUNKS);
      body(outcome);
    });
  } finally {
    await server.close();
  }
}

const test = suite('review/deadline');

test('hunks that the deadline cuts off are out of time, and the riskiest was reviewed', () => {
  let answers = 0;
  let stop = (): void => undefined;
  const watching = reviewer({ sees: [BUG] });
  return inTime(
    {
      work: server => {
        stop = () => server.setLatency(600_000);
      },
      policy: conversation => {
        answers += 1;
        if (answers === ANSWERS) stop();
        return watching(conversation);
      },
      isTimeUp: () => answers >= ANSWERS,
    },
    ({ ledger, findings, limits, complete }) => {
      assert.ok(ledger.reviewed > 0 && ledger.outOfTime > 0, JSON.stringify(ledger));
      assert.is(ledger.reviewed + ledger.outOfTime, HUNKS);
      assert.ok(findings.some(({ path }) => path === 'src/login-password.js'));
      assert.is(limits[0]?.hit, true);
      assert.is(complete, false);
    },
  );
});

const hasAsked = (server: StandIn): boolean => server.requests.length > 0;

for (const quirk of ['stall', 'drip'] as const) {
  test(`a server that does ${quirk} does not hold a review past its deadline`, () =>
    inTime({ quirks: { [quirk]: 1 }, isTimeUp: hasAsked }, ({ ledger, complete }) => {
      assert.is(ledger.outOfTime, HUNKS, JSON.stringify(ledger));
      assert.is(complete, false);
    }));
}

test('a server that breaks every connection leaves nothing that looks clean', () =>
  inTime({ quirks: { reset: 1 } }, ({ ledger, complete }) => {
    assert.is(ledger.failed + ledger.outOfTime, HUNKS, JSON.stringify(ledger));
    assert.ok(ledger.items.every(({ reason }) => reason !== ''));
    assert.is(complete, false);
  }));

test('a server that dies half way leaves what was read, and the rest with the reason', () => {
  let answers = 0;
  let kill = (): void => undefined;
  const watching = reviewer({ sees: [BUG] });
  return inTime(
    {
      work: server => {
        kill = () => void server.close();
      },
      policy: conversation => {
        answers += 1;
        if (answers === 5) kill();
        return watching(conversation);
      },
    },
    ({ ledger, complete, findings }) => {
      assert.ok(ledger.reviewed >= 1, JSON.stringify(ledger));
      assert.is(ledger.reviewed + ledger.failed + ledger.outOfTime, HUNKS);
      assert.ok(ledger.failed + ledger.outOfTime > 0);
      assert.ok(findings.length >= 1);
      assert.is(complete, false);
    },
  );
});

test('the deadline counts from the start of the process, however long that takes', () =>
  withRepo(async repo => {
    await repo.stage('last.js', 'export const last = list => list[list.length - 1];\n');
    // Outside of the work tree.
    const slow = join(repo.dir, '.git', 'slow.cjs');
    await writeFile(slow, 'Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 2500);\n');
    await withBrokenServer('hangs', async (args, asked) => {
      const run = await apfelBotProcess(['review', '--staged', '--deadline', '2s', ...args], {
        cwd: repo.dir,
        env: { NODE_OPTIONS: `--require=${slow}` },
      });
      assert.match(run.stdout + run.stderr, /time ran out|out of time|deadline passed/);
      assert.is(asked(), 0);
    });
  }));

test.run();
