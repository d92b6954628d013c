import { createHash } from 'node:crypto';
import * as assert from 'uvu/assert';
import { atLeast, type FindingWithoutId, nameFindings } from '../../src/core/finding.js';
import { suite } from '../support/suite.js';

const claim = (more: Partial<FindingWithoutId> = {}): FindingWithoutId => ({
  path: 'a.ts',
  line: 1,
  endLine: 1,
  side: 'new',
  severity: 'error',
  rule: 'debugger',
  message: 'm',
  source: 'check',
  confidence: 1,
  evidence: 'debugger;',
  ...more,
});

const idOf = (more: Partial<FindingWithoutId>): string | undefined =>
  nameFindings([claim(more)])[0]?.id;

const test = suite('core/finding');

test('an id does not depend on the line, the indent or the wording', () => {
  assert.is(idOf({ line: 9, endLine: 9, message: 'other' }), idOf({}));
  assert.is(idOf({ evidence: '   debugger;  ' }), idOf({}));
});

test('an id depends on path, rule and anchored text', () => {
  const ids = [idOf({}), idOf({ path: 'b.ts' }), idOf({ rule: 'x' }), idOf({ evidence: 'y' })];
  assert.is(new Set(ids).size, 4);
});

test('equal lines in one file get different ids by their order', () => {
  const ids = nameFindings([3, 7, 9].map(line => claim({ line }))).map(({ id }) => id);
  assert.is(new Set(ids).size, 3);
  assert.is(ids[0], idOf({}));
});

test('an id is the same in every version, because comments and notes refer to it', () => {
  const text = 'a.ts\0debugger\0debugger;\0';
  const hashes = [0, 1].map(ordinal =>
    createHash('sha256').update(`${text}${ordinal}`).digest('hex').slice(0, 16),
  );
  const ids = nameFindings([claim({ line: 3 }), claim({ line: 7 })]).map(({ id }) => id);
  assert.equal(ids, hashes);
});

test('severities are ordered from info to error', () => {
  assert.ok(atLeast('error', 'warning') && atLeast('info', 'info'));
  assert.not.ok(atLeast('info', 'warning'));
});

test.run();
