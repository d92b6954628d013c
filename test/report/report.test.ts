import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import type { Ending } from '../../src/core/bot-error.js';
import type { Outcome } from '../../src/core/outcome.js';
import { nodeClock } from '../../src/platform/clock.js';
import { type ReportOptions, writeReport } from '../../src/report/report.js';
import { suite } from '../support/suite.js';
import { withFolder } from '../support/with-repo.js';
import { CLEAN, finding, INCOMPLETE, SAMPLE } from './sample-outcome.js';

const test = suite('report/report');

const OPTIONS: ReportOptions = {
  format: 'text',
  out: undefined,
  failOn: 'error',
  isStrict: false,
  color: false,
  columns: 80,
  isQuiet: false,
  version: '1.2.3',
};

const ending = async (outcome: Outcome, options: Partial<ReportOptions>): Promise<Ending> =>
  (await writeReport(outcome, { ...OPTIONS, ...options }, nodeClock)).ending;

test('a run fails at findings of the wanted severity, and with --strict if it is incomplete', async () => {
  const warned = { ...INCOMPLETE, findings: [finding({ severity: 'warning' })] };
  assert.is(await ending(warned, { failOn: 'warning', isStrict: true }), 'findings');
  assert.is(await ending(warned, { isStrict: true }), 'incomplete');
  assert.is(await ending(warned, {}), 'done');
  assert.is(await ending({ ...CLEAN, complete: true }, { isStrict: true }), 'done');
});

test('every format is printed, and the file of --out is JSON', () =>
  withFolder(async folder => {
    const out = join(folder, 'outcome.json');
    for (const [format, start] of [
      ['text', /./],
      ['json', /^\{\n {2}"version": 1/],
      ['sarif', /"version":\s*"2\.1\.0"/],
      ['rdjson', /"source":/],
      ['github', /^::error /m],
      ['markdown', /apfel-bot/],
    ] as const) {
      const { text, failure } = await writeReport(SAMPLE, { ...OPTIONS, format, out }, nodeClock);
      assert.match(text, start, format);
      assert.is(failure, undefined);
      assert.is(JSON.parse(await readFile(out, 'utf8')).run, SAMPLE.run);
    }
  }));

test('JSON is printed without a file too', async () => {
  const { text } = await writeReport(SAMPLE, { ...OPTIONS, format: 'json' }, nodeClock);
  assert.is(JSON.parse(text).run, SAMPLE.run);
});

test('a report is printed even if its file cannot be written', () =>
  withFolder(async folder => {
    const options = { ...OPTIONS, out: folder };
    const { text, failure } = await writeReport(CLEAN, options, nodeClock);
    assert.match(text, 'clean');
    assert.match(failure?.message ?? '', folder);
  }));

test.run();
