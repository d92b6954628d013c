import { execFileSync } from 'node:child_process';
import { access, chmod, mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import * as assert from 'uvu/assert';
import { pathFromBytes } from '../../src/core/path-bytes.js';
import { bringOver } from '../../src/git/branch.js';
import { openScratch } from '../../src/git/scratch.js';
import { whyNoRawNames } from '../support/folding-disk.js';
import { suite } from '../support/suite.js';
import { gitEnv, openRepo, type Repo, withFolder, withRepo } from '../support/with-repo.js';
import {
  announce,
  build,
  failureOf,
  fingerprint,
  repositoryLocation,
  withScratch,
  withTwoRepos,
} from './scratch-harness.js';

const test = suite('git/scratch');

const text = async (dir: string, path: string): Promise<string> =>
  readFile(join(dir, path), 'utf8');

test('the temporary copy is the commit, not the work tree, and nothing of the repository changes', () =>
  withRepo(async repo => {
    await repo.commit({ 'a.js': 'committed;\n', 'run.sh': '#!/bin/sh\n', 'deep/er/b.txt': 'b\n' });
    await repo.write('a.js', 'dirty;\n');
    await repo.stage('new.js', 'staged;\n');
    const before = await fingerprint(repo.dir);
    await withScratch(repo.dir, async ({ scratch, base }) => {
      assert.is(await text(scratch.dir, 'a.js'), 'committed;\n');
      assert.is(await text(scratch.dir, 'deep/er/b.txt'), 'b\n');
      assert.equal((await readdir(scratch.dir)).sort(), [
        '.git',
        'README.md',
        'a.js',
        'deep',
        'run.sh',
      ]);
      assert.is(scratch.commit, base);
      const copy = openRepo(scratch.dir);
      assert.is(await copy.git('status', '--porcelain'), '');
      assert.is(await copy.git('rev-parse', 'HEAD'), base);
      assert.equal(scratch.remarks, []);
    });
    assert.equal(await fingerprint(repo.dir), before);
  }));

test('the marker file is beside the temporary copy, where no linter sees it', () =>
  withRepo(async repo => {
    await withScratch(repo.dir, async ({ scratch }) => {
      assert.is(dirname(scratch.dir), scratch.folder);
      assert.equal((await readdir(scratch.folder)).sort(), ['apfel-bot-scratch', 'tree']);
    });
  }));

type Kind = readonly [title: string, make: (one: Repo, folder: string) => Promise<string>];

/** Each gives the place to work from; the file `a.txt` is there with `two`. */
const KINDS: readonly Kind[] = [
  ['a bare repository', cloned('--bare')],
  ['a shallow clone', cloned('--depth=1')],
  [
    'a sparse checkout',
    async (one, folder) => {
      const clone = await cloned('--sparse')(one, folder);
      await assert.not.ok(await exists(join(clone, 'sub/c.txt')), 'it is sparse');
      return clone;
    },
  ],
  ['a clone that borrows objects by a relative path', borrowing],
  [
    'a linked worktree',
    async (one, folder) => {
      await one.git('worktree', 'add', '--quiet', '--detach', join(folder, 'linked'));
      return join(folder, 'linked');
    },
  ],
  [
    'a submodule',
    async (one, folder) => {
      await mkdir(join(folder, 'super'));
      const around = openRepo(join(folder, 'super'));
      await around.git('init', '--quiet');
      const add = ['submodule', '--quiet', 'add', one.dir, 'inner'];
      await around.git('-c', 'protocol.file.allow=always', ...add);
      return join(around.dir, 'inner');
    },
  ],
  [
    'a partial clone whose files are here',
    async (one, folder) => {
      await one.git('config', 'uploadpack.allowFilter', 'true');
      return cloned('--filter=blob:none')(one, folder);
    },
  ],
  ['a folder with an odd name', cloned('--no-hardlinks', 'we "ird" \\ \u00e9 #')],
];

function cloned(option: string, name = 'clone'): Kind[1] {
  return async (one, folder) => {
    const clone = join(folder, name);
    await one.git('clone', '--quiet', option, `file://${one.dir}`, clone);
    return clone;
  };
}

async function borrowing(one: Repo, folder: string): Promise<string> {
  const clone = join(folder, 'borrower');
  await one.git('clone', '--quiet', '--shared', one.dir, clone);
  await writeFile(join(clone, '.git/objects/info/alternates'), '../../../one/.git/objects\n');
  return clone;
}

for (const [title, make] of KINDS) {
  test(`${title} can be copied, and commits brought back`, () =>
    withTwoRepos(async (one, folder) => {
      await one.commit({ 'a.txt': 'one\n' });
      await one.commit({ 'a.txt': 'two\n', 'sub/c.txt': 'c\n' });
      const place = await make(one, folder);
      await withScratch(place, async ({ scratch, base, into }) => {
        assert.is(await text(scratch.dir, 'a.txt'), 'two\n');
        assert.is(await text(scratch.dir, 'sub/c.txt'), 'c\n');
        const { tip } = await build({ scratch, base }, { 'a.txt': 'three\n' });
        const copy = openRepo(scratch.dir);
        assert.is(await copy.git('show', `${tip}:a.txt`), 'three');
        assert.match(await copy.git('log', '--format=%s', tip), /^Fix number 1\nchange/);
        const branch = 'apfel-bot/x';
        const request = { from: scratch.context, into, base, tip, branch };
        assert.is((await bringOver(request)).done, 'created');
        assert.is(await openRepo(place).git('rev-parse', branch), tip);
      });
    }));
}

test('a repository with SHA-256 ids can be copied', () =>
  withRepo(
    async repo => {
      await repo.commit({ 'a.txt': 'one\n' });
      await withScratch(repo.dir, async ({ scratch, base }) => {
        const { tip } = await build({ scratch, base }, { 'a.txt': 'two\n' });
        assert.is(tip.length, 64);
        assert.is(await openRepo(scratch.dir).git('show', `${tip}:a.txt`), 'two');
      });
    },
    { init: ['--object-format=sha256'] },
  ));

test('a partial clone without the files gets a clear error and leaves nothing behind', () =>
  withTwoRepos(async (one, folder) => {
    await one.git('config', 'uploadpack.allowFilter', 'true');
    const bare = ['--filter=blob:none', '--no-checkout'];
    await one.git('clone', '--quiet', ...bare, `file://${one.dir}`, join(folder, 'clone'));
    await withFolder(async temp => {
      const place = await repositoryLocation(join(folder, 'clone'));
      const commit = place.repository.head ?? '';
      const { message, code } = await failureOf(openScratch({ ...place, commit, temp, announce }));
      assert.match(message, /partial clone/);
      assert.is(code, 'git');
      assert.equal(await readdir(temp), []);
    });
  }));

test('no hook, filter or monitor of the user runs, and a filtered file arrives as it is stored', () =>
  withRepo(async repo => {
    const canary = join(repo.dir, '.git', 'canary');
    await writeFile(canary, `#!/bin/sh\ntouch "${repo.dir}/.git/sung"\ncat\n`);
    await chmod(canary, 0o755);
    await repo.commit({ 'a.bin': 'pointer\n', '.gitattributes': '*.bin filter=evil\n' });
    const settings = [
      'core.fsmonitor',
      'filter.evil.smudge',
      'filter.evil.clean',
      'filter.evil.process',
    ];
    const global = settings.map(key => {
      const [section = '', ...rest] = key.split('.');
      const [name = '', sub] = rest.reverse();
      return `[${section}${sub === undefined ? '' : ` "${sub}"`}]\n${name} = ${canary}\n`;
    });
    await writeFile(join(repo.dir, '.gitconfig'), global.join(''));
    for (const key of settings) await repo.git('config', key, canary);
    for (const hook of ['post-index-change', 'reference-transaction', 'post-checkout']) {
      await writeFile(join(repo.dir, '.git/hooks', hook), `#!/bin/sh\n"${canary}"\n`, {
        mode: 0o755,
      });
    }
    const { GIT_CONFIG_GLOBAL, ...env } = gitEnv(repo.dir);
    const place = await repositoryLocation(repo.dir, { env });
    await withFolder(async temp => {
      const commit = place.repository.head ?? '';
      const scratch = await openScratch({ ...place, commit, temp, announce });
      assert.is(await text(scratch.dir, 'a.bin'), 'pointer\n');
      await build({ scratch, base: commit }, { 'README.md': 'edited\n' });
      await scratch.reset('README.md');
      await scratch.remove();
    });
    assert.not.ok(await exists(join(repo.dir, '.git/sung')), 'the canary sang');
  }));

test('only tracked regular files are read, written and reset', () =>
  withRepo(async repo => {
    execFileSync('ln', ['-s', 'README.md', join(repo.dir, 'link')]);
    await repo.git('add', 'link');
    await repo.commit({ 'a.js': 'one;\n', 'deep/b.js': 'b;\n' });
    await withScratch(repo.dir, async ({ scratch }) => {
      await scratch.writeFile('a.js', Buffer.from('two;\n'));
      assert.is(String(await scratch.readFile('a.js')), 'two;\n');
      await scratch.reset('a.js');
      assert.is(String(await scratch.readFile('a.js')), 'one;\n');
      for (const path of ['link', 'new.js', '../x', '.git/config', '/etc/passwd', 'deep', '']) {
        const { code } = await failureOf(scratch.writeFile(path, Buffer.from('x')));
        assert.is(code, 'not-permitted', path);
        assert.is((await failureOf(scratch.readFile(path))).code, 'not-permitted', path);
        assert.is((await failureOf(scratch.reset(path))).code, 'not-permitted', path);
      }
    });
  }));

test('nothing is written through a link that took the place of a folder or file', () =>
  withRepo(async repo => {
    await repo.commit({ 'a.js': 'one;\n', 'deep/b.js': 'b;\n' });
    await withScratch(repo.dir, async ({ scratch }) => {
      await withFolder(async outside => {
        const swap = 'rm -r deep a.js && ln -s "$0" deep && ln -s "$0/a.js" a.js';
        execFileSync('sh', ['-c', swap, outside], { cwd: scratch.dir });
        await failureOf(scratch.writeFile('deep/b.js', Buffer.from('x')));
        await failureOf(scratch.writeFile('a.js', Buffer.from('x')));
        assert.is(await scratch.readFile('deep/b.js'), undefined);
        assert.equal(await readdir(outside), []);
        await scratch.reset('a.js');
        assert.is(String(await scratch.readFile('a.js')), 'one;\n');
      });
    });
  }));

test.unless(whyNoRawNames(), 'a name that is not UTF-8 is read and written by its bytes', () =>
  withRepo(async repo => {
    const name = Buffer.from([0x61, 0xff, 0x2e, 0x6a, 0x73]);
    await writeFile(Buffer.concat([Buffer.from(`${repo.dir}/`), name]), 'one;\n');
    await repo.git('add', '.');
    await repo.commit({});
    await withScratch(repo.dir, async ({ scratch }) => {
      const path = pathFromBytes(name);
      await scratch.writeFile(path, Buffer.from('two;\n'));
      assert.is(String(await scratch.readFile(path)), 'two;\n');
    });
  }),
);

test('a name that the disk can’t hold is reported, and the rest is copied', () =>
  withRepo(async repo => {
    const id = await repo.git('rev-parse', 'HEAD:README.md');
    await repo.git('update-index', '--add', '--cacheinfo', `100644,${id},${'x'.repeat(300)}`);
    await repo.git('commit', '--quiet', '--message', 'long');
    await withScratch(repo.dir, async ({ scratch }) => {
      assert.is(scratch.remarks.length, 1);
      assert.match(
        scratch.remarks[0] ?? '',
        /^x+ was left alone: this disk takes no file of that name$/,
      );
      assert.is(await text(scratch.dir, 'README.md'), '# fixture\n');
    });
  }));

const exists = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  );

test.run();
