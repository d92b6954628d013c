import { execFile } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { copyFile, mkdir, rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import * as assert from 'uvu/assert';
import { DEFAULT_HOOKS, type HookName } from '../../src/hooks/facts.js';
import { notAll, suite } from '../support/suite.js';
import { gitEnv, type Repo, withFolder, withRepo } from '../support/with-repo.js';
import { callsIn, hooksIn, installFake, REVIEW_HOOKS, writeFake } from './fake-program.js';
import { installIn, uninstallIn } from './install-in.js';
import { findHusky, findLefthook, findPreCommit } from './real-managers.js';
import { photograph } from './snapshot.js';

const exec = promisify(execFile);
const test = suite('hooks/managers');
const husky = findHusky();
const lefthook = await findLefthook();
const preCommit = findPreCommit();

interface HookFixture {
  readonly repo: Repo;
  readonly record: string;
  /** Its exit code; `exit` is what the stand-in is to leave with. */
  run(program: string, args: readonly string[], exit?: number): Promise<number>;
}

/** A repository with files of the user's, a stand-in for apfel-bot, and the managers' variables. */
async function withFixture(
  files: Readonly<Record<string, string>>,
  body: (fixture: HookFixture) => Promise<void>,
): Promise<void> {
  await withRepo(async repo => {
    await repo.commit({ '.gitignore': 'node_modules\ncache\n', ...files });
    const record = join(repo.dir, '.git', 'record');
    await installFake(repo.dir, record);
    const env = {
      ...gitEnv(repo.dir),
      LEFTHOOK_BIN: lefthook.path ?? '',
      PRE_COMMIT_HOME: join(repo.dir, 'cache'),
      NPM_CONFIG_UPDATE_NOTIFIER: 'false',
    };
    const run: HookFixture['run'] = (program, args, exit = 0) =>
      exec(program, args, { cwd: repo.dir, env: { ...env, FAKE_EXIT: String(exit) } }).then(
        () => 0,
        (failed: { code: number }) => failed.code,
      );
    await body({ repo, record, run });
  });
}

/** What every manager has to get right, told by what the program saw. */
async function livesThrough(fixture: HookFixture, hooks: readonly HookName[]): Promise<void> {
  const { repo, record, run } = fixture;
  const commit = ['commit', '--quiet', '--message', 'x'];
  const expected = (...names: HookName[]): string[] => names.filter(name => hooks.includes(name));

  await repo.stage('a.txt', '1');
  assert.is(await run('git', commit, 1), 1, 'exit 1 blocks');
  assert.equal(hooksIn(record), ['pre-commit']);
  assert.equal(callsIn(record)[0]?.staged, ['a.txt']);
  assert.is(callsIn(record)[0]?.cwd, repo.dir);
  await rm(record);

  assert.is(await run('git', commit), 0, 'exit 0 passes');
  assert.equal(hooksIn(record), expected('pre-commit', 'post-commit'));
  await rm(record);

  await repo.write('a.txt', '2');
  await repo.stage('b.txt', '2');
  assert.is(await run('git', [...commit, 'a.txt']), 0);
  assert.equal(callsIn(record)[0]?.staged, ['a.txt'], 'commit PATH shows that path');
  assert.is(await run('git', [...commit, '--all']), 0);
  await rm(record);

  const old = await repo.git('rev-parse', 'HEAD');
  await repo.write('b.txt', '3');
  assert.is(await run('git', [...commit, '--all', '--amend']), 0);
  assert.equal(hooksIn(record), expected('pre-commit', 'post-commit', 'post-rewrite'));
  const rewrite = callsIn(record).at(-1);
  assert.equal(rewrite?.argv, ['hook', 'post-rewrite', 'amend']);
  assert.is(rewrite?.stdin, `${old} ${await repo.git('rev-parse', 'HEAD')}\n`);
}

async function pushes({ repo, record, run }: HookFixture): Promise<void> {
  await withFolder(async remote => {
    await repo.git('init', '--quiet', '--bare', remote);
    assert.is(await run('git', ['push', '--quiet', remote, 'main'], 1), 1);
    assert.is(await run('git', ['push', '--quiet', remote, 'main']), 0);
    const call = callsIn(record).at(-1);
    assert.equal(call?.argv, ['hook', 'pre-push', remote, remote]);
    assert.match(call?.stdin ?? '', /^refs\/heads\/main [0-9a-f]{40} refs\/heads\/main 0{40}\n$/);
  });
}

test.unless(husky.absent, 'husky calls every hook, and runs its own commands first', () =>
  withFixture({ '.husky/pre-commit': 'echo first >> order\n' }, async fixture => {
    const { repo, run } = fixture;
    assert.is(await run(process.execPath, [husky.path ?? '']), 0);
    const before = photograph(join(repo.dir, '.husky'));
    const config = readFileSync(join(repo.dir, '.git/config'), 'utf8');
    const plan = await installIn(repo.dir, REVIEW_HOOKS);
    assert.match(plan.notices.join(), /^\.husky is tracked by git/);
    assert.equal((await installIn(repo.dir, REVIEW_HOOKS)).steps, []);
    await livesThrough(fixture, REVIEW_HOOKS);
    await pushes(fixture);
    assert.match(readFileSync(join(repo.dir, 'order'), 'utf8'), /^first\n/);
    await uninstallIn(repo.dir);
    assert.equal(photograph(join(repo.dir, '.husky')), before);
    assert.is(readFileSync(join(repo.dir, '.git/config'), 'utf8'), config);
  }),
);

test.unless(husky.absent, 'hooks installed before husky first runs are called once it has', () =>
  withFixture({ 'package.json': '{"scripts": {"prepare": "husky"}}' }, async fixture => {
    const { repo, record, run } = fixture;
    const plan = await installIn(repo.dir, ['pre-commit']);
    assert.match(plan.messages.join('\n'), /git doesn't call husky here yet.*: npx husky$/);
    assert.is(await run(process.execPath, [husky.path ?? '']), 0);
    assert.is(await run('git', ['commit', '--allow-empty', '--message', 'x'], 1), 1);
    assert.equal(hooksIn(record), ['pre-commit']);
  }),
);

test.unless(husky.absent, 'husky lets commits through when the program is missing', () =>
  withFixture({ '.husky/pre-commit': 'true\n' }, async ({ repo, record, run }) => {
    assert.is(await run(process.execPath, [husky.path ?? '']), 0);
    await installIn(repo.dir, ['pre-commit']);
    await rm(join(repo.dir, 'node_modules'), { recursive: true });
    assert.is(await run('git', ['commit', '--allow-empty', '--message', 'x']), 0);
    assert.equal(hooksIn(record), []);
  }),
);

const LEFTHOOK_CONFIGS: Readonly<Record<string, string>> = {
  'lefthook.yml': '# ours\npre-commit:\n  commands:\n    lint:\n      run: echo {staged_files}\n',
  '.lefthook.yaml': 'pre-commit:\n  jobs:\n    - name: lint\n      run: "true"\n',
  'lefthook.toml': '[pre-commit.commands.lint]\nrun = "true"\n',
  'lefthook.json': '{\n  "pre-commit": { "commands": { "lint": { "run": "true" } } }\n}\n',
};
for (const [name, text] of Object.entries(LEFTHOOK_CONFIGS)) {
  const isMain = name === 'lefthook.yml';
  const reason = lefthook.absent ?? (isMain ? undefined : notAll);
  test.unless(reason, `lefthook calls every hook that was added to ${name}`, () =>
    withFixture({ [name]: text }, async fixture => {
      const { repo, run } = fixture;
      assert.is(await run(lefthook.path ?? '', ['install']), 0);
      const plan = await installIn(repo.dir, REVIEW_HOOKS);
      assert.match(plan.messages.join(), /: npx lefthook install/);
      assert.equal((await installIn(repo.dir, REVIEW_HOOKS)).steps, []);
      assert.is(await run(lefthook.path ?? '', ['validate']), 0);
      assert.is(await run(lefthook.path ?? '', ['install']), 0);
      if (isMain) await livesThrough(fixture, REVIEW_HOOKS);
      await pushes(fixture);
      await uninstallIn(repo.dir);
      assert.is(readFileSync(join(repo.dir, name), 'utf8'), text);
    }),
  );
}

const FRAMEWORK_CONFIG = `# ours
repos:
  - repo: local
    hooks:
      - id: theirs
        name: theirs
        entry: sh -c 'echo theirs >> order'
        language: system
        always_run: true
        pass_filenames: false
`;

test.unless(preCommit.absent, 'the pre-commit framework calls its hook, git calls the others', () =>
  withFixture({ '.pre-commit-config.yaml': FRAMEWORK_CONFIG }, async fixture => {
    const { repo, run } = fixture;
    assert.is(await run('pre-commit', ['install']), 0);
    const before = photograph(join(repo.dir, '.git/hooks'));
    await installIn(repo.dir, REVIEW_HOOKS);
    assert.equal((await installIn(repo.dir, REVIEW_HOOKS)).steps, []);
    await repo.git('add', '.pre-commit-config.yaml');
    await repo.git('commit', '--quiet', '--no-verify', '--message', 'configured');
    await rm(fixture.record);
    await livesThrough(fixture, REVIEW_HOOKS);
    await pushes(fixture);
    assert.match(readFileSync(join(repo.dir, 'order'), 'utf8'), /^theirs\n/);
    await uninstallIn(repo.dir);
    assert.equal(photograph(join(repo.dir, '.git/hooks')), before);
    assert.is(readFileSync(join(repo.dir, '.pre-commit-config.yaml'), 'utf8'), FRAMEWORK_CONFIG);
  }),
);

test.unless(
  preCommit.absent ?? notAll,
  'a framework installed over our shims still runs them, and uninstall finds them',
  () =>
    withFixture({ '.pre-commit-config.yaml': FRAMEWORK_CONFIG }, async ({ repo, record, run }) => {
      await installIn(repo.dir, DEFAULT_HOOKS);
      const types = ['post-commit', 'post-rewrite'].flatMap(type => ['--hook-type', type]);
      assert.is(await run('pre-commit', ['install', ...types]), 0);
      await repo.git('add', '.pre-commit-config.yaml');
      assert.is(await run('git', ['commit', '--quiet', '--allow-empty', '--message', 'x']), 0);
      // Our entry in the configuration is for the commit alone.
      assert.equal(hooksIn(record), ['post-commit']);
      assert.equal((await installIn(repo.dir, DEFAULT_HOOKS)).steps, []);
      await uninstallIn(repo.dir);
      assert.not(existsSync(join(repo.dir, '.git/hooks/post-commit.legacy')));
    }),
);

const npmrc = existsSync('.npmrc') ? readFileSync('.npmrc', 'utf8') : '';
const noQuietPack = npmrc.includes('foreground-scripts=false')
  ? undefined
  : 'without foreground-scripts=false in .npmrc, npm pack prints more than the name the framework reads';

test.unless(
  preCommit.absent ?? noQuietPack,
  'the framework installs and calls what .pre-commit-hooks.yaml offers',
  () =>
    withFolder(async source => {
      const hooks = join(source, 'hooks');
      await mkdir(join(hooks, 'dist'), { recursive: true });
      const record = join(source, 'record');
      await writeFake(join(hooks, 'dist', 'cli.cjs'), record);
      for (const name of ['.npmrc', '.pre-commit-hooks.yaml'])
        await copyFile(resolve(name), join(hooks, name));
      const manifest = {
        name: 'apfel-bot',
        version: '0.0.0',
        bin: 'dist/cli.cjs',
        scripts: { prepack: 'echo built' },
      };
      await writeFile(join(hooks, 'package.json'), JSON.stringify(manifest));
      const git = (...args: string[]) => exec('git', args, { cwd: hooks, env: gitEnv(hooks) });
      await git('init', '--quiet');
      await git('add', '--all');
      await git('commit', '--quiet', '--message', 'x');
      const { stdout: revision } = await git('rev-parse', 'HEAD');
      const config = `repos:\n  - repo: ${hooks}\n    rev: ${revision.trim()}\n    hooks:\n      - id: apfel-bot\n      - id: apfel-bot-post-commit\n`;
      await withFixture({ '.pre-commit-config.yaml': config }, async ({ repo, run }) => {
        const types = ['pre-commit', 'post-commit'].flatMap(type => ['--hook-type', type]);
        assert.is(await run('pre-commit', ['install', ...types]), 0);
        await repo.stage('a.txt', 'a');
        assert.is(await run('git', ['commit', '--quiet', '--message', 'x'], 1), 1);
        assert.is(await run('git', ['commit', '--quiet', '--message', 'x']), 0);
        const calls = callsIn(record).map(({ argv, staged }) => [argv[1], ...staged]);
        assert.equal(calls, [['pre-commit', 'a.txt'], ['pre-commit', 'a.txt'], ['post-commit']]);
      });
    }),
);

test.run();
