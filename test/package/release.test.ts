import { spawnSync } from 'node:child_process';
import { join, resolve } from 'node:path';
import * as assert from 'uvu/assert';
import { suite } from '../support/suite.js';
import { gitEnv, type Repo, withRepo } from '../support/with-repo.js';

const SCRIPT = resolve('scripts/release.mjs');
const FOLDERS = ['demo', 'dist', 'eval', 'hooks', 'schema', 'workflows'];

const MANIFEST = {
  name: 'made-up',
  version: '1.2.3',
  files: [...FOLDERS, 'CHANGELOG.md', 'SECURITY.md'],
  repository: 'github:ada/made-up',
  publishConfig: { provenance: true },
};
const LOCK = { name: 'made-up', version: '1.2.3', packages: { '': { version: '1.2.3' } } };

const READY: Readonly<Record<string, string>> = {
  ...Object.fromEntries(FOLDERS.map(folder => [`${folder}/file.txt`, 'text\n'])),
  ...Object.fromEntries(['LICENSE', 'README.md', 'SECURITY.md'].map(name => [name, 'text\n'])),
  'dist/LICENSES.md': 'text\n',
  'CHANGELOG.md': '# Changelog\n\n## 1.2.3 - 2026-05-01\n\n- First.\n',
  'package.json': JSON.stringify(MANIFEST),
  'package-lock.json': JSON.stringify(LOCK),
};

function release(repo: Repo, ...args: string[]) {
  // npm writes its cache to the home folder, which must not be in the tree.
  const env = gitEnv(join(repo.dir, '.git'));
  const options = { cwd: repo.dir, env, encoding: 'utf8' } as const;
  return spawnSync(process.execPath, [SCRIPT, ...args], options);
}

const test = suite('package/release');

test.long(
  'a tree that is ready passes the dry run, and then gets the tag and the publish command',
  () =>
    withRepo(async repo => {
      await repo.commit(READY);
      const dry = release(repo, '--dry-run');
      assert.is(dry.status, 0, dry.stderr);
      assert.is(await repo.git('tag', '--list'), '');
      const real = release(repo);
      assert.is(real.status, 0, real.stderr);
      assert.is(await repo.git('tag', '--list'), 'v1.2.3');
      assert.match(real.stdout, /npm publish --provenance/);
      const again = release(repo);
      assert.is(again.status, 1);
      assert.match(again.stderr, /the tag v1\.2\.3 exists/);
    }),
);

test('every problem is reported in one run, and no tag is created', () =>
  withRepo(async repo => {
    const { repository: _, publishConfig: __, ...rest } = MANIFEST;
    const manifest = {
      ...rest,
      version: '1.3.0',
      dependencies: { openai: '^6.0.0' },
      files: [...MANIFEST.files.filter(name => name !== 'hooks'), 'test'],
    };
    await repo.commit({
      ...READY,
      'package.json': JSON.stringify(manifest),
      'CHANGELOG.md': '## 1.3.0\n',
      'test/a.test.js': '',
      'dist/cli.cjs': `// ${repo.dir}/src/cli.ts\n//# sourceMappingURL=cli.cjs.map\n`,
      'dist/cli.cjs.map': '{}',
      'dist/big.bin': largeText(),
    });
    await repo.git('rm', '--quiet', 'dist/LICENSES.md');
    await repo.git('commit', '--quiet', '--message', 'no licences');
    await repo.git('switch', '--quiet', '--create', 'topic');
    await repo.write('new.txt', '');
    const { status, stderr } = release(repo);
    assert.is(status, 1);
    for (const problem of [
      /on branch "topic"; run: git switch main/,
      /1 uncommitted files, such as "\?\? new\.txt"/,
      /package-lock\.json has version "1\.2\.3", package\.json "1\.3\.0"/,
      /CHANGELOG\.md has "## 1\.3\.0" without a date/,
      /run-time dependencies \(openai\)/,
      /no "repository"/,
      /"provenance": true/,
      /test is in the tarball/,
      /hooks is missing from the tarball/,
      /dist\/cli\.cjs\.map is in the tarball/,
      /dist\/LICENSES\.md, .* is missing/,
      /the tarball has \d+ bytes, limit 3000000/,
      /dist\/cli\.cjs holds the path/,
      /dist\/cli\.cjs names a source map/,
    ]) {
      assert.match(stderr, problem);
    }
    assert.is(await repo.git('tag', '--list'), '');
  }));

test('an unknown argument is refused before anything is done', () =>
  withRepo(async repo => {
    const { status, stderr } = release(repo, '--dry');
    assert.is(status, 2);
    assert.match(stderr, /unknown argument "--dry"/);
  }));

/** Four million characters that no compression makes small, the same in every run. */
function largeText(): string {
  let state = 1;
  const next = (): string => {
    state = (state * 48271) % 2147483647;
    return String.fromCharCode(33 + (state % 94));
  };
  return Array.from({ length: 4_000_000 }, next).join('');
}

test.run();
