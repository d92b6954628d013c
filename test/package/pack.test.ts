import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { type Installed, type Run, withInstalled, withoutNetwork } from '../support/packed.js';
import { suite } from '../support/suite.js';
import { gitEnv, openRepo } from '../support/with-repo.js';

const MAX_BYTES = 3_100_000;

/** Runs a program in `cwd` with no network but the loopback. */
function runAlone(argv: readonly string[], cwd: string, env: Record<string, string> = {}): Run {
  const [program = '', ...args] = withoutNetwork(argv);
  const options = { cwd, env: { ...gitEnv(cwd), ...env }, encoding: 'utf8' } as const;
  const { status, stdout, stderr } = spawnSync(program, args, options);
  return { code: status, stdout, stderr };
}

const test = suite('package/pack');

// One installation for all of it: npm takes longer than the rest.
test('the package contains what it needs, installs alone, and works without network', () =>
  withInstalled(async installed => {
    containsWhatItNeeds(installed.packed);
    await isInstalledAlone(installed);
    await works(installed);
  }));

/** Offline, with strict engines and without a warning. */
async function isInstalledAlone({ dir, install }: Installed): Promise<void> {
  assert.is(install.code, 0, install.stderr);
  assert.match(install.stdout, /added 1 package in/);
  assert.is(install.stderr, '');
  const modules = await readdir(join(dir, 'node_modules'));
  assert.equal(modules.sort(), ['.bin', '.package-lock.json', 'apfel-bot']);
}

/** It reviews, blocks a commit and runs the demo. */
async function works({ dir, bin }: Installed): Promise<void> {
  const repo = openRepo(dir);
  await repo.git('init', '--quiet');
  await repo.write('.gitignore', 'node_modules\n');
  await repo.stage('a.js', 'debugger;\n');
  const review = runAlone([bin, 'review', '--staged', '--no-model', '--fail-on', 'warning'], dir);
  assert.is(review.code, 1, review.stderr);
  assert.match(review.stdout, /a\.js:1:1 {2}warning {2}debugger/);
  assert.match(runAlone([bin, '--version'], dir).stdout, /^\d+\.\d+\.\d+\n$/);
  const script = `import('apfel-bot/schema/outcome.json', {with: {type: 'json'}}).then(m => console.log(m.default.title))`;
  assert.match(runAlone([process.execPath, '-e', script], dir).stdout, /outcome/i);

  const install = runAlone([bin, 'install'], dir);
  assert.is(install.code, 0, install.stderr);
  await repo.stage('a.test.js', 'it.only("works", () => {});\n');
  const commit = runAlone(['git', 'commit', '--message', 'focus'], dir);
  assert.is(commit.code, 1, commit.stdout + commit.stderr);
  assert.match(commit.stdout + commit.stderr, /a\.test\.js:1/);

  const demo = runAlone([bin, 'demo'], dir, { TMPDIR: dir });
  assert.is(demo.code, 0, demo.stdout + demo.stderr);
  assert.match(demo.stdout, /6 of 6[\s\S]*audit\.html/);
}

function containsWhatItNeeds({ unpackedSize, files }: Installed['packed']): void {
  assert.ok(unpackedSize <= MAX_BYTES, `${unpackedSize} bytes`);
  for (const wanted of [
    'dist/cli.cjs',
    'dist/LICENSES.md',
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
  // Pictures are for the page of the repository, and what comes after that heading for a clone.
  const [readme = ''] = readFileSync('README.md', 'utf8').split('## Work on it');
  for (const [, link = ''] of readme.matchAll(/(?<!!\[[^\]]*)\]\(([^):#]+)(?:#[^)]*)?\)/g)) {
    assert.ok(files.includes(link), `the README links to ${link}`);
  }
  const strange = files.filter(
    file =>
      !/^(dist|schema|hooks|workflows|eval|demo|docs)\/|^(package\.json|README\.md|LICENSE|CHANGELOG\.md|SECURITY\.md|action\.yml)$/.test(
        file,
      ),
  );
  assert.equal(strange, []);
}

for (const name of ['hooks/command', 'fix/command', 'publish/post-command']) {
  test.long(`the suite ${name} passes with the installed package and no network`, () =>
    withInstalled(async ({ dir, bin }) => {
      const dist = join(dir, 'node_modules', 'apfel-bot', 'dist');
      const [program = '', ...args] = withoutNetwork([
        process.execPath,
        `out/test/${name}.test.js`,
      ]);
      const env = {
        ...process.env,
        APFEL_BOT_DIST: dist,
        APFEL_BOT_TEST_REPORT: join(dir, 'report.json'),
      };
      const { status, stdout } = spawnSync(program, args, { env, encoding: 'utf8' });
      assert.is(status, 0, `${bin}\n${stdout}`);
    }),
  );
}

test.run();
