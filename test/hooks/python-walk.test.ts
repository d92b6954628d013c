import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { type Policy, startStandIn } from '../../fixtures/apfel/stand-in.js';
import { scriptedFixer } from '../fix/lint-project.js';
import { apfelBot } from '../support/cli.js';
import { linkPackage } from '../support/packed.js';
import { suite } from '../support/suite.js';
import { withRepo } from '../support/with-repo.js';
import { git } from './hooked-repo.js';
import { findPreCommit } from './real-managers.js';

const test = suite('hooks/python-walk');

const hasFlake8 = spawnSync('flake8', ['--version']).status === 0;
const absent = findPreCommit().absent ?? (hasFlake8 ? undefined : 'flake8 is not installed');

const CONFIG = `repos:
  - repo: local
    hooks:
      - id: flake8
        name: flake8
        entry: flake8
        language: system
        types: [python]
        stages: [manual]
`;

const FIX = { to: 'E711', path: 'price.py', oldText: 'count == None', newText: 'count is None' };

/** Fixes E711, and answers every question about a draft with the same words. */
const MODEL: Policy = conversation => {
  const { schema } = conversation;
  const keys = Object.keys((schema?.['properties'] as object | undefined) ?? {});
  if (!keys.some(key => key.endsWith('answer'))) return scriptedFixer([FIX])(conversation);
  const value = (key: string): string => (key.endsWith('action') ? 'finish' : 'Double the price');
  return { kind: 'object', value: Object.fromEntries(keys.map(key => [key, value(key)])) };
};

test.unless(
  absent,
  'a commit is blocked, lint is fixed on a branch, and a message is drafted',
  async () => {
    const server = await startStandIn({ policy: MODEL });
    try {
      await withRepo(async repo => {
        const price = 'def price(count):\n    return 0 if count == None else count\n';
        const files = { '.gitignore': 'node_modules\ncache\n', '.pre-commit-config.yaml': CONFIG };
        await repo.commit({ ...files, 'price.py': price });
        await linkPackage(repo.dir);
        const env = {
          APFEL_BOT_BASE_URL: server.baseUrl,
          GIT_EDITOR: 'true',
          PRE_COMMIT_HOME: join(repo.dir, 'cache'),
        };
        const bot = (...args: string[]) => apfelBot(args, { cwd: repo.dir, env });
        assert.is(spawnSync('pre-commit', ['install'], { cwd: repo.dir }).status, 0);
        assert.is((await bot('install')).code, 0);
        await repo.git('add', '--all');

        await repo.stage('price.py', `<<<<<<< HEAD\n${price}=======\n>>>>>>> other\n`);
        const blocked = await git(repo, ['commit', '--message', 'x'], env);
        assert.is(blocked.code, 1);
        assert.match(blocked.stdout + blocked.stderr, 'apfel-bot blocked this commit: 1 finding');

        await repo.stage('price.py', price);
        const passed = await git(repo, ['commit', '--message', 'Add the hooks'], env);
        assert.is(passed.code, 0, passed.stderr);
        const fixed = await bot('fix-lint');
        assert.is(fixed.code, 0, fixed.stdout + fixed.stderr);
        const [branch = ''] = /apfel-bot\/fix-lint-\w+/.exec(fixed.stdout) ?? [];
        assert.match(await repo.git('show', `${branch}:price.py`), 'count is None');
        assert.match(readFileSync(join(repo.dir, 'price.py'), 'utf8'), 'count == None');

        assert.is((await bot('install', '--hooks', 'prepare-commit-msg')).code, 0);
        await repo.stage('price.py', price.replace('else count', 'else 2 * count'));
        // A busy machine may need longer than the five seconds that a draft has; then the hook says so.
        const drafted = await git(repo, ['commit'], env);
        const message = readFileSync(join(repo.dir, '.git/COMMIT_EDITMSG'), 'utf8');
        assert.match(
          message + drafted.stderr,
          /# Double the price|no draft of the message: out of time/,
        );
      });
    } finally {
      await server.close();
    }
  },
);

test.run();
