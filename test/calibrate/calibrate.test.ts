import * as assert from 'uvu/assert';
import { type CalibrateOptions, calibrate } from '../../src/calibrate/calibrate.js';
import type { MeasuredProtocol } from '../../src/calibrate/trial.js';
import { TIME_UP } from '../../src/core/deadline.js';
import { type TrialResult, trialKey } from '../../src/model/calibration.js';
import type { ModelReply, ModelRequest } from '../../src/model/model.js';
import { calls, type FakeModel, fails, fakeModel } from '../support/fake-model.js';
import { suite } from '../support/suite.js';

const test = suite('calibrate');

/** Says which trial it is for, and reads the calls as they are. */
const protocol = (
  name: MeasuredProtocol['name'],
  toolChoices: MeasuredProtocol['toolChoices'] = [],
): MeasuredProtocol => ({
  name,
  toolChoices,
  request: (trial, question) => ({
    system: trialKey(trial),
    messages: [{ role: 'user', content: [{ type: 'text', text: question[trial.prompt] }] }],
    maxTokens: 200,
    seed: trial.seed,
  }),
  read: reply =>
    reply.kind === 'tool-calls' ? { kind: 'calls', calls: reply.calls } : { kind: 'no-call' },
});

/** The call that was asked for; the answer to a question about a file is in its own words. */
function perfect({ messages }: ModelRequest): ModelReply {
  const text = JSON.stringify(messages);
  const [, path, line] = /file (\S+) say from line (\d+)/.exec(text) ?? [];
  return path === undefined
    ? calls('get_time', {})
    : calls('read_file', { path, startLine: Number(line) });
}

interface Kept {
  trials: readonly TrialResult[];
  times: number;
}

function setUp(model: FakeModel, changes: Partial<CalibrateOptions> = {}) {
  const kept: Kept = { trials: [], times: 0 };
  let now = 0;
  const run = (more: Partial<CalibrateOptions> = {}) =>
    calibrate({
      model,
      protocols: [protocol('guided'), protocol('native', ['auto'])],
      runs: 4,
      clock: {
        now: () => {
          now += 50;
          return now;
        },
        remainingMs: () => 60_000,
      },
      signal: new AbortController().signal,
      remembered: kept.trials,
      keep: async trials => {
        kept.trials = trials;
        kept.times += 1;
      },
      ...changes,
      ...more,
    });
  return { kept, run };
}

const asked = (model: FakeModel): string[] => model.requests.map(({ system }) => system);

test('every variant is asked in turn, with a seed that is the same for all', async () => {
  const model = fakeModel(perfect);
  const { run } = setUp(model);
  const { rows, stopped, total, done } = await run();
  const [warmUp, ...rest] = asked(model);
  assert.is(warmUp, 'guided - directive 1');
  assert.equal(rest.slice(0, 7), [
    'guided - directive 1',
    'guided - neutral 1',
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

test('what each row shows is counted, the mean time included', async () => {
  const said: Record<string, ModelReply> = {
    'guided - directive 1': calls('get_time', { extra: 1 }),
    'guided - directive 2': calls('wikipedia.info'),
    'guided - directive 3': fails('blocked'),
  };
  const model = fakeModel(request => said[request.system] ?? perfect(request));
  const { rows } = await setUp(model).run();
  const { protocol: name, ...row } = rows[0] ?? {};
  assert.is(name, 'guided');
  const counts = { runs: 4, calls: 3, faithful: 1, wrongName: 1, refused: 1, ms: 50 };
  assert.equal(row, { toolChoice: null, prompt: 'directive', ...counts });
});

test('when the time is up, what was measured is reported, and the next run goes on there', async () => {
  const abort = new AbortController();
  const model = fakeModel((request, number) => {
    if (number === 9) abort.abort(TIME_UP);
    abort.signal.throwIfAborted();
    return perfect(request);
  });
  const { kept, run } = setUp(model);
  const first = await run({ signal: abort.signal });
  assert.equal([first.done, first.total, first.stopped], [7, 24, 'the time was up']);
  assert.equal(
    first.rows.map(({ runs }) => runs),
    [2, 1, 1, 1, 1, 1],
  );
  assert.is(first.picked?.protocol, 'guided');
  assert.is(kept.trials.length, 7);
  const again = fakeModel(perfect);
  const second = await run({ model: again });
  assert.equal(asked(again).slice(0, 2), ['guided - neutral 2', 'guided - neutral 2']);
  assert.equal([second.done, second.remembered, again.requests.length], [24, 7, 18]);
  assert.is(second.stopped, undefined);
});

test('a complete calibration is made again, a longer one goes on from it', async () => {
  const model = fakeModel(perfect);
  const { kept, run } = setUp(model);
  await run();
  const longer = fakeModel(perfect);
  assert.is((await run({ model: longer, runs: 5 })).remembered, 24);
  assert.is(longer.requests.length, 7);
  const worse = fakeModel(() => fails('blocked'));
  const { rows, remembered } = await run({ model: worse, runs: 5 });
  assert.equal([remembered, worse.requests.length, kept.trials.length], [0, 31, 30]);
  assert.ok(rows.every(({ refused }) => refused === 5));
});

test('a time-out counts against the model, unless it is the end of the run', async () => {
  const model = fakeModel(() => fails('timed-out'));
  const { rows } = await setUp(model).run();
  assert.equal(rows[0]?.runs, 4);
  const clock = { now: () => 0, remainingMs: () => 1 };
  const late = await setUp(model).run({ clock });
  assert.equal([late.done, late.stopped], [0, 'the time was up']);
});

test('a server that has no time three times in a row is left alone', async () => {
  const model = fakeModel((request, number) =>
    number > 5 ? fails('busy', 'come back later') : perfect(request),
  );
  const { done, stopped } = await setUp(model).run();
  assert.is(done, 4);
  assert.is(stopped, 'the server had no time, 3 times in a row (come back later)');
  assert.is(model.requests.length, 8);
});

test('single misses leave gaps, which are reported and filled the next time', async () => {
  const model = fakeModel((request, number) =>
    number === 4 || number === 9 ? fails('rate-limited') : perfect(request),
  );
  const { run } = setUp(model);
  const { done, stopped } = await run();
  assert.equal([done, stopped], [22, 'the server had no time for 2 questions']);
  const again = fakeModel(perfect);
  assert.is((await run({ model: again })).stopped, undefined);
  assert.is(again.requests.length, 3);
});

test('a server that is gone ends it at once', async () => {
  const model = fakeModel(() => fails('unreachable', 'nobody there'));
  const { done, stopped, picked } = await setUp(model).run();
  assert.equal([done, stopped, picked], [0, 'the server is gone (nobody there)', undefined]);
  assert.is(model.requests.length, 1);
});

test('every measurement is kept and reported as it is made', async () => {
  const told: string[] = [];
  const { kept, run } = setUp(fakeModel(perfect));
  await run({
    runs: 1,
    onProgress: ({ done, total, trial, verdict }) =>
      told.push(`${done}/${total} ${trialKey(trial)} ${verdict}`),
  });
  assert.is(kept.times, 6);
  assert.is(told.length, 6);
  assert.is(told[1], '2/6 guided - neutral 1 faithful');
});

test('an error that is not an abort is not swallowed', async () => {
  const model = fakeModel(() => {
    throw new Error('a bug');
  });
  const thrown = await setUp(model)
    .run()
    .catch((error: unknown) => error);
  assert.match(String(thrown), 'a bug');
});

test.run();
