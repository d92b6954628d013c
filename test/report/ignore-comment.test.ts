import * as assert from 'uvu/assert';
import { ignoreLine } from '../../src/report/ignore-comment.js';
import { suite } from '../support/suite.js';

const test = suite('report/ignore-comment');

test('an ignore comment has the comment syntax of the language', () => {
  for (const [path, line] of [
    ['src/a.ts', '// apfel-bot-ignore debugger reason'],
    ['A.SWIFT', '// apfel-bot-ignore debugger reason'],
    ['.github/workflows/ci.yml', '# apfel-bot-ignore debugger reason'],
    ['Dockerfile', '# apfel-bot-ignore debugger reason'],
    ['sub/.gitignore', '# apfel-bot-ignore debugger reason'],
    ['README.md', '<!-- apfel-bot-ignore debugger reason -->'],
    ['a.css', '/* apfel-bot-ignore debugger reason */'],
    ['a.sql', '-- apfel-bot-ignore debugger reason'],
    ['notes.unknown', 'apfel-bot-ignore debugger reason'],
    ['constructor', 'apfel-bot-ignore debugger reason'],
  ] as const) {
    assert.is(ignoreLine('debugger', path), line);
  }
});

test('a file without comments is silenced by a configuration key', () => {
  assert.is(ignoreLine('secret/x', 'package.json'), '"checks": {"secret/x": "off"}');
  assert.is(ignoreLine('secret/x', 'server.pem'), '"checks": {"secret/x": "off"}');
  assert.is(ignoreLine('new-binary', 'a.ts'), '"checks": {"new-binary": "off"}');
});

test('a rule name with a line break stays on its line', () => {
  assert.is(ignoreLine('a\n\x1b[A', 'x.ts'), '// apfel-bot-ignore a\\n\\x1b[A reason');
});

test.run();
