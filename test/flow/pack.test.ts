import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import * as assert from 'uvu/assert';
import { suite } from '../support/suite.js';
import { gitEnv, withFolder, withRepo } from '../support/with-repo.js';

const npm = (args: readonly string[], cwd: string): string =>
  execFileSync('npm', [...args, '--no-audit', '--no-fund', '--loglevel=error'], {
    cwd,
    encoding: 'utf8',
  });

const test = suite('the packed package');

test('installs and reviews in a scratch repository', () =>
  withFolder(async dir => {
    const packed = join(dir, 'packed');
    mkdirSync(packed);
    npm(['pack', '--ignore-scripts', '--pack-destination', packed], resolve('.'));
    const [tarball = ''] = readdirSync(packed);
    await withRepo(async repo => {
      await repo.write('package.json', '{"name": "scratch", "private": true}');
      npm(['install', '--prefer-offline', join(packed, tarball)], repo.dir);
      await repo.stage('a.js', 'debugger;\n');
      const bin = join(repo.dir, 'node_modules', '.bin', 'apfel-bot');
      const run = spawnSync(bin, ['review', '--staged', '--no-model', '--fail-on', 'warning'], {
        cwd: repo.dir,
        env: gitEnv(repo.dir),
        encoding: 'utf8',
      });
      assert.is(run.status, 1, run.stderr);
      assert.match(run.stdout, /a\.js:1:1 {2}warning {2}debugger/);
      const version = spawnSync(bin, ['--version'], { encoding: 'utf8' });
      assert.match(version.stdout, /^\d+\.\d+\.\d+\n$/);
      const schema = `import('apfel-bot/schema/outcome.json', {with: {type: 'json'}}).then(m => console.log(m.default.title))`;
      const title = spawnSync(process.execPath, ['-e', schema], {
        cwd: repo.dir,
        encoding: 'utf8',
      });
      assert.match(title.stdout, /outcome/i);
      const demo = spawnSync(bin, ['demo', '--fast'], {
        cwd: packed,
        env: { ...gitEnv(packed), TMPDIR: dir },
        encoding: 'utf8',
      });
      assert.is(demo.status, 0, demo.stdout + demo.stderr);
      assert.match(demo.stdout, /6 of 6[\s\S]*audit\.html/);
    });
  }));

test('holds what it needs and nothing else', () => {
  const [facts] = JSON.parse(
    npm(['pack', '--dry-run', '--ignore-scripts', '--json'], resolve('.')),
  );
  const files: string[] = facts.files.map((file: { path: string }) => file.path);
  for (const wanted of [
    'dist/cli.cjs',
    'schema/outcome.json',
    'schema/config.json',
    'schema/request.json',
    'eval/off-by-one-js.diff',
    'demo/toy-lint.mjs',
    'SECURITY.md',
    'README.md',
    'LICENSE',
  ]) {
    assert.ok(files.includes(wanted), `${wanted} is missing`);
  }
  const strange = files.filter(
    file =>
      !/^(dist|schema|hooks|workflows|eval|demo)\/|^(package\.json|README\.md|LICENSE|CHANGELOG\.md|SECURITY\.md|action\.yml)$/.test(
        file,
      ),
  );
  assert.equal(strange, []);
});

test.run();
