import * as assert from 'uvu/assert';
import { workOptions } from '../../src/config/options.js';
import { isBotError } from '../../src/core/bot-error.js';
import { fromEvent, toTask } from '../../src/diff/event.js';
import type { Git } from '../../src/git/git.js';
import { suite } from '../support/suite.js';

const A = 'a'.repeat(40);
const B = 'b'.repeat(40);
const NONE = '0'.repeat(40);

const test = suite('diff/event');

test('a pull request is its head against the merge base, never the merge commit', () => {
  const event = {
    pull_request: { number: 7, base: { sha: A }, head: { sha: B }, merge_commit_sha: 'c' },
  };
  const facts = fromEvent(JSON.stringify(event));
  assert.equal(facts.selector, { kind: 'range', from: A, to: B, symmetric: true });
  assert.is(facts.pull, 7);
  assert.is(facts.configBase, A);
});

test('a push means the range from before to after', () => {
  const { selector, configBase } = fromEvent(JSON.stringify({ before: A, after: B }));
  assert.equal(selector, { kind: 'range', from: A, to: B, symmetric: false });
  assert.is(configBase, undefined);
});

test('a merge queue is its range, with the configuration of its base', () => {
  const event = { action: 'checks_requested', merge_group: { base_sha: A, head_sha: B } };
  assert.equal(fromEvent(JSON.stringify(event)), {
    selector: { kind: 'range', from: A, to: B, symmetric: false },
    pull: null,
    configBase: A,
  });
});

for (const [title, event] of [
  ['a new branch', { before: NONE, after: B }],
  ['a deleted branch', { before: A, after: NONE }],
  ['a schedule', { schedule: '0 0 * * *' }],
] as const) {
  test(`${title} falls back to the default selector`, () => {
    assert.equal(fromEvent(JSON.stringify(event)).selector, { kind: 'default' });
  });
}

for (const [title, text] of [
  ['no JSON', '{'],
  ['no object', '[]'],
  ['a revision that is an option', JSON.stringify({ before: '--output=x', after: B })],
  ['a pull request without a head', JSON.stringify({ pull_request: { base: { sha: A } } })],
] as const) {
  test(`${title} is a usage error`, () => {
    assert.throws(
      () => fromEvent(text),
      (error: unknown) => isBotError(error) && error.code === 'usage',
    );
  });
}

/** The paths as they are passed to git, in a folder of a repository at /repo. */
async function pathsFor(
  paths: readonly string[],
  prefix = '',
  env = {},
): Promise<readonly string[]> {
  const parsed = { positionals: [], values: new Map(), switches: new Set<string>(), paths };
  const git = { repository: { top: '/repo', prefix } } as unknown as Git;
  return (await toTask(workOptions(parsed), { git, env })).paths;
}

test('paths are relative to the top of the repository, without . and ..', async () => {
  for (const [path, prefix, expected] of [
    ['a/b.js', '', 'a/b.js'],
    ['./a//b/../c.js', '', 'a/c.js'],
    ['b.js', 'a/', 'a/b.js'],
    ['../b.js', 'a/', 'b.js'],
    ['..', 'a/', '.'],
    ['.', '', '.'],
    ['/repo', 'a/', '.'],
    ['/repo/b.js', 'a/', 'b.js'],
  ] as const) {
    assert.equal(await pathsFor([path], prefix), [expected], path);
  }
});

test('a path outside the repository, or an empty one, is a usage error', async () => {
  for (const [path, prefix] of [
    ['', ''],
    ['..', ''],
    ['../../b', 'a/'],
    ['/repository/a', ''],
    ['/', ''],
  ] as const) {
    const thrown = await pathsFor([path], prefix).catch((error: unknown) => error);
    assert.ok(isBotError(thrown) && thrown.code === 'usage', path);
  }
});

test('in a hook the staged change is reviewed, and only a plain name is a repository', async () => {
  const parsed = { positionals: [], values: new Map(), switches: new Set<string>(), paths: [] };
  const taskFor = (env: Readonly<Record<string, string>>) =>
    toTask(workOptions(parsed), { git: undefined, env });
  assert.equal((await taskFor({ GIT_INDEX_FILE: 'x' })).selector, { kind: 'staged' });
  assert.equal((await taskFor({})).selector, { kind: 'default' });
  for (const [name, expected] of [
    ['ada/x.y', 'ada/x.y'],
    ['ada', null],
    ['ada/x/y', null],
    ['a b/x', null],
  ] as const) {
    assert.is((await taskFor({ GITHUB_REPOSITORY: name })).repository, expected);
  }
});

test.run();
