import * as assert from 'uvu/assert';
import { calibrateJson, calibrateText } from '../../src/calibrate/command.js';
import type { SavedReport } from '../../src/calibrate/measure.js';
import { suite } from '../support/suite.js';

const test = suite('calibrate/calibrate-text');

const REPORT: SavedReport = {
  server: {
    name: 'apple-foundationmodel',
    baseUrl: 'http://127.0.0.1:11434/v1',
    isApfel: true,
    version: '1.8.4',
  },
  rows: [
    {
      protocol: 'guided',
      toolChoice: null,
      prompt: 'directive',
      runs: 15,
      calls: 15,
      faithful: 14,
      wrongName: 0,
      refused: 0,
      ms: 1210,
    },
    {
      protocol: 'native',
      toolChoice: 'required',
      prompt: 'neutral',
      runs: 7,
      calls: 1,
      faithful: 0,
      wrongName: 1,
      refused: 6,
      ms: 990,
    },
    {
      protocol: 'guided',
      toolChoice: null,
      prompt: 'second look',
      runs: 15,
      calls: 14,
      faithful: 12,
      wrongName: 0,
      refused: 1,
      ms: 800,
    },
  ],
  wantedRuns: 15,
  done: 22,
  remembered: 0,
  total: 30,
  stopped: 'the time was up',
  picked: { protocol: 'guided', toolChoice: null, faithful: 14, runs: 15, ms: 1210 },
  isRemembered: true,
};

test('the table of calibrate is aligned, marks partial rows and explains the pick', () => {
  assert.equal(calibrateText(REPORT).split('\n'), [
    'apple-foundationmodel behind apfel 1.8.4 at http://127.0.0.1:11434/v1',
    '15 runs of each, 22 of 30 asked, 30 replies',
    '',
    'protocol  tool_choice  prompt       runs  replies  faithful  misnamed  refused    ms',
    'guided    -            directive      15       15       93%         0        0  1210',
    'native    required     neutral        7*        1        0%         1        6   990',
    'guided    -            second look    15       14       80%         0        1   800',
    '',
    'directive, neutral: a tool is asked for by its name, or without it',
    'review, second look, fix: what reviews and fixes ask, about code with a known answer',
    'faithful: the right tool with exactly the arguments asked for, or the right answer',
    "text isn't measured, because this apfel may have MCP tools; without it, apfel-bot starts its own",
    '* partial: the time was up. Run it again to continue from here.',
    'With 7 runs, differences under 37 points may be chance.',
    '',
    'picked: guided (14 of 15 faithful when the tool is named, 1210 ms)',
    '',
  ]);
});

test('a complete table of calibrate mentions no missing rows', () => {
  const { stopped: _, ...rest } = REPORT;
  const text = calibrateText({ ...rest, done: 30, stopped: undefined });
  assert.not.match(text, 'partial:');
  assert.not.match(text, 'Run it again');
});

test('what may be chance is computed from the runs that were made, not from those asked for', () => {
  const withRuns = (...made: number[]): string =>
    calibrateText({
      ...REPORT,
      rows: REPORT.rows.slice(0, made.length).map((row, at) => ({ ...row, runs: made[at] ?? 0 })),
    });
  assert.match(withRuns(15, 15), 'With 15 runs, differences under 25 points may be chance.');
  assert.match(withRuns(3, 2), 'With 2 runs, differences under 69 points may be chance.');
  assert.match(withRuns(1, 0), 'With 1 run, differences under 98 points may be chance.');
  assert.not.match(withRuns(0, 0), 'points may be chance');
});

test('calibrate reports what was saved, what could not be saved and what was not found', () => {
  const text = calibrateText({
    ...REPORT,
    remembered: 12,
    isRemembered: false,
    picked: undefined,
  });
  assert.match(text, '12 of them by an earlier, unfinished run');
  assert.match(text, 'picked: none, because no protocol gave a faithful call');
  assert.match(text, "not saved: the cache folder can't be written to");
});

test('calibrate says why it picked a protocol with fewer right calls', () => {
  const [row] = REPORT.rows;
  if (row === undefined) throw new Error('no row');
  const rows = [
    { ...row, runs: 4, faithful: 2 },
    { ...row, protocol: 'native', runs: 4, faithful: 3 } as const,
  ];
  const picked = { protocol: 'guided', toolChoice: null, faithful: 2, runs: 4, ms: 9 } as const;
  assert.match(
    calibrateText({ ...REPORT, rows, picked }),
    'named, 9 ms); native had 3 of 4, which may be chance\n',
  );
});

test('a server name with control characters cannot control the terminal', () => {
  const hostile = { ...REPORT.server, name: 'a\x1b[2J\n::error::b', version: '\u202e1' };
  for (const print of [calibrateText, calibrateJson]) {
    const text = print({ ...REPORT, server: hostile });
    assert.not.match(text, /[\x1b\u202e]/);
    assert.not.match(text, /^::/m);
  }
});

test('the JSON of calibrate has its documented fields and the figures behind the pick', () => {
  const { rows, questions, picked, ...more } = JSON.parse(calibrateJson(REPORT));
  assert.equal(rows, REPORT.rows.slice(0, 2));
  const counts = { runs: 15, answered: 14, right: 12, refused: 1, ms: 800 };
  assert.equal(questions, [{ question: 'second look', protocol: 'guided', ...counts }]);
  assert.is(picked, 'guided');
  assert.equal(more, {
    pickedToolChoice: null,
    server: {
      model: 'apple-foundationmodel',
      baseUrl: 'http://127.0.0.1:11434/v1',
      version: '1.8.4',
    },
    wantedRuns: 15,
    complete: false,
    reason: 'the time was up',
  });
  assert.is(JSON.parse(calibrateJson({ ...REPORT, picked: undefined })).picked, null);
});

test.run();
