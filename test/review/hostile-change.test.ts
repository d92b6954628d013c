import { chmod, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import {
  type Conversation,
  type PolicyReply,
  startStandIn,
} from '../../fixtures/apfel/stand-in.js';
import type { Outcome } from '../../src/core/outcome.js';
import { ESLINT_CONFIG, scriptedFixer, withProject } from '../fix/lint-project.js';
import { reviewJson } from '../support/cli.js';
import { fieldsOf } from '../support/closed-questions.js';
import { reviewer } from '../support/reviewer.js';
import { suite } from '../support/suite.js';
import type { Repo } from '../support/with-repo.js';

const test = suite('review/hostile-change');

const BUG = 'index <= list.length';
const FIXED = 'index < list.length';
const BAD = `module.exports = list => {
  let sum = 0;
  for (let index = 0; ${BUG}; index += 1) sum += list[index];
  return sum;
};
`;
const CONFIG = `require('./tools/local.js');\n${ESLINT_CONFIG}`;
const BASE = {
  'eslint.config.js': CONFIG,
  'tools/local.js': 'module.exports = 1;\n',
  'package.json': '{"name":"x","version":"1.0.0"}\n',
};

/** A model that finds the bug in the file and knows a better text. */
const skilled =
  (path: string) =>
  (conversation: Conversation): PolicyReply => {
    return fieldsOf(conversation).includes('newText')
      ? scriptedFixer([{ to: 'The problem', path, oldText: BUG, newText: FIXED }])(conversation)
      : reviewer({ sees: [BUG] })(conversation);
  };

interface Scene {
  readonly repo: Repo;
  /** A line of JavaScript that leaves a mark. */
  readonly spy: string;
  hasRun(): Promise<boolean>;
  review(args?: readonly string[], env?: Record<string, string>): Promise<Outcome>;
}

/** A project whose default branch is `main`; what follows happens on a branch of somebody else's. */
async function withFork(
  path: string,
  body: (fixture: Scene) => Promise<void>,
  base: Readonly<Record<string, string>> = BASE,
): Promise<void> {
  const server = await startStandIn({ policy: skilled(path) });
  try {
    await withProject(base, async repo => {
      await repo.git('checkout', '--quiet', '-b', 'fork');
      const mark = join(repo.dir, '.git', 'ran');
      await body({
        repo,
        spy: `require('node:fs').writeFileSync(${JSON.stringify(mark)}, 'x');\n`,
        hasRun: async () => (await readdir(join(repo.dir, '.git'))).includes('ran'),
        review: async (args = ['--range', 'main...HEAD'], env = {}) => {
          const all = [...args, '--base-url', server.baseUrl];
          return (await reviewJson(all, { cwd: repo.dir, env })).outcome;
        },
      });
    });
  } finally {
    await server.close();
  }
}

const suggestionIn = ({ findings }: Outcome) =>
  findings.find(({ source }) => source === 'model')?.suggestion?.text.trim();
const LINE = `for (let index = 0; ${FIXED}; index += 1) sum += list[index];`;

test('a file that the linter’s configuration loads is the base’s, even while it is reviewed', () =>
  withFork('tools/local.js', async ({ repo, spy, hasRun, review }) => {
    await repo.commit({ 'tools/local.js': spy + BAD });
    const outcome = await review();
    assert.not.ok(await hasRun(), 'code of the change ran');
    assert.is(suggestionIn(outcome), LINE);
  }));

const UPWARD_PLUGIN = `const { existsSync } = require('node:fs');
const { dirname, join } = require('node:path');
let folder = __dirname;
while (!existsSync(join(folder, 'local-rules.js')) && folder !== '/') folder = dirname(folder);
module.exports = require(join(folder, 'local-rules.js'));
`;

test('an installed plugin that looks for rules above its own folder finds those of the base', () =>
  withFork(
    'src/sum.js',
    async ({ repo, spy, hasRun, review }) => {
      await repo.write('node_modules/upward/index.js', UPWARD_PLUGIN);
      await repo.commit({ 'src/sum.js': BAD, 'local-rules.js': `${spy}module.exports = 1;\n` });
      const outcome = await review();
      // `node_modules` leads to that of apfel-bot itself.
      await rm(join(repo.dir, 'node_modules/upward'), { recursive: true });
      assert.not.ok(await hasRun(), 'code of the change ran');
      assert.is(suggestionIn(outcome), LINE);
    },
    {
      ...BASE,
      'eslint.config.js': `require('upward');\n${ESLINT_CONFIG}`,
      'local-rules.js': 'module.exports = 1;\n',
    },
  ));

test('a linter that the change configures does not run', () =>
  withFork('src/sum.js', async ({ repo, spy, hasRun, review }) => {
    const lint = [{ name: 'evil', command: ['node', '-e', spy, '{files}'], format: 'gcc' }];
    await repo.commit({ 'src/sum.js': BAD, '.apfel-bot.json': JSON.stringify({ lint }) });
    const outcome = await review();
    assert.not.ok(await hasRun(), 'a command of .apfel-bot.json ran');
    assert.is(suggestionIn(outcome), LINE);
    await repo.git('rm', '--quiet', '.apfel-bot.json');
    await repo.commit({ 'package.json': JSON.stringify({ name: 'x', 'apfel-bot': { lint } }) });
    await review();
    assert.not.ok(await hasRun(), 'a command of package.json ran');
  }));

test('the commit before the reviewed one is not a base to trust when it is of the same branch', () =>
  withFork('src/sum.js', async ({ repo, spy, hasRun, review }) => {
    await repo.commit({ 'eslint.config.js': spy + CONFIG });
    await repo.commit({ 'src/sum.js': BAD });
    for (const args of [
      ['--commit', 'HEAD'],
      ['--range', 'HEAD~1..HEAD'],
    ]) {
      const outcome = await review(args);
      assert.not.ok(await hasRun(), `${args.join(' ')}: the branch’s configuration ran`);
      assert.is(suggestionIn(outcome), LINE);
    }
  }));

test('a linter that the change brings along, or may have had installed, is not started', () =>
  withFork('src/sum.js', async ({ repo, spy, hasRun, review }) => {
    await repo.commit({ 'src/sum.js': BAD, 'package.json': '{"name":"x","version":"1.0.1"}\n' });
    const changed = await review();
    assert.is(suggestionIn(changed), undefined);
    assert.match(
      (changed.notices ?? []).join('\n'),
      /package\.json may have changed what is installed/,
    );
    await repo.git('checkout', '--quiet', 'main', '--', 'package.json');
    await repo.commit({});
    await repo.git('rm', '--quiet', '--cached', '.gitignore');
    await repo.git(
      'update-index',
      '--add',
      '--cacheinfo',
      `120000,${await blob(repo, 'evil')},node_modules`,
    );
    await repo.git('commit', '--quiet', '--message', 'tracked');
    await repo.write('evil/.bin/eslint', `#!/usr/bin/env node\n${spy}`);
    await chmod(join(repo.dir, 'evil/.bin/eslint'), 0o755);
    await repo.git('reset', '--quiet', '--hard');
    const brought = await review();
    assert.match((brought.notices ?? []).join('\n'), /node_modules may have changed/);
    assert.not.ok(await hasRun(), 'a program of the change ran');
  }));

async function blob(repo: Repo, text: string): Promise<string> {
  await writeFile(join(repo.dir, '.git', 'link'), text);
  return repo.git('hash-object', '-w', '.git/link');
}

test('a linter that does not read standard input is not asked, and one line says so', () =>
  withFork(
    'src/sum.js',
    async ({ repo, spy, hasRun, review }) => {
      await repo.commit({ 'src/sum.js': BAD });
      const outcome = await review();
      const notices = (outcome.notices ?? []).filter(line => line.includes('was not asked'));
      assert.is(notices.length, 2, notices.join('\n'));
      assert.match(notices.join('\n'), /oxlint was not asked about suggestions: .* standard input/);
      assert.match(notices.join('\n'), /own was not asked about suggestions/);
      assert.is(suggestionIn(outcome), undefined);
      assert.not.ok(await hasRun(), spy);
    },
    {
      '.oxlintrc.json': '{}',
      // A linter that only a file of its own speaks of isn't looked for beside one that is named.
      'package.json': JSON.stringify({ scripts: { lint: 'oxlint src' } }),
      '.apfel-bot.json': JSON.stringify({
        lint: [{ name: 'own', command: ['false'], format: 'gcc', files: ['**/*.js'] }],
      }),
    },
  ));

test('in CI without a known default branch no linter is asked', () =>
  withFork('src/sum.js', async ({ repo, spy, hasRun, review }) => {
    await repo.commit({ 'eslint.config.js': spy + CONFIG });
    await repo.commit({ 'src/sum.js': BAD });
    await repo.git('branch', '--quiet', '--move', 'main', 'trunk');
    const outcome = await review(['--commit', 'HEAD'], { CI: 'true' });
    assert.not.ok(await hasRun(), 'the branch’s configuration ran');
    assert.match((outcome.notices ?? []).join('\n'), /the default branch is not known here/);
    // Nor outside CI, where a remote has a default branch that isn't known.
    await repo.git('remote', 'add', 'origin', '../elsewhere.git');
    const atDesk = await review(['--commit', 'HEAD']);
    assert.not.ok(await hasRun(), 'the branch’s configuration ran');
    assert.match((atDesk.notices ?? []).join('\n'), /the default branch is not known here/);
    // With one, the same change is served by the default branch's linter.
    await repo.git('update-ref', 'refs/remotes/origin/trunk', 'trunk');
    await repo.git('symbolic-ref', 'refs/remotes/origin/HEAD', 'refs/remotes/origin/trunk');
    assert.is(suggestionIn(await review(['--commit', 'HEAD'], { CI: 'true' })), LINE);
    assert.not.ok(await hasRun(), 'the branch’s configuration ran');
  }));

test.run();
