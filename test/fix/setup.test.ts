import { existsSync } from 'node:fs';
import { mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { startStandIn } from '../../fixtures/apfel/stand-in.js';
import { suite } from '../support/suite.js';
import { type Repo, withFolder, withRepo } from '../support/with-repo.js';
import { fixJson, scriptedFixer } from './lint-project.js';
import { wordsProject } from './words-project.js';

const test = suite('fix/setup');

const PROJECT = wordsProject();

/** What a file is on the branch, as it is stored. */
const stored = (repo: Repo, branch: string | undefined, path: string): Promise<string> =>
  repo.git('cat-file', 'blob', `${branch}:${path}`);

test('fix-lint runs no hook of the repository', () =>
  withRepo(async repo => {
    await repo.commit({ ...PROJECT, 'a.txt': 'alpha\n' });
    const hooks = ['pre-commit', 'commit-msg', 'post-commit', 'reference-transaction', 'pre-push'];
    for (const name of hooks) {
      const path = join(repo.dir, '.git/hooks', name);
      await writeFile(path, '#!/bin/sh\ntouch "$GIT_DIR/ran" sung\nexit 1\n', { mode: 0o755 });
    }
    const { outcome, code, stderr } = await fixJson(repo, ['--no-model']);
    assert.is(code, 0, stderr);
    assert.is(await stored(repo, outcome.branch?.name, 'a.txt'), 'Alpha');
    assert.is(await repo.git('status', '--porcelain', '--ignored'), '');
  }));

test('a linter may report paths through a linked temporary folder', () =>
  withRepo(repo =>
    withFolder(async folder => {
      const temp = join(folder, 'linked');
      await mkdir(join(folder, 'real'));
      await symlink('real', temp);
      // Reports what the shell calls the folder, but through the link.
      const script = `awk -v dir="${temp}\${PWD#${join(folder, 'real')}}" '/beta/ {
        print dir "/" FILENAME ":" FNR ":1: error: beta [beta]"
      }' "$@"\n`;
      const command = ['sh', 'linked.lint', '{files}'];
      const lint = [{ name: 'linked', command, format: 'gcc', files: ['**/*.txt'] }];
      const config = JSON.stringify({ lint });
      await repo.commit({ 'linked.lint': script, '.apfel-bot.json': config, 'a.txt': 'beta\n' });
      const { outcome, stderr } = await fixJson(repo, ['--no-model'], { TMPDIR: temp });
      assert.equal(
        outcome.findings.map(({ path, line }) => `${path}:${line}`),
        ['a.txt:1'],
        stderr,
      );
    }),
  ));

test('fixed lines keep the line endings of .gitattributes, and no other line changes', () =>
  withRepo(async repo => {
    const attributes = 'crlf.txt text eol=crlf\nraw.txt -text\nauto.txt text=auto\n';
    const files = { 'crlf.txt': 'one\r\nalpha\r\n', 'raw.txt': 'one\r\nalpha\r\n' };
    const auto = { 'auto.txt': '\ufeffone\nalpha' };
    await repo.commit({ ...PROJECT, '.gitattributes': attributes, ...files, ...auto });
    const { outcome, code, stderr } = await fixJson(repo, ['--no-model']);
    assert.is(code, 0, stderr);
    const branch = outcome.branch?.name;
    assert.is(await stored(repo, branch, 'crlf.txt'), 'one\nAlpha');
    assert.is(await stored(repo, branch, 'raw.txt'), 'one\r\nAlpha');
    assert.is(await stored(repo, branch, 'auto.txt'), '\ufeffone\nAlpha');
    const changed = await repo.git('diff', '--numstat', 'HEAD', branch ?? '');
    assert.equal(
      changed.split('\n').map(row => row.split('\t').slice(0, 2).join()),
      ['1,1', '1,1', '1,1'],
    );
  }));

test('an edit of the model changes no other byte, and files in other encodings are left alone', () =>
  withRepo(async repo => {
    const odd = '\ufeff\tone \r\n\tbeta\u00a0\u{1f600}\r\n\r\n\t last  ';
    const latin = Buffer.from('gamma caf\u00e9\n', 'latin1');
    await repo.commit({
      ...PROJECT,
      'odd.txt': odd,
      'latin.txt': latin,
      '.gitattributes': '* -text\n',
    });
    const fix = { to: 'beta', path: 'odd.txt', oldText: 'beta', newText: 'BETA' };
    const server = await startStandIn({ policy: scriptedFixer([fix]) });
    const { outcome } = await fixJson(repo, ['--base-url', server.baseUrl]);
    await server.close();
    await repo.git('checkout', '--quiet', outcome.branch?.name ?? '');
    const bytes = await readFile(join(repo.dir, 'odd.txt'));
    assert.equal(bytes, Buffer.from(odd.replace('beta', 'BETA')));
    assert.equal(await readFile(join(repo.dir, 'latin.txt')), latin);
    assert.is(
      outcome.notices[0],
      "latin.txt was left alone: it isn't UTF-8 text, so an edit would damage it",
    );
  }));

test('--single-commit makes one commit that lists everything, with the trailer of the run', () =>
  withRepo(async repo => {
    await repo.commit({ ...PROJECT, 'a.txt': 'alpha\nbeta\n' });
    const fix = { to: 'beta', path: 'a.txt', oldText: 'beta', newText: 'BETA' };
    const server = await startStandIn({ policy: scriptedFixer([fix]) });
    const { outcome } = await fixJson(repo, ['--single-commit', '--base-url', server.baseUrl]);
    await server.close();
    const messages = await repo.git('log', '--format=%B', `main..${outcome.branch?.name}`);
    assert.is(
      messages,
      `Fix words alpha and beta (2 places), worth a look

1 by the linter's own fix:
- a.txt:1 words alpha: alpha

1 by the model:
- a.txt:2 words beta: beta

Apfel-Bot-Run: ${outcome.run}`,
    );
  }));

test('a file with a filter is left alone with a reason, and the filter does not run', () =>
  withRepo(async repo => {
    await repo.commit({ ...PROJECT, 'big.txt': 'alpha pointer\n', 'a.txt': 'alpha\n' });
    await repo.commit({ '.gitattributes': 'big.txt filter=lfs diff=lfs merge=lfs -text\n' });
    for (const way of ['clean', 'smudge', 'process']) {
      await repo.git('config', `filter.lfs.${way}`, `touch ${repo.dir}/.git/sung; false`);
    }
    await repo.git('config', 'filter.lfs.required', 'true');
    const { outcome, code } = await fixJson(repo, ['--no-model']);
    assert.is(code, 1);
    assert.ok(outcome.notices.some(line => /^big\.txt was left alone: .*filter/.test(line)));
    const branch = outcome.branch?.name;
    assert.is(await stored(repo, branch, 'big.txt'), 'alpha pointer');
    assert.is(await stored(repo, branch, 'a.txt'), 'Alpha');
    assert.not.ok(existsSync(join(repo.dir, '.git/sung')), 'the filter ran');
  }));

test('submodules and symbolic links stay as they are', () =>
  withRepo(async repo => {
    await repo.commit({ ...PROJECT, 'a.txt': 'alpha\n' });
    const head = await repo.git('rev-parse', 'HEAD');
    await repo.git('update-index', '--add', '--cacheinfo', `160000,${head},module`);
    const link = await repo.git('hash-object', '-w', 'a.txt');
    await repo.git('update-index', '--add', '--cacheinfo', `120000,${link},link.txt`);
    const modules = '[submodule "module"]\n\tpath = module\n\turl = ./module\n';
    await repo.commit({ '.gitmodules': modules });
    const { outcome, code, stderr } = await fixJson(repo, ['--no-model']);
    assert.is(code, 0, stderr);
    const branch = outcome.branch?.name ?? '';
    assert.is(await repo.git('diff', '--name-only', 'HEAD', branch), 'a.txt');
    assert.match(await repo.git('ls-tree', branch, 'module'), /^160000 commit/);
  }));

test.run();
