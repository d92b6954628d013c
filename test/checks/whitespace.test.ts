import * as assert from 'uvu/assert';
import { whitespace } from '../../src/checks/whitespace.js';
import { suite } from '../support/suite.js';
import { withRepo } from '../support/with-repo.js';
import { judgeText, linesOf } from './judge-text.js';

const LINES = [
  'plain',
  '',
  'one space behind ',
  'tab behind\t',
  'both behind \t ',
  '   ',
  '\t',
  ' \t',
  '\t \t',
  '    four spaces',
  '\ttab',
  '\t    tab, then spaces',
  ' \tspace, then tab',
  '  \t  \tagain',
  '\t \ttab, space, tab',
  'a \tinside',
  'form feed\f',
  'vertical tab\v',
  'no-break space\u00a0',
  'ideographic space\u3000',
  'cr\r',
  'space, cr \r',
  'two cr\r\r',
  '\r',
  ' \r',
  '  \ttab and cr\r',
  'cr\rinside',
  '+ plus',
  '- minus ',
  'last',
];

const test = suite('whitespace');

test('every added line is judged like git diff --check with core.whitespace=cr-at-eol', () =>
  withRepo(async repo => {
    await repo.stage('a.txt', `${LINES.join('\n')}\n`);
    // It exits 2 when it finds something, which is an error for the runner.
    const args = ['-c', 'core.whitespace=cr-at-eol', 'diff', '--cached', '--check'];
    const output = await repo.git(...args).catch((failure: { stdout: string }) => failure.stdout);
    const expected = new Set<string>();
    for (const [, line, what] of output.matchAll(/^a\.txt:(\d+): (.*)\.$/gm)) {
      for (const part of (what ?? '').split(', ')) expected.add(`${line} ${part}`);
    }
    const seen = judgeText(whitespace, 'a.txt', LINES.join('\n')).map(({ line, message }) =>
      message.startsWith('Trailing')
        ? `${line} trailing whitespace`
        : `${line} space before tab in indent`,
    );
    assert.ok(expected.size >= 14, `git found only ${expected.size}`);
    assert.equal(seen.sort(), [...expected].sort());
  }));

const columns: ReadonlyArray<readonly [string, string, number, number]> = [
  ['the end of the line', 'ab \t', 3, 5],
  ['the end before CR', 'ab  \r', 3, 5],
  ['the indent up to the tab', '  \tab', 1, 4],
  ['the whole of a blank line', '   ', 1, 4],
];

for (const [title, line, column, endColumn] of columns) {
  test(`a finding covers ${title}`, () => {
    const [hit] = judgeText(whitespace, 'a.txt', line);
    assert.equal([hit?.column, hit?.endColumn], [column, endColumn]);
  });
}

test('a CRLF line ending is not trailing whitespace', () =>
  assert.equal(judgeText(whitespace, 'a.bat', 'echo hello\r'), []));

test("Markdown's two-space line break is fine, one space and a blank line of spaces are not", () => {
  const judge = (path: string, text: string) => linesOf(judgeText(whitespace, path, text));
  assert.equal(judge('README.md', 'a  \nb   \r\nc \n  \nd\t'), [3, 4, 5]);
  assert.equal(judge('a.ts', 'a  '), [1]);
});

test.run();
