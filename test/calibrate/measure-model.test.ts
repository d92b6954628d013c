import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { DOCUMENTED_RATES, TOOL_CHOICE_RATES } from '../../fixtures/apfel/rates.js';
import type { StandInOptions } from '../../fixtures/apfel/stand-in.js';
import { installFakeApfel } from '../../fixtures/fake-apfel/install.js';
import { calibrateText } from '../../src/calibrate/command.js';
import { calibrateMachine, calibrateModel, type SavedReport } from '../../src/calibrate/measure.js';
import { variantsFor } from '../../src/calibrate/trial.js';
import { isBotError } from '../../src/core/bot-error.js';
import { TIME_UP } from '../../src/core/deadline.js';
import {
  type CalibrationRow,
  isClosed,
  recall,
  remember,
  tokenScale,
} from '../../src/model/calibration.js';
import { openUserCache } from '../../src/platform/user-cache.js';
import { withMachine } from '../model/apfel-harness.js';
import {
  never,
  realPace,
  type StandInModel,
  testPace,
  withStandIn,
} from '../model/openai-harness.js';
import { fakeModel } from '../support/fake-model.js';
import { suite } from '../support/suite.js';
import { withFolder } from '../support/with-repo.js';
import { perfectCaller } from './perfect-caller.js';

const test = suite('calibrate/measure-model');

type Calibrate = (changes?: Partial<Parameters<typeof calibrateModel>[0]>) => Promise<SavedReport>;

/** A stand-in, a home of its own, and `calibrate` between them. */
const withCalibration = (
  options: StandInOptions,
  body: (calibrate: Calibrate, there: StandInModel & { home: string }) => Promise<void>,
): Promise<void> =>
  withFolder(home =>
    withStandIn({ policy: perfectCaller, ...options }, there =>
      body(
        changes =>
          calibrateModel({
            model: there.model,
            runs: 15,
            environment: { HOME: home, XDG_CACHE_HOME: home },
            pace: testPace(),
            signal: never,
            ...changes,
          }),
        { ...there, home },
      ),
    ),
  );

const onlyNative = variantsFor(fakeModel([]).facts).filter(
  ({ protocol, prompt }) => protocol === 'native' && !isClosed(prompt),
);

const rowOf = ({ rows }: SavedReport, wanted: Partial<CalibrationRow>): CalibrationRow => {
  const row = rows.find(each =>
    Object.entries(wanted).every(([key, value]) => Object(each)[key] === value),
  );
  if (row === undefined) throw new Error(`no row ${JSON.stringify(wanted)}`);
  return row;
};

/** The published table: apfel 1.5.1, 2026-06-06. */
const ARTICLE = [
  { prompt: 'directive', toolChoice: null, calls: 12, of: 15 },
  { prompt: 'directive', toolChoice: 'auto', calls: 6, of: 15 },
  { prompt: 'neutral', toolChoice: null, calls: 2, of: 10 },
  { prompt: 'directive', toolChoice: 'required', calls: 1, of: 15 },
] as const;

const isWithinThreeSigma = (calls: number, runs: number, rate: number): boolean =>
  Math.abs(calls / runs - rate) <= 3 * Math.sqrt((rate * (1 - rate)) / runs);

const articleRates = (report: SavedReport, runs: number): string[] =>
  ARTICLE.filter(({ prompt, toolChoice, calls, of }) => {
    const row = rowOf(report, { protocol: 'native', prompt, toolChoice });
    assert.is(row.runs, runs);
    return !isWithinThreeSigma(row.calls, runs, calls / of);
  }).map(({ prompt, toolChoice }) => `${prompt} ${toolChoice ?? '-'}`);

test('with the documented failure rates, calibrate reproduces the published table within sampling error', () =>
  withCalibration({ version: '1.5.1', quirks: DOCUMENTED_RATES }, async (calibrate, { model }) => {
    const variants = variantsFor(model.facts).filter(({ prompt }) => !isClosed(prompt));
    const report = await calibrate({ variants });
    assert.equal(articleRates(report, 15), []);
    assert.is(report.rows.length, 12);
    // What constrained decoding guarantees: refusals by the guardrail are all that is lost.
    const guided = rowOf(report, { protocol: 'guided', prompt: 'directive' });
    assert.is(guided.faithful + guided.refused, 15);
    const native = rowOf(report, { protocol: 'native', prompt: 'directive', toolChoice: null });
    assert.ok(
      native.faithful < native.calls,
      'half of the calls have arguments that were invented',
    );
    assert.is(report.picked?.protocol, 'guided');
  }));

test('with twice the runs and no other faults the four rates still hold', () =>
  withCalibration({ version: '1.5.1', quirks: TOOL_CHOICE_RATES, seed: 3 }, async calibrate => {
    const variants = onlyNative.filter(({ toolChoice }) => toolChoice !== 'named');
    const report = await calibrate({ variants, runs: 30 });
    assert.equal(articleRates(report, 30), []);
    const required = rowOf(report, { toolChoice: 'required', prompt: 'directive' });
    assert.is(required.refused, 30 - required.calls);
    assert.is(report.picked?.toolChoice, null);
  }));

test('a server that calls nothing by name is not mistaken for one that does', () =>
  withCalibration({ quirks: { 'invented-tool': 1 } }, async calibrate => {
    const report = await calibrate({ variants: onlyNative, runs: 2 });
    const row = rowOf(report, { prompt: 'directive', toolChoice: null });
    assert.equal([row.calls, row.wrongName, row.faithful], [2, 2, 0]);
    assert.is(report.picked, undefined);
    assert.match(calibrateText(report), 'picked: none');
  }));

test('the pick is remembered for this server and model, and for no other', () =>
  withCalibration({}, async (calibrate, { model, home }) => {
    await calibrate({ runs: 1 });
    const cache = openUserCache({ XDG_CACHE_HOME: home });
    assert.is((await recall(model.facts, cache)).picked?.protocol, 'guided');
    for (const other of [{ version: '1.9.0' }, { name: 'llama3' }, { isApfel: false }]) {
      assert.is((await recall({ ...model.facts, ...other }, cache)).picked, undefined);
    }
    assert.is((await recall(model.facts, openUserCache({ HOME: home }))).picked, undefined);
  }));

test('a calibration with fewer runs keeps the pick of one with more, and says so', () =>
  withCalibration({}, async calibrate => {
    await calibrate({ runs: 3 });
    const { picked, wantedRuns } = await calibrate({ runs: 1 });
    assert.equal([picked?.runs, wantedRuns], [3, 1]);
  }));

test('a calibration without counts of tokens keeps those that doctor has saved', () =>
  withCalibration({}, async (calibrate, { model, home }) => {
    const cache = openUserCache({ XDG_CACHE_HOME: home });
    const tokens = [{ estimated: 100, actual: 90 }];
    await remember(model.facts, { tokens }, cache);
    await calibrate({ runs: 1 });
    assert.equal((await recall(model.facts, cache)).tokens, tokens);
  }));

test('a calibration that ran out of time is kept, and the next one continues from it', () =>
  withCalibration({ latencyMs: 20 }, async (calibrate, { standIn, model, home }) => {
    const abort = new AbortController();
    // The time is up at the twentieth question, whenever that is.
    const timer = setInterval(() => standIn.requests.length >= 20 && abort.abort(TIME_UP), 1);
    const first = await calibrate({ runs: 10, signal: abort.signal, pace: realPace(600_000) });
    clearInterval(timer);
    assert.is(first.stopped, 'the time was up');
    assert.ok(first.done > 0 && first.done < 40, `${first.done} of 210 were done`);
    assert.ok(first.isRemembered);
    const cache = openUserCache({ XDG_CACHE_HOME: home });
    assert.is((await recall(model.facts, cache)).picked?.protocol, 'guided');
    const before = standIn.requests.length;
    const second = await calibrate({ runs: 4 });
    assert.equal([second.remembered, second.done], [first.done, 84]);
    // One more than was missing, to wake the model up.
    assert.is(standIn.requests.length - before, 84 - second.remembered + 1);
  }));

test('a damaged calibration file counts as none and is replaced', () =>
  withCalibration({}, async (calibrate, { home }) => {
    const file = join(home, 'apfel-bot', 'calibration.json');
    await mkdir(join(home, 'apfel-bot'));
    const trial = { protocol: 'guided', toolChoice: null, prompt: 'directive', seed: 1, ms: 1 };
    const broken = [
      '{"version": 1, "machines": ',
      'null',
      '{"version":1,"machines":[1]}',
      JSON.stringify({ version: 1, machines: 7 }),
    ];
    for (const text of broken) {
      await writeFile(file, text);
      const report = await calibrate({ runs: 1, variants: onlyNative });
      assert.equal([report.remembered, report.isRemembered], [0, true]);
    }
    const held = JSON.parse(await readFile(file, 'utf8'));
    const [key = ''] = Object.keys(held.machines);
    held.machines[key] = {
      trials: [trial, 3, { ...trial, verdict: 'faithful' }],
      picked: 'guided',
    };
    await writeFile(file, JSON.stringify(held));
    // One trial of the three makes sense, and it is none of this protocol's.
    assert.is((await calibrate({ runs: 1, variants: onlyNative })).remembered, 0);
    assert.is((await calibrate({ runs: 1 })).remembered, 9);
  }));

test('a cache that cannot be written is reported, and calibrate goes on', () =>
  withCalibration({}, async (calibrate, { home }) => {
    await writeFile(join(home, 'occupied'), '');
    const environment = { XDG_CACHE_HOME: join(home, 'occupied') };
    const report = await calibrate({ runs: 1, environment, variants: onlyNative });
    assert.equal([report.done, report.isRemembered], [8, false]);
  }));

test('measurements before a server died are kept', () =>
  withCalibration({ quirks: { 'scalar-arguments': 0.2 } }, async calibrate => {
    const report = await calibrate({ variants: onlyNative });
    assert.match(report.stopped ?? '', /^the server is gone/);
    assert.ok(report.done > 0 && report.done < report.total);
  }));

test('calibrate without a model exits 4 with the reason', () =>
  withMachine(async ({ environment }) => {
    const find = {
      baseUrl: 'http://127.0.0.1:1/v1',
      modelName: undefined,
      apiKey: undefined,
      allowRemote: false,
      start: true,
      contextWindow: undefined,
      requestTimeoutMs: 1000,
      environment,
      pace: realPace(5000),
      signal: never,
    };
    const thrown = await calibrateMachine(find, { runs: 1 }).catch((error: unknown) => error);
    assert.is(isBotError(thrown) && thrown.code, 'model-required');
    assert.match(String(thrown), 'nothing answers at http://127.0.0.1:1/v1');
    const late = { ...find, signal: AbortSignal.abort(TIME_UP) };
    const hurried = await calibrateMachine(late, { runs: 1 }).catch((error: unknown) => error);
    assert.is(isBotError(hurried) && hurried.code, 'model-required');
  }));

test('where apfel is installed it is started, counts our samples, and is stopped again', () =>
  withMachine(async ({ bin, environment }) => {
    await installFakeApfel(bin);
    const report = await calibrateMachine(
      {
        baseUrl: undefined,
        modelName: undefined,
        apiKey: undefined,
        allowRemote: false,
        start: true,
        contextWindow: undefined,
        requestTimeoutMs: 60_000,
        environment,
        pace: realPace(300_000),
        signal: never,
      },
      { runs: 1, variants: onlyNative },
    );
    assert.is(report.done, 8);
    const facts = { ...report.server, contextWindow: 4096 };
    const scale = tokenScale(await recall(facts, openUserCache(environment)));
    assert.is(scale.samples, 3);
    assert.ok(scale.factor > 0.6 && scale.factor < 1.6);
  }));

test.run();
