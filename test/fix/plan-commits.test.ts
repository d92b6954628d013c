import * as assert from 'uvu/assert';
import type { Diagnostic } from '../../src/core/diagnostic.js';
import type { EditRecord, EditSession } from '../../src/fix/edit-session.js';
import { planCommits } from '../../src/fix/plan-commits.js';
import { suite } from '../support/suite.js';

const test = suite('plan-commits');

/** One kept edit for a complaint with these words. */
function messageFor(message: string): string {
  const diagnostic: Diagnostic = {
    tool: 'eslint',
    rule: 'no-warning-comments',
    path: 'src/a.js',
    line: 3,
    unit: 'utf16',
    severity: 'warning',
    message,
  };
  const record = { path: 'src/a.js', diagnostic, by: 'model', status: 'kept' } as EditRecord;
  // Only what a message is made of.
  const editSession = { records: [record], edited: () => [] } as unknown as EditSession;
  return planCommits(editSession, true)[0]?.message ?? '';
}

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

test.run();
