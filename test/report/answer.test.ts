import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import type { AnswerOutcome, DescriptionOutcome } from '../../src/core/outcome.js';
import { publishAnswer } from '../../src/report/answer.js';
import { suite } from '../support/suite.js';
import { withFolder } from '../support/with-repo.js';
import { EMPTY } from './sample-outcome.js';

const test = suite('report/answer');

const ANSWER: AnswerOutcome = {
  ...EMPTY,
  task: 'ask',
  answer: { text: ' It is _here_. \n', sources: [{ path: 'a.ts', line: 3 }] },
  notices: ['one *note*'],
};
const DESCRIPTION: DescriptionOutcome = {
  ...EMPTY,
  task: 'describe',
  description: { title: 'Add <b>', body: 'One.\n\n- two' },
  notices: ['a note'],
};
const TEXT = { format: 'text', out: undefined, isStrict: false } as const;

const textOf = async (
  outcome: AnswerOutcome | DescriptionOutcome,
  format: 'text' | 'markdown',
): Promise<string> => (await publishAnswer(outcome, { ...TEXT, format })).text;

test('an answer is printed with its sources and notices', async () => {
  assert.is(
    await textOf(ANSWER, 'text'),
    'It is _here_.\n\nsources:\n  a.ts:3\nnote: one *note*\n',
  );
  const bare = { ...ANSWER, answer: { text: 'No.', sources: [] }, notices: [] };
  assert.is(await textOf(bare, 'text'), 'No.\n');
  assert.is(await textOf(bare, 'markdown'), 'No.\n');
  const markdown = await textOf(ANSWER, 'markdown');
  assert.match(markdown, /^It is .*\n\nSources:\n\n- .*3\n\n_one .*_\n$/);
});

test('a description is printed with its notices, if there are any', async () => {
  assert.is(await textOf(DESCRIPTION, 'text'), 'Add <b>\n\nOne.\n\n- two\n\nnote: a note\n');
  assert.is(await textOf({ ...DESCRIPTION, notices: [] }, 'text'), 'Add <b>\n\nOne.\n\n- two\n');
  const markdown = await textOf(DESCRIPTION, 'markdown');
  assert.match(markdown, /^# Add .*\n\nOne\.\n\n- two\n\n_a note_\n$/);
  assert.not.match(markdown, '<b>');
});

test('an answer is written to the file of --out as JSON, whatever is printed', () =>
  withFolder(async folder => {
    const out = join(folder, 'answer.json');
    const { text, failure } = await publishAnswer(ANSWER, { ...TEXT, out });
    assert.is(failure, undefined);
    assert.match(text, /^It is/);
    assert.equal(JSON.parse(await readFile(out, 'utf8')), ANSWER);
    const json = await publishAnswer(ANSWER, { ...TEXT, format: 'json', out: folder });
    assert.equal(JSON.parse(json.text), ANSWER);
    assert.match(json.failure?.message ?? '', folder);
  }));

test('an incomplete answer ends in failure only with --strict', async () => {
  const incomplete = { ...ANSWER, complete: false };
  const strict = { ...TEXT, isStrict: true };
  assert.is((await publishAnswer(incomplete, strict)).ending, 'incomplete');
  assert.is((await publishAnswer(incomplete, TEXT)).ending, 'done');
  assert.is((await publishAnswer(ANSWER, strict)).ending, 'done');
});

test.run();
