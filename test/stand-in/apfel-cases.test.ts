import { readFileSync } from 'node:fs';
import * as assert from 'uvu/assert';
import { suite } from '../support/suite.js';

const test = suite('stand-in/apfel-cases');

test('every case in the table is held by a test of that name', () => {
  const page = readFileSync('fixtures/apfel/README.md', 'utf8');
  const rows = [...page.matchAll(/^\| [^|]+ \| [^|]+ \| `([a-z-]+)` \| (.+) \|$/gm)];
  const [, count] = /^(\d+) cases, from/m.exec(page) ?? [];
  assert.is(rows.length, Number(count));
  for (const [, name, title] of rows) {
    const source = readFileSync(`test/stand-in/apfel-${name}.test.ts`, 'utf8');
    assert.ok(source.includes(`'${title}'`), `${name}: ${title}`);
  }
});

test.run();
