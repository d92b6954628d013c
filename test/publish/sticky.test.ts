import * as assert from 'uvu/assert';
import {
  NOTHING_REMEMBERED,
  readSticky,
  type Sticky,
  writeSticky,
} from '../../src/publish/own-comments.js';
import { suite } from '../support/suite.js';

const test = suite('publish/sticky');

const ID = '0123456789abcdef';
const OTHER = 'fedcba9876543210';
const FULL: Sticky = {
  ignored: [ID, OTHER],
  subject: { task: 'review', head: 'a'.repeat(40), run: '01J', startedAt: '2026-02-03T04:05:06Z' },
};

test('data hidden in the summary is read back and not shown', () => {
  const body = writeSticky(FULL, '**clean**\n\nmore');
  assert.equal(readSticky(body), { ...FULL, text: '**clean**\n\nmore' });
  assert.match(body, /^<!-- [^\n]* -->\n\*\*clean\*\*\n/);
  assert.equal(readSticky(writeSticky(NOTHING_REMEMBERED, 'x')), {
    ...NOTHING_REMEMBERED,
    text: 'x',
  });
});

test('CRLF line endings do not change the hidden data', () => {
  const body = writeSticky(FULL, 'one\ntwo').replaceAll('\n', '\r\n');
  assert.is(readSticky(body)?.text, 'one\ntwo');
});

test('only finding ids are stored in the summary, each once, the newest last', () => {
  const body = writeSticky({ ...FULL, ignored: [ID, 'x', `${ID}-->`, OTHER, ID] }, 'x');
  assert.equal(readSticky(body)?.ignored, [ID, OTHER]);
  const many = Array.from({ length: 700 }, (_, at) => at.toString(16).padStart(16, '0'));
  const kept = readSticky(writeSticky({ ...FULL, ignored: many }, 'x'))?.ignored ?? [];
  assert.is(kept.length, 500);
  assert.is(kept.at(-1), many.at(-1));
});

test('the list of posted findings is stored with a limit, and left out when empty', () => {
  const body = writeSticky({ ...FULL, posted: [ID, '-->', ID, OTHER] }, 'x');
  assert.equal(readSticky(body)?.posted, [ID, OTHER]);
  assert.not.ok('posted' in (readSticky(writeSticky({ ...FULL, posted: [] }, 'x')) ?? {}));
  const many = Array.from({ length: 700 }, (_, at) => at.toString(16).padStart(16, '0'));
  const kept = readSticky(writeSticky({ ...FULL, ignored: many, posted: many }, 'x'));
  assert.equal(kept?.posted, many.slice(-200));
  assert.is(kept?.ignored.length, 500);
  for (const bent of ['7', '{}', '[1,null,"x"]', `"${ID}"`]) {
    const state = readSticky(body.replace(/"posted":\[[^\]]*\]/, `"posted":${bent}`));
    assert.equal(state, { ...FULL, text: 'x' }, bent);
  }
});

test('no value can end the hidden comment early', () => {
  const evil = '--> @everyone <!--';
  const subject = { task: evil, head: evil, run: evil, startedAt: evil };
  const body = writeSticky({ ignored: [], subject }, 'x');
  assert.equal(readSticky(body)?.subject, subject);
  assert.is(body.indexOf('-->'), body.indexOf('\n') - 3);
});

test('a text that is not our summary, or a damaged one, is not read as one', () => {
  const body = writeSticky(FULL, 'x');
  for (const text of [
    '',
    'hello',
    ` ${body}`,
    `> ${body}`,
    body.replace('"v":1', '"v":2'),
    body.replace('[', '{'),
    body.replace(' -->', ''),
    '<!-- apfel-bot:summary null -->',
    '<!-- apfel-bot:summary [] -->',
    `<!-- apfel-bot:summary ${'{'.repeat(100_000)} -->`,
  ]) {
    assert.is(readSticky(text), undefined, text.slice(0, 60));
  }
  assert.is(readSticky(body.replace('"run":"01J"', '"run":1'))?.subject, null);
});

test.run();
