import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { BotError } from '../../src/core/bot-error.js';
import type { AnswerOutcome, Outcome } from '../../src/core/outcome.js';
import type { ParsedArguments } from '../../src/core/task.js';
import type { GithubPull } from '../../src/github/pulls.js';
import {
  isReview,
  mustBeHead,
  mustBeHere,
  outcomeFile,
  readOutcomeFile,
  trusted,
  withOutcomePath,
} from '../../src/publish/outcome-file.js';
import type { Session } from '../../src/session.js';
import { CLEAN, EMPTY, finding, ledger } from '../report/sample-outcome.js';
import { suite } from '../support/suite.js';
import { withFolder } from '../support/with-repo.js';

const test = suite('publish/outcome-file');

const { change, findings, rejected, ledger: counted, ...shared } = EMPTY;
const answer = { text: 'x', sources: [] };
const ANSWER: AnswerOutcome = { ...shared, task: 'ask', answer };

test('an outcome is read, and anything else is refused with up to five reasons', () =>
  withFolder(async dir => {
    const file = join(dir, 'outcome.json');
    const read = async (value: unknown): Promise<string> => {
      await writeFile(file, typeof value === 'string' ? value : JSON.stringify(value));
      return await readOutcomeFile(file).then(
        ({ task }) => task,
        (thrown: Error) => thrown.message.replaceAll(file, 'FILE'),
      );
    };
    assert.is(await read(EMPTY), 'review');
    assert.is(await read(ANSWER), 'ask');
    assert.is(await read('{'), "FILE isn't valid JSON");
    const refused = "FILE isn't an outcome, or was edited:\n";
    for (const [task, missing] of [
      ['ask', ['answer']],
      ['describe', ['description', 'change', 'ledger']],
    ] as const) {
      const lines = missing.map(key => `  top level: the key "${key}" is missing`);
      assert.is(await read({ ...shared, task }), `${refused}${lines.join('\n')}`);
    }
    const wrong = (count: number): object => ({
      ...EMPTY,
      findings: Array.from({ length: count }, () => 1),
    });
    assert.is((await read(wrong(5))).split('\n').length, 6);
    assert.match(await read(wrong(6)), /^(?:.*\n){6} {2}and 1 more$/);
    assert.match(await read(null), refused);
    const none = readOutcomeFile(join(dir, 'none'));
    const gone = await none.then(String, ({ message }: Error) => message);
    assert.match(gone, "none doesn't exist");
  }));

test('an outcome is complete only if it says so and no hunk is left out', () => {
  const done = { total: 1, reviewed: 1 };
  const completeOf = (parts: object, complete = true): boolean =>
    trusted({ ...EMPTY, ledger: ledger(parts), complete }).complete;
  assert.is(completeOf(done), true);
  assert.is(completeOf(done, false), false);
  for (const state of ['outOfTime', 'refused', 'failed']) {
    assert.is(completeOf({ total: 1, [state]: 1 }), false, state);
  }
  for (const [one, other] of [
    ['outOfTime', 'refused'],
    ['refused', 'failed'],
    ['outOfTime', 'failed'],
  ] as const) {
    assert.is(completeOf({ total: 2, [one]: 1, [other]: 1 }), false, `${one} and ${other}`);
  }
  assert.throws(() => completeOf({ total: 2, failed: 1 }), /has 2 hunks in total, but lists 1/);
});

test('a finding that is listed twice is published once, and a file may lack notices', () => {
  const [one, two] = [finding({ rule: 'one' }), finding({ rule: 'two' })];
  const { notices, ...rest } = { ...EMPTY, findings: [one, two, one] };
  const read = trusted(rest as unknown as Outcome);
  assert.equal([read.findings, read.notices], [[one, two], []]);
});

test('an outcome is published only to its own repository, whatever the case, and to its own head', () => {
  const of = (parts: object): Outcome => ({ ...CLEAN, change: { ...CLEAN.change, ...parts } });
  const pull = { number: 7, head: { sha: 'b'.repeat(40) } } as GithubPull;
  for (const repository of ['o/r', 'O/R', null]) mustBeHere(of({ repository }), 'o/R');
  mustBeHere(ANSWER, 'o/r');
  assert.throws(() => mustBeHere(of({ repository: 'o/other' }), 'o/r'), /is for o\/other, not/);
  mustBeHead(of({ head: 'b'.repeat(40) }), pull);
  mustBeHead(ANSWER, pull);
  assert.throws(
    () => mustBeHead(of({ head: 'a'.repeat(40) }), pull),
    /is for a{12}, but pull request 7 is now at b{12};/,
  );
  assert.equal([EMPTY, { ...EMPTY, task: 'fix-lint' } as Outcome, ANSWER].map(isReview), [
    true,
    true,
    false,
  ]);
});

test('post and push take one file', () => {
  const take = (positionals: string[], paths: string[]): string =>
    outcomeFile('push', { positionals, paths } as unknown as ParsedArguments);
  assert.is(take(['a.json'], []), 'a.json');
  assert.is(take([], ['a.json']), 'a.json');
  assert.throws(() => take([], []), /^push needs an outcome/);
  assert.throws(() => take(['a.json'], ['b.json']), /^unexpected argument "b.json"/);
});

test('a failure to publish says where the outcome is, and another failure stays as it is', () => {
  const failure = (code: BotError['code'], hint?: string): BotError =>
    new BotError(code, 'm', hint === undefined ? {} : { hint });
  const said = (thrown: unknown, isLate = false): string | undefined => {
    const signal = isLate ? AbortSignal.abort() : new AbortController().signal;
    const shown = withOutcomePath(thrown, 'o.json', { signal } as Session);
    return shown === thrown ? 'the same' : (shown as BotError).hint;
  };
  const kept = 'The outcome is kept: o.json';
  for (const isLate of [false, true]) {
    assert.is(said(failure('publish-failed'), isLate), kept);
    assert.is(said(failure('not-permitted', 'h'), isLate), `h\n  ${kept}`);
    assert.is(said(failure('usage', 'h'), isLate), 'the same');
  }
  assert.is(said(new Error('x')), 'the same');
  assert.match(said(new Error('x'), true) ?? '', `--deadline 20m\n  ${kept}`);
});

test.run();
