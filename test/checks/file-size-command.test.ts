import * as assert from 'uvu/assert';
import { reviewJson } from '../support/cli.js';
import { suite } from '../support/suite.js';
import { withRepo } from '../support/with-repo.js';

const KIB = 1024;
const LINE = 'a line of sixty-four characters, with the line break at its end\n';
const text = (bytes: number): string => LINE.repeat(Math.ceil(bytes / LINE.length));

const test = suite('checks/file-size-command');

for (const [title, path, before, after, expected] of [
  ['a text file that grows past the limit', 'a.txt', 960 * KIB, 1200 * KIB, ['large-file']],
  ['a JSON file that grows past the limit', 'a.json', 960 * KIB, 1200 * KIB, ['large-file']],
  ['a text file that grows below the limit', 'a.txt', 500 * KIB, 900 * KIB, []],
  ['a text file that was large before', 'a.txt', 1200 * KIB, 1400 * KIB, []],
  ['a large text file that shrinks', 'a.txt', 1400 * KIB, 1200 * KIB, []],
  ['a new text file above the limit', 'a.txt', 0, 1200 * KIB, ['large-file']],
] as const) {
  test(`${title} is ${expected.length === 0 ? 'not ' : ''}reported as large`, () =>
    withRepo(async repo => {
      if (before > 0) await repo.commit({ [path]: text(before) });
      await repo.stage(path, text(after));
      const { outcome } = await reviewJson(['--staged', '--no-model'], { cwd: repo.dir });
      const rules = outcome.findings.map(({ rule }) => rule);
      assert.equal(
        rules.filter(rule => rule === 'large-file'),
        expected.filter(rule => rule === 'large-file'),
      );
    }));
}

test.run();
