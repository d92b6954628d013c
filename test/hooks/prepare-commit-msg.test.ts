import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { parseScript } from '../../fixtures/apfel/script.js';
import { type Policy, type StandIn, startStandIn } from '../../fixtures/apfel/stand-in.js';
import { placeFor } from '../../src/hooks/prepare-commit-msg.js';
import { CLI, type CliRun } from '../support/cli.js';
import { suite } from '../support/suite.js';
import { type Repo, withRepo } from '../support/with-repo.js';
import { writeExecutable } from './fake-program.js';
import { git } from './hooked-repo.js';

const test = suite('hooks/prepare-commit-msg');

/** Answers every question of `describe` with the same words. */
const SAYS: Policy = ({ schema }) => {
  const answer = 'Raise the limit';
  if (schema === undefined) return { kind: 'call', name: 'finish', arguments: { answer } };
  const keys = Object.keys((schema['properties'] as object | undefined) ?? {});
  const value = (key: string): string => (key.endsWith('action') ? 'finish' : answer);
  return { kind: 'object', value: Object.fromEntries(keys.map(key => [key, value(key)])) };
};

interface HookFixture {
  readonly repo: Repo;
  readonly server: StandIn;
  /** `git commit` with an editor that changes nothing. */
  commit(...args: string[]): Promise<CliRun>;
  message(): string;
}

async function withFixture(
  body: (fixture: HookFixture) => Promise<void>,
  config?: object,
  policy = SAYS,
): Promise<void> {
  const server = await startStandIn({ policy });
  try {
    await withRepo(async repo => {
      // A busy machine needs longer than a draft has.
      await writeHook(repo, 'prepare-commit-msg', '--deadline 2m');
      await repo.commit({ 'src/limits.ts': 'export const high = 17;\n' });
      if (config !== undefined) await repo.commit({ '.apfel-bot.json': JSON.stringify(config) });
      await repo.stage('src/limits.ts', 'export const high = 18;\n');
      const env = { APFEL_BOT_BASE_URL: server.baseUrl, GIT_EDITOR: 'true' };
      await body({
        repo,
        server,
        commit: (...args) => git(repo, ['commit', ...args], env),
        message: () => readFileSync(join(repo.dir, '.git/COMMIT_EDITMSG'), 'utf8'),
      });
    });
  } finally {
    await server.close();
  }
}

const writeHook = (repo: Repo, hook: string, options = ''): Promise<void> =>
  writeExecutable(
    join(repo.dir, '.git/hooks', hook),
    `#!/bin/sh\nexec '${process.execPath}' '${CLI}' hook ${hook} "$@" ${options}\n`,
  );

test('an empty message gets a draft as comment lines, and left alone it still aborts', () =>
  withFixture(async ({ commit, message }) => {
    const { code, stderr } = await commit();
    assert.is(code, 1);
    assert.match(stderr, 'empty commit message');
    assert.match(
      message(),
      /^\n# Draft by apfel-bot: remove the # in front of the lines you want to keep\.\n#\n# Raise/,
    );
    assert.match(message(), '# Please enter the commit message');
    assert.not.match(message(), /^[^#\n]/m);
    assert.not.match(message(), 'file changed');
    assert.is(message().split('Raise the limit').length, 2, 'the title is there once');
  }));

test('with hooks.draft "text" the draft is the message', () =>
  withFixture(
    async ({ repo, commit }) => {
      const { code, stderr } = await commit('--quiet');
      assert.is(code, 0, stderr);
      assert.is(await repo.git('log', '-1', '--format=%s'), 'Raise the limit');
    },
    { hooks: { draft: 'text' } },
  ));

test('the script for a draft in the manual of the stand-in gives one', () => {
  const manual = readFileSync('fixtures/apfel/README.md', 'utf8');
  const [text = ''] = [...manual.matchAll(/```json\n([\s\S]*?)```/g)].flatMap(([, each = '']) =>
    each.includes('Raise the limit') ? [each] : [],
  );
  const script = parseScript(text);
  if (!script.ok) throw new Error(script.error);
  return withFixture(
    async ({ commit, message }) => {
      await commit();
      assert.match(message(), '\n# Raise the limit\n#\n# The limit is higher.\n');
    },
    undefined,
    script.policy,
  );
});

test('the draft takes the prefix and the language of the history, whose names are not taken over', () =>
  withFixture(
    async ({ repo, server, commit }) => {
      for (const subject of ['eins', 'zwei', 'drei', 'vier', 'fünf', 'sechs']) {
        await repo.git(
          'commit',
          '--quiet',
          '--allow-empty',
          '-m',
          `feat: ${subject} in Kunde.swift`,
        );
      }
      await repo.stage('src/limits.ts', 'export const high = 19;\n');
      const { code, stderr } = await commit('--quiet');
      assert.is(code, 0, stderr);
      assert.is(await repo.git('log', '-1', '--format=%s'), 'chore: raise the limit');
      const asked = server.requests.map(({ body }) => JSON.stringify(body));
      assert.ok(asked.some(body => body.includes('feat: sechs in Kunde.swift')));
    },
    { hooks: { draft: 'text' } },
  ));

test('with the diff of --verbose below it, the draft stays above the cut line', () =>
  withFixture(async ({ commit, message }) => {
    assert.is((await commit('--verbose')).code, 1);
    const [above = '', below = ''] = message().split(' >8 ');
    assert.match(above, '# Raise the limit');
    assert.match(below, 'diff --git');
  }));

for (const [what, args] of [
  ['-m', ['--message', 'mine']],
  ['an amend', ['--amend']],
  ['a fixup', ['--fixup', 'HEAD']],
  ['a template', ['--template', 'template.txt']],
  ['a cleanup that keeps comments', ['--cleanup', 'scissors']],
] as const) {
  test(`the model is not asked for a draft with ${what}`, () =>
    withFixture(async ({ repo, server, commit, message }) => {
      await repo.write('template.txt', 'ours: \n');
      await commit(...args);
      assert.is(server.requests.length, 0);
      assert.not.match(message(), 'apfel-bot');
    }));
}

test('where commit.cleanup keeps comments, there is no draft', () =>
  withFixture(async ({ repo, server, commit, message }) => {
    await repo.git('config', 'commit.cleanup', 'verbatim');
    await commit();
    assert.is(server.requests.length, 0);
    assert.not.match(message(), 'apfel-bot');
  }));

test('where the model gives no title, there is no draft instead of a list of files', () =>
  withFixture(
    async ({ commit, message }) => {
      const { code, stderr } = await commit();
      assert.is(code, 1);
      assert.match(stderr, /^apfel-bot: no draft of the message: .+$/m);
      assert.match(message(), /^\n# apfel-bot: no draft of the message: .+\n# Please/);
    },
    { hooks: { draft: 'text' } },
    () => ({ kind: 'refuse', text: 'No.' }),
  ));

test('where comments would stay in the message, the reason for no draft is not written into it', () =>
  withFixture(
    async ({ repo, commit, message }) => {
      await repo.git('config', 'commit.cleanup', 'verbatim');
      assert.match((await commit()).stderr, /^apfel-bot: no draft of the message: .+$/m);
      assert.not.match(message(), 'apfel-bot');
    },
    { hooks: { draft: 'text' } },
    () => ({ kind: 'refuse', text: 'No.' }),
  ));

test('without a model git goes on, and one line says that there is no draft', () =>
  withFixture(async ({ repo, message }) => {
    const env = { APFEL_BOT_BASE_URL: 'http://127.0.0.1:9/v1', GIT_EDITOR: 'true' };
    const { stderr } = await git(repo, ['commit'], env);
    assert.match(stderr, /^apfel-bot: .*; there is no draft of the message$/m);
    assert.match(stderr, 'empty commit message');
    assert.not.match(message(), 'apfel-bot');
  }));

test('a draft has five seconds, however long hooks.deadline is', () =>
  withFixture(
    async ({ repo, server, commit, message }) => {
      await writeHook(repo, 'prepare-commit-msg');
      server.setLatency(600_000);
      const { code, stderr } = await commit();
      assert.is(code, 1);
      assert.match(stderr, /^apfel-bot: no draft of the message: out of time after 5s$/m);
      assert.match(message(), '# apfel-bot: no draft');
    },
    { hooks: { deadline: '10m' } },
  ));

test('where pre-commit ran out of time, the model is not asked for a draft', () =>
  withFixture(
    async ({ repo, server, commit }) => {
      await writeHook(repo, 'pre-commit', '--deadline 4s');
      server.setLatency(600_000);
      const { stderr } = await commit();
      assert.match(stderr, /^apfel-bot: .*out of time/m);
      assert.match(
        stderr,
        /^apfel-bot: no draft of the message: pre-commit found no model or ran out of time$/m,
      );
      assert.ok(server.requests.length <= 1, `${server.requests.length} requests`);
      // Another change is another try.
      server.setLatency(0);
      await repo.stage('src/limits.ts', 'export const high = 20;\n');
      await commit('--no-verify');
      assert.ok(server.requests.length > 1);
    },
    { hooks: { background: false } },
  ));

test('where pre-commit found no model, the draft does not look for one', () =>
  withFixture(async ({ repo }) => {
    await writeHook(repo, 'pre-commit');
    const env = { APFEL_BOT_BASE_URL: 'http://127.0.0.1:9/v1', GIT_EDITOR: 'true' };
    const { stderr } = await git(repo, ['commit'], env);
    assert.match(stderr, /^apfel-bot: checks only, no model: /m);
    assert.match(
      stderr,
      /^apfel-bot: no draft of the message: pre-commit found no model or ran out of time$/m,
    );
  }));

for (const [what, text, place] of [
  ['git as usual', '\n# Please\n#\n', { at: 1, sign: '#' }],
  ['another comment sign', '\n; Please\n', { at: 1, sign: ';' }],
  ['a comment sign of two characters', '\n// Please\n//\n', { at: 1, sign: '//' }],
  ['a message', 'mine\n\n# Please\n', undefined],
  ['a message below the comment', '\n# Please\nmine\n', undefined],
  ['no comment at all', '\n\n', undefined],
  ['a cut line first', '\n# ---- >8 ----\n# Do not\n', undefined],
] as const) {
  test(`a draft goes to the right place: ${what}`, () => assert.equal(placeFor(text), place));
}

test.run();
