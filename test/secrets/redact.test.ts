import * as assert from 'uvu/assert';
import { redact, redactValue } from '../../src/secrets/redact.js';
import { findSecrets } from '../../src/secrets/scan.js';
import { suite } from '../support/suite.js';
import { gitleaksCases, readCases } from './gitleaks-cases.js';
import { keyLines, planted } from './planted.js';
import { sequence } from './sample-token.js';

const test = suite('secrets/redact');

test('text without secrets is returned as it is', () => {
  const text = 'const a = 1;\r\n\tif (a) {}\n\n';
  assert.is(redact(text), text);
  assert.is(redact(''), '');
});

test('the fixed prefix of a token stays and the rest is masked', () => {
  assert.is(redact(`key=${planted.awsKey};`), `key=AKIA${'*'.repeat(16)};`);
  assert.is(redact(planted.githubToken), `ghp_${'*'.repeat(36)}`);
  assert.is(redact(planted.slackToken), `xoxb${'*'.repeat(planted.slackToken.length - 4)}`);
});

test('a value that was found by its name is masked completely', () => {
  assert.is(redact(`api_key = "${planted.drawn}"`), `api_key = "${'*'.repeat(20)}"`);
});

test('several secrets on several lines are masked in place', () => {
  const text = `a ${planted.awsKey} ${planted.githubToken}\r\nb\r\n${planted.awsKey}`;
  const aws = `AKIA${'*'.repeat(16)}`;
  assert.is(redact(text), `a ${aws} ghp_${'*'.repeat(36)}\r\nb\r\n${aws}`);
});

test('characters outside ASCII do not move the mask', () => {
  assert.is(
    redact(`größe \u{1f511} ${planted.awsKey} é`),
    `größe \u{1f511} AKIA${'*'.repeat(16)} é`,
  );
});

test('a documented example stays readable', () => {
  assert.is(redact(planted.awsExample), planted.awsExample);
});

test('two tokens that touch are both masked at once', () => {
  for (const between of ['', '-', '_', '.', '/', '=']) {
    const redacted = redact(`"${planted.githubToken}${between}${planted.awsKey}"`);
    assert.is(redact(redacted), redacted);
  }
});

test.unless(gitleaksCases.absent, 'redacting any mixture twice changes nothing', () => {
  const texts = [
    ...readCases('small.jsonl').map(one => one.text),
    keyLines('PRIVATE KEY').join('\n'),
  ];
  const random = sequence(20);
  const pick = <Item>(items: readonly Item[]): Item | undefined =>
    items[Math.floor(random() * items.length)];
  for (let round = 0; round < 1500; round += 1) {
    const parts = Array.from({ length: 4 }, () => {
      const text = pick(texts) ?? '';
      const part = random() < 0.5 ? text : text.slice(Math.floor(random() * text.length));
      return part + (pick(['', ' ', '"', '=', '-', '_', '\n', '\\n', '/', 'key=']) ?? '');
    });
    const redacted = redact(parts.join(''));
    assert.is(redacted.length, parts.join('').length);
    assert.is(redact(redacted), redacted);
  }
});

test.unless(
  gitleaksCases.absent,
  "secrets are in order, inside the text, and don't overlap",
  () => {
    for (const { text } of readCases('small.jsonl')) {
      let end = 0;
      for (const secret of findSecrets(text)) {
        assert.ok(
          secret.start >= end && secret.end > secret.start && secret.end <= text.length,
          text,
        );
        end = secret.end;
      }
    }
  },
);

test('a path in a record is masked name by name, and an id never is', () => {
  const path = `${`${'Ab3'.repeat(7)}/`.repeat(3)}${'Ab3'.repeat(3)}A`;
  assert.not.equal(redactValue({ text: path }), { text: path });
  const kept = { path, deep: [{ path, id: '0123456789abcdef' }], count: 3, none: null };
  assert.equal(redactValue(kept), kept);
  assert.equal(redactValue({ path: `a/${planted.awsKey}` }), { path: `a/AKIA${'*'.repeat(16)}` });
  assert.equal(redactValue({ path: [planted.awsKey] }), { path: [`AKIA${'*'.repeat(16)}`] });
});

test.run();
