import { existsSync, readFileSync } from 'node:fs';
import { mkdir, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { apfelBot, type CliRun } from '../support/cli.js';
import { linkPackage } from '../support/packed.js';
import { suite } from '../support/suite.js';
import { type Repo, withFolder, withRepo } from '../support/with-repo.js';

const test = suite('init/command');

const COMMIT = '0123456789abcdef0123456789abcdef01234567';

const init = (repo: Repo, ...args: string[]): Promise<CliRun> =>
  apfelBot(['init', ...args], { cwd: repo.dir });

const read = (repo: Repo, path: string): string => readFileSync(join(repo.dir, path), 'utf8');

test('init leaves the schema out where the project has no installation, and says so', () =>
  withRepo(async repo => {
    const { code, stdout } = await init(repo);
    assert.is(code, 0);
    assert.match(stdout, 'without $schema, for your editor: there is no ./node_modules/');
    assert.is(JSON.parse(read(repo, '.apfel-bot.json')).$schema, undefined);
  }));

test('init writes a valid configuration with its schema, and says how to undo it', () =>
  withRepo(async repo => {
    await repo.write('.git/info/exclude', 'node_modules\n');
    await repo.write('node_modules/apfel-bot/schema/config.json', '{}');
    const { code, stdout, stderr } = await init(repo);
    assert.is(code, 0, stderr);
    const config = JSON.parse(read(repo, '.apfel-bot.json'));
    assert.is(config.$schema, './node_modules/apfel-bot/schema/config.json');
    const review = await apfelBot(['review', '--no-model'], { cwd: repo.dir });
    assert.is(review.code, 0, review.stderr);
    assert.match(stdout, 'wrote .apfel-bot.json\n');
    assert.not.match(stdout, '$schema');
    assert.match(stdout, 'to undo: rm .apfel-bot.json\n');
    assert.match(stdout, 'next, for the git hooks: apfel-bot install\n');
    assert.is(await repo.git('status', '--porcelain'), '?? .apfel-bot.json');
  }));

test('init overwrites nothing, and a second run changes nothing', () =>
  withRepo(async repo => {
    await repo.write('.apfel-bot.json', '{ "checks": { "debugger": "off" } }\n');
    await repo.write('.github/workflows/review.yml', 'name: mine\n');
    const pin = `ada/apfel-bot@${COMMIT}`;
    for (const expected of ['to undo: rm .github/workflows/checks.yml', undefined]) {
      const { code, stdout, stderr } = await init(repo, '--workflows', '--from', pin);
      assert.is(code, 0, stderr);
      assert.match(stdout, 'left .apfel-bot.json alone');
      assert.match(stdout, 'left .github/workflows/review.yml alone');
      if (expected === undefined) assert.not.match(stdout, 'undo');
      else assert.match(stdout, expected);
    }
    assert.match(read(repo, '.apfel-bot.json'), 'debugger');
    assert.is(read(repo, '.github/workflows/review.yml'), 'name: mine\n');
  }));

test('a configuration in package.json keeps its place', () =>
  withRepo(async repo => {
    await repo.write('package.json', '{ "apfel-bot": { "checks": {} } }\n');
    const { stdout } = await init(repo);
    assert.match(stdout, 'left .apfel-bot.json out: package.json has the configuration\n');
    assert.not(existsSync(join(repo.dir, '.apfel-bot.json')));
  }));

const npmLock = (resolved: string): string =>
  JSON.stringify({
    lockfileVersion: 3,
    packages: {
      '': { devDependencies: { 'apfel-bot': 'git+https://github.com/ada/apfel-bot.git' } },
      'node_modules/other': {
        resolved: `git+ssh://git@github.com/eve/other.git#${'e'.repeat(40)}`,
      },
      'node_modules/apfel-bot': { version: '0.1.0', resolved },
    },
  });

for (const [what, lockfile, text] of [
  ['npm', 'package-lock.json', npmLock(`git+ssh://git@github.com/ada/apfel-bot.git#${COMMIT}`)],
  [
    'pnpm, as an archive',
    'pnpm-lock.yaml',
    `packages:\n\n  apfel-bot@https://codeload.github.com/ada/apfel-bot/tar.gz/${COMMIT}:\n    version: 0.1.0\n\n`,
  ],
  [
    'yarn 1',
    'yarn.lock',
    `"other@git+https://github.com/eve/other.git":\n  resolved "git+https://github.com/eve/other.git#${'e'.repeat(40)}"\n\n"apfel-bot@git+https://github.com/ada/apfel-bot.git":\n  version "0.1.0"\n  resolved "git+https://github.com/ada/apfel-bot.git#${COMMIT}"\n`,
  ],
  [
    'yarn 4',
    'yarn.lock',
    `"apfel-bot@https://github.com/ada/apfel-bot.git":\n  version: 0.1.0\n  resolution: "apfel-bot@https://github.com/ada/apfel-bot.git#commit=${COMMIT}"\n`,
  ],
] as const) {
  test(`workflows are pinned to the commit that ${what} has locked`, () =>
    withRepo(async repo => {
      await repo.write(lockfile, text);
      const { code, stdout, stderr } = await init(repo, '--workflows');
      assert.is(code, 0, stderr);
      assert.match(stdout, `pinned ada/apfel-bot@${COMMIT}\n`);
      for (const name of ['checks', 'review', 'fix-lint', 'commands']) {
        const workflow = read(repo, `.github/workflows/${name}.yml`);
        assert.match(workflow, `uses: ada/apfel-bot@${COMMIT}\n`);
        assert.not.match(workflow, /OWNER|COMMIT/);
      }
    }));
}

for (const [what, lockfile] of [
  ['there is no lockfile', undefined],
  ['npm fetched a package', npmLock('https://registry.example/apfel-bot-0.1.0.tgz')],
  ['it comes from another host', npmLock(`git+https://git.example/ada/apfel-bot.git#${COMMIT}`)],
] as const) {
  test(`no workflow is copied without a pin, and init says what to do: ${what}`, () =>
    withRepo(async repo => {
      if (lockfile !== undefined) await repo.write('package-lock.json', lockfile);
      const { code, stdout, stderr } = await init(repo, '--workflows');
      assert.is(code, 0, stderr);
      assert.match(stdout, 'no workflow was copied: no lockfile names a commit of apfel-bot');
      assert.match(stdout, 'init --workflows --from OWNER/apfel-bot@COMMIT\n');
      assert.not(existsSync(join(repo.dir, '.github')));
    }));
}

for (const [args, message] of [
  [['--workflows', '--from', 'ada/apfel-bot@main'], /40 digits of the commit, found "ada\/apfel-/],
  [['--workflows', '--from', `../x@${COMMIT}`], /--from must be OWNER\/REPO@COMMIT/],
  [['--from', `ada/apfel-bot@${COMMIT}`], /--from needs --workflows/],
  [['now'], /unexpected argument "now"/],
] as const) {
  test(`init ${args.join(' ')} is refused, and nothing is written`, () =>
    withRepo(async repo => {
      const { code, stderr } = await init(repo, ...args);
      assert.is(code, 2);
      assert.match(stderr, message);
      assert.is(await repo.git('status', '--porcelain'), '');
    }));
}

test('init writes nothing through a link that leads out of the repository', () =>
  withFolder(outside =>
    withRepo(async repo => {
      await symlink(outside, join(repo.dir, '.github'));
      const { code, stderr } = await init(repo, '--workflows', '--from', `a/b@${COMMIT}`);
      assert.is(code, 2);
      assert.match(stderr, 'leads out of the repository through a link');
      assert.not(existsSync(join(outside, 'workflows')));
      assert.not(existsSync(join(repo.dir, '.apfel-bot.json')));
    }),
  ));

test('init in a folder of the repository writes at its top', () =>
  withRepo(async repo => {
    await mkdir(join(repo.dir, 'packages/one'), { recursive: true });
    const { code, stderr } = await apfelBot(['init'], { cwd: join(repo.dir, 'packages/one') });
    assert.is(code, 0, stderr);
    assert.ok(existsSync(join(repo.dir, '.apfel-bot.json')));
  }));

test('init --hooks writes nothing at all where the hooks would not work', () =>
  withRepo(async repo => {
    const { code, stderr } = await init(repo, '--hooks');
    assert.is(code, 2);
    assert.match(stderr, 'the hooks would not find apfel-bot');
    assert.not(existsSync(join(repo.dir, '.apfel-bot.json')));
  }));

test('init --hooks installs the hooks as well', () =>
  withRepo(async repo => {
    await linkPackage(repo.dir);
    const { code, stderr } = await init(repo, '--hooks');
    assert.is(code, 0, stderr);
    assert.ok(existsSync(join(repo.dir, '.git/hooks/pre-commit')));
    assert.match(stderr, 'to remove the hooks: apfel-bot uninstall');
  }));

test('init does not ask for the hooks where they are installed', () =>
  withRepo(async repo => {
    await linkPackage(repo.dir);
    assert.is((await apfelBot(['install'], { cwd: repo.dir })).code, 0);
    const { code, stdout, stderr } = await init(repo);
    assert.is(code, 0, stderr);
    assert.match(stdout, 'wrote .apfel-bot.json\n');
    assert.not.match(stdout, 'for the git hooks');
  }));

test.run();
