import * as assert from 'uvu/assert';
import { whitespace } from '../../src/checks/whitespace.js';
import { apfelBot } from '../support/cli.js';
import { suite } from '../support/suite.js';
import { withRepo } from '../support/with-repo.js';
import { judgeHunks, judgeText, linesOf } from './judge-text.js';

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

const test = suite('checks/whitespace');

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

/** The old text of a file, its new text, and the lines that are reported. */
const ENDS: ReadonlyArray<readonly [old: string | undefined, now: string, lines: number[]]> = [
  [undefined, 'a\n\n', [2]],
  [undefined, 'a\n\n\n', [2]],
  [undefined, '\n', []],
  ['a\n', 'a\n\n', [2]],
  ['a\n\n', 'a\n\n\n', [3]],
  ['a\n\n', 'a\n\nb\n\n', []],
  ['a\n\n', 'b\n\n', []],
  ['a\n', 'a\n\nb\n', []],
  ['a\nb\nc\nd\ne\n', 'a\n\nb\nc\nd\ne\n', []],
];

for (const [old, now, lines] of ENDS) {
  const title = `${JSON.stringify(old ?? 'nothing')} to ${JSON.stringify(now)}`;
  test(`new blank lines at the end of the file are reported as git does: ${title}`, () =>
    withRepo(async repo => {
      await repo.commit({ 'b.txt': 'b\n', ...(old === undefined ? {} : { 'a.txt': old }) });
      await repo.stage('a.txt', now);
      const failed = await repo.git('diff', '--cached', '--check').catch(thrown => thrown);
      assert.is(String(failed.stdout ?? '').includes('new blank line at EOF'), lines.length > 0);
      const args = ['review', '--staged', '--no-model', '--format', 'json'];
      const { findings } = JSON.parse((await apfelBot(args, { cwd: repo.dir })).stdout);
      const found = findings.map(({ rule, line }: { rule: string; line: number }) => [rule, line]);
      assert.equal(
        found,
        lines.map(line => ['whitespace', line]),
      );
    }));
}

test('a diff without context doesn’t show where the file ends, so its last line is not taken for that', () =>
  assert.equal(judgeHunks(whitespace, 'a.txt', ['@7', '+'], { status: 'modified' }), []));

const ATTRIBUTES: ReadonlyArray<readonly [attributes: string, lines: number[]]> = [
  ['*.ts -whitespace', [1, 2, 3]],
  ['*.txt -whitespace', []],
  ['*.txt -whitespace\na.txt whitespace', [1, 2, 3]],
  ['a.txt whitespace=-blank-at-eol', [2, 3]],
  ['a.txt whitespace=-trailing-space', [2]],
  ['a.txt whitespace=-space-before-tab,-blank-at-eof', [1]],
];

for (const [attributes, lines] of ATTRIBUTES) {
  test(`the attribute decides what is reported: ${attributes}`, () =>
    withRepo(async repo => {
      await repo.commit({ '.gitattributes': `${attributes}\n` });
      await repo.stage('a.txt', 'one \n \ttwo\n\n');
      const failed = await repo.git('diff', '--cached', '--check').catch(thrown => thrown);
      const git = [...String(failed.stdout ?? '').matchAll(/^a\.txt:(\d+): /gm)].map(Number);
      assert.is(git.length, lines.length);
      const args = ['review', '--staged', '--no-model', '--format', 'json'];
      const { findings } = JSON.parse((await apfelBot(args, { cwd: repo.dir })).stdout);
      assert.equal(
        findings.map(({ line }: { line: number }) => line),
        lines,
      );
    }));
}

test.run();
