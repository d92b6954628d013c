import { existsSync } from 'node:fs';
import { chmod, mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import * as assert from 'uvu/assert';
import { startStandIn } from '../../fixtures/apfel/stand-in.js';
import type { Outcome } from '../../src/core/outcome.js';
import { validateOutcome } from '../../src/generated/validate-outcome.js';
import type { Request } from '../../src/respond/parse-command.js';
import { perfectModel } from '../agent/simulation/perfect-model.js';
import { ESLINT_CONFIG } from '../fix/lint-project.js';
import { apfelBot, type CliRun } from '../support/cli.js';
import { suite } from '../support/suite.js';
import { openRepo, type Repo } from '../support/with-repo.js';
import { type CommentedPull, REPOSITORY, withCommentedPull } from './commented-pull.js';

const test = suite('respond/run-command');

interface Ran extends CliRun {
  readonly outcome: Outcome | undefined;
}

/** What the Mac has checked out: the default branch, and no object of the pull request. */
async function checkout(pull: CommentedPull): Promise<Repo> {
  const folder = join(pull.repo.dir, '..');
  const how = ['--quiet', '--no-local', '--single-branch', '--branch', 'main'];
  await openRepo(folder).git('clone', ...how, 'engine.git', 'mac');
  return openRepo(join(folder, 'mac'));
}

async function run(
  mac: Repo,
  request: unknown,
  { args = [], env = {} }: { args?: readonly string[]; env?: Record<string, string> } = {},
): Promise<Ran> {
  const [file, out] = ['request.json', 'outcome.json'].map(name => join(mac.dir, '..', name));
  await writeFile(file ?? '', typeof request === 'string' ? request : JSON.stringify(request));
  const asked = ['run', file ?? '', '--out', out ?? '', ...args];
  const surroundings = { APFEL_BOT_BASE_URL: NOWHERE, ...env };
  const ran = await apfelBot(asked, { cwd: mac.dir, env: surroundings });
  const text = await readFile(out ?? '', 'utf8').catch(() => undefined);
  return { ...ran, outcome: text === undefined ? undefined : JSON.parse(text) };
}

/** A port on which nothing listens: no model, whatever this machine has. */
const NOWHERE = 'http://127.0.0.1:9/v1';

const requestFor = (pull: CommentedPull, parts: Partial<Request> = {}): Request => ({
  version: 1,
  decision: 'run',
  reason: 'grace has write permission',
  verb: 'review',
  args: [],
  repository: REPOSITORY,
  pull: pull.number,
  base: pull.base,
  head: pull.head,
  headRepository: REPOSITORY,
  comment: 41,
  ...parts,
});

const SETTINGS = { before: { '.apfel-bot.json': '{"checks":{"debugger":"error"}}' } };
const SILENCED = { '.apfel-bot.json': '{"checks":{"debugger":"off"}}', 'a.js': 'debugger;\n' };

test('run reviews exactly the accepted commits, with the configuration of the base', () =>
  withCommentedPull(
    async pull => {
      const mac = await checkout(pull);
      const before = await mac.git('for-each-ref', 'refs/heads', 'refs/remotes');
      const { code, stderr, outcome } = await run(mac, requestFor(pull));
      assert.is(code, 0, stderr);
      assert.equal(validateOutcome(outcome), []);
      const { base, head, repository, pull: number } = outcome?.change ?? {};
      assert.equal([base, head, repository, number], [pull.base, pull.head, REPOSITORY, 1]);
      assert.equal(
        outcome?.findings.map(({ rule, severity }) => `${rule} ${severity}`),
        ['debugger error'],
      );
      assert.ok(outcome?.notices.some(notice => /\.apfel-bot\.json/.test(notice)));
      assert.is(await mac.git('for-each-ref', 'refs/heads', 'refs/remotes'), before);
      assert.is(await mac.git('status', '--porcelain'), '');
    },
    { ...SETTINGS, change: SILENCED },
  ));

test.long('what was pushed after the admission is not reviewed in its place', () =>
  withCommentedPull(async pull => {
    const mac = await checkout(pull);
    await pull.repo.git('commit', '--quiet', '--amend', '--message', 'another');
    await pull.repo.git('push', '--quiet', '--force', 'origin', 'topic');
    await pull.github.moveBranch('topic', await pull.repo.git('rev-parse', 'HEAD'));
    const { code, stderr, outcome } = await run(mac, requestFor(pull));
    assert.is(code, 3);
    assert.match(stderr, new RegExp(`not ${pull.head}`));
    assert.match(stderr, /post the command again/);
    assert.is(outcome, undefined);
  }),
);

test('run answers a question about the head and binds the answer to it', async () => {
  const server = await startStandIn({ policy: perfectModel });
  const change = { 'src/limits.ts': 'export const low = 3;\nexport const high = 17;\n' };
  const asking = async (pull: CommentedPull): Promise<void> => {
    const request = requestFor(pull, {
      verb: 'ask',
      args: ['What is the value of high in src/limits.ts?'],
    });
    const env = { APFEL_BOT_BASE_URL: server.baseUrl };
    const args = ['--format', 'json'];
    const { code, stderr, stdout, outcome } = await run(await checkout(pull), request, {
      args,
      env,
    });
    assert.is(code, 0, stderr);
    assert.equal(validateOutcome(outcome), []);
    assert.equal(JSON.parse(stdout), outcome);
    assert.match(stdout, /The value of high is 17/);
    assert.is(outcome?.change.head, pull.head);
    assert.is(outcome?.change.pull, 1);
  };
  try {
    await withCommentedPull(asking, { change });
  } finally {
    await server.close();
  }
});

test.long('ask and describe need a model, and say so with their own exit code', () =>
  withCommentedPull(async pull => {
    const mac = await checkout(pull);
    const ask = await run(mac, requestFor(pull, { verb: 'ask', args: ['why?'] }));
    assert.is(ask.code, 4, ask.stderr);
    assert.is((await run(mac, requestFor(pull, { verb: 'describe' }))).code, 4);
  }),
);

const LINTED = {
  before: { 'eslint.config.js': ESLINT_CONFIG, '.gitignore': 'node_modules\n' },
  change: { 'src/a.js': 'exports.one = 1\n' },
};

async function linting(pull: CommentedPull): Promise<Repo> {
  const mac = await checkout(pull);
  await symlink(resolve('node_modules'), join(mac.dir, 'node_modules'));
  return mac;
}

test('run fixes lint on a branch for the head and leaves the bundle next to the outcome', () =>
  withCommentedPull(async pull => {
    const mac = await linting(pull);
    const { code, stderr, outcome } = await run(mac, requestFor(pull, { verb: 'fix-lint' }));
    assert.is(code, 0, stderr);
    assert.equal(validateOutcome(outcome), []);
    const { branch } = Object(outcome);
    assert.is(branch.base, pull.head);
    assert.is(await mac.git('show', `${branch.name}:src/a.js`), 'exports.one = 1;');
    assert.ok(existsSync(join(mac.dir, '..', branch.bundle)));
  }, LINTED));

test('lint of a fork is not fixed, whatever the request claims', () =>
  withCommentedPull(async pull => {
    const mac = await linting(pull);
    const fork = await pull.github.fork('eve');
    const head = await pull.repo.commit({ 'src/a.js': 'exports.two = 2\n' });
    await pull.repo.git('push', '--quiet', fork, 'HEAD:refs/heads/theirs');
    const { number } = await pull.github.openPull({ head: 'eve:theirs', author: 'eve' });
    for (const headRepository of ['eve/engine', null, REPOSITORY]) {
      const request = requestFor(pull, { verb: 'fix-lint', pull: number, head, headRepository });
      const { code, stderr, outcome } = await run(mac, request);
      assert.is(code, 7, stderr);
      assert.match(stderr, /doesn't run on a change from a fork/);
      assert.is(outcome, undefined);
    }
    const review = await run(mac, requestFor(pull, { pull: number, head, headRepository: null }));
    assert.is(review.code, 0, review.stderr);
  }, LINTED));

for (const decision of ['refuse', 'ignore', 'answered'] as const) {
  test.long(`there is nothing to do for ${decision}`, () =>
    withCommentedPull(async pull => {
      const parts = { decision, reason: 'so\n::error::be it', base: null, head: null };
      const { code, stdout } = await run(await checkout(pull), requestFor(pull, parts));
      assert.is(code, 0);
      assert.is(stdout, `nothing to do (${decision}): so\n\\::error::be it\n`);
    }),
  );
}

/** A git that keeps what it was handed; gives the PATH to find it by. */
async function watchedGit(mac: Repo): Promise<{ path: string; seen(): Promise<string> }> {
  const bin = join(mac.dir, '..', 'bin');
  const log = join(bin, 'log');
  await mkdir(bin);
  const path = process.env['PATH'] ?? '';
  const keep = `{ env; cat "$GITHUB_EVENT_PATH"; } >> '${log}' 2> /dev/null`;
  await writeFile(join(bin, 'git'), `#!/bin/sh\n${keep}\nPATH='${path}' exec git "$@"\n`);
  await chmod(join(bin, 'git'), 0o755);
  return { path: `${bin}:${path}`, seen: () => readFile(log, 'utf8') };
}

test('run refuses to start while a token is set, since a linter could read it', () =>
  withCommentedPull(async pull => {
    const mac = await checkout(pull);
    const { path, seen } = await watchedGit(mac);
    for (const name of [
      'GITHUB_TOKEN',
      'NPM_TOKEN',
      'ACTIONS_ID_TOKEN_REQUEST_TOKEN',
      'ACTIONS_RUNTIME_TOKEN',
      'GITHUB_PAT',
      'KEYCHAIN_PASSWORD',
      'AWS_SECRET_ACCESS_KEY',
      'OPENAI_API_KEY',
      'CLIENT_SECRET',
      'MYSQL_PWD',
      'DEPLOY_KEY',
      'ACTIONS_ID_TOKEN_REQUEST_URL',
      'SLACK_WEBHOOK_URL',
    ]) {
      const env = { PATH: path, [name]: 'ThisIsNotForThem' };
      const { code, stderr } = await run(mac, requestFor(pull), { env });
      assert.is(code, 7, stderr);
      assert.match(stderr, `run works without a token or password, but found ${name}`);
    }
    for (const value of ['postgres://ada:pass@host/db', `ghs_${'a1'.repeat(18)}`]) {
      const { code } = await run(mac, requestFor(pull), { env: { PATH: path, HIDDEN: value } });
      assert.is(code, 7, value);
    }
    assert.match(await seen().catch(() => 'nothing'), 'nothing');
  }));

test.long("a fork's change passes for our own nowhere, whatever the request claims", () =>
  withCommentedPull(async pull => {
    const mac = await checkout(pull);
    const { path, seen } = await watchedGit(mac);
    const fork = await pull.github.fork('eve');
    const head = await pull.repo.commit({ 'b.js': 'two();\n' });
    await pull.repo.git('push', '--quiet', fork, 'HEAD:refs/heads/theirs');
    const { number } = await pull.github.openPull({ head: 'eve:theirs', author: 'eve' });
    const request = requestFor(pull, { pull: number, head, headRepository: REPOSITORY });
    const { code, stderr } = await run(mac, request, { env: { PATH: path } });
    assert.is(code, 0, stderr);
    assert.match(await seen(), `"head":{"sha":"${head}","repo":null}`);
    assert.not.match(await seen(), `"head":{"sha":"${head}","repo":{`);
  }),
);

test.run();
