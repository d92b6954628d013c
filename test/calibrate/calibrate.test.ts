import * as assert from 'uvu/assert';
import { startStandIn } from '../../fixtures/apfel/stand-in.js';
import { type CalibrateOptions, calibrate, type Judgement } from '../../src/calibrate/measure.js';
import {
  type Trial,
  type TrialResult,
  type TrialVerdict,
  trialKey,
  type Variant,
} from '../../src/model/calibration.js';
import { apfelBot } from '../support/cli.js';
import { suite } from '../support/suite.js';
import { withFolder } from '../support/with-repo.js';

const test = suite('calibrate/calibrate');

const VARIANTS: readonly Variant[] = [
  ['guided', null, 'directive'],
  ['guided', null, 'review'],
  ['native', null, 'directive'],
  ['native', 'auto', 'directive'],
  ['native', null, 'neutral'],
  ['native', 'auto', 'neutral'],
].map(([protocol, toolChoice, prompt]) => ({ protocol, toolChoice, prompt }) as Variant);

const FAITHFUL: Judgement = { kind: 'measured', verdict: 'faithful' };
const missed = (message = 'it is busy'): Judgement => ({ kind: 'missed', message });

interface Asked {
  readonly ask: (trial: Trial) => Promise<Judgement>;
  readonly keys: string[];
}

/** Answers by the number of the question, from 1, and its key. */
function answering(judge: (number: number, key: string) => Judgement = () => FAITHFUL): Asked {
  const keys: string[] = [];
  return {
    keys,
    ask: async trial => {
      keys.push(trialKey(trial));
      return judge(keys.length, trialKey(trial));
    },
  };
}

interface Kept {
  trials: readonly TrialResult[];
  times: number;
}

function setUp({ ask }: Asked) {
  const kept: Kept = { trials: [], times: 0 };
  let now = 0;
  const run = (more: Partial<CalibrateOptions> = {}) =>
    calibrate({
      server: { name: 'm', baseUrl: 'http://127.0.0.1:1/v1', isApfel: true, version: '1.8.4' },
      variants: VARIANTS,
      runs: 4,
      ask,
      now: () => {
        now += 50;
        return now;
      },
      remembered: kept.trials,
      keep: async trials => {
        kept.trials = trials;
        kept.times += 1;
      },
      ...more,
    });
  return { kept, run };
}

test('calibrate asks every variant in turn, with the same seed for all', async () => {
  const asked = answering();
  const { rows, stopped, total, done } = await setUp(asked).run();
  const [warmUp, ...rest] = asked.keys;
  assert.is(warmUp, 'guided - directive 1');
  assert.equal(rest.slice(0, 7), [
    'guided - directive 1',
    'guided - review 1',
    'native - directive 1',
    'native auto directive 1',
    'native - neutral 1',
    'native auto neutral 1',
    'guided - directive 2',
  ]);
  assert.equal([rest.length, total, done, stopped], [24, 24, 24, undefined]);
  assert.equal(
    rows.map(({ protocol, toolChoice, prompt }) => `${protocol} ${toolChoice ?? '-'} ${prompt}`),
    rest.slice(0, 6).map(key => key.slice(0, -2)),
  );
  for (const { runs, calls, faithful, ms } of rows) {
    assert.equal({ runs, calls, faithful, ms }, { runs: 4, calls: 4, faithful: 4, ms: 50 });
  }
});

test('a variant that gets no reply is a result, unless none gets one', async () => {
  const refusing = (isRefused: (key: string) => boolean) =>
    setUp(
      answering((_, key) => (isRefused(key) ? { kind: 'measured', verdict: 'refused' } : FAITHFUL)),
    ).run();
  assert.is((await refusing(key => key.startsWith('guided'))).stopped, undefined);
  assert.is((await refusing(() => true)).stopped, 'no question was answered');
});

test('each row counts its replies and gives the mean time', async () => {
  const said: Record<string, TrialVerdict> = {
    'guided - directive 1': 'other-arguments',
    'guided - directive 2': 'wrong-name',
    'guided - directive 3': 'refused',
  };
  const asked = answering((_, key) => ({ kind: 'measured', verdict: said[key] ?? 'faithful' }));
  const { rows } = await setUp(asked).run();
  const { protocol: name, ...row } = rows[0] ?? {};
  assert.is(name, 'guided');
  const counts = { runs: 4, calls: 3, faithful: 1, wrongName: 1, refused: 1, ms: 50 };
  assert.equal(row, { toolChoice: null, prompt: 'directive', ...counts });
});

test('calibrate reports what it measured before its deadline, and the next run continues there', async () => {
  const ended: Judgement = { kind: 'ended', message: 'the time was up' };
  const { kept, run } = setUp(answering(number => (number === 9 ? ended : FAITHFUL)));
  const first = await run();
  assert.equal([first.done, first.total, first.stopped], [7, 24, 'the time was up']);
  assert.equal(
    first.rows.map(({ runs }) => runs),
    [2, 1, 1, 1, 1, 1],
  );
  assert.is(first.picked?.protocol, 'guided');
  assert.is(kept.trials.length, 7);
  const again = answering();
  const second = await run({ ask: again.ask });
  assert.equal(again.keys.slice(0, 2), ['guided - review 2', 'guided - review 2']);
  assert.equal([second.done, second.remembered, again.keys.length], [24, 7, 18]);
  assert.is(second.stopped, undefined);
});

test('a complete calibration is repeated, and a longer one continues it', async () => {
  const { kept, run } = setUp(answering());
  await run();
  const longer = answering();
  assert.is((await run({ ask: longer.ask, runs: 5 })).remembered, 24);
  assert.is(longer.keys.length, 7);
  const worse = answering(() => ({ kind: 'measured', verdict: 'refused' }));
  const { rows, remembered } = await run({ ask: worse.ask, runs: 5 });
  assert.equal([remembered, worse.keys.length, kept.trials.length], [0, 31, 30]);
  assert.ok(rows.every(({ refused }) => refused === 5));
});

test('calibrate stops asking a server that times out three times in a row', async () => {
  const asked = answering(number => (number > 5 ? missed('come back later') : FAITHFUL));
  const { done, stopped } = await setUp(asked).run();
  assert.is(done, 4);
  assert.is(stopped, 'the server had no time, 3 times in a row (come back later)');
  assert.is(asked.keys.length, 8);
});

test('single failures leave gaps, which are reported and filled the next time', async () => {
  const { run } = setUp(answering(number => (number === 4 || number === 9 ? missed() : FAITHFUL)));
  const { done, stopped } = await run();
  assert.equal([done, stopped], [22, 'the server had no time for 2 questions']);
  const again = answering();
  assert.is((await run({ ask: again.ask })).stopped, undefined);
  assert.is(again.keys.length, 3);
});

test('a calibration without a single answer is incomplete, and the next one asks everything again', async () => {
  const broken: Judgement = { kind: 'failed', message: 'the server answered 500' };
  const ended: Judgement = { kind: 'ended', message: 'the time was up' };
  for (const last of [broken, ended]) {
    const { run } = setUp(answering(number => (number === 25 ? last : broken)));
    const { stopped, picked } = await run();
    const whole = 'no question was answered (the server answered 500)';
    assert.equal([stopped, picked], [last === ended ? 'the time was up' : whole, undefined]);
    const again = answering();
    const { remembered, rows } = await run({ ask: again.ask });
    assert.equal([remembered, again.keys.length], [0, 25]);
    assert.ok(rows.every(({ faithful }) => faithful === 4));
  }
});

test('calibrate --strict gives exit 6 where the server only answers with errors or refusals', () =>
  withFolder(async cwd => {
    for (const quirk of ['unknown-500', 'content-filter'] as const) {
      const server = await startStandIn({ quirks: { [quirk]: 1 } });
      try {
        const args = ['--strict', '--runs', '1', '--base-url', server.baseUrl];
        const run = await apfelBot(['calibrate', ...args], { cwd });
        assert.is(run.code, 6, run.stdout);
        assert.match(run.stdout, /1 run of each, 16 of 16 asked, 0 replies\n/);
        assert.match(run.stdout, '* partial: no question was answered');
        assert.match(run.stdout, "text isn't measured, because this apfel may have MCP tools");
      } finally {
        await server.close();
      }
    }
  }));

test('every measurement is saved and reported as it is made', async () => {
  const told: string[] = [];
  const { kept, run } = setUp(answering());
  await run({
    runs: 1,
    onProgress: ({ done, total, trial, verdict }) =>
      told.push(`${done}/${total} ${trialKey(trial)} ${verdict}`),
  });
  assert.is(kept.times, 6);
  assert.is(told.length, 6);
  assert.is(told[1], '2/6 guided - review 1 faithful');
});

test.run();
