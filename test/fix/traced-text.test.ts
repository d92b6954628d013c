import * as assert from 'uvu/assert';
import { EditSession, TracedText } from '../../src/fix/edit-session.js';
import { suite } from '../support/suite.js';

const test = suite('fix/traced-text');

const by = (owner: string) => () => new Set([owner]);

test('the edits of each owner can be removed again, and the rest stays', () => {
  const file = new TracedText('a\nb\nc\n');
  file.edit('a;\nb\nc\n', by('semi'));
  file.edit('a;\nb\nnew\nC\n', by('case'));
  assert.is(
    file.textWith(owners => owners.has('semi')),
    'a;\nb\nc\n',
  );
  assert.is(
    file.textWith(owners => owners.has('case')),
    'a\nb\nnew\nC\n',
  );
  assert.is(
    file.textWith(() => true),
    file.text,
  );
  assert.is(
    file.textWith(() => false),
    file.base,
  );
});

test('a line that two owners have changed belongs to both', () => {
  const file = new TracedText('var a\nb\n');
  file.edit('let a\nb\n', by('no-var'));
  file.edit('let a;\nb;\n', by('semi'));
  assert.equal(
    file.changes().map(({ owners }) => [...owners].sort()),
    [['no-var', 'semi'], ['semi']],
  );
});

test('lines are tracked when lines before them are added and removed', () => {
  const file = new TracedText('a\nb\nc\nd');
  file.edit('x\ny\nb\nd', by('one'));
  assert.is(file.lineNow(2), 3);
  assert.is(file.lineNow(3), undefined);
  assert.is(file.lineNow(4), 4);
  assert.is(file.originOf(3), 2);
  assert.is(file.originOf(1), undefined);
});

test('line endings and a missing last newline survive when edits are removed', () => {
  const file = new TracedText('a\r\nb\r\nc');
  file.edit('a;\r\nb\r\nc;', by('semi'));
  assert.is(file.text, 'a;\r\nb\r\nc;');
  assert.is(
    file.textWith(() => false),
    'a\r\nb\r\nc',
  );
});

test('a diagnostic on a line that was added at the end is reported on the last line of the commit', () => {
  const session = new EditSession();
  session.open('a.js', 'a\nb\n');
  session.keep({ path: 'a.js', after: 'a\nb\nc\n', by: 'linter', fixed: [] });
  const path = 'a.js';
  const about = { tool: 'eslint', rule: 'semi', path, line: 3, message: 'no semicolon' } as const;
  session.reject([{ ...about, unit: 'utf16', severity: 'error' }], 'model', 'it was');
  assert.is(session.records[0]?.line, 2);
});

test.run();
