import * as assert from 'uvu/assert';
import { namesCode } from '../../src/agent/grounding.js';
import type { Judgement } from '../../src/agent/question.js';
import { judgeVerdict, type Misplaced, type Verdict } from '../../src/review/verdict.js';
import { suite } from '../support/suite.js';

const test = suite('review/verdict');

const LINES = new Map([
  [12, 'for (let i = 0; i <= list.length; i++) {'],
  [13, '  total += list[i];'],
  [14, '  total += list[i];'],
]);
const REASON = 'adds up list into total';

function judge(
  answer: Record<string, string>,
  lines: ReadonlyMap<number, string> = LINES,
  removed: readonly string[] = [],
): { judged: Judgement<Verdict>; refused: Misplaced[] } {
  const refused: Misplaced[] = [];
  const beside = new Map(removed.length > 0 ? [...lines.keys()].map(line => [line, removed]) : []);
  const shown = { lines, removed, survivors: beside, names: ['parseList'] };
  const judged = judgeVerdict(answer, shown, report => refused.push(report));
  return { judged, refused };
}

const kindOf = (judged: Judgement<Verdict>): string =>
  judged.isGood ? judged.value.kind : `again: ${judged.kind}`;

const PROBLEM = {
  reason: REASON,
  verdict: 'problem',
  line: '12',
  quote: 'i <= list.length',
  severity: 'error',
  message: 'reads past the end',
};

test('a problem with a line and a quote of that line is accepted', () => {
  const { judged } = judge(PROBLEM);
  assert.equal(judged, {
    isGood: true,
    value: {
      kind: 'problem',
      problem: {
        line: 12,
        quote: 'i <= list.length',
        severity: 'error',
        message: 'reads past the end',
      },
      hasMore: false,
    },
  });
});

for (const [what, quote] of [
  ['other spacing', 'i<=list . length'],
  ['the mark of the line', '+12| for (let i = 0; i <= list.length; i++) {'],
  ['a fence', '```js\ni <= list.length\n```'],
  ['backticks', '`i <= list.length`'],
] as const) {
  test(`a quote with ${what} still proves its line`, () => {
    assert.is(kindOf(judge({ ...PROBLEM, quote }).judged), 'problem');
  });
}

test('an apology is a refusal even if it names the code, but a proven problem stands', () => {
  const reason = "I'm sorry, but I can't help with list and total.";
  const { judged } = judge({ reason: `${reason} ${'x'.repeat(99)}`, verdict: 'nothing' });
  assert.is(kindOf(judged), 'again: declined');
  const words = `${reason} ${'x'.repeat(99)}`.slice(0, 120);
  assert.is(judged.isGood ? '' : judged.message, `the model declined: ${words}`);
  assert.is(kindOf(judge({ ...PROBLEM, reason }).judged), 'problem');
  const word = 'sorry: an error in list is not caught, total is wrong';
  assert.is(kindOf(judge({ reason: word, verdict: 'nothing' }).judged), 'nothing');
});

test('a verdict of nothing beside a described problem is asked for again, unless all fields were', () => {
  const contradictory = { ...PROBLEM, verdict: 'nothing' };
  assert.is(kindOf(judge(contradictory).judged), 'again: incomplete');
  for (const empty of ['', ' ', 'none', 'N/A', 'No problem.', 'no issues', '-']) {
    assert.is(kindOf(judge({ ...contradictory, message: empty }).judged), 'nothing', empty);
    assert.is(kindOf(judge({ ...contradictory, quote: empty }).judged), 'nothing', empty);
  }
  const shown = { lines: LINES, removed: [], survivors: new Map(), names: [], hasAllFields: true };
  assert.is(kindOf(judgeVerdict(contradictory, shown, () => undefined)), 'nothing');
  const junk = { ...contradictory, quote: '%% 7' };
  assert.is(kindOf(judgeVerdict(junk, shown, () => undefined)), 'again: incomplete');
});

test('a quote that is on exactly one other line moves the finding there', () => {
  const { judged } = judge({ ...PROBLEM, line: '13' });
  assert.ok(judged.isGood && judged.value.kind === 'problem');
  if (judged.isGood && judged.value.kind === 'problem') assert.is(judged.value.problem.line, 12);
});

test('a quote that is on the named line and on another stays where it is', () => {
  const { judged } = judge({ ...PROBLEM, line: '14', quote: 'total += list[i]' });
  assert.ok(judged.isGood && judged.value.kind === 'problem');
  if (judged.isGood && judged.value.kind === 'problem') assert.is(judged.value.problem.line, 14);
});

test('a quote that is on two other lines, or on none, is asked for again', () => {
  for (const quote of ['total += list[i]', 'list[0]']) {
    const { judged, refused } = judge({ ...PROBLEM, quote });
    assert.is(kindOf(judged), 'again: misplaced');
    assert.is(refused[0]?.reason, 'quote-not-found');
  }
});

for (const field of ['line', 'quote', 'message'] as const) {
  test(`a problem without its ${field} is asked for again`, () => {
    const { [field]: _, ...rest } = PROBLEM;
    assert.is(kindOf(judge(rest).judged), 'again: incomplete');
  });
}

test('a verdict whose reason names nothing of the lines was not read', () => {
  for (const reason of [
    '',
    'looks good to me',
    "I'm sorry, but I can't assist with that.",
    '抱歉',
  ]) {
    assert.is(kindOf(judge({ reason, verdict: 'nothing' }).judged), 'again: unread');
    assert.is(kindOf(judge({ ...PROBLEM, reason }).judged), 'again: unread');
  }
});

test('a reason counts if it names an identifier or a longer word, whatever else it says', () => {
  for (const reason of ['sorry, error in list', 'adds to `total`', 'the LENGTH is compared']) {
    assert.is(kindOf(judge({ reason, verdict: 'nothing' }).judged), 'nothing', reason);
  }
});

test('a severity that is left out is a warning, and another word is asked about once', () => {
  const severityOf = (judged: Judgement<Verdict>): string =>
    judged.isGood && judged.value.kind === 'problem' ? judged.value.problem.severity : '';
  const { severity: _, ...without } = PROBLEM;
  assert.is(severityOf(judge(without).judged), 'warning');
  assert.is(kindOf(judge({ ...PROBLEM, severity: 'critical' }).judged), 'again: incomplete');
  const asked = { lines: LINES, removed: [], survivors: new Map(), names: [], hasAllFields: true };
  const again = judgeVerdict({ ...PROBLEM, severity: 'critical' }, asked, () => undefined);
  assert.is(severityOf(again), 'warning');
});

test('a verdict or a line that was not offered is not taken for another one', () => {
  assert.is(kindOf(judge({ ...PROBLEM, verdict: 'fine' }).judged), 'again: incomplete');
  assert.is(kindOf(judge({ ...PROBLEM, line: 'the first' }).judged), 'again: incomplete');
});

test('a look-up counts only for a name that was offered', () => {
  const look = { reason: REASON, verdict: 'look_up' };
  assert.is(kindOf(judge({ ...look, name: 'parseList' }).judged), 'look-up');
  assert.is(kindOf(judge({ ...look, name: 'readList' }).judged), 'again: incomplete');
  assert.is(kindOf(judge(look).judged), 'again: incomplete');
});

test('where lines were only removed, the quote may stand on one of them', () => {
  const lines = new Map([
    [3, 'open();'],
    [4, 'use();'],
  ]);
  const answer = { ...PROBLEM, reason: 'releases the lock', line: '4', quote: 'lock.release()' };
  const { judged } = judge(answer, lines, ['lock.release();']);
  assert.ok(judged.isGood && judged.value.kind === 'problem');
  if (judged.isGood && judged.value.kind === 'problem') {
    assert.is(judged.value.problem.line, 4);
    assert.is(judged.value.problem.quote, 'lock.release();');
  }
});

test('short words of English and keywords do not show that a line was read', () => {
  assert.not(namesCode('this is what I do if it is new', ['if (is) { new x(); }']));
  assert.ok(namesCode('sets x', ['x = 1']));
});

test('lines without a word can be described in any words', () => {
  assert.ok(namesCode('closes a block', ['}', ');']));
  assert.not(namesCode(' ', ['}']));
});

test.run();
