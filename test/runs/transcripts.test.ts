import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import type { Entry } from '../../src/agent/question.js';
import type { ModelRequest } from '../../src/model/model.js';
import { openTranscripts } from '../../src/runs/transcripts.js';
import { planted } from '../secrets/planted.js';
import { suite } from '../support/suite.js';
import { withFolder } from '../support/with-repo.js';

const test = suite('runs/transcripts');

const request = (system: string): ModelRequest => ({ system, messages: [], maxTokens: 5 });
const asked = (number: number, system: string): Entry => ({
  type: 'request',
  number,
  atMs: 1,
  protocol: 'text',
  estimatedTokens: 3,
  compaction: 'none',
  request: request(system),
});
const answered = (number: number): Entry => ({
  type: 'reply',
  number,
  durationMs: 1,
  reply: {
    kind: 'answer',
    text: 'yes',
    isCut: false,
    usage: { promptTokens: 1, completionTokens: 1 },
  },
});

test('transcripts are read back, the newest first', () =>
  withFolder(async dir => {
    const transcripts = openTranscripts(dir);
    transcripts.open('01A', 'review')(asked(1, 'hello'));
    transcripts.open('01B', 'ask');
    assert.equal(transcripts.runs(), ['01B', '01A']);
    assert.equal(transcripts.read('01A'), [
      { type: 'work', run: '01A', work: 'review', pid: process.pid },
      asked(1, 'hello'),
    ]);
    assert.equal(transcripts.read('01C'), []);
  }));

test('an interrupted conversation is resumed, a finished one is not', () =>
  withFolder(async dir => {
    const transcripts = openTranscripts(dir);
    const write = transcripts.open('01A', 'ask\0HEAD');
    write(asked(1, 'hello'));
    write(answered(1));
    assert.is(transcripts.recorded('ask\0HEAD').size, 1);
    assert.is(transcripts.recorded('ask\0other').size, 0);
    write({ type: 'end', reason: 'finished', message: '' });
    assert.is(transcripts.recorded('ask\0HEAD').size, 0);
  }));

test('no secret is written, and work with a secret in it is still recognized', () =>
  withFolder(async dir => {
    const { githubToken: secret } = planted;
    const transcripts = openTranscripts(dir);
    const work = `ask\0what is ${secret}`;
    const write = transcripts.open('01A', work);
    write(asked(1, `look at ${secret}`));
    write(asked(2, 'hello'));
    write(answered(2));
    assert.not.match(readFileSync(transcripts.place('01A'), 'utf8'), secret);
    assert.is(transcripts.recorded(work).size, 1);
  }));

test('a line that a crash cut in two is left out', () =>
  withFolder(async dir => {
    const transcripts = openTranscripts(dir);
    transcripts.open('01A', 'review')(asked(1, 'hello'));
    writeFileSync(transcripts.place('01A'), '{"type":"req', { flag: 'a' });
    assert.is(transcripts.read('01A').length, 2);
  }));

test('the oldest transcripts are removed, by number and by size', () =>
  withFolder(async dir => {
    const transcripts = openTranscripts(dir);
    for (let at = 0; at < 55; at += 1) transcripts.open(`01A${100 + at}`, 'review');
    assert.is(transcripts.runs().length, 50);
    assert.is(transcripts.runs().at(-1), '01A105');
    const folder = join(dir, 'apfel-bot', 'transcripts');
    for (const name of ['01A151', '01A152', '01A153', '01A154']) {
      writeFileSync(join(folder, `${name}.jsonl`), 'x'.repeat(20_000_000));
    }
    transcripts.open('01B', 'review');
    assert.equal(
      readdirSync(folder).sort(),
      ['01A152', '01A153', '01A154', '01B'].map(name => `${name}.jsonl`),
    );
  }));

test('a transcript above the limit is cut, and says so', () =>
  withFolder(async dir => {
    const transcripts = openTranscripts(dir);
    const write = transcripts.open('01A', 'review');
    for (let at = 0; at < 5; at += 1) write(asked(1, 'word '.repeat(1_000_000)));
    const lines = transcripts.read('01A');
    assert.equal(lines.at(-1), { type: 'cut' });
    assert.is(lines.length, 5);
  }));

test.run();
