import * as assert from 'uvu/assert';
import { reviewJson } from '../support/cli.js';
import { suite } from '../support/suite.js';
import { withFolder } from '../support/with-repo.js';

const added = (path: string): string =>
  `diff --git a/${path} b/${path}\nnew file mode 100644\n--- /dev/null\n+++ b/${path}\n@@ -0,0 +1 @@\n+debugger;\n`;
const INPUT = ['src/a.js', 'src/deep/b.js', 'srcs/c.js', 'd.js'].map(added).join('');

const paths = async (dir: string, wanted: readonly string[], input = INPUT) => {
  const args = ['--stdin', '--no-model', '--', ...wanted];
  const { outcome } = await reviewJson(args, { cwd: dir, input });
  const { findings, change, notices } = outcome;
  return { found: findings.map(({ path }) => path), files: change.files, notices };
};

const test = suite('diff/only-under');

test('paths select files of a diff on standard input too', () =>
  withFolder(async dir => {
    const under = await paths(dir, ['src']);
    assert.equal(under, { found: ['src/a.js', 'src/deep/b.js'], files: 2, notices: [] });
    assert.equal((await paths(dir, ['d.js', 'src/deep'])).found, ['d.js', 'src/deep/b.js']);
    assert.is((await paths(dir, ['.'])).found.length, 4);
  }));

test('a path that matches no file of a diff on standard input is reported', () =>
  withFolder(async dir => {
    const nothing = await paths(dir, ['other']);
    assert.equal(nothing, { found: [], files: 0, notices: ['no changed file matches other'] });
  }));

test('a diff that ends early in a file outside the given paths is still reported', () =>
  withFolder(async dir => {
    const cut = `${INPUT}diff --git a/e.js b/e.js\n--- a/e.js\n+++ b/e.js\n@@ -1,9 +1,9 @@\n a\n`;
    const { found, notices } = await paths(dir, ['src'], cut);
    assert.is(found.length, 2);
    assert.is(notices.length, 1);
  }));

test.run();
