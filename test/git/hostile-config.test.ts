import { execFileSync } from 'node:child_process';
import { access, chmod, mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { apfelBotProcess, reviewJson } from '../support/cli.js';
import { suite } from '../support/suite.js';
import { type Repo, withRepo } from '../support/with-repo.js';

const test = suite('git/hostile-config');

/** A program that leaves a trace when anybody runs it. */
async function plantCanary(repo: Repo): Promise<{ program: string; hasSung(): Promise<boolean> }> {
  const program = join(repo.dir, '.git', 'canary');
  const trace = join(repo.dir, '.git', 'sung');
  await writeFile(program, `#!/bin/sh\ntouch "${trace}"\ncat\n`);
  await chmod(program, 0o755);
  return {
    program,
    hasSung: () =>
      access(trace).then(
        () => true,
        () => false,
      ),
  };
}

const SETTINGS = [
  'core.fsmonitor',
  'core.pager',
  'pager.diff',
  'diff.external',
  'diff.evil.command',
  'diff.evil.textconv',
  'filter.evil.clean',
  'filter.evil.smudge',
  'filter.evil.process',
  'core.sshCommand',
  'credential.helper',
  'gpg.program',
  'core.editor',
  'interactive.diffFilter',
];

test('no configured program runs, whatever is reviewed', () =>
  withRepo(async repo => {
    const { program, hasSung } = await plantCanary(repo);
    await repo.commit({ '.gitattributes': '*.js diff=evil\n', 'a.js': 'one;\n' });
    await repo.stage('a.js', 'one;\ndebugger;\n');
    for (const setting of SETTINGS) await repo.git('config', setting, program);
    for (const hook of ['post-index-change', 'reference-transaction', 'post-checkout']) {
      await writeFile(join(repo.dir, '.git', 'hooks', hook), `#!/bin/sh\n"${program}"\n`, {
        mode: 0o755,
      });
    }
    for (const args of [['--staged'], ['--commit', 'HEAD'], ['--range', 'HEAD~1..HEAD'], []]) {
      await reviewJson([...args, '--no-model'], { cwd: repo.dir });
      assert.not.ok(await hasSung(), `${args.join(' ')} ran a configured program`);
    }
  }));

const CHANGERS: ReadonlyArray<readonly [key: string, value: string]> = [
  ['diff.noprefix', 'true'],
  ['diff.mnemonicPrefix', 'true'],
  ['diff.srcPrefix', 'x/'],
  ['diff.context', '0'],
  ['diff.interHunkContext', '9'],
  ['diff.algorithm', 'patience'],
  ['diff.renames', 'false'],
  ['diff.renameLimit', '1'],
  ['diff.relative', 'true'],
  ['diff.submodule', 'log'],
  ['diff.ignoreSubmodules', 'all'],
  ['diff.orderFile', '/dev/null'],
  ['diff.colorMoved', 'zebra'],
  ['diff.wsErrorHighlight', 'all'],
  ['diff.suppressBlankEmpty', 'true'],
  ['diff.indentHeuristic', 'false'],
  ['color.ui', 'always'],
  ['color.diff', 'always'],
  ['core.quotePath', 'false'],
  ['core.abbrev', '4'],
  ['core.bigFileThreshold', '1'],
  ['core.whitespace', '-trailing-space'],
  ['core.precomposeUnicode', 'true'],
  ['i18n.logOutputEncoding', 'latin1'],
  ['status.relativePaths', 'true'],
];

test('the outcome is the same whatever the user has configured', () =>
  withRepo(async repo => {
    await repo.commit({ 'sub/old name.js': 'a;\nb;\n\nc;\nd;\ne;\nf;\n', 'ä.txt': 'x\n' });
    await repo.git('mv', 'sub/old name.js', 'sub/new name.js');
    await repo.stage('sub/new name.js', 'a;\nb;\n\nc;\ndebugger;\ne;\nf;\n');
    await repo.stage('ä.txt', 'x \n');
    const seen = async (): Promise<unknown> => {
      const { outcome } = await reviewJson(['--staged', '--no-model'], { cwd: repo.dir });
      const { change, findings, ledger } = outcome;
      return { change, findings, ledger };
    };
    const plain = await seen();
    for (const [key, value] of CHANGERS) {
      await repo.git('config', key, value);
      assert.equal(await seen(), plain, `${key}=${value} changed the outcome`);
    }
  }));

for (const [title, attributes, isStaged] of [
  ['an attribute in the change', '*.js -diff\n', true],
  ['a binary attribute', '*.js binary\n', true],
  ['an untracked .gitattributes', '*.js -diff\n', false],
] as const) {
  test(`${title} does not hide text from the review`, () =>
    withRepo(async repo => {
      await repo.commit({ 'a.js': 'one;\n' });
      if (isStaged) await repo.stage('.gitattributes', attributes);
      else await repo.write('.gitattributes', attributes);
      await repo.stage('a.js', 'one;\ndebugger;\n');
      const { outcome } = await reviewJson(['--staged', '--no-model'], { cwd: repo.dir });
      assert.equal(
        outcome.findings.map(({ path, line }) => `${path}:${line}`),
        ['a.js:2'],
      );
    }));
}

test('an attribute does not hide a line that only the merge commit itself adds', () =>
  withRepo(async repo => {
    await repo.commit({ '.gitattributes': '*.js -diff\n', 'a.js': 'one;\n' });
    await repo.git('checkout', '--quiet', '-b', 'side');
    await repo.commit({ side: 'side\n' });
    await repo.git('checkout', '--quiet', 'main');
    await repo.commit({ main: 'main\n' });
    await repo.git('merge', '--quiet', '--no-commit', 'side');
    await repo.commit({ 'a.js': 'one;\ndebugger;\n' });
    const { outcome } = await reviewJson(['--commit', 'HEAD', '--no-model'], { cwd: repo.dir });
    assert.equal(
      outcome.findings.map(({ path, line }) => `${path}:${line}`),
      ['a.js:2'],
    );
  }));

/**
 * Puts a git first on the PATH that composes its arguments, as one on a Mac does; unless it is told
 * not to, or always.
 */
async function composingGit(repo: Repo, when: 'unless-told' | 'always'): Promise<string> {
  const folder = join(repo.dir, '.git', 'mac');
  const program = [
    `#!${process.execPath}`,
    `const { spawnSync } = require('node:child_process');`,
    `const args = process.argv.slice(2);`,
    `const isTold = args.some(arg => arg.toLowerCase() === 'core.precomposeunicode=false');`,
    `const composes = ${when === 'always'} || !isTold;`,
    `const given = composes ? args.map(arg => arg.normalize('NFC')) : args;`,
    `const env = { ...process.env, PATH: process.env.PATH.split(':').slice(1).join(':') };`,
    `process.exit(spawnSync('git', given, { stdio: 'inherit', env }).status ?? 1);`,
    '',
  ];
  await mkdir(folder);
  await writeFile(join(folder, 'git'), program.join('\n'), { mode: 0o755 });
  return `${folder}:${process.env['PATH']}`;
}

/** A file with a decomposed name, hidden by an attribute. Works on disks that compose names too. */
async function stageDecomposed(repo: Repo): Promise<string> {
  const path = 'café.js'.normalize('NFD');
  await repo.write('content', 'one;\ndebugger;\n');
  const id = await repo.git('hash-object', '-w', 'content');
  await repo.git(
    '-c',
    'core.precomposeunicode=false',
    'update-index',
    '--add',
    '--cacheinfo',
    `100644,${id},${path}`,
  );
  await repo.stage('.gitattributes', '*.js -diff\n');
  return path;
}

test('a hidden file with a decomposed name is shown by a git that composes names', () =>
  withRepo(async repo => {
    const path = await stageDecomposed(repo);
    const env = { PATH: await composingGit(repo, 'unless-told') };
    const { outcome } = await reviewJson(['--staged', '--no-model'], { cwd: repo.dir, env });
    assert.equal(
      outcome.findings.map(each => `${each.path}:${each.line}`),
      [`${path}:2`],
    );
    assert.equal(outcome.complete, true);
  }));

test('a hidden file that git does not show when asked again counts as failed', () =>
  withRepo(async repo => {
    const path = await stageDecomposed(repo);
    const env = { PATH: await composingGit(repo, 'always') };
    const { outcome } = await reviewJson(['--staged', '--no-model'], { cwd: repo.dir, env });
    const reason = `git did not show the text of ${JSON.stringify(path)}`;
    assert.equal(outcome.ledger.items, [{ path, hunk: 1, state: 'failed', reason }]);
    assert.equal(outcome.complete, false);
  }));

test('a device in place of a file of the git directory is an error, and lets a commit through', () =>
  withRepo(async repo => {
    await repo.commit({ 'a.js': 'one;\n' });
    await repo.stage('a.js', 'two;\n');
    await symlink('/dev/zero', join(repo.dir, '.git/MERGE_HEAD'));
    const cwd = repo.dir;
    const review = await apfelBotProcess(['review', '--no-model'], { cwd });
    assert.is(review.code, 3, review.stderr);
    assert.match(review.stderr, /MERGE_HEAD: it is a device or socket, not a file/);
    assert.is((await apfelBotProcess(['hook', 'pre-commit', '--no-model'], { cwd })).code, 0);
  }));

for (const name of [
  '.git/shallow',
  '.git/info/attributes',
  '.git/info/exclude',
  '.gitattributes',
]) {
  test(`a pipe in place of ${name}, which git would wait for, is an error`, () =>
    withRepo(async repo => {
      await repo.commit({ 'a.js': 'one;\n' });
      const cwd = repo.dir;
      execFileSync('rm', ['-f', join(cwd, name)]);
      execFileSync('mkfifo', [join(cwd, name)]);
      const review = await apfelBotProcess(['review', '--no-model'], { cwd });
      assert.is(review.code, 3, review.stderr);
      assert.match(review.stderr, `${name}: it isn't a file`);
      assert.is((await apfelBotProcess(['hook', 'pre-commit', '--no-model'], { cwd })).code, 0);
    }));
}

test('no command waits for a pipe in place of our own records', () =>
  withRepo(async repo => {
    await repo.commit({ 'a.js': 'one;\n' });
    const folder = join(repo.dir, '.git/apfel-bot');
    await mkdir(folder);
    for (const name of ['own-notes', 'hook-folders.json'])
      execFileSync('mkfifo', [join(folder, name)]);
    for (const args of [['hook', 'post-commit'], ['hook', 'pre-push'], ['uninstall'], ['show']]) {
      const { code, stderr } = await apfelBotProcess(args, { cwd: repo.dir });
      assert.ok(code === 0 || code === 3, `${args.join(' ')}: ${code} ${stderr}`);
    }
  }));

test('a review in a partial clone fetches nothing: a missing object is a failure', () =>
  withRepo(async repo => {
    await repo.commit({ 'a.js': 'one;\n' });
    await repo.commit({ 'a.js': 'two;\n' });
    await repo.git('config', 'uploadpack.allowFilter', 'true');
    await repo.git(
      'clone',
      '--quiet',
      '--no-checkout',
      '--filter=blob:none',
      `file://${repo.dir}`,
      'partial',
    );
    const run = reviewJson(['--commit', 'HEAD'], { cwd: join(repo.dir, 'partial') });
    const message = await run.then(
      () => 'it went through',
      error => String(error),
    );
    assert.match(message, /exit 3/);
  }));

test.run();
