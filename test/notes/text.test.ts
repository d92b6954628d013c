import * as assert from 'uvu/assert';
import type { NoteRecord } from '../../src/generated/shapes.js';
import { toNotePush } from '../../src/hooks/pre-push.js';
import { finishedOf, noteOf } from '../../src/notes/record.js';
import { type NotedCommit, outcomeOf, toNoteJson, toNoteText } from '../../src/notes/text.js';
import { EMPTY, finding, ledger } from '../report/sample-outcome.js';
import { suite } from '../support/suite.js';

const test = suite('notes/text');

const COMMIT = 'c0ffee'.padEnd(40, '0');

const record = (parts: Partial<NoteRecord> = {}): NoteRecord => ({
  ...noteOf(finishedOf(EMPTY), { commit: COMMIT, tree: 'd'.repeat(40) }),
  ledger: ledger({ total: 2, reviewed: 2 }),
  ...parts,
});

const noted = (parts: Partial<NotedCommit> = {}): NotedCommit => ({
  commit: COMMIT,
  subject: 'Add a thing',
  record: record(),
  isOwn: true,
  unusable: 0,
  outdated: 0,
  ...parts,
});

const text = (...commits: NotedCommit[]): string =>
  toNoteText(commits, { color: false, columns: 80 });

test('a note shows the commit, when it was reviewed, and the verdict', () => {
  assert.is(
    text(noted()),
    'commit c0ffee000000 Add a thing\n' +
      '  recorded 2026-02-03 04:05:06 UTC, run 01JZ8Q4W6T7Y9ABCDEFGHJKMNP\n' +
      '  clean · 2 hunks: 2 reviewed\n',
  );
});

test('findings are shown as in a review, without its last line', () => {
  const findings = [finding({ line: 7, evidence: 'debugger;' })];
  const shown = text(noted({ record: record({ findings }) }));
  assert.match(shown, 'src/a.ts:7  warning  debugger');
  assert.match(shown, '1 warning · 2 hunks: 2 reviewed');
  assert.not.match(shown, '0.00 s');
});

test('what was not done is shown with its reason', () => {
  const items = [{ path: 'a.ts', hunk: 1, state: 'failed', reason: 'it was cut off' }] as const;
  const cut = record({
    complete: false,
    ledger: { ...ledger({ total: 2, reviewed: 1, failed: 1 }), items: [...items] },
  });
  assert.match(text(noted({ record: cut })), '\nfailed 1: a.ts hunk 1 (it was cut off)\n');
  const failed = { ...cut, ledger: { ...ledger({ total: 1, failed: 1 }), items: [...items] } };
  assert.not.match(text(noted({ record: failed })), 'no model', 'a model failed, so there was one');
});

test('a record of a model that did not answer in time does not say that there was none', () => {
  const reason = 'the time was up before the model had answered';
  const items = [{ path: 'a.ts', hunk: 1, state: 'outOfTime', reason }] as const;
  const late = record({
    complete: false,
    ledger: { ...ledger({ total: 1, outOfTime: 1 }), items: [...items] },
  });
  const shown = text(noted({ record: late }));
  assert.match(shown, `out of time 1: a.ts hunk 1 (${reason})`);
  assert.not.match(shown, 'no model');
});

test('a commit without a record says so, and what its note holds instead', () => {
  assert.match(text(noted({ record: undefined })), 'review it with: apfel-bot review --commit');
  assert.match(
    text(noted({ record: undefined, unusable: 2, outdated: 1 })),
    'its note has no usable record of this commit: 1 of another tree, 2 unreadable',
  );
  assert.match(text(noted({ unusable: 3 })), 'left out: 3 unreadable lines of its note');
  assert.is(text(), 'no commits\n');
});

test('lines of another tree and unreadable lines of a note are counted separately', () => {
  const lines = (unusable: number, outdated: number): string =>
    text(noted({ record: undefined, unusable, outdated }));
  assert.match(lines(1, 1), 'no usable record of this commit: 1 of another tree, 1 unreadable');
  assert.match(lines(0, 2), /record of this commit: 2 of another tree$/m);
});

test('a record of checks alone says so', () => {
  const only = (parts: Parameters<typeof ledger>[0]): string =>
    text(noted({ record: record({ ledger: ledger(parts) }) }));
  assert.match(only({ total: 2, checked: 2 }), '2 hunks: 2 checked · checks only');
  assert.not.match(only({ total: 2, checked: 1, cached: 1 }), 'checks only');
});

test('what a record does not have is 0 in its outcome', () => {
  const { change, model } = outcomeOf(record());
  assert.equal([change.added, change.removed], [0, 0]);
  const { requests, promptTokens, completionTokens, repairs, retries, refusals } = model;
  const counts = [requests, promptTokens, completionTokens, repairs, retries, refusals];
  assert.equal(counts, [0, 0, 0, 0, 0, 0]);
});

test('a hostile subject or finding cannot control the terminal', () => {
  const findings = [finding({ path: 'a\u001b[2Jb', message: '::error::x\n::warning::y\u202e' })];
  const shown = text(noted({ subject: '\u001b]0;evil\u0007', record: record({ findings }) }));
  assert.not.match(shown, /[\u001b\u0007\u202e]/);
  assert.not.match(shown, /^\s*::/m);
});

test('in JSON every commit has its record or null', () => {
  const parsed = JSON.parse(toNoteJson([noted(), noted({ record: undefined })]));
  assert.equal(
    parsed.commits.map((each: { record: NoteRecord | null }) => each.record?.v ?? null),
    [1, null],
  );
});

const push = (commits: readonly NotedCommit[], failOn: 'error' | 'warning' = 'error') =>
  toNotePush(commits, { failOn, color: false, columns: 80, isCut: false });

test('a push of clean commits is silent, a push of commits without a review is not', () => {
  assert.equal(push([noted(), noted()]), { text: '', blocks: false });
  assert.equal(push([noted(), noted({ record: undefined })]), {
    text: 'apfel-bot: 2 outgoing commits, 0 with findings, 1 not reviewed\n',
    blocks: false,
  });
});

test('a push with errors is stopped, and says how to go on', () => {
  const findings = [finding({ severity: 'error', rule: 'secret/aws-access-key' })];
  const { text: told, blocks } = push([noted({ record: record({ findings }) }), noted()]);
  assert.ok(blocks);
  assert.match(told, 'c0ffee000000 Add a thing');
  assert.match(told, 'error src/a.ts:1  secret/aws-access-key');
  assert.match(told, '2 outgoing commits, 1 with findings');
  assert.match(told, 'git push --no-verify');
});

test('a push with warnings is shown them and passes', () => {
  const findings = [finding({ severity: 'warning' })];
  const commits = [noted({ record: record({ findings }) })];
  assert.not.ok(push(commits).blocks);
  assert.match(push(commits).text, 'debugger');
  assert.ok(push(commits, 'warning').blocks);
});

test('the message of a push fits on one screen, however many commits it has', () => {
  const findings = Array.from({ length: 5 }, () =>
    finding({ severity: 'error', message: 'x'.repeat(500), path: 'p'.repeat(300) }),
  );
  const commits = Array.from({ length: 100 }, () => noted({ record: record({ findings }) }));
  const lines = push(commits).text.trimEnd().split('\n');
  assert.ok(lines.length <= 23, String(lines.length));
  assert.ok(lines.every(line => line.length <= 80));
});

test('a saved run is shown with the lines of the note that could not be used', () => {
  const kept = { data: {}, text: 'clean\n' };
  const shown = (unusable: number): string => text(noted({ record: undefined, kept, unusable }));
  assert.match(shown(1), '  its note has no usable record of this commit: 1 unreadable\n');
  assert.match(shown(1), '  from the runs kept on this machine, not from a note\nclean\n');
  assert.not.match(shown(0), 'no usable record');
});

test('a record without answers of a model says that there was no model', () => {
  const checked = record({ ledger: ledger({ total: 1, checked: 1 }) });
  assert.is(outcomeOf(checked).model.available, false);
  const findings = [finding({ source: 'model' })];
  assert.is(outcomeOf({ ...checked, findings }).model.available, true);
  assert.is(outcomeOf(record()).model.available, true);
});

test.run();
