import { execFileSync } from 'node:child_process';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { bringOver } from '../../src/git/branch.js';
import { checkBundle, readBundleHeader, writeBundle } from '../../src/git/bundle.js';
import { writeContext } from '../../src/git/commit-plan.js';
import { suite } from '../support/suite.js';
import {
  openRepo,
  type Repo,
  type RepoOptions,
  withFolder,
  withRepo,
} from '../support/with-repo.js';
import { announce, build, failureOf, repositoryLocation, withScratch } from './scratch-harness.js';

const test = suite('git/commit-bundle');
const BRANCH = 'apfel-bot/fix-lint-1';

const check = async (repo: Repo, path: string, base: string) => {
  const place = await repositoryLocation(repo.dir);
  const temp = join(repo.dir, 'temp');
  await mkdir(temp, { recursive: true });
  const allow = (name: string): boolean => !name.startsWith('.');
  try {
    return await checkBundle({ ...place, path, base, allow, temp, announce });
  } catch (thrown) {
    assert.equal(await readdir(temp), [], 'a refused bundle leaves nothing behind');
    throw thrown;
  }
};

const FORMATS: ReadonlyArray<readonly [format: string, options: RepoOptions]> = [
  ['SHA-1', {}],
  ['SHA-256', { init: ['--object-format=sha256'] }],
];

for (const [format, options] of FORMATS) {
  test(`a bundle with ${format} ids is written, checked and brought over`, () =>
    withRepo(async repo => {
      await repo.commit({ 'a.js': 'a;\n', 'b.js': 'b;\n' });
      const path = join(repo.dir, 'out.bundle');
      await withScratch(repo.dir, async ({ scratch, base }) => {
        const { tip } = await build({ scratch, base }, { 'a.js': 'A;\n' }, { 'b.js': 'B;\n' });
        await writeBundle({ from: scratch.context, base, tip, branch: BRANCH, path });
        const before = await repo.git('count-objects');
        const checked = await check(repo, path, base);
        assert.equal([checked.branch, checked.tip, checked.base], [BRANCH, tip, base]);
        assert.equal(
          checked.commits.map(({ paths }) => paths),
          [['a.js'], ['b.js']],
        );
        assert.is(await repo.git('count-objects'), before, 'nothing reached the repository');
        const into = writeContext(await repositoryLocation(repo.dir));
        const { branch, context } = checked;
        await bringOver({ from: context, into, base, tip, branch });
        await checked.remove();
        assert.is(await repo.git('rev-parse', BRANCH), tip);
        assert.is(await repo.git('fsck', '--no-dangling'), '');
      });
    }, options));
}

/** Makes a bundle as an enemy would: by hand, in a clone. */
async function githubApi(
  repo: Repo,
  change: (clone: Repo) => Promise<unknown>,
  refs: readonly string[] = [`refs/heads/${BRANCH}`, '^main'],
): Promise<{ path: string; base: string }> {
  const clone = openRepo(join(repo.dir, 'clone'));
  await repo.git('clone', '--quiet', repo.dir, clone.dir);
  await clone.git('checkout', '--quiet', '-b', BRANCH);
  await change(clone);
  const path = join(repo.dir, 'forged.bundle');
  await clone.git('bundle', 'create', '--quiet', path, ...refs);
  return { path, base: await repo.git('rev-parse', 'main') };
}

const FORGERIES: ReadonlyArray<
  readonly [title: string, change: (clone: Repo) => Promise<unknown>, reason: RegExp]
> = [
  ['adds a file', clone => clone.commit({ 'new.js': 'x' }), /"new\.js" is new/],
  ['edits what is protected', clone => clone.commit({ '.ci.yml': 'evil' }), /"\.ci\.yml" may not/],
  [
    'adds a file and takes it back',
    async clone => {
      await clone.commit({ 'a.js': 'A;\n' });
      await clone.commit({ 'new.js': 'x' });
      await clone.git('rm', '--quiet', 'new.js');
      await clone.commit({});
    },
    /"new\.js" is new/,
  ],
  [
    'deletes a file',
    async clone => {
      await clone.git('rm', '--quiet', 'a.js');
      await clone.commit({});
    },
    /"a\.js" is deleted/,
  ],
  [
    'makes a file executable',
    async clone => {
      await clone.git('update-index', '--chmod=+x', 'a.js');
      await clone.commit({});
    },
    /"a\.js" goes from mode 100644 to 100755/,
  ],
  [
    'puts a link in place of a file',
    async clone => {
      execFileSync('ln', ['-sf', '/etc/passwd', join(clone.dir, 'a.js')]);
      await clone.git('add', 'a.js');
      await clone.git('commit', '--quiet', '--message', 'link');
    },
    /"a\.js" is not a regular file/,
  ],
  [
    'merges something else',
    async clone => {
      await clone.commit({ 'a.js': 'A;\n' });
      await clone.git('checkout', '--quiet', '--orphan', 'else');
      await clone.commit({ 'else.js': 'x' });
      await clone.git('checkout', '--quiet', BRANCH);
      const how = ['--quiet', '--allow-unrelated-histories', '--strategy=ours', '--no-edit'];
      await clone.git('merge', ...how, 'else');
    },
    /does not follow/,
  ],
];

for (const [title, change, reason] of FORGERIES) {
  test(`a bundle that ${title} is refused`, () =>
    withRepo(async repo => {
      await repo.commit({ 'a.js': 'a;\n', '.ci.yml': 'ci\n' });
      const { path, base } = await githubApi(repo, change);
      const { message, code } = await failureOf(check(repo, path, base));
      assert.match(message, reason);
      assert.is(code, 'not-permitted');
    }));
}

const edit = (clone: Repo): Promise<string> => clone.commit({ 'a.js': 'A;\n' });

const SHAPES: ReadonlyArray<readonly [title: string, refs: readonly string[], reason: RegExp]> = [
  ['two refs', [`refs/heads/${BRANCH}`, 'refs/heads/main'], /2 refs/],
  ['a tag', ['refs/tags/v1', '^main'], /"refs\/tags\/v1" isn't a plain branch name/],
  ['HEAD', ['HEAD', '^main'], /"HEAD" isn't a plain branch name/],
  ['another beginning', [`refs/heads/${BRANCH}`, '^main~1'], /does not start at the base/],
];

for (const [title, refs, reason] of SHAPES) {
  test(`a bundle with ${title} is refused`, () =>
    withRepo(async repo => {
      await repo.commit({ 'a.js': 'a;\n' });
      const change = (clone: Repo) => edit(clone).then(() => clone.git('tag', 'v1'));
      const { path, base } = await githubApi(repo, change, refs);
      assert.match((await failureOf(check(repo, path, base))).message, reason);
    }));
}

test('in a bundle with the whole history, only commits after the base are checked', () =>
  withRepo(async repo => {
    await repo.commit({ 'a.js': 'a;\n' });
    const { path, base } = await githubApi(repo, edit, [`refs/heads/${BRANCH}`]);
    const checked = await check(repo, path, base);
    assert.equal(
      checked.commits.map(({ paths }) => paths),
      [['a.js']],
    );
    await checked.remove();
  }));

test('the header of a bundle names one branch and full ids, on at most twenty lines', () => {
  const [sha1, sha256] = ['1'.repeat(40), '2'.repeat(64)];
  const read = (lines: readonly string[], idLength = 40, version = 2): string => {
    const text = `# v${version} git bundle\n${lines.join('\n')}\n\n`;
    try {
      const header = readBundleHeader(Buffer.from(`${text}PACK\n\n`), idLength);
      const { branch, tip, prerequisites, packAt } = header;
      assert.equal([tip.length, packAt], [idLength, text.length]);
      return `${branch} after ${prerequisites.length}`;
    } catch (thrown) {
      return thrown instanceof Error ? thrown.message.replace('the bundle is refused: ', '') : '';
    }
  };
  const ref = `${sha1} refs/heads/a`;
  const many = (count: number): string[] => Array.from({ length: count }, () => `-${sha1} subject`);
  assert.is(read([ref]), 'a after 0');
  assert.is(read([`-${sha1}`, ref]), 'a after 1');
  assert.is(read([ref], 40, 3), 'a after 0');
  assert.is(read([ref], 40, 4), 'it is not a git bundle');
  assert.is(read(['@object-format=sha1', ref]), 'a after 0');
  assert.is(read(['@object-format=sha256', `${sha256} refs/heads/a`], 64), 'a after 0');
  assert.is(read([...many(19), ref]), 'a after 19');
  assert.is(read([...many(20), ref]), 'it is not a git bundle');
  assert.is(read(many(1)), 'it holds 0 refs, not one');
  assert.is(read(['@object-format=sha256', ref]), 'it asks for "@object-format=sha256"');
  for (const line of [
    sha1.slice(1),
    `${sha1}1 refs/heads/a`,
    `${sha1.replace('1', 'A')} refs/heads/a`,
  ]) {
    assert.match(read([line]), /isn't an object id$/);
    assert.match(read([`-${line}`, ref]), /isn't an object id$/);
  }
  assert.match(read([sha1]), /^"" isn't a plain branch name$/);
});

test('a file that isn’t a bundle, or a broken bundle, is refused', () =>
  withRepo(async repo => {
    await repo.commit({ 'a.js': 'a;\n' });
    const { path, base } = await githubApi(repo, edit);
    const whole = await readFile(path);
    const packAt = whole.indexOf('\n\n') + 2;
    const head = whole.toString('latin1', 0, packAt);
    const pack = whole.subarray(packAt);
    const flipped = Buffer.from(whole);
    flipped[whole.length - 30] = (flipped[whole.length - 30] ?? 0) ^ 0xff;
    const crowd = Buffer.from(pack);
    crowd.writeUInt32BE(0xffffffff, 8);
    const forged = (text: string, rest: Uint8Array = pack): Buffer =>
      Buffer.concat([Buffer.from(text, 'latin1'), rest]);
    const broken: Buffer[] = [
      Buffer.alloc(0),
      Buffer.from('hello\n\n'),
      Buffer.alloc(1_000_000, '#'),
      whole.subarray(0, packAt),
      whole.subarray(0, whole.length - 40),
      flipped,
      forged(head, crowd),
      forged(head.replace(BRANCH, '../../evil')),
      forged(head.replace(BRANCH, 'x --upload-pack=evil')),
      forged(head.replace('# v2', '@filter=blob:none\n# v2')),
      forged(head.replace('# v2 git bundle\n', '# v3 git bundle\n@filter=blob:none\n')),
      forged(head.replace(/\n[0-9a-f]{40} refs/, `\n${'1'.repeat(40)} refs`)),
      forged(head.replace(/\n[0-9a-f]{40} refs/, `\n${base} refs`)),
      forged(head.replace(/\n[0-9a-f]{40} refs/, `\n${'z'.repeat(40)} refs`)),
    ];
    for (const [at, bytes] of broken.entries()) {
      await writeFile(path, bytes);
      const { code } = await failureOf(check(repo, path, base));
      assert.is(code, 'not-permitted', `case ${at}`);
    }
    await writeFile(path, whole);
    await (await check(repo, path, base)).remove();
  }));

test('a bundle with more than a thousand commits or too many objects is refused', () =>
  withRepo(async repo => {
    await repo.commit({ 'a.js': 'a;\n' });
    const many = async (clone: Repo): Promise<void> => {
      const own = 'committer A <a@b.c> 1 +0000\ndata 1\nx\n';
      const first = `commit refs/heads/${BRANCH}\n${own}from refs/heads/${BRANCH}^0\n`;
      const next = `commit refs/heads/${BRANCH}\n${own}`;
      const input = `${first}\n${`${next}\n`.repeat(1000)}`;
      execFileSync('git', ['fast-import', '--quiet'], { cwd: clone.dir, input });
    };
    const { path, base } = await githubApi(repo, many);
    const { message } = await failureOf(check(repo, path, base));
    assert.match(message, 'it holds more than 1000 commits');
    const crowd = await readFile(path);
    const packAt = crowd.indexOf('\n\n') + 2;
    crowd.writeUInt32BE(50_001, packAt + 8);
    await writeFile(path, crowd.subarray(0, packAt + 12));
    assert.match((await failureOf(check(repo, path, base))).message, 'it holds 50001 objects');
  }));

test('a folder, a pipe, a missing file or an unknown base gets a clear error', () =>
  withRepo(repo =>
    withFolder(async folder => {
      const base = await repo.git('rev-parse', 'HEAD');
      assert.is((await failureOf(check(repo, join(folder, 'none'), base))).code, 'usage');
      assert.is((await failureOf(check(repo, '/dev/null', base))).code, 'not-permitted');
      await failureOf(check(repo, folder, base));
      execFileSync('mkfifo', [join(folder, 'pipe')]);
      await failureOf(check(repo, join(folder, 'pipe'), base));
      const { path } = await githubApi(repo, clone => clone.commit({ 'README.md': 'x' }));
      const text = (await readFile(path)).toString('latin1').replaceAll(base, '1'.repeat(40));
      await writeFile(path, text, 'latin1');
      const { message, hint } = await failureOf(check(repo, path, '1'.repeat(40)));
      assert.match(message, /not in this repository/);
      assert.match(hint ?? '', /fetch-depth/);
    }),
  ));

test('the error for a bundle that can’t be written names the path', () =>
  withRepo(repo =>
    withScratch(repo.dir, async ({ scratch, base }) => {
      const { tip } = await build({ scratch, base }, { 'README.md': 'x\n' });
      const path = '/nowhere/at/all.bundle';
      const request = { from: scratch.context, base, tip, branch: BRANCH, path };
      assert.match((await failureOf(writeBundle(request))).message, /nowhere\/at\/all\.bundle/);
    }),
  ));

test.run();
