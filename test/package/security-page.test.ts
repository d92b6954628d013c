import { existsSync, readFileSync } from 'node:fs';
import * as assert from 'uvu/assert';
import { suite } from '../support/suite.js';

const test = suite('package/security-page');

/** Rows of the table of attacks: attack, defence, tests. */
const rows = (readFileSync('SECURITY.md', 'utf8').split('## Attacks and defences')[1] ?? '')
  .split('\n## ')[0]
  ?.split('\n')
  // Headings between the rows are bold.
  .filter(line => /^\| (?!\*\*)/.test(line))
  .slice(1);

test('every attack names the suites that hold it, and each of them exists', () => {
  assert.ok((rows?.length ?? 0) > 25, `${rows?.length}`);
  for (const row of rows ?? []) {
    const cell = row.split(' | ').at(-1) ?? '';
    const paths = [...cell.matchAll(/`(test\/[^`]+)`/g)].map(([, path = '']) => path);
    assert.ok(paths.length > 0, row);
    for (const path of paths) {
      assert.match(path, /\.test\.ts$/, row);
      assert.ok(existsSync(path), `${path} does not exist`);
    }
  }
});

test.run();
