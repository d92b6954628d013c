import * as assert from 'uvu/assert';
import { judgeName } from '../../src/checks/file-rules.js';
import { absolutePath } from '../../src/checks/left-behind.js';
import { insecureLockfile, installScript } from '../../src/checks/packages.js';
import { mixedLineEndings } from '../../src/checks/whitespace.js';
import { suite } from '../support/suite.js';
import { changedFile, judgeHunks, judgeText, linesOf } from './judge-text.js';

const test = suite('checks/file-rules');

const named = (path: string): string => {
  const hit = judgeName(changedFile(path));
  return hit === undefined ? '' : `${hit.rule} ${hit.severity ?? ''}`.trim();
};

for (const [expected, ...paths] of [
  ['private-file', 'id_rsa', '.ssh/id_ed25519', 'certs/dist.p12', 'AuthKey_1.p8', 'a.pfx'],
  [
    'private-file warning',
    '.env',
    'app/.env.production',
    '.env.local',
    '.netrc',
    'a.mobileprovision',
    'Tests/a.p12',
  ],
  [
    'junk-file',
    '.DS_Store',
    'a/.DS_Store',
    'A.xcodeproj/xcuserdata/me.xcuserdatad/a.plist',
    'DerivedData/a',
    '.build/debug.yaml',
    '.swiftpm/xcode/a',
    'a.swift.orig',
  ],
  ['portable-name', 'aux.c', 'a/con/b', 'a:b.txt', 'what?.md', 'a./b', 'b \u0001', 'NUL'],
  [
    '',
    '.env.example',
    'id_rsa.pub',
    'docs/env.md',
    'console.ts',
    'auxiliary.c',
    'a.pem',
    'build/a',
    'tests/fixtures/a.orig',
    '.env.test',
    '.swiftpm/xcode/xcshareddata/xcschemes/A.xcscheme',
  ],
] as const) {
  for (const path of paths) {
    test(`the new name ${JSON.stringify(path)} is ${expected === '' ? 'fine' : expected}`, () =>
      assert.is(named(path), expected));
  }
}

test('a file with two kinds of line endings is reported once, on an added line', () => {
  const lines = (...rows: string[]) => linesOf(judgeHunks(mixedLineEndings, 'a.ts', rows));
  assert.equal(lines('+a\r', '+b\r', '+c', '+d', '+e\r'), [3]);
  assert.equal(lines(' a', '+b\r', ' c'), [2]);
  assert.equal(lines('+a\r', ' b', ' c'), [1]);
  assert.equal(lines(' a\r', ' b', '+c\r', ' d'), [], 'it was mixed before');
  assert.equal(lines('+a\r', '+b\r', '+c'), [], 'the last line may have no ending');
  assert.equal(lines('+a', '+b', ' c'), []);
  assert.equal(lines(' a\r', ' b\r', '@9', '+b', ' c'), [9], 'another hunk of the same file');
});

test("a path in someone's home folder is reported, one that stands for any is not", () => {
  const found = (text: string, path = 'src/a.ts') => judgeText(absolutePath, path, text).length;
  for (const text of [
    'open("/Users/mholt/dev/a.txt")',
    'x = /home/mholt/bin',
    'p = "C:\\Users\\mholt\\a"',
    'file:///Users/mholt/a',
  ])
    assert.is(found(text), 1, text);
  for (const text of [
    '/Users/you/a',
    '/home/runner/work',
    '/Users/Shared/a',
    'https://a.io/home/mholt/a',
    '~/Users/mholt/a',
    '/Users/<name>/a',
    'url/Users/mholt/a',
  ])
    assert.is(found(text), 0, text);
  assert.is(found('/Users/mholt/a', 'docs/a.md'), 0);
  assert.equal(
    linesOf(judgeHunks(absolutePath, 'a.ts', [' /Users/mholt/a', '+/Users/mholt/b'])),
    [2],
  );
});

test('a package over http is reported in a lockfile', () => {
  const found = (path: string, text: string) => judgeText(insecureLockfile, path, text).length;
  const url = '//registry.acme.io/a.tgz';
  assert.is(found('package-lock.json', `"resolved": "http:${url}",`), 1);
  assert.is(found('package-lock.json', `{"resolved":"http:${url}"}`), 1);
  assert.is(found('app/yarn.lock', `  resolved "http:${url}#abc"`), 1);
  assert.is(found('Gemfile.lock', '  remote: http://rubygems.org/'), 1);
  assert.is(found('package-lock.json', `"resolved": "https:${url}",`), 0);
  assert.is(found('package-lock.json', '"homepage": "http://acme.io"'), 0);
  assert.is(found('src/a.json', `"resolved": "http:${url}",`), 0);
});

test('a script that runs on installation is reported', () => {
  const found = (path: string, text: string) => judgeText(installScript, path, text).length;
  assert.is(found('package.json', '    "postinstall": "node a.js",'), 1);
  assert.is(found('a/package.json', '  "scripts": { "preinstall": "node a.js" },'), 1);
  assert.is(found('package.json', '    "prepare": "husky",'), 0);
  assert.is(found('package.json', '    "install:all": "npm i",'), 0);
  assert.is(found('src/a.json', '    "postinstall": "node a.js",'), 0);
});

test('a message about a folder of a tool names the folder, and one about a file the file', () => {
  for (const [path, name, cause] of [
    ['a/.DS_Store', '.DS_Store', 'a/.DS_Store'],
    ['DerivedData/a', 'DerivedData', 'DerivedData'],
    ['a/b/xcuserdata/me/c', 'xcuserdata', 'a/b/xcuserdata'],
  ] as const) {
    const found = judgeName(changedFile(path));
    assert.match(found?.message ?? '', new RegExp(`^${name.replace('.', '\\.')} is left behind`));
    assert.is(found?.cause, cause);
  }
});

test.run();
