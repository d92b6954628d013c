import * as assert from 'uvu/assert';
import {
  afterFix,
  afterPost,
  afterStop,
  type Cast,
  CHAPTERS,
  chapterLine,
  epilogue,
  labelOf,
  linterName,
  prologue,
} from '../../src/demo/story.js';
import { paint } from '../../src/report/style.js';
import { suite } from '../support/suite.js';

const test = suite('story');

const SCRIPTED: Cast = { isLive: false, model: 'scripted-demo', eslint: undefined };
const LIVE: Cast = { isLive: true, model: 'apple-foundationmodel', eslint: '9.39.5' };

const told = (cast: Cast, isLucky: boolean): string[] => [
  ...prologue(cast),
  ...afterStop(cast, isLucky),
  ...afterFix(cast, { fixed: 3, before: 3, byModel: isLucky ? 1 : 0 }),
  ...afterPost(cast, { rejected: 1, hasFoundBug: isLucky, hasSuggestion: isLucky }),
  linterName(cast),
];

const chapterOf = (cast: Cast, columns: number): string =>
  chapterLine(
    { number: 4, title: CHAPTERS[3] },
    { label: labelOf(cast), columns, colors: paint(false) },
  ).trim();

test('no line is wider than 80 columns', () => {
  const lines = [SCRIPTED, LIVE].flatMap(cast => [...told(cast, true), ...told(cast, false)]);
  for (const line of lines) assert.ok(line.length <= 80, line);
});

test('above every step stands who plays the model', () => {
  for (const columns of [80, 120, 40]) {
    assert.match(chapterOf(SCRIPTED, columns), /── scripted model ──$/);
    assert.match(chapterOf(LIVE, columns), /── live: apple-foundationmodel ──$/);
  }
  assert.ok(chapterOf(SCRIPTED, 120).length <= 80);
});

test('what the script did is called scripted, what the model did is not', () => {
  assert.match(prologue(SCRIPTED).join(' '), /THE MODEL IS SCRIPTED/);
  assert.match(afterStop(SCRIPTED, true).join(' '), /scripted model/);
  assert.match(
    afterPost(SCRIPTED, { rejected: 1, hasFoundBug: true, hasSuggestion: true }).join(' '),
    /scripted model/,
  );
  for (const isLucky of [true, false]) assert.not.match(told(LIVE, isLucky).join(' '), /scripted/i);
});

test('a model that found nothing is said to have found nothing', () => {
  assert.match(afterStop(LIVE, false).join(' '), /did not find/);
  assert.match(afterStop(LIVE, true).join(' '), /found the planted mistake/);
  assert.match(afterFix(LIVE, { fixed: 2, before: 3, byModel: 0 }).join(' '), /2 of 3.*none/);
  const nothing = { rejected: 0, hasFoundBug: false, hasSuggestion: false };
  assert.match(afterPost(LIVE, nothing).join(' '), /did not find/);
});

test('the way out can be copied, whatever the folder is called', () => {
  const lines = epilogue({ folder: "/tmp/it's here", seconds: '9' });
  assert.ok(lines.includes("  rm -rf '/tmp/it'\\''s here'"), lines.join('\n'));
  assert.ok(lines.includes("  /tmp/it's here/audit.html"));
});

test.run();
