import * as assert from 'uvu/assert';
import {
  afterBlockedCommit,
  afterFix,
  afterPost,
  closing,
  type DemoSetup,
  introduction,
  labelOf,
  linterName,
  stepHeading,
} from '../../src/demo/text.js';
import { paint } from '../../src/report/style.js';
import { suite } from '../support/suite.js';

const test = suite('demo/text');

const SCRIPTED: DemoSetup = { isLive: false, model: 'scripted-demo', eslint: undefined };
const LIVE: DemoSetup = { isLive: true, model: 'apple-foundationmodel', eslint: '9.39.5' };

const linesFor = (setup: DemoSetup, isLucky: boolean): string[] => [
  ...introduction(setup),
  ...afterBlockedCommit(setup, isLucky),
  ...afterFix(setup, { fixed: 3, before: 3, byModel: isLucky ? 1 : 0 }),
  ...afterPost(setup, { rejected: 1, hasFoundBug: isLucky, hasSuggestion: isLucky }),
  linterName(setup),
];

const headingFor = (setup: DemoSetup, columns: number): string =>
  stepHeading('4 of 6 · Old linter problems, fixed on a branch', {
    label: labelOf(setup),
    columns,
    colors: paint(false),
  }).trim();

test('no line of the demo is wider than 80 columns', () => {
  const lines = [SCRIPTED, LIVE].flatMap(setup => [
    ...linesFor(setup, true),
    ...linesFor(setup, false),
  ]);
  for (const line of lines) assert.ok(line.length <= 80, line);
});

test('the heading of every step names the model', () => {
  for (const columns of [80, 120, 40]) {
    assert.match(headingFor(SCRIPTED, columns), /── scripted model ──$/);
    assert.match(headingFor(LIVE, columns), /── live: apple-foundationmodel ──$/);
  }
  assert.ok(headingFor(SCRIPTED, 120).length <= 80);
});

test('only the work of the scripted model is called scripted', () => {
  assert.match(introduction(SCRIPTED).join(' '), /THE MODEL IS SCRIPTED/);
  assert.match(afterBlockedCommit(SCRIPTED, true).join(' '), /scripted model/);
  assert.match(
    afterPost(SCRIPTED, { rejected: 1, hasFoundBug: true, hasSuggestion: true }).join(' '),
    /scripted model/,
  );
  for (const isLucky of [true, false])
    assert.not.match(linesFor(LIVE, isLucky).join(' '), /scripted/i);
});

test('a live model that misses the mistakes is reported as missing them', () => {
  assert.match(afterBlockedCommit(LIVE, false).join(' '), /did not find/);
  assert.match(afterBlockedCommit(LIVE, true).join(' '), /found the planted mistake/);
  assert.match(afterFix(LIVE, { fixed: 2, before: 3, byModel: 0 }).join(' '), /2 of 3.*none/);
  const nothing = { rejected: 0, hasFoundBug: false, hasSuggestion: false };
  assert.match(afterPost(LIVE, nothing).join(' '), /did not find/);
});

test('the command that removes the folder can be copied, whatever the folder is called', () => {
  const lines = closing("/tmp/it's here", '9');
  assert.ok(lines.includes("  rm -rf '/tmp/it'\\''s here'"), lines.join('\n'));
  assert.ok(lines.includes("  /tmp/it's here/audit.html"));
});

test.run();
