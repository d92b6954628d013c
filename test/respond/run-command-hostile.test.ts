import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { parseArgv } from '../../src/cli/argv.js';
import { COMMANDS } from '../../src/cli/commands.js';
import { isBotError } from '../../src/core/bot-error.js';
import { runRequest } from '../../src/respond/run-command.js';
import { apfelBot } from '../support/cli.js';
import { testSession } from '../support/session.js';
import { suite } from '../support/suite.js';
import { gitEnv, type Repo, withRepo } from '../support/with-repo.js';

const test = suite('respond/run-command-hostile');
const SHA = '0123456789abcdef0123456789abcdef01234567';

const REQUEST = {
  version: 1,
  decision: 'run',
  reason: 'because',
  verb: 'review',
  args: [] as unknown[],
  repository: 'ada/engine',
  pull: 7,
  base: SHA,
  head: SHA,
  headRepository: 'ada/engine',
  comment: 41,
};

/** How the command fails, without a process of its own for each. */
async function failureOf(repo: Repo, text: string, env: Record<string, string> = {}) {
  const file = join(repo.dir, 'request.json');
  await writeFile(file, text);
  const { options } = COMMANDS.find(({ name }) => name === 'run') ?? { options: [] };
  const session = testSession(repo.dir, { env: { ...gitEnv(repo.dir), ...env } });
  const thrown: unknown = await runRequest(parseArgv([file, '--no-model'], options), session).catch(
    reason => reason,
  );
  if (!isBotError(thrown)) throw new Error(`no failure of ours: ${String(thrown)}`);
  return thrown;
}

const changed = (parts: object): string => JSON.stringify({ ...REQUEST, ...parts });

const HOSTILE: ReadonlyArray<readonly [title: string, text: string, complaint: RegExp]> = [
  ['no JSON', '{', /isn't JSON/],
  ['nothing', '', /isn't JSON/],
  ['no object', '[]', /must be object/],
  ['another verb', changed({ verb: 'push' }), /verb: must be one of/],
  ['a verb that is not run', changed({ verb: 'ignore' }), /doesn't say what to run/],
  ['no verb', changed({ verb: null }), /doesn't say what to run/],
  ['no head', changed({ head: null }), /doesn't say what to run/],
  ['a head that is an option', changed({ head: '--output=x' }), /head: must/],
  ['a head that is a name', changed({ head: 'HEAD' }), /head: must/],
  ['a head with a line end', changed({ head: `${SHA}\n` }), /head: must/],
  ['a base that is a range', changed({ base: `${SHA}..${SHA}` }), /base: must/],
  ['a repository that is a path', changed({ repository: '../../etc' }), /repository: must/],
  ['a pull request that is a text', changed({ pull: '7/head:refs/heads/main' }), /pull: must/],
  ['a pull request below one', changed({ pull: 0 }), /pull: must/],
  ['half a pull request', changed({ pull: 1.5 }), /pull: must/],
  ['an endless pull request', changed({ pull: 1e300 }), /pull: must/],
  ['more keys', changed({ env: { PATH: '/tmp' } }), /unknown key "env"/],
  ['another version', changed({ version: 2 }), /version: must/],
  ['an option', changed({ args: ['--base-url=http://evil.example'] }), /comments can't change/],
  ['two arguments', changed({ verb: 'ask', args: ['a', 'b'] }), /args: must/],
  ['an argument that is none', changed({ args: [{}] }), /args\.0: must/],
  ['another commit', changed({ verb: 'fix-lint', args: ['7654321'] }), /n't its head/],
  ['no question', changed({ verb: 'ask' }), /needs a question/],
  ['two lines', changed({ verb: 'ask', args: ['why?\nbecause'] }), /one line of plain text/],
  ['an option to ask', changed({ verb: 'ask', args: ['--model x'] }), /comments can't change/],
  ['an escape', changed({ verb: 'ask', args: ['\u001b[2J'] }), /invisible characters/],
  ['a book', changed({ verb: 'ask', args: ['x'.repeat(100_000)] }), /at most 1000 characters/],
];

test('run refuses a request that respond did not write', () =>
  withRepo(async repo => {
    for (const [title, text, complaint] of HOSTILE) {
      const { code, message } = await failureOf(repo, text);
      assert.is(code, 'usage', `${title}: ${message}`);
      assert.match(message, complaint, title);
      assert.ok(message.length < 1000, title);
    }
  }));

test('run refuses a request for another repository', () =>
  withRepo(async repo => {
    const { code, message } = await failureOf(repo, changed({}), {
      GITHUB_REPOSITORY: 'eve/engine',
    });
    assert.is(code, 'not-permitted');
    assert.match(message, /the request is for ada\/engine, not eve\/engine/);
  }));

test('run without a remote fails in git when the commit is missing', () =>
  withRepo(async repo => {
    assert.is((await failureOf(repo, changed({}))).code, 'git');
  }));

test('a base that a shallow clone lacks is named, with what to do', () =>
  withRepo(async repo => {
    const head = await repo.git('rev-parse', 'HEAD');
    const parts = { verb: 'ask', args: ['why?'], head };
    const { code, message, hint } = await failureOf(repo, changed(parts));
    assert.is(code, 'git');
    assert.match(`${message} ${hint}`, /the base 0123456.* fetch-depth: 0/);
  }));

test('run outside a repository is refused', () =>
  withRepo(async repo => {
    const file = join(repo.dir, 'request.json');
    await writeFile(file, changed({}));
    const { code } = await apfelBot(['run', file], { cwd: join(repo.dir, '..') });
    assert.is(code, 3);
  }));

for (const args of [[], ['none.json'], ['a.json', 'b.json'], ['a.json', '--', 'b.json']]) {
  test(`run ${args.join(' ')} is a usage error`, () =>
    withRepo(async repo => {
      assert.is((await apfelBot(['run', ...args], { cwd: repo.dir })).code, 2);
    }));
}

test.run();
