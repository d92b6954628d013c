import * as assert from 'uvu/assert';
import type { Outcome } from '../../src/core/outcome.js';
import { reviewJson } from '../support/cli.js';
import { suite } from '../support/suite.js';
import { withRepo } from '../support/with-repo.js';

const KIB = 1024;

/** Valid JSON on one line. The diff parser keeps only the first 256 KiB of a line. */
const oneLineJson = (bytes: number): string =>
  `{"features":[${'{"type":"Feature","id":17},'.repeat(Math.ceil(bytes / 27))}{}]}\n`;

const rulesOf = ({ findings }: Outcome): string[] => findings.map(({ rule }) => rule);

const test = suite('checks/cut-line');

for (const [size, bytes, expected] of [
  ['257 KiB', 257 * KIB, []],
  ['10 MiB', 10 * KIB * KIB, ['large-file']],
] as const) {
  test(`a valid one-line JSON file of ${size} that was just added isn't reported as invalid`, () =>
    withRepo(async repo => {
      await repo.stage('data.geojson', oneLineJson(bytes));
      const { outcome } = await reviewJson(['--staged', '--no-model'], { cwd: repo.dir });
      assert.equal(rulesOf(outcome), expected);
      assert.match(outcome.notices.join('\n'), 'data.geojson is too large to be parsed');
    }));
}

test('a diff on standard input with a cut line of valid JSON is not reported as invalid', () =>
  withRepo(async repo => {
    const header =
      'diff --git a/a.json b/a.json\nnew file mode 100644\n--- /dev/null\n+++ b/a.json\n';
    const input = `${header}@@ -0,0 +1 @@\n+${oneLineJson(2 * KIB * KIB)}`;
    const { outcome } = await reviewJson(['--stdin', '--no-model'], { cwd: repo.dir, input });
    assert.equal(rulesOf(outcome), ['large-file']);
    assert.match(outcome.notices.join('\n'), 'a.json is too large to be parsed');
  }));

test('a broken one-line JSON file that is short enough is still reported', () =>
  withRepo(async repo => {
    await repo.stage('a.json', oneLineJson(200 * KIB).replace(']}', ']'));
    const { outcome } = await reviewJson(['--staged', '--no-model'], { cwd: repo.dir });
    assert.equal(rulesOf(outcome), ['invalid/json']);
  }));

test.run();
