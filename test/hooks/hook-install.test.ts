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
const test = suite('installing beside other hooks');

/** A program that isn't a script; macOS has it elsewhere. */
const TRUE = existsSync('/bin/true') ? '/bin/true' : '/usr/bin/true';

interface Scene {
  readonly repo: Repo;
  readonly record: string;
  /** The path of a hook. */
  at(hook: string): string;
  /** A commit that may fail; its exit code. */
  commit(env?: Record<string, string>): Promise<number>;
}

const withScene = (body: (scene: Scene) => Promise<void>): Promise<void> =>
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
async function thereAndBack({ repo }: Scene, body: () => Promise<void>): Promise<void> {
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

const writesTheirs = (scene: Scene, more = ''): string =>
  `echo '{"argv":["theirs","theirs"]}' >> "${scene.record}"\n${more}`;

test('a script runs first and still stops the commit with its own word', () =>
  withScene(async scene => {
    const script = `#!/bin/sh\n${writesTheirs(scene)}exit "$CODE"\n`;
    await writeExecutable(scene.at('pre-commit'), script);
    await chmod(scene.at('pre-commit'), 0o711);
    await thereAndBack(scene, async () => {
      assert.is(await scene.commit({ CODE: '3' }), 1);
      assert.equal(hooksIn(scene.record), ['theirs']);
      assert.is(await scene.commit({ CODE: '0', FAKE_EXIT: '1' }), 1);
      assert.is(await scene.commit({ CODE: '0' }), 0);
      const seen = ['theirs', 'theirs', 'pre-commit', 'theirs', 'pre-commit', 'post-commit'];
      assert.equal(hooksIn(scene.record), seen);
      assert.is(await scene.commit({ CODE: '0', APFEL_BOT: '0' }), 0);
      assert.equal(hooksIn(scene.record), [...seen, 'theirs']);
    });
  }));

test('a script without a first line, a Python script and a program run as before', () =>
  withScene(async scene => {
    await writeExecutable(scene.at('pre-commit'), writesTheirs(scene));
    const python = `#!/usr/bin/env python3\nopen(${JSON.stringify(scene.record)}, "a").write('{"argv":["","python"]}\\n')\n`;
    await writeExecutable(scene.at('post-commit'), python);
    await copyFile(TRUE, scene.at('pre-push'));
    await chmod(scene.at('pre-push'), 0o755);
    await thereAndBack(scene, async () => {
      assert.is(await scene.commit(), 0);
      const seen = ['theirs', 'pre-commit', 'python', 'post-commit'];
      assert.equal(hooksIn(scene.record), seen);
      await withFolder(async remote => {
        await scene.repo.git('init', '--quiet', '--bare', remote);
        await scene.repo.git('push', '--quiet', remote, 'main');
      });
      assert.equal(hooksIn(scene.record), [...seen, 'pre-push']);
    });
  }));

test('a post-commit hook that fails does not keep ours from running', () =>
  withScene(async scene => {
    await writeExecutable(scene.at('post-commit'), '#!/bin/sh\nexit 1\n');
    await thereAndBack(scene, async () => {
      await scene.commit();
      assert.equal(hooksIn(scene.record), ['pre-commit', 'post-commit']);
    });
  }));

test('a link stays a link, and what it leads to runs', () =>
  withScene(async scene => {
    await mkdir(join(scene.repo.dir, 'scripts'));
    const script = `#!/bin/sh\n${writesTheirs(scene)}`;
    await writeExecutable(join(scene.repo.dir, 'scripts/lint'), script);
    await symlink('../../scripts/lint', scene.at('pre-commit'));
    await symlink('../nowhere', scene.at('post-commit'));
    await thereAndBack(scene, async () => {
      await scene.commit();
      assert.equal(hooksIn(scene.record), ['theirs', 'pre-commit', 'post-commit']);
    });
  }));

test('a hook that git would not run is kept and still not run', () =>
  withScene(async scene => {
    await writeExecutable(scene.at('pre-commit'), '#!/bin/sh\nexit 1\n');
    await chmod(scene.at('pre-commit'), 0o644);
    await thereAndBack(scene, async () => assert.is(await scene.commit(), 0));
  }));

test('what git says on standard input reaches both, even when theirs does not read it', () =>
  withScene(async scene => {
    const said = join(scene.repo.dir, 'said');
    await writeExecutable(scene.at('pre-push'), `#!/bin/sh\ncat > "${said}"\n`);
    await writeExecutable(scene.at('post-rewrite'), '#!/bin/sh\nexit 0\n');
    await thereAndBack(scene, async () => {
      await withFolder(async remote => {
        await scene.repo.git('init', '--quiet', '--bare', remote);
        await scene.repo.git('push', '--quiet', remote, 'main');
        const call = callsIn(scene.record).at(-1);
        assert.match(
          call?.stdin ?? '',
          /^refs\/heads\/main [0-9a-f]{40} refs\/heads\/main 0{40}\n$/,
        );
        assert.is(readFileSync(said, 'utf8'), call?.stdin);
        await scene.repo.git('push', '--quiet', remote, 'main');
        assert.is(readFileSync(said, 'utf8'), '');
        assert.is(callsIn(scene.record).at(-1)?.stdin, '');
      });
      await scene.repo.git('commit', '--quiet', '--amend', '--message', 'x');
      assert.match(callsIn(scene.record).at(-1)?.stdin ?? '', /^[0-9a-f]{40} [0-9a-f]{40}\n$/);
    });
  }));

test('many refs in one push reach both whole', () =>
  withScene(async scene => {
    const said = join(scene.repo.dir, 'said');
    await writeExecutable(scene.at('pre-push'), `#!/bin/sh\ncat > "${said}"\n`);
    await installIn(scene.repo.dir, ['pre-push']);
    const head = await scene.repo.git('rev-parse', 'HEAD');
    // More than a pipe holds at once.
    const refs = Array.from({ length: 700 }, (_, at) => `create refs/heads/b${at} ${head}\n`);
    const update = execFile('git', ['update-ref', '--stdin'], { cwd: scene.repo.dir });
    await new Promise(done => update.on('close', done).stdin?.end(refs.join('')));
    await withFolder(async remote => {
      await scene.repo.git('init', '--quiet', '--bare', remote);
      await scene.repo.git('push', '--quiet', '--all', remote);
    });
    const call = callsIn(scene.record).at(-1);
    assert.is(call?.stdin.trimEnd().split('\n').length, 701);
    assert.is(readFileSync(said, 'utf8'), call?.stdin);
  }));

test('a tracked folder is named before it is changed, and restored', () =>
  withScene(async scene => {
    const script = `#!/bin/sh\n${writesTheirs(scene)}`;
    await scene.repo.stage('.githooks/pre-commit', script);
    await chmod(join(scene.repo.dir, '.githooks/pre-commit'), 0o755);
    await scene.repo.git('config', 'core.hooksPath', '.githooks');
    const before = photograph(join(scene.repo.dir, '.githooks'));
    const plan = await installIn(scene.repo.dir);
    assert.match(plan.notices.join(), /^\.githooks is tracked by git/);
    await scene.commit();
    assert.equal(hooksIn(scene.record), ['theirs', 'pre-commit', 'post-commit']);
    await uninstallIn(scene.repo.dir);
    assert.equal(photograph(join(scene.repo.dir, '.githooks')), before);
  }));

test('a repository without a hook folder gets one', () =>
  withScene(async scene => {
    await rm(join(scene.repo.dir, '.git/hooks'), { recursive: true });
    await installIn(scene.repo.dir);
    assert.is(await scene.commit(), 0);
    assert.equal(hooksIn(scene.record), ['pre-commit', 'post-commit']);
  }));

test('a folder for all repositories is left alone, and the lines are printed', () =>
  withScene(async scene =>
    withFolder(async home => {
      const shared = join(home, 'hooks');
      const env = { GIT_CONFIG_GLOBAL: join(home, 'config') };
      await mkdir(shared);
      await exec('git', ['config', '--file', env.GIT_CONFIG_GLOBAL, 'core.hooksPath', shared]);
      const facts = await factsOf(scene.repo.dir, env);
      const plan = planInstall(facts, { hooks: ['pre-commit'], isPrintOnly: false });
      assert.equal(plan.steps, []);
      assert.match(plan.messages[0] ?? '', /your global core\.hooksPath\): nothing was written$/);
      await writeExecutable(join(shared, 'pre-commit'), `#!/bin/sh\n${plan.printed[1]}\n`);
      assert.is(await scene.commit({ ...env, FAKE_EXIT: '1' }), 1);
      assert.equal(hooksIn(scene.record), ['pre-commit']);
    }),
  ));

test('an installation that was killed between two steps is completed, or taken back', () =>
  withScene(async scene => {
    await writeExecutable(scene.at('pre-commit'), `#!/bin/sh\n${writesTheirs(scene)}`);
    const before = photograph(join(scene.repo.dir, '.git/hooks'));
    await installIn(scene.repo.dir, ['pre-commit']);
    await rm(scene.at('pre-commit'));
    await installIn(scene.repo.dir, ['pre-commit']);
    await scene.commit();
    assert.equal(hooksIn(scene.record), ['theirs', 'pre-commit']);
    await rm(scene.at('pre-commit'));
    await uninstallIn(scene.repo.dir);
    assert.equal(photograph(join(scene.repo.dir, '.git/hooks')), before);
  }));

test.run();
