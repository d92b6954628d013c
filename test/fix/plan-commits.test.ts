import * as assert from 'uvu/assert';
import type { Diagnostic } from '../../src/core/diagnostic.js';
import { type EditRecord, EditSession, type EditSource } from '../../src/fix/edit-session.js';
import { planCommits } from '../../src/fix/plan-commits.js';
import type { LineChange } from '../../src/lint/compare.js';
import { suite } from '../support/suite.js';

const test = suite('fix/plan-commits');

const complaint = (rule: string, line: number, message = `no ${rule}`): Diagnostic => ({
  tool: 'eslint',
  rule,
  path: 'src/a.js',
  line,
  unit: 'utf16',
  severity: 'warning',
  message,
});

type Edit = readonly [by: EditSource, after: string, ...fixed: Diagnostic[]];

/** Commits of a file with these edits, one after the other. */
function commitsOf(base: string, edits: readonly Edit[], isSingle = false) {
  const editSession = new EditSession();
  editSession.open('src/a.js', base);
  for (const [by, after, ...fixed] of edits) {
    const causesOf = ({ oldLine }: LineChange) => fixed.filter(({ line }) => line === oldLine);
    editSession.keep({ path: 'src/a.js', after, by, fixed, causesOf });
  }
  return planCommits(editSession, isSingle).map(({ message, files }) => ({
    message,
    subject: message.split('\n')[0],
    text: Buffer.from(files.get('src/a.js') ?? []).toString(),
  }));
}

const messageFor = (message: string): string =>
  commitsOf('a\n', [['model', 'b\n', complaint('x', 1, message)]])[0]?.message ?? '';

test('a suggestion on a line that the linter has fixed is in a commit of its own', () => {
  const commits = commitsOf('var a == 1\nb == 2\n', [
    [
      'linter',
      'let a == 1;\nb == 2;\n',
      complaint('no-var', 1),
      complaint('semi', 1),
      complaint('semi', 2),
    ],
    ['suggestion', 'let a === 1;\nb === 2;\n', complaint('eqeqeq', 1), complaint('eqeqeq', 2)],
    ['model', 'let a === 1;\nc === 2;\n', complaint('id-length', 2)],
  ]);
  assert.equal(
    commits.map(({ subject, text }) => [subject, text]),
    [
      ['Fix eslint no-var and semi (2 places)', 'let a == 1;\nb == 2\n'],
      ['Fix eslint semi (1 place)', 'let a == 1;\nb == 2;\n'],
      ['Fix eslint eqeqeq and id-length (3 places), worth a look', 'let a === 1;\nc === 2;\n'],
    ],
  );
});

test('one commit for all counts every place once', () => {
  const edits: Edit[] = ['x', 'y', 'z'].map((rule, at) => [
    'linter',
    `${at}\n`,
    complaint(rule, 1),
  ]);
  const [commit] = commitsOf('a\n', edits, true);
  assert.is(commit?.subject, 'Fix eslint x, y and z (3 places)');
});

test('a subject names up to three rules with their tools, and counts the others', () => {
  const subjectOf = (...rules: Diagnostic[]) =>
    commitsOf('a\n', [['linter', 'b\n', ...rules]], true)[0]?.subject;
  const four = ['no-var', 'prefer-const', 'semi', 'eqeqeq'].map(rule => complaint(rule, 1));
  const format: Diagnostic = { ...complaint('format', 1), tool: 'prettier' };
  assert.is(subjectOf(...four), 'Fix eslint no-var, prefer-const, semi and 1 more (4 places)');
  assert.is(
    subjectOf(...four.slice(0, 1), format),
    'Fix eslint no-var and prettier format (2 places)',
  );
});

test('a subject with long names leaves out the tool and the plugin before it cuts a name', () => {
  const long = (name: string) => complaint(`@typescript-eslint/${name}`, 1);
  const subjectOf = (by: EditSource, ...rules: string[]) =>
    commitsOf('a\n', [[by, 'b\n', ...rules.map(long)]], true)[0]?.subject;
  const names = ['no-unnecessary-condition', 'no-confusing-void-expression'];
  assert.is(
    subjectOf('linter', ...names),
    'Fix typescript-eslint/no-unnecessary-condition and 1 more (2 places)',
  );
  assert.is(
    subjectOf('model', ...names),
    'Fix no-unnecessary-condition and 1 more (2 places), worth a look',
  );
  assert.is(
    subjectOf('linter', 'no-shadow', 'no-confusing-void-expression'),
    'Fix eslint typescript-eslint/no-shadow and 1 more (2 places)',
  );
});

test('a subject of 72 characters names both rules, and a longer one counts the second', () => {
  const subjectOf = (by: EditSource, ...lengths: number[]) => {
    const rules = lengths.map((length, at) => complaint(`${at}`.repeat(length), 1));
    return commitsOf('a\n', [[by, 'b\n', ...rules]], true)[0]?.subject ?? '';
  };
  for (const [by, end, room] of [
    ['linter', ' (2 places)', 45],
    ['model', ' (2 places), worth a look', 31],
  ] as const) {
    const fits = subjectOf(by, 9, room - 9);
    assert.is(fits, `Fix eslint ${'0'.repeat(9)} and ${'1'.repeat(room - 9)}${end}`);
    assert.is(fits.length, 72);
    assert.is(subjectOf(by, 9, room - 8), `Fix eslint ${'0'.repeat(9)} and 1 more${end}`);
  }
});

test('a commit with both kinds of edits is worth a look, and lists them apart', () => {
  const [commit] = commitsOf(
    'a\n',
    [
      ['linter', 'b\n', complaint('semi', 1)],
      ['model', 'c\n', complaint('eqeqeq', 1)],
    ],
    true,
  );
  assert.is(
    commit?.message,
    [
      'Fix eslint semi and eqeqeq (2 places), worth a look',
      "1 by the linter's own fix:\n- src/a.js:1 eslint semi: no semi",
      '1 by the model:\n- src/a.js:1 eslint eqeqeq: no eqeqeq',
    ].join('\n\n'),
  );
});

test('a commit lists fifty places, and counts the rest', () => {
  const bodyOf = (length: number) => {
    const all = Array.from({ length }, (_, at) => complaint('semi', at + 1));
    const base = 'a\n'.repeat(length);
    return commitsOf(base, [['linter', base.replaceAll('a', 'b'), ...all]])[0]?.message ?? '';
  };
  assert.not.match(bodyOf(50), 'more');
  assert.match(bodyOf(50), /:50 eslint semi: no semi$/);
  assert.match(bodyOf(52), /:50 eslint semi: no semi\n- and 2 more$/);
});

test('a diagnostic that disappeared with the edit of another is listed with its rule, or at the end', () => {
  const subjects = (rule: string) =>
    commitsOf('a\nb\nc\n', [
      ['linter', 'A\nB\nc\n', complaint('x', 1), complaint('y', 2), complaint(rule, 3)],
    ]).map(({ subject }) => subject);
  assert.equal(subjects('x'), ['Fix eslint x (2 places)', 'Fix eslint y (1 place)']);
  assert.equal(subjects('z'), ['Fix eslint x (1 place)', 'Fix eslint y and z (2 places)']);
});

test('an edit on two lines, one of them with another rule, is listed in the commit of its own rule', () => {
  const editSession = new EditSession();
  editSession.open('src/a.js', 'var a\nb\n');
  const fixed = [complaint('no-var', 1), complaint('semi', 1)];
  const causesOf = ({ oldLine }: LineChange) => fixed.slice(oldLine === 1 ? 0 : 1);
  editSession.keep({ path: 'src/a.js', after: 'let a;\nb;\n', by: 'linter', fixed, causesOf });
  assert.equal(
    planCommits(editSession, false).map(({ message }) => message.split('\n')[0]),
    ['Fix eslint no-var (1 place)', 'Fix eslint semi (1 place)'],
  );
});

test('the rest of an edit that an earlier commit lists is a commit with its rule and its place', () => {
  const editSession = new EditSession();
  const path = 'src/a.js';
  const semi = complaint('semi', 1);
  editSession.open(path, 'a\nb\n');
  editSession.keep({ path, after: 'a;\nb\n', by: 'linter', fixed: [semi] });
  editSession.keep({
    path,
    after: 'a;\nb;\n',
    by: 'suggestion',
    fixed: [],
    causesOf: () => [semi],
  });
  const messages = planCommits(editSession, false).map(({ message }) => message);
  assert.is(messages.length, 2);
  for (const message of messages)
    assert.match(message, /^Fix eslint semi \(1 place\)[\s\S]*a.js:1/);
});

test('a commit lists no place of a file that it leaves as it is', () => {
  const editSession = new EditSession();
  const at = (path: string, tool: string, rule: string): Diagnostic => ({
    ...complaint(rule, 1),
    path,
    tool,
  });
  const keep = (path: string, after: string, ...fixed: Diagnostic[]) => {
    editSession.open(path, 'one\n');
    const causesOf = () => fixed.slice(0, 1);
    editSession.keep({ path, after, by: 'linter', fixed, causesOf });
  };
  const [semi, format] = [
    (path: string) => at(path, 'eslint', 'semi'),
    (path: string) => at(path, 'prettier', 'format'),
  ];
  keep('a', 'ONE\n', semi('a'), format('a'));
  keep('b', 'ONE\n', format('b'));
  keep('c', 'ONE\n', semi('c'));
  keep('c', 'one\n', format('c'));
  const messages = planCommits(editSession, false).map(({ message }) => message);
  assert.is(messages.length, 2);
  assert.match(messages[0] ?? '', /^Fix eslint semi and prettier format \(2 places\)/);
  assert.match(messages[1] ?? '', /^Fix prettier format \(1 place\)[\s\S]*- b:1/);
  assert.not.match(messages.join('\n'), '- c:');
  const [single] = planCommits(editSession, true);
  assert.not.match(single?.message ?? '', '- c:');
});

test('a commit has the files that are edited up to it, and the last one has them all', () => {
  const editSession = new EditSession();
  for (const [path, by] of [
    ['a', 'linter'],
    ['b', 'model'],
  ] as const) {
    editSession.open(path, 'one\n');
    editSession.keep({ path, after: 'ONE\n', by, fixed: [{ ...complaint(path, 1), path }] });
  }
  assert.equal(
    planCommits(editSession, false).map(({ files }) => [...files.keys()]),
    [['a'], ['a', 'b']],
  );
});

test('when a fix is dropped, the edits on top of it go as well, and the other lines stay', () => {
  const editSession = new EditSession();
  const [semi, second, eqeqeq] = [complaint('semi', 1), complaint('other', 2), complaint('eq', 2)];
  for (const path of ['a', 'b']) {
    const at = (each: Diagnostic) => ({ ...each, path });
    editSession.open(path, 'one\ntwo\nthree\n');
    editSession.keep({ path, after: 'ONE\ntwo\nthree\n', by: 'linter', fixed: [at(semi)] });
    editSession.keep({ path, after: 'ONE\nTWO\nthree\n', by: 'linter', fixed: [at(second)] });
    editSession.keep({ path, after: 'ONE\nTWO2\nthree\n', by: 'model', fixed: [at(eqeqeq)] });
  }
  const isSemi = (owners: ReadonlySet<EditRecord>) =>
    [...owners].some(({ diagnostic }) => diagnostic.rule === 'semi');
  editSession.drop((path, owners) => path === 'a' && isSemi(owners), 'it fails');
  assert.is(editSession.file('a')?.text, 'one\nTWO\nthree\n');
  assert.is(editSession.file('a')?.lineNow(1), 1, "the line is the commit's again");
  assert.is(editSession.file('b')?.text, 'ONE\nTWO2\nthree\n');
  assert.equal(
    editSession.records.map(({ status, reason }) => reason ?? status),
    ['it fails', 'kept', 'it builds on an edit that was dropped', 'kept', 'kept', 'kept'],
  );
});

test('text quoted by a linter closes no issue and skips no checks when the commit is merged', () => {
  const message = messageFor(
    'fixes #12, Closes ada/x#3, resolves GH-4, fixed https://github.com/a/b/issues/5 [skip ci] [no ci]',
  );
  assert.match(message, 'fixes # 12, Closes ada/x# 3, resolves GH- 4');
  assert.match(message, '/issues/ 5 [ skip ci] [ no ci]');
});

test('other text of a linter stays as it is in the commit message', () => {
  assert.match(
    messageFor("'a' [no-x] is #fff, see docs/issues"),
    "'a' [no-x] is #fff, see docs/issues",
  );
});

test('an edit is reported at the line of the commit, also where a fix has split that line', () => {
  const editSession = new EditSession();
  editSession.open('src/a.js', 'one\ntwo { a }\nthree\n');
  const split = 'one\ntwo {\n  a\n}\nthree\n';
  editSession.keep({
    path: 'src/a.js',
    after: split,
    by: 'linter',
    fixed: [complaint('curly', 2)],
  });
  editSession.reject([complaint('in-the-split', 3), complaint('behind-it', 5)], 'model', 'no');
  assert.equal(
    editSession.records.map(({ line }) => line),
    [2, 2, 3],
  );
});

test.run();
