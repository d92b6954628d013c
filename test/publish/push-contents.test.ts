import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { messageLine, whyNotOurMessage } from '../../src/git/commit.js';
import { planted } from '../secrets/planted.js';
import { suite } from '../support/suite.js';
import {
  branchFor,
  endOf,
  type FixOptions,
  fixedCommit,
  outcomeOf,
  type PullFixture,
  pushIt,
  RUN,
  withFixture,
} from './push-fixture.js';

const test = suite('publish/push-contents');

const lines = (count: number, text: string): string =>
  Array.from({ length: count }, (_, at) => `${text}${at};\n`).join('');

const REFUSED: ReadonlyArray<readonly [title: string, options: FixOptions, said: RegExp]> = [
  [
    'a rewrite',
    { files: { 'src/a.js': lines(5000, 'evil') } },
    /5000 lines of "src\/a.js" are new/,
  ],
  ['a huge file', { files: { 'src/a.js': 'x'.repeat(9 * 1024 * 1024) } }, /has 9437184 bytes/],
  [
    'a huge line',
    { files: { 'src/a.js': 'x'.repeat(2 * 1024 * 1024) } },
    /have 2097152 characters/,
  ],
  ['a secret', { files: { 'src/a.js': `let a = "${planted.awsKey}";\n` } }, /a new secret/],
  ['bidirectional text', { files: { 'src/a.js': 'let a = 1; // \u202e\n' } }, /hidden characters/],
  ['an escape sequence', { files: { 'src/a.js': 'let a = "\u001b[2J";\n' } }, /hidden characters/],
  ['a mention', { message: 'Fix eslint no-var\n\n- a.js:1 ask @ada' }, /apfel-bot doesn't write/],
  ['an escape in the message', { message: 'Fix \u001b[31mno-var' }, /apfel-bot doesn't write/],
  ['a secret in the message', { message: `Fix ${planted.awsKey}` }, /a secret in its message/],
  ['builds to skip', { message: 'Fix no-var [skip netlify]' }, /apfel-bot doesn't write/],
  ['a trailer', { message: 'Fix no-var\n\nReleased-by: ada' }, /apfel-bot doesn't write/],
  ['a link', { message: 'Fix no-var https://evil.test/x' }, /apfel-bot doesn't write/],
  [
    'a link in its body',
    { message: 'Fix no-var\n\n- see www.evil.test' },
    /apfel-bot doesn't write/,
  ],
  ['a lookalike in its subject', { message: 'Fix n\u043e-var \u0430dmin' }, /mixes scripts/],
  ['a lookalike', { files: { 'src/a.js': 'let \u0430dmin = 1;\n' } }, /mixes scripts/],
  ['a command', { message: 'Fix no-var\n\n/lgtm' }, /apfel-bot doesn't write/],
];

test('a bundle with secrets, hidden characters, lookalikes, too much text or an unsafe message is refused', () =>
  withFixture(async fixture => {
    for (const [title, options, said] of REFUSED) {
      const commit = await fixedCommit(fixture, options);
      const end = await endOf(pushIt(fixture, outcomeOf(fixture, commit)));
      assert.match(end.said, said, title);
      assert.is(end.code, 7, title);
      assert.equal(await fixture.ours(), [], title);
      assert.equal(fixture.github.writes(), [], title);
    }
  }));

/** The pull request's own commit has this text. */
async function withHead(fixture: PullFixture, text: string): Promise<string> {
  const { repo } = fixture;
  await writeFile(join(repo.dir, 'src/c.js'), text);
  await repo.git('commit', '--quiet', '--all', '--message', 'third');
  await repo.git('push', '--quiet', 'origin', 'topic');
  return repo.git('rev-parse', 'HEAD');
}

test('an edit of a line that held a secret or a hidden character before is pushed', () =>
  withFixture(async fixture => {
    const head = await withHead(fixture, `var c = "${planted.awsKey}" // \u200b\n`);
    const files = { 'src/c.js': `let c = "${planted.awsKey}"; // \u200b\n` };
    const commit = await fixedCommit(fixture, { from: head, files });
    await pushIt(fixture, outcomeOf({ head, pull: fixture.pull }, commit));
    assert.match((await fixture.ours()).join(), branchFor(head));
  }));

test('every line that a message can hold passes its own check, whatever a linter says', () => {
  for (const text of [
    'a.ts:1 eslint @typescript-eslint/no-var: fixes #12, see gh-1 and x/issues/3',
    'b.ts:1 [skip ci] [netlify skip] ***NO_CI*** \u202e\u001b[31m @@ada @ada-b',
    'c.ts:1 Co-authored-by: E <e@x.test>\r\nskip-checks: true',
    'mail me at a@b.test, [no] [release minor] \ud800',
    '#1#2@a@b[ci][ci skip]',
    '#@0 gh-@1',
    'see https://x.test/a, http://www.x.test and WWW.x.test',
  ]) {
    const line = messageLine(text, 160);
    const message = `Fix x\n\n1 by the model:\n- ${line}\n\nApfel-Bot-Run: ${RUN}\n`;
    assert.is(whyNotOurMessage(message, RUN), undefined, line);
    assert.not.match(line, /(?<!\w)@\w|#\d|\[(?:skip|ci)|:\/\/\S|www\.\S|[\p{C}]/iu);
  }
});

test.run();
