import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { isUntouched, markPull, pullParts, pullTitle } from '../../src/publish/pull-text.js';
import { finding, HOSTILE_MESSAGE, HOSTILE_PATHS } from '../report/sample-outcome.js';
import { mustEnd } from '../support/must-end.js';
import { suite } from '../support/suite.js';
import {
  branchFor,
  endOf,
  type FixOptions,
  type FixOutcome,
  fixedCommit,
  outcomeOf,
  type PullFixture,
  pushIt,
  withFixture,
} from './push-fixture.js';

const test = suite('publish/push-hostile');

async function mustRefuse(
  fixture: PullFixture,
  outcome: FixOutcome,
  expected: { code: number; said: RegExp; title: string },
): Promise<void> {
  const { code, said } = await endOf(pushIt(fixture, outcome));
  assert.match(said, expected.said, expected.title);
  assert.is(code, expected.code, expected.title);
  assert.equal(await fixture.ours(), [], expected.title);
  assert.equal(fixture.github.writes(), [], expected.title);
}

const COMMITS: ReadonlyArray<readonly [title: string, options: FixOptions, said: RegExp]> = [
  ['a protected file', { files: { 'package.json': '{"a":1}\n' } }, /may not be edited/],
  ['a new file', { files: { 'src/new.js': 'x\n' } }, /is new/],
  ['a new workflow', { files: { '.github/workflows/x.yml': 'on: push\n' } }, /is new/],
  ['a foreign author', { author: { name: 'Linus', email: 'l@x.test' } }, /is by Linus/],
  ['another run', { run: 'OTHER' }, /isn't from the run/],
  ['an issue to close', { message: 'Fix eslint no-var\n\nFixes #1' }, /apfel-bot doesn't write/],
  ['a closing address', { message: 'closes: https://x.test/issues/1' }, /apfel-bot doesn't write/],
  [
    'a very long message',
    { message: `Fix\n\n${'fix '.repeat(20_000)}` },
    /longer message than apfel-bot writes/,
  ],
  ['checks to skip', { message: 'Fix no-var [skip ci]' }, /apfel-bot doesn't write/],
  ['a co-author', { message: 'Fix\n\nCo-authored-by: E <e@x>\n\nx' }, /apfel-bot doesn't write/],
  ['another ref', { branch: 'apfel-bot/other' }, /its bundle has apfel-bot\/other/],
];

test('a bundle with anything but plain edits is refused, and nothing is pushed', () =>
  withFixture(async fixture => {
    for (const [title, options, said] of COMMITS) {
      const commit = await fixedCommit(fixture, options);
      await mustRefuse(fixture, outcomeOf(fixture, commit), { code: 7, said, title });
    }
  }));

test('a bundle with a path that the configuration protects is refused', () =>
  withFixture(async fixture => {
    const outcome = outcomeOf(fixture, await fixedCommit(fixture));
    const end = await endOf(pushIt(fixture, outcome, { protect: path => path === 'src/a.js' }));
    assert.is(end.code, 7);
    assert.match(end.said, '"src/a.js" may not be edited');
  }));

test('an outcome that does not match its bundle, its repository or our branch names is refused', () =>
  withFixture(async fixture => {
    const { head, main } = fixture;
    const commit = await fixedCommit(fixture);
    const good = outcomeOf(fixture, commit);
    const branch = { name: branchFor(head), commit, base: head, bundle: 'outcome.bundle' };
    const change = { ...good.change, repository: 'eve/other' };
    const cases: ReadonlyArray<readonly [Partial<FixOutcome>, number, RegExp]> = [
      [{ change }, 7, /for eve\/other, not for ada\/fixture/],
      [{ change: { ...good.change, pull: 77 } }, 5, /no pull request 77/],
      [{ branch: { ...branch, base: main } }, 7, /not at the commit that was linted/],
      [{ branch: { ...branch, commit: main } }, 7, /its bundle ends at/],
      [{ branch: { ...branch, name: 'main' } }, 7, /isn't one of apfel-bot's branch names/],
      [{ branch: { ...branch, name: 'topic' } }, 7, /isn't one of apfel-bot's branch names/],
      [
        { branch: { ...branch, name: branchFor(main) } },
        7,
        /isn't one of apfel-bot's branch names/,
      ],
      [
        { branch: { ...branch, name: `${branchFor(head)}/x` } },
        7,
        /isn't one of apfel-bot's branch names/,
      ],
      [{ branch: { ...branch, bundle: null } }, 5, /no bundle/],
      [{ branch: { ...branch, bundle: '../x' } }, 7, /isn't a file next to it/],
      [{ branch: { ...branch, bundle: '..' } }, 7, /isn't a file next to it/],
      [{ branch: { ...branch, bundle: '/etc/passwd' } }, 7, /isn't a file next to it/],
      [{ branch: { ...branch, bundle: 'other.bundle' } }, 5, /cannot read the bundle/],
    ];
    for (const [parts, code, said] of cases) {
      const title = JSON.stringify(parts);
      await mustRefuse(fixture, { ...good, ...parts }, { code, said, title });
    }
    await writeFile(join(fixture.dir, 'outcome.bundle'), 'not a bundle');
    await mustRefuse(fixture, good, { code: 7, said: /not a git bundle/, title: 'garbage' });
    await rm(join(fixture.dir, 'outcome.bundle'));
    await mustRefuse(fixture, good, { code: 5, said: /cannot read the bundle/, title: 'gone' });
  }));

test('a fork’s pull request, a closed one and a locked one are refused', () =>
  withFixture(async fixture => {
    const { github, pull, repo, head } = fixture;
    const outcome = outcomeOf(fixture, await fixedCommit(fixture));
    github.lock(pull);
    const { lines } = await pushIt(fixture, outcome);
    assert.match(lines.join('\n'), 'its conversation is locked');
    assert.equal(github.state.comments, []);
    github.closePull(pull);
    const closed = await endOf(pushIt(fixture, outcome));
    assert.is(closed.code, 5);
    assert.match(closed.said, 'is closed');
    const fork = await github.fork('eve');
    await repo.git('push', '--quiet', fork, `${head}:refs/heads/theirs`);
    const { number } = await github.openPull({ head: 'eve:theirs' });
    const change = { ...outcome.change, pull: number };
    const foreign = await endOf(pushIt(fixture, { ...outcome, change }));
    assert.is(foreign.code, 7);
    assert.match(foreign.said, 'comes from a fork');
  }));

const facts = (outcome: FixOutcome) => ({
  outcome,
  commits: [],
  pull: 1,
  baseBranch: 'topic',
  login: 'x[bot]',
  footer: ['run x'],
});

test('hostile rules, paths and messages are plain text in what push publishes', () => {
  const findings = Object.values(HOSTILE_PATHS).map(path =>
    finding({ path, message: HOSTILE_MESSAGE, rule: '@everyone/#1' }),
  );
  const edits = findings.map(({ path }) => ({
    path,
    diagnostic: { rule: '@org/no-x', line: 1 },
    status: 'kept' as const,
    by: 'model' as const,
  }));
  const notices = [HOSTILE_MESSAGE];
  const outcome = outcomeOf({ head: 'a'.repeat(40), pull: 1 }, 'b', { findings, edits, notices });
  const body = pullParts(facts(outcome)).join('');
  assert.not.match(body, /@(?:everyone|you|org)/);
  assert.not.match(body, /(?:fixes|[^n]) #1\b(?! \()/);
  assert.not.match(body, /!\[x\]|<script|http:\/\//);
  assert.not.match(body, /^\/apfel|^::/m);
  assert.is(pullTitle(outcome), 'Fix 2 linter diagnostics: org/no-x');
  const evil = edits.map(edit => ({ ...edit, diagnostic: { rule: 'fixes #1', line: 1 } }));
  assert.is(pullTitle({ ...outcome, edits: evil }), 'Fix 2 linter diagnostics');
});

test("a description of ten thousand fixes fits GitHub's limit", () => {
  const long = '|`'.repeat(50_000);
  const many = Array.from({ length: 10_000 }, (_, at) => finding({ line: at + 1, message: long }));
  const edits = many.map(({ line }) => ({
    path: `${long.slice(0, 300)}${line}`,
    diagnostic: { rule: `rule-${line}-${long.slice(0, 150)}`, line },
    status: 'kept' as const,
    by: 'model' as const,
  }));
  const outcome = outcomeOf({ head: 'a'.repeat(40), pull: 1 }, 'b', {
    findings: many.slice(0, 100),
    edits,
    notices: [long],
  });
  const parts = mustEnd(() => pullParts(facts(outcome)));
  assert.ok(parts.slice(0, 2).join('').length < 60_000);
  assert.ok(pullTitle(outcome).length <= 80);
});

test("the bot's own description is recognised, one that people changed is not", () => {
  const text = markPull({ title: 'Fix', body: 'one\n\ntwo\n' });
  assert.ok(isUntouched(text));
  assert.ok(isUntouched({ ...text, body: text.body.replaceAll('\n', '\r\n').trimEnd() }));
  assert.not.ok(isUntouched({ ...text, title: 'Repair' }));
  assert.not.ok(isUntouched({ ...text, body: `${text.body}\nmore` }));
  assert.not.ok(isUntouched({ title: 'Fix', body: 'one' }));
});

test.run();
