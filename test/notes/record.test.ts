import * as assert from 'uvu/assert';
import type { Finding } from '../../src/core/finding.js';
import type { NoteRecord } from '../../src/generated/shapes.js';
import {
  anchored,
  finishedOf,
  isSettled,
  newestRecord,
  noteOf,
  type Rewriting,
  readRecord,
  rewriteRecord,
  saysNothing,
} from '../../src/notes/record.js';
import { EMPTY, finding, ledger } from '../report/sample-outcome.js';
import { mustEnd } from '../support/must-end.js';
import { suite } from '../support/suite.js';

const test = suite('notes/record');

const COMMIT = 'c'.repeat(40);
const TREE = 'd'.repeat(40);

const record = (parts: Partial<NoteRecord> = {}): NoteRecord => ({
  ...noteOf(finishedOf(EMPTY), { commit: COMMIT, tree: TREE }),
  ledger: ledger({ total: 2, checked: 2 }),
  ...parts,
});

const written = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

test('a written record is read back unchanged', () => {
  const full = record({
    findings: [
      finding({
        path: 'dir/n\udcffme.ts',
        line: 3,
        evidence: 'debugger;',
        column: 1,
        endColumn: 9,
        suggestion: { startLine: 3, endLine: 3, text: '' },
      }),
    ],
    ledger: ledger({
      total: 1,
      skipped: 1,
      items: [{ path: 'a', hunk: 1, state: 'skipped', reason: 'lockfile' }],
    }),
  });
  assert.equal(readRecord(written(full)), full);
});

test('a record has its documented fields, in that order, and no others', () => {
  assert.equal(Object.keys(record()), [
    'v',
    'run',
    'commit',
    'tree',
    'task',
    'startedAt',
    'complete',
    'ledger',
    'findings',
  ]);
});

test('unknown fields of a record are dropped', () => {
  const more = { ...record(), shell: 'rm', findings: [{ ...finding({}), shell: 'rm' }] };
  assert.not.match(JSON.stringify(readRecord(written(more))), /shell/);
});

const broken: ReadonlyArray<readonly [what: string, parts: object]> = [
  ['another version', { v: 2 }],
  ['a run with a newline', { run: 'a\nb' }],
  ['a commit that is an option', { commit: '--upload-pack=x' }],
  ['a short tree', { tree: 'abc' }],
  ['an unknown task', { task: 'rm' }],
  ['a time that is words', { startedAt: 'yesterday' }],
  ['completeness that is text', { complete: 'true' }],
  ['no ledger', { ledger: undefined }],
  ['a ledger that does not add up', { ledger: { ...ledger({ checked: 2 }), total: 3 } }],
  ['a negative count', { ledger: ledger({ total: -1, checked: -1 }) }],
  ['findings that are not a list', { findings: {} }],
  ['one broken finding among good ones', { findings: [finding({}), { ...finding({}), line: 0 }] }],
  ['a path out of the repository', { findings: [{ ...finding({}), path: '../../etc/passwd' }] }],
  ['an absolute path', { findings: [{ ...finding({}), path: '/etc/passwd' }] }],
  ['a rule with an escape', { findings: [{ ...finding({}), rule: 'a\u001b[2J' }] }],
  ['an endless message', { findings: [{ ...finding({}), message: 'x'.repeat(500_000) }] }],
  ['a confidence beyond one', { findings: [{ ...finding({}), confidence: 2 }] }],
  ['evidence that is a number', { findings: [{ ...finding({}), evidence: 7 }] }],
];
for (const [what, parts] of broken) {
  test(`a record with ${what} is refused`, () => {
    assert.ok(readRecord(written(record())), 'without it, it is fine');
    assert.is(readRecord(written({ ...record(), ...parts })), undefined);
  });
}

test('a record that isn’t an object is refused', () => {
  for (const value of [null, 1, 'text', [], [record()]]) assert.is(readRecord(value), undefined);
});

test('the newest record of the tree counts, whatever the order of lines', () => {
  const old = record({ run: 'A', startedAt: '2026-01-01T00:00:00.000Z' });
  const fresh = record({ run: 'B', startedAt: '2026-01-02T00:00:00.000Z' });
  const other = record({ run: 'C', startedAt: '2026-01-03T00:00:00.000Z', tree: 'e'.repeat(40) });
  assert.is(newestRecord([fresh, old, other], TREE)?.run, 'B');
  assert.is(newestRecord([other, old, fresh], TREE)?.run, 'B');
  assert.is(newestRecord([other], TREE), undefined);
  const twin = record({ run: 'BB', startedAt: fresh.startedAt });
  assert.is(newestRecord([twin, fresh], TREE)?.run, 'BB');
});

test('no secret goes into a note', () => {
  const token = `ghp_${'aB3dE5fG7h'.repeat(3)}Z9xY1w`;
  const leak = finding({
    message: `the token ${token} is there`,
    evidence: `const t = '${token}';`,
    suggestion: { startLine: 1, endLine: 1, text: token },
  });
  const line = JSON.stringify(finishedOf({ ...EMPTY, findings: [leak] }));
  assert.not.ok(line.includes(token));
  assert.ok(line.includes('ghp_'));
});

test('a very long line is quoted in part, and its columns do not point beyond', () => {
  const long = finding({ evidence: 'x'.repeat(500_000), column: 250_000, endColumn: 50_001 });
  const [kept] = finishedOf({ ...EMPTY, findings: [long] }).findings;
  assert.is(kept?.evidence?.length, 2000);
  assert.is(kept?.column, undefined);
  assert.is(kept?.id, long.id);
});

const NEXT = { commit: 'e'.repeat(40), tree: 'f'.repeat(40), run: 'NEW', own: undefined };
const rewriting = (parts: Partial<Rewriting>): Rewriting => ({
  ...NEXT,
  isSum: false,
  textOf: () => undefined,
  startedAt: '2026-05-05T00:00:00.000Z',
  ...parts,
});
const debug = finding({ line: 2, evidence: '  debugger;' });

test('a rewritten commit with the same tree keeps the whole record', () => {
  const old = record({ findings: [debug] });
  const next = rewriteRecord([old], rewriting({ tree: TREE, isSum: true }));
  assert.equal(next?.findings, [debug]);
  assert.is(next?.complete, true);
  assert.is(next?.commit, NEXT.commit);
  assert.equal(next?.ledger, old.ledger);
});

test('the same change elsewhere keeps its completeness, and findings move with their lines', () => {
  const textOf = (): string => 'one\ntwo\nthree\n    debugger;\n';
  const old = record({ findings: [debug] });
  const next = rewriteRecord([old], rewriting({ isSum: true, textOf }));
  assert.equal(
    next?.findings.map(({ line, endLine }) => [line, endLine]),
    [[4, 4]],
  );
  assert.is(next?.complete, true);
});

test('a commit with another change keeps only findings whose text is still there, and is not complete', () => {
  const gone = finding({ line: 9, evidence: 'alert(1);' });
  const textOf = (): string => 'x\ndebugger;\n';
  const old = record({ findings: [debug, gone] });
  const next = rewriteRecord([old], rewriting({ textOf }));
  assert.equal(
    next?.findings.map(({ id }) => id),
    [debug.id],
  );
  assert.is(next?.complete, false);
  assert.equal(next?.ledger, ledger({}));
  assert.is(rewriteRecord([record({ findings: [gone] })], rewriting({ textOf })), undefined);
});

test('an amend joins what was found before with what was found in the difference', () => {
  const added = record({ ...NEXT, findings: [finding({ path: 'b.ts' })], complete: false });
  const textOf = (): string => 'x\ndebugger;\n';
  const to = rewriting({ isSum: true, textOf });
  const next = rewriteRecord([record({ findings: [debug] }), added], to);
  assert.equal(
    next?.findings.map(({ path }) => path),
    ['b.ts', 'src/a.ts'],
  );
  assert.is(next?.ledger.checked, 4);
  assert.is(next?.ledger.total, 4);
  assert.is(next?.complete, false);
  const twice = rewriteRecord([record({ findings: added.findings }), added], rewriting({}));
  assert.is(twice?.findings.length, 1);
});

test('a commit made of others, one without a record, keeps the findings and claims nothing', () => {
  const added = record({ ...NEXT, findings: [debug] });
  const nothing = record({ complete: false, ledger: ledger({ total: 0 }) });
  for (const unknown of [undefined, nothing]) {
    const next = rewriteRecord([unknown, added], rewriting({ isSum: true }));
    assert.equal(next?.findings, [debug]);
    assert.is(next?.ledger.total, 0);
    assert.ok(next !== undefined && saysNothing(next) && !isSettled(next));
    const clean = record({ ...NEXT, findings: [] });
    assert.is(rewriteRecord([unknown, clean], rewriting({ isSum: true })), undefined);
  }
});

test('findings of the new commit itself stay, and are listed once', () => {
  const own = record({ ...NEXT, findings: [debug] });
  const textOf = (): string => 'x\ndebugger;\n';
  const next = rewriteRecord([record({ findings: [debug] })], rewriting({ own, textOf }));
  assert.equal(next?.findings, [debug]);
});

test('a record is settled if it covers the whole commit and no hunk ran out of time', () => {
  const cut = ledger({ total: 2, checked: 1, outOfTime: 1 });
  assert.ok(isSettled(record()));
  assert.ok(isSettled(record({ complete: false })), 'checks only');
  assert.ok(isSettled(record({ complete: true, ledger: ledger({ total: 0 }) })), 'empty commit');
  assert.not.ok(isSettled(record({ complete: false, ledger: cut })));
  assert.not.ok(isSettled(record({ complete: true, ledger: cut })), 'whatever it says of itself');
  assert.not.ok(isSettled(record({ complete: false, ledger: ledger({ total: 0 }) })));
});

const at = (evidence: string, text: string): number | undefined =>
  anchored({ ...finding({ line: 1 }), evidence } as Finding, text)?.line;

test('a line with a masked secret is found by the text around it', () => {
  assert.is(at("key = 'ghp_****'", "\nkey = 'ghp_abcd'"), 2);
  assert.is(at("key = 'ghp_****'", "key = 'ghp_abcde'"), undefined);
  assert.is(at("key = 'ghp_****'", "other = 'ghp_abcd'"), undefined);
});

test('the nearest of equal lines is taken; none is found in a file that is gone', () => {
  const near = { ...finding({ line: 4 }), evidence: 'x' } as Finding;
  assert.is(anchored(near, 'x\n\n\n\nx\n')?.line, 5);
  assert.is(anchored(near, undefined), undefined);
  assert.is(at('x', ''), undefined);
});

test('a line number far behind the end of the file costs no more than one in it', () => {
  mustEnd(() => {
    const far = finding({ line: Number.MAX_SAFE_INTEGER, endLine: Number.MAX_SAFE_INTEGER });
    assert.is(anchored({ ...far, evidence: 'gone' }, 'a\nb\n'), undefined);
    assert.is(anchored({ ...far, evidence: 'a' }, 'a\nb\n')?.line, 1);
  });
});

test('a hostile record is read in linear time', () => {
  mustEnd(() => {
    assert.is(at(' '.repeat(500_000), `${' \t'.repeat(250_000)}x`), undefined);
    assert.is(readRecord({ ...record(), run: 'a'.repeat(500_000) }), undefined);
    assert.is(
      readRecord({ ...record(), findings: [{ ...finding({}), path: '../'.repeat(166_666) }] }),
      undefined,
    );
  });
});

test.run();
