import * as assert from 'uvu/assert';
import { rulePages } from '../../src/explain/pages.js';
import { toRdjson } from '../../src/report/rdjson.js';
import { rulePage, toSarif } from '../../src/report/sarif.js';
import { suite } from '../support/suite.js';
import { CLEAN, finding } from './sample-outcome.js';

const test = suite('report/rule-page');

/** As GitHub makes the anchor of a heading. */
const anchorOf = (title: string): string =>
  title
    .toLowerCase()
    .replace(/[^\w -]/g, '')
    .replace(/ /g, '-');

const HOME = 'https://github.com/somebody/apfel-bot';

test('the address of every rule leads to its section', () => {
  for (const title of rulePages().keys()) {
    const rule = title.replace('*', 'aws-access-key');
    assert.is(rulePage(rule, HOME), `${HOME}/blob/main/docs/rules.md#${anchorOf(title)}`);
  }
});

test('rules of linters and of users have no address of ours', () => {
  assert.is(rulePage('no-undef', HOME), undefined);
  assert.is(rulePage('rule/no-float', HOME), undefined);
});

test('SARIF and rdjson invent no address while package.json names no repository', () => {
  const reviewed = { ...CLEAN, findings: [finding({ rule: 'ci/unpinned' })] };
  assert.not.match(toSarif(reviewed, { toolVersion: '1' }), /helpUri|OWNER/);
  assert.not.match(toRdjson(reviewed), /"url"|OWNER/);
});

test.run();
