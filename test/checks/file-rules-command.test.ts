import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { reviewJson } from '../support/cli.js';
import { suite } from '../support/suite.js';
import { type Repo, withRepo } from '../support/with-repo.js';

const test = suite('checks/file-rules-command');

async function findings(repo: Repo): Promise<string[]> {
  const { outcome } = await reviewJson(['--staged', '--no-model'], { cwd: repo.dir });
  return outcome.findings.map(
    ({ path, line, rule, severity }) => `${path}:${line} ${rule} ${severity}`,
  );
}

test('links that lead nowhere, out of the repository or to one machine are warnings', () =>
  withRepo(async repo => {
    await repo.commit({ 'src/a.ts': 'a\n' });
    for (const [name, target] of [
      ['good', 'src/a.ts'],
      // Its text is a path, whatever its name says.
      ['tsconfig.json', 'src/a.ts'],
      ['folder', 'src'],
      ['gone', 'src/gone.ts'],
      ['out', '../elsewhere'],
      ['absolute', '/etc/hosts'],
    ] as const) {
      symlinkSync(target, join(repo.dir, name));
    }
    await repo.git('add', '-A');
    assert.equal(await findings(repo), [
      'absolute:1 broken-symlink warning',
      'gone:1 broken-symlink warning',
      'out:1 broken-symlink warning',
    ]);
  }));

test('a binary that its name gives away is reported once, and packages kept on purpose are info', () =>
  withRepo(async repo => {
    for (const name of ['.DS_Store', 'Acme.mobileprovision', 'vendor/cache/a.gem', 'a.bin']) {
      await repo.stage(name, 'a\0b');
    }
    assert.equal(await findings(repo), [
      '.DS_Store:1 junk-file warning',
      'Acme.mobileprovision:1 private-file warning',
      'a.bin:1 new-binary warning',
      'vendor/cache/a.gem:1 new-binary info',
    ]);
  }));

test('an executable text without #! is a warning, once per folder, also when only its mode changes', () =>
  withRepo(async repo => {
    await repo.commit({ 'old.sh': '#!/bin/sh\necho\n', 'old.cfg': 'a\n' });
    await repo.stage('new.cfg', 'a\n');
    await repo.stage('new.sh', '#!/bin/sh\necho\n');
    await repo.stage('other/new.cfg', 'a\n');
    await repo.stage('docs/new.md', 'a\n');
    for (const name of ['old.sh', 'old.cfg', 'new.cfg', 'new.sh', 'other/new.cfg', 'docs/new.md']) {
      await repo.git('update-index', '--chmod=+x', name);
    }
    const { outcome } = await reviewJson(['--staged', '--no-model'], { cwd: repo.dir });
    assert.equal(
      outcome.findings.map(({ path, rule, severity, message }) =>
        [path, rule, severity, /\d more/.exec(message)?.[0]].join(' '),
      ),
      [
        'docs/new.md exec-bit warning ',
        'new.cfg exec-bit warning 1 more',
        'other/new.cfg exec-bit warning ',
      ],
    );
  }));

test('a conflict in a file that is parsed is reported once', () =>
  withRepo(async repo => {
    const sides = ['<<<<<<< HEAD', 'a = 1;', '=======', 'a = 2;', '>>>>>>> topic'];
    const project = ['// !$*UTF8*$!', '{', ...sides, '}', ''].join('\n');
    await repo.stage('App.xcodeproj/project.pbxproj', project);
    await repo.stage('a.json', ['{', ...sides, '}', ''].join('\n'));
    assert.equal(await findings(repo), [
      'App.xcodeproj/project.pbxproj:3 conflict-marker error',
      'a.json:2 conflict-marker error',
    ]);
  }));

test('a file that .gitattributes stores in Git LFS must be a pointer', () =>
  withRepo(async repo => {
    await repo.commit({ '.gitattributes': '*.psd filter=lfs diff=lfs merge=lfs -text\n' });
    await repo.git('config', 'filter.lfs.clean', 'cat');
    const pointer = `version https://git-lfs.github.com/spec/v1\noid sha256:${'0a'.repeat(32)}\nsize 9\n`;
    await repo.stage('art/good.psd', pointer);
    await repo.stage('art/raw.psd', 'raw\n');
    await repo.stage('art/raw.txt', 'raw\n');
    assert.equal(await findings(repo), ['art/raw.psd:1 lfs-pointer warning']);
  }));

const manifest = (version: string): string =>
  `${JSON.stringify({ name: 'a', dependencies: { b: version } }, null, 2)}\n`;

test('changed dependencies without the lockfile are a warning, with it they are fine', () =>
  withRepo(async repo => {
    await repo.commit({ 'package.json': manifest('1.0.0'), 'package-lock.json': '{"a": 1}\n' });
    await repo.stage('package.json', manifest('2.0.0'));
    assert.equal(await findings(repo), ['package.json:4 lockfile/missing warning']);
    await repo.stage('package-lock.json', '{"a": 2}\n');
    assert.equal(await findings(repo), []);
    await repo.stage('package.json', manifest('1.0.0').replace('"a"', '"c"'));
    assert.equal(await findings(repo), []);
  }));

test('packages of one repository that name each other are fine, and a lockfile is reported once', () =>
  withRepo(async repo => {
    const files = (own: string, other: string) => {
      const text = (name: string, dependencies: object) =>
        `${JSON.stringify({ name, version: own, dependencies }, null, 2)}\n`;
      return {
        'app/package.json': text('app', { core: own, b: other }),
        'core/package.json': text('core', {}),
        'site/package.json': text('site', { core: own, b: other }),
      };
    };
    const stage = async (texts: Record<string, string>): Promise<void> => {
      for (const [path, text] of Object.entries(texts)) await repo.stage(path, text);
    };
    await repo.commit({ ...files('1.0.0', '1.0.0'), 'yarn.lock': 'a\n' });
    await stage(files('2.0.0', '1.0.0'));
    assert.equal(await findings(repo), []);
    await stage(files('1.0.0', '2.0.0'));
    assert.equal(await findings(repo), ['app/package.json:6 lockfile/missing warning']);
  }));

test('a PDF that git takes for text is not judged line by line', () =>
  withRepo(async repo => {
    await repo.stage('art/a.pdf', '%PDF-1.4\r\n\u202e \n<<<<<<< a\nb\n');
    assert.equal(await findings(repo), []);
  }));

test('a folder of user data or of profiles is reported once', () =>
  withRepo(async repo => {
    await repo.stage('A.xcodeproj/xcuserdata/me/a.txt', 'a\n');
    await repo.stage('A.xcodeproj/xcuserdata/me/b.txt', 'b\n');
    await repo.stage('profiles/a.mobileprovision', 'a\n');
    await repo.stage('profiles/b.provisionprofile', 'b\n');
    assert.equal(await findings(repo), [
      'A.xcodeproj/xcuserdata/me/a.txt:1 junk-file warning',
      'profiles/a.mobileprovision:1 private-file warning',
    ]);
  }));

test('a storyboard, a plist and a lockfile that do not parse are errors', () =>
  withRepo(async repo => {
    await repo.stage('App/Main.storyboard', '<document>\n<view>\n</document>\n');
    await repo.stage('App/Info.plist', '<plist><dict><key>a</key></dict></plist>\n');
    await repo.stage('Package.resolved', '{"pins": [,]}\n');
    assert.equal(await findings(repo), [
      'App/Info.plist:1 invalid/plist error',
      'App/Main.storyboard:3 invalid/xml error',
      'Package.resolved:1 invalid/json error',
    ]);
  }));

test('the .gitattributes of a folder apply to the files below it', () =>
  withRepo(async repo => {
    await repo.commit({ 'art/new/.gitattributes': '*.psd filter=lfs\n' });
    await repo.git('config', 'filter.lfs.clean', 'cat');
    await repo.stage('art/a.psd', 'raw\n');
    await repo.stage('art/new/b.psd', 'raw\n');
    assert.equal(await findings(repo), ['art/new/b.psd:1 lfs-pointer warning']);
  }));

test('the outcome counts the files, hunks and lines of the change', () =>
  withRepo(async repo => {
    const text = Array.from({ length: 30 }, (_, at) => `${at}\n`);
    await repo.commit({ 'a.txt': text.join('') });
    await repo.stage('a.txt', ['x\n', ...text.slice(2, -1), 'y\n', 'z\n'].join(''));
    await repo.stage('b.txt', 'b\n');
    const { outcome } = await reviewJson(['--staged', '--no-model'], { cwd: repo.dir });
    const { files, hunks, added, removed } = outcome.change;
    assert.equal({ files, hunks, added, removed }, { files: 2, hunks: 3, added: 4, removed: 3 });
  }));

test.run();
