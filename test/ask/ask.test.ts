import * as assert from 'uvu/assert';
import { answer } from '../../src/ask/ask.js';
import { defaultConfig } from '../../src/config/config.js';
import type { AnswerOutcome } from '../../src/core/outcome.js';
import { nodeClock } from '../../src/platform/clock.js';
import { memorySource } from '../agent/tools/memory-source.js';
import { chooses, type FakeModel, fails, fakeModel, says } from '../support/fake-model.js';
import { suite } from '../support/suite.js';

const test = suite('ask/ask');

const FILES = {
  'src/limits.ts': 'export const MAX_TURNS = 8;\nexport const maxWords = 3;\n',
  'src/other.ts': 'one\ntwo\nthree\n',
  'README.md': 'Nothing to see.\n',
};

const asking = (
  model: FakeModel,
  question: string,
  badReplies = defaultConfig().limits.badReplies,
): Promise<AnswerOutcome> =>
  answer(
    {
      question,
      at: 'a'.repeat(40),
      source: memorySource(FILES),
      model,
      protocol: 'guided',
      deadlineMs: 60_000,
      onEntry: () => undefined,
      transcripts: {
        recorded: () => new Map(),
        place: () => undefined,
        open: () => () => undefined,
      },
    },
    { clock: nodeClock, signal: new AbortController().signal },
    { ...defaultConfig(), limits: { ...defaultConfig().limits, badReplies } },
  );

const answers = (text: string): FakeModel => fakeModel([chooses('finish', { answer: text })]);

const LIMIT = 'What is maxWords in src/limits.ts?';

test('an answer based on what was read is complete, and lists the places that it names first', async () => {
  const outcome = await asking(answers('maxWords is 3, see src/limits.ts:2.'), LIMIT);
  assert.equal(outcome.answer.sources, [{ path: 'src/limits.ts', line: 2 }]);
  assert.ok(outcome.complete);
  assert.equal(outcome.notices, []);
});

test('a place that the answer names without a line is its first line', async () => {
  const { answer } = await asking(answers('maxWords in src/limits.ts is 3.'), LIMIT);
  assert.equal(answer.sources, [{ path: 'src/limits.ts', line: 1 }]);
  const short = await asking(answers('README.md says "Nothing to see."'), 'What says README.md?');
  assert.equal(short.answer.sources, [{ path: 'README.md', line: 1 }]);
});

test('the places that were shown are the sources of an answer that names none', async () => {
  const model = fakeModel([
    chooses('read_file', { path: 'src/other.ts' }),
    chooses('finish', { answer: 'It has `two`.' }),
  ]);
  const outcome = await asking(model, 'Which numbers are written out?');
  assert.equal(outcome.answer.sources, [{ path: 'src/other.ts', line: 1 }]);
  assert.equal(outcome.notices, []);
  assert.ok(outcome.complete);
});

test('a line after the end of a file is missing, and its last line is not', async () => {
  const last = await asking(answers('maxWords is 3, see src/limits.ts:2.'), LIMIT);
  assert.equal(last.notices, []);
  const after = await asking(answers('maxWords is 3, see src/limits.ts:3.'), LIMIT);
  assert.ok(!after.complete);
  assert.match(after.notices.join(), "names src/limits.ts:3, which isn't in the repository");
});

test('a missing file is reported if it has a folder or a line, and a word with a dot is not', async () => {
  const { notices } = await asking(
    answers('maxWords is 3 in src/limits.ts, not in src/gone.ts, gone.ts:4 or e.g.x.'),
    LIMIT,
  );
  const text = notices.join('; ');
  assert.match(text, "src/gone.ts, which isn't");
  assert.match(text, "gone.ts:4, which isn't");
  assert.not.match(text, 'e.g.x, which');
});

test('an unproven answer is asked for twice more, then published as unproven', async () => {
  const model = answers('It is `neverShown`, `alsoNot`, `norThis` or `orThat`.');
  const outcome = await asking(model, LIMIT);
  assert.is(model.requests.length, 3);
  assert.ok(!outcome.complete);
  assert.equal(outcome.notices, [
    'unproven: the model was shown nothing that contains neverShown or alsoNot or norThis, nor 1 more',
  ]);
});

test('an unproven answer is asked for less often if fewer bad replies are allowed', async () => {
  const model = answers('It is `neverShown`.');
  const { notices } = await asking(model, LIMIT, 2);
  assert.is(model.requests.length, 2);
  assert.match(notices[0] ?? '', /^unproven: /);
});

test('three unproven names are all listed', async () => {
  const outcome = await asking(answers('It is `neverShown`, `alsoNot` or `norThis`.'), LIMIT);
  assert.equal(outcome.notices, [
    'unproven: the model was shown nothing that contains neverShown or alsoNot or norThis',
  ]);
});

test('an answer that names nothing has no sources and is not complete', async () => {
  const model = answers('Yes, it does.');
  const outcome = await asking(model, LIMIT);
  assert.is(model.requests.length, 3);
  assert.equal(outcome.answer.sources, []);
  assert.equal(outcome.notices, ['unproven: the answer names nothing that the model was shown']);
  assert.ok(!outcome.complete);
});

test('a search without a match is not a source, and its answer is not complete', async () => {
  const model = fakeModel([
    chooses('search_code', { query: 'nowhere' }),
    chooses('finish', { answer: 'It was not found.' }),
  ]);
  const outcome = await asking(model, 'Is it used?');
  assert.is(model.requests.length, 2);
  assert.equal(outcome.answer, { text: 'It was not found.', sources: [] });
  assert.ok(!outcome.complete);
});

test('an answer before anything was read is refused', async () => {
  const model = fakeModel([says('It is 3.')]);
  const outcome = await asking(model, 'Which numbers are written out?');
  assert.is(outcome.answer.text, 'No answer could be confirmed.');
  assert.ok(!outcome.complete);
  assert.match(outcome.notices[0] ?? '', /^the conversation ended early: /);
  assert.match(outcome.notices[1] ?? '', 'nothing was recorded');
});

test('two things that the question names are read first, a name that is not a file is searched for', async () => {
  const model = answers('maxWords is 3.');
  await asking(model, 'Is maxWords from src/other.ts or MAX_TURNS in README.md?');
  const opening = JSON.stringify(model.requests[0]?.messages);
  assert.is(opening.split('Read for you:').length, 3);
  assert.match(opening, 'maxWords = 3');
  assert.match(opening, 'three');
  assert.not.match(opening, 'Nothing to see');
});

test('a question that stays blocked is asked in other words, and every request but one is a retry', async () => {
  let worded = 0;
  const model = fakeModel(({ system }) => {
    if (system.includes('You answer questions')) return fails('blocked');
    worded += 1;
    return worded === 1 ? says('') : chooses('finish', { answer: 'maxWords is 3.' });
  });
  const outcome = await asking(model, LIMIT);
  assert.is(worded, 2);
  assert.ok(model.requests.length > 2);
  assert.is(outcome.answer.text, 'maxWords is 3.');
  assert.is(outcome.model.retries, model.requests.length - 1);
  assert.is(outcome.model.refusals, model.requests.length - worded);
});

test.run();
