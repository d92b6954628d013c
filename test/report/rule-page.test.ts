import * as assert from 'uvu/assert';
import { rulePages } from '../../src/explain/pages.js';
import { toRdjson } from '../../src/report/rdjson.js';
import { rulePage } from '../../src/report/rule-page.js';
import { toSarif } from '../../src/report/sarif.js';
import { suite } from '../support/suite.js';
import { CLEAN, finding } from './sample-outcome.js';

const test = suite('rule pages');

/** As GitHub makes the anchor of a heading. */
const anchorOf = (title: string): string =>
  title
    .toLowerCase()
    .replace(/[^\w -]/g, '')
    .replace(/ /g, '-');

test('the address of every rule leads to its section', () => {
  for (const title of rulePages().keys()) {
    const rule = title.replace('*', 'aws-access-key');
    assert.match(
      rulePage(rule),
      new RegExp(`^https://github\\.com/[^/]+/[^/]+/blob/main/docs/rules\\.md#${anchorOf(title)}$`),
    );
  }
});

test('SARIF and rdjson link the rules of checks, and not those of linters', () => {
  const reviewed = {
    ...CLEAN,
    findings: [finding({ rule: 'ci/unpinned' }), finding({ rule: 'no-undef', source: 'linter' })],
  };
  const rules = JSON.parse(toSarif(reviewed, { toolVersion: '1' })).runs[0].tool.driver.rules;
  assert.equal(
    rules.map((rule: { helpUri?: string }) => rule.helpUri),
    [rulePage('ci/unpinned'), undefined],
  );
  const codes = JSON.parse(toRdjson(reviewed)).diagnostics.map((one: { code: object }) => one.code);
  assert.equal(codes, [
    { value: 'ci/unpinned', url: rulePage('ci/unpinned') },
    { value: 'no-undef' },
  ]);
});

test.run();
