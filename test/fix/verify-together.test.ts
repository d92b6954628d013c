import * as assert from 'uvu/assert';
import type { Diagnostic } from '../../src/core/diagnostic.js';
import { EditSession } from '../../src/fix/edit-session.js';
import { planCommits } from '../../src/fix/plan-commits.js';
import { verifyTogether } from '../../src/fix/verify-together.js';
import type { Linter, LintReport, LintSandbox } from '../../src/lint/sandbox.js';
import { suite } from '../support/suite.js';

const test = suite('fix/verify-together');

const complaint = (path: string, rule: string): Diagnostic => ({
  tool: 'own',
  rule,
  path,
  line: 1,
  unit: 'utf16',
  severity: 'error',
  message: `no ${rule}`,
});

type Verify = (files: ReadonlyMap<string, string>) => string | undefined;

/** A linter that reports some words, and the files in memory. */
function inMemory(
  files: Map<string, string>,
  verify: Verify,
  afterFirst: Partial<LintReport>,
): { sandbox: LintSandbox; linter: Linter } {
  const bases = new Map(files);
  const checks: unknown[] = [];
  const linter: Pick<Linter, 'name' | 'title' | 'files' | 'has' | 'isForAll' | 'check'> = {
    name: 'own',
    title: 'Own',
    files: [...files.keys()],
    has: path => files.has(path),
    isForAll: false,
    check: async paths => ({
      isWhole: !paths.some(path => files.get(path)?.includes('stop')),
      problems: ['cannot read'],
      lost: [],
      notLinted: [],
      diagnostics: paths.flatMap(path =>
        ['one', 'two', 'fresh']
          .filter(rule => files.get(path)?.includes(rule))
          .map(rule => complaint(path, rule)),
      ),
      ...(checks.push(paths) > 1 && afterFirst),
    }),
  };
  const sandbox: Pick<LintSandbox, 'write' | 'reset' | 'changed' | 'verify'> = {
    write: async (path, text) => void files.set(path, text),
    reset: async path => void files.set(path, bases.get(path) ?? ''),
    changed: async () => [...files.keys()].filter(path => files.get(path) !== bases.get(path)),
    verify: async () => verify(files),
  };
  return { sandbox: sandbox as LintSandbox, linter: linter as Linter };
}

/** The files that are edited after the last run, even when it threw. */
const kept: string[] = [];

/** Two files, each with an edit for a rule of its own. */
async function verified(
  edits: Readonly<Record<string, string>>,
  verify: Verify = () => undefined,
  afterFirst: Partial<LintReport> = {},
) {
  const files = new Map([
    ['a', 'one\n'],
    ['b', 'two\n'],
  ]);
  const { sandbox, linter } = inMemory(files, verify, afterFirst);
  const editSession = new EditSession();
  const before = (await linter.check(linter.files)).diagnostics;
  editSession.setReported(linter, linter.files, before);
  for (const diagnostic of before) {
    const { path } = diagnostic;
    const after = edits[path] ?? '';
    editSession.open(path, files.get(path) ?? '');
    editSession.keep({ path, after, by: 'linter', fixed: [diagnostic] });
    editSession.setReported(linter, [path], []);
    files.set(path, after);
  }
  const notices: string[] = [];
  kept.length = 0;
  let late: readonly Linter[] = [];
  const say = (notice: string): void => void notices.push(notice);
  const commands = [['check']];
  try {
    late = await verifyTogether({ sandbox, linters: [linter], editSession, before, commands, say });
  } finally {
    kept.push(...editSession.edited().map(([path]) => path));
  }
  return {
    files,
    editSession,
    notices,
    late: late.map(({ title }) => title),
    states: editSession.records.map(({ path, status }) => `${path} ${status}`),
  };
}

test('edits that pass are kept, with one commit per rule', async () => {
  const { editSession, states, notices } = await verified({ a: 'A\n', b: 'B\n' });
  assert.equal(states, ['a kept', 'b kept']);
  assert.equal(notices, []);
  const commits = planCommits(editSession, false);
  assert.equal(
    commits.map(({ message, files }) => [message.split('\n')[0], [...files.keys()]]),
    [
      ['Fix own one (1 place)', ['a']],
      ['Fix own two (1 place)', ['a', 'b']],
    ],
  );
  assert.is(planCommits(editSession, true).length, 1);
});

test('a file with a new diagnostic is restored, and the other keeps its edit', async () => {
  const { files, states, editSession } = await verified({ a: 'fresh\n', b: 'B\n' });
  assert.equal(states, ['a rejected', 'b kept']);
  assert.is(files.get('a'), 'one\n');
  assert.is(files.get('b'), 'B\n');
  assert.equal(
    editSession.edited().map(([path]) => path),
    ['b'],
  );
});

test('when a command fails, only the edits of the rule that broke it are dropped', async () => {
  const { files, states, notices } = await verified({ a: 'A\n', b: 'B\n' }, now =>
    now.get('b') === 'B\n' ? 'check fails' : undefined,
  );
  assert.equal(states, ['a kept', 'b rejected']);
  assert.equal([...files.values()], ['A\n', 'two\n']);
  assert.equal(notices, ['the edits for own two were dropped: with them check fails']);
});

test('when a command fails without any edit, no edit is kept', async () => {
  const { editSession, states, notices } = await verified(
    { a: 'A\n', b: 'B\n' },
    () => 'check fails',
  );
  assert.equal(states, ['a rejected', 'b rejected']);
  assert.equal(planCommits(editSession, false), []);
  assert.match(notices[0] ?? '', /even without any edit/);
});

test('a run that is stopped after a failed command keeps no edit', async () => {
  let runs = 0;
  const files = { a: 'A\n', b: 'B\n' };
  const thrown = await verified(files, () => {
    runs += 1;
    if (runs > 1) throw new Error('stopped');
    return 'check fails';
  }).catch((error: unknown) => error);
  assert.instance(thrown, Error);
  assert.match(String(thrown), /stopped/);
  assert.equal(kept, []);
});

test('when edits make a linter fail, the edits of the rule that causes it are dropped', async () => {
  const { states, notices } = await verified({ a: 'A stop\n', b: 'B\n' });
  assert.equal(states, ['a rejected', 'b kept']);
  assert.match(notices[0] ?? '', /cause Own to fail: cannot read/);
});

test('edits are kept when a linter has no time for the last check, and it is named', async () => {
  const { states, late, notices } = await verified({ a: 'A\n', b: 'B\n' }, undefined, {
    isWhole: false,
    isLate: true,
    diagnostics: [],
  });
  assert.equal([states, late, notices], [['a kept', 'b kept'], ['Own'], []]);
});

test('what dropped edits had fixed is there again, even if no linter can say so', async () => {
  const { states, editSession } = await verified({ a: 'A\n', b: 'B\n' }, undefined, {
    isWhole: false,
    diagnostics: [],
  });
  assert.equal(states, ['a rejected', 'b rejected']);
  assert.equal(
    editSession.all().map(({ rule }) => rule),
    ['one', 'two'],
  );
});

test.run();
