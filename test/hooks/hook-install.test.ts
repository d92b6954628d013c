import { execFile } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { chmod, copyFile, mkdir, rm, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import * as assert from 'uvu/assert';
import { planInstall } from '../../src/hooks/plan-install.js';
import { suite } from '../support/suite.js';
import { gitEnv, type Repo, withFolder, withRepo } from '../support/with-repo.js';
import { callsIn, hooksIn, installFake, REVIEW_HOOKS, writeExecutable } from './fake-program.js';
import { factsOf, installIn, uninstallIn } from './install-in.js';
import { photograph } from './snapshot.js';

const exec = promisify(execFile);
const test = suite('hooks/hook-install');

/** A program that isn't a script; macOS has it elsewhere. */
const TRUE = existsSync('/bin/true') ? '/bin/true' : '/usr/bin/true';

interface HookFixture {
  readonly repo: Repo;
  readonly record: string;
  /** The path of a hook. */
  at(hook: string): string;
  /** A commit that may fail; its exit code. */
  commit(env?: Record<string, string>): Promise<number>;
}

const withFixture = (body: (fixture: HookFixture) => Promise<void>): Promise<void> =>
  withRepo(async repo => {
    const record = join(repo.dir, '.git', 'record');
    await installFake(repo.dir, record);
    const commit = ['commit', '--quiet', '--allow-empty', '--message', 'x'];
    await body({
      repo,
      record,
      at: hook => join(repo.dir, '.git/hooks', hook),
      commit: env =>
        exec('git', commit, { cwd: repo.dir, env: { ...gitEnv(repo.dir), ...env } }).then(
          () => 0,
          (failed: { code: number }) => failed.code,
        ),
    });
  });

/** Installs, installs again, runs the body, uninstalls; every byte must be as it was. */
async function thereAndBack({ repo }: HookFixture, body: () => Promise<void>): Promise<void> {
  const hooks = join(repo.dir, '.git/hooks');
  const config = readFileSync(join(repo.dir, '.git/config'));
  const before = photograph(hooks);
  await installIn(repo.dir, REVIEW_HOOKS);
  const installed = photograph(hooks);
  assert.equal((await installIn(repo.dir, REVIEW_HOOKS)).steps, []);
  assert.equal(photograph(hooks), installed);
  await body();
  await uninstallIn(repo.dir);
  assert.equal(photograph(hooks), before);
  assert.equal(readFileSync(join(repo.dir, '.git/config')), config);
}

const writesTheirs = (fixture: HookFixture, more = ''): string =>
  `echo '{"argv":["theirs","theirs"]}' >> "${fixture.record}"\n${more}`;

test('a script that was there runs first, and its failure still stops the commit', () =>
  withFixture(async fixture => {
    const script = `#!/bin/sh\n${writesTheirs(fixture)}exit "$CODE"\n`;
    await writeExecutable(fixture.at('pre-commit'), script);
    await chmod(fixture.at('pre-commit'), 0o711);
    await thereAndBack(fixture, async () => {
      assert.is(await fixture.commit({ CODE: '3' }), 1);
      assert.equal(hooksIn(fixture.record), ['theirs']);
      assert.is(await fixture.commit({ CODE: '0', FAKE_EXIT: '1' }), 1);
      assert.is(await fixture.commit({ CODE: '0' }), 0);
      const seen = ['theirs', 'theirs', 'pre-commit', 'theirs', 'pre-commit', 'post-commit'];
      assert.equal(hooksIn(fixture.record), seen);
      assert.is(await fixture.commit({ CODE: '0', APFEL_BOT: '0' }), 0);
      assert.equal(hooksIn(fixture.record), [...seen, 'theirs']);
    });
  }));

test('a script without a first line, a Python script and a program run as before', () =>
  withFixture(async fixture => {
    await writeExecutable(fixture.at('pre-commit'), writesTheirs(fixture));
    const python = `#!/usr/bin/env python3\nopen(${JSON.stringify(fixture.record)}, "a").write('{"argv":["","python"]}\\n')\n`;
    await writeExecutable(fixture.at('post-commit'), python);
    await copyFile(TRUE, fixture.at('pre-push'));
    await chmod(fixture.at('pre-push'), 0o755);
    await thereAndBack(fixture, async () => {
      assert.is(await fixture.commit(), 0);
      const seen = ['theirs', 'pre-commit', 'python', 'post-commit'];
      assert.equal(hooksIn(fixture.record), seen);
      await withFolder(async remote => {
        await fixture.repo.git('init', '--quiet', '--bare', remote);
        await fixture.repo.git('push', '--quiet', remote, 'main');
      });
      assert.equal(hooksIn(fixture.record), [...seen, 'pre-push']);
    });
  }));

test('a post-commit hook that fails does not keep ours from running', () =>
  withFixture(async fixture => {
    await writeExecutable(fixture.at('post-commit'), '#!/bin/sh\nexit 1\n');
    await thereAndBack(fixture, async () => {
      await fixture.commit();
      assert.equal(hooksIn(fixture.record), ['pre-commit', 'post-commit']);
    });
  }));

test('a link stays a link, and what it leads to runs', () =>
  withFixture(async fixture => {
    await mkdir(join(fixture.repo.dir, 'scripts'));
    const script = `#!/bin/sh\n${writesTheirs(fixture)}`;
    await writeExecutable(join(fixture.repo.dir, 'scripts/lint'), script);
    await symlink('../../scripts/lint', fixture.at('pre-commit'));
    await symlink('../nowhere', fixture.at('post-commit'));
    await thereAndBack(fixture, async () => {
      await fixture.commit();
      assert.equal(hooksIn(fixture.record), ['theirs', 'pre-commit', 'post-commit']);
    });
  }));

test('a hook that git would not run is kept and still not run', () =>
  withFixture(async fixture => {
    await writeExecutable(fixture.at('pre-commit'), '#!/bin/sh\nexit 1\n');
    await chmod(fixture.at('pre-commit'), 0o644);
    await thereAndBack(fixture, async () => assert.is(await fixture.commit(), 0));
  }));

test("git's standard input reaches both hooks, even when theirs does not read it", () =>
  withFixture(async fixture => {
    const said = join(fixture.repo.dir, 'said');
    await writeExecutable(fixture.at('pre-push'), `#!/bin/sh\ncat > "${said}"\n`);
    await writeExecutable(fixture.at('post-rewrite'), '#!/bin/sh\nexit 0\n');
    await thereAndBack(fixture, async () => {
      await withFolder(async remote => {
        await fixture.repo.git('init', '--quiet', '--bare', remote);
        await fixture.repo.git('push', '--quiet', remote, 'main');
        const call = callsIn(fixture.record).at(-1);
        assert.match(
          call?.stdin ?? '',
          /^refs\/heads\/main [0-9a-f]{40} refs\/heads\/main 0{40}\n$/,
        );
        assert.is(readFileSync(said, 'utf8'), call?.stdin);
        await fixture.repo.git('push', '--quiet', remote, 'main');
        assert.is(readFileSync(said, 'utf8'), '');
        assert.is(callsIn(fixture.record).at(-1)?.stdin, '');
      });
      await fixture.repo.git('commit', '--quiet', '--amend', '--message', 'x');
      assert.match(callsIn(fixture.record).at(-1)?.stdin ?? '', /^[0-9a-f]{40} [0-9a-f]{40}\n$/);
    });
  }));

test('many refs in one push reach both hooks complete', () =>
  withFixture(async fixture => {
    const said = join(fixture.repo.dir, 'said');
    await writeExecutable(fixture.at('pre-push'), `#!/bin/sh\ncat > "${said}"\n`);
    await installIn(fixture.repo.dir, ['pre-push']);
    const head = await fixture.repo.git('rev-parse', 'HEAD');
    // More than a pipe holds at once.
    const refs = Array.from({ length: 700 }, (_, at) => `create refs/heads/b${at} ${head}\n`);
    const update = execFile('git', ['update-ref', '--stdin'], { cwd: fixture.repo.dir });
    await new Promise(done => update.on('close', done).stdin?.end(refs.join('')));
    await withFolder(async remote => {
      await fixture.repo.git('init', '--quiet', '--bare', remote);
      await fixture.repo.git('push', '--quiet', '--all', remote);
    });
    const call = callsIn(fixture.record).at(-1);
    assert.is(call?.stdin.trimEnd().split('\n').length, 701);
    assert.is(readFileSync(said, 'utf8'), call?.stdin);
  }));

test('a tracked hook folder is named before install changes it, and uninstall restores it', () =>
  withFixture(async fixture => {
    const script = `#!/bin/sh\n${writesTheirs(fixture)}`;
    await fixture.repo.stage('.githooks/pre-commit', script);
    await chmod(join(fixture.repo.dir, '.githooks/pre-commit'), 0o755);
    await fixture.repo.git('config', 'core.hooksPath', '.githooks');
    const before = photograph(join(fixture.repo.dir, '.githooks'));
    const plan = await installIn(fixture.repo.dir);
    assert.match(plan.notices.join(), /^\.githooks is tracked by git/);
    await fixture.commit();
    assert.equal(hooksIn(fixture.record), ['theirs', 'pre-commit', 'post-commit']);
    await uninstallIn(fixture.repo.dir);
    assert.equal(photograph(join(fixture.repo.dir, '.githooks')), before);
  }));

test('a repository without a hook folder gets one', () =>
  withFixture(async fixture => {
    await rm(join(fixture.repo.dir, '.git/hooks'), { recursive: true });
    await installIn(fixture.repo.dir);
    assert.is(await fixture.commit(), 0);
    assert.equal(hooksIn(fixture.record), ['pre-commit', 'post-commit']);
  }));

test('a hook folder for all repositories is left alone, and the lines are printed', () =>
  withFixture(async fixture =>
    withFolder(async home => {
      const shared = join(home, 'hooks');
      const env = { GIT_CONFIG_GLOBAL: join(home, 'config') };
      await mkdir(shared);
      await exec('git', ['config', '--file', env.GIT_CONFIG_GLOBAL, 'core.hooksPath', shared]);
      const facts = await factsOf(fixture.repo.dir, env);
      const plan = planInstall(facts, { hooks: ['pre-commit'], isPrintOnly: false });
      assert.equal(plan.steps, []);
      assert.match(plan.messages[0] ?? '', /your global core\.hooksPath\): nothing was written$/);
      await writeExecutable(join(shared, 'pre-commit'), `#!/bin/sh\n${plan.printed[1]}\n`);
      assert.is(await fixture.commit({ ...env, FAKE_EXIT: '1' }), 1);
      assert.equal(hooksIn(fixture.record), ['pre-commit']);
    }),
  ));

test('an install that was killed between two steps is completed or undone', () =>
  withFixture(async fixture => {
    await writeExecutable(fixture.at('pre-commit'), `#!/bin/sh\n${writesTheirs(fixture)}`);
    const before = photograph(join(fixture.repo.dir, '.git/hooks'));
    await installIn(fixture.repo.dir, ['pre-commit']);
    await rm(fixture.at('pre-commit'));
    await installIn(fixture.repo.dir, ['pre-commit']);
    await fixture.commit();
    assert.equal(hooksIn(fixture.record), ['theirs', 'pre-commit']);
    await rm(fixture.at('pre-commit'));
    await uninstallIn(fixture.repo.dir);
    assert.equal(photograph(join(fixture.repo.dir, '.git/hooks')), before);
  }));

test.run();
