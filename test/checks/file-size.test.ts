import * as assert from 'uvu/assert';
import { judgeFileSize } from '../../src/checks/file-rules.js';
import type { FileChange } from '../../src/core/change.js';
import { suite } from '../support/suite.js';
import { changedFile } from './judge-text.js';

const MIB = 1024 * 1024;

interface Case {
  readonly title: string;
  readonly file?: Partial<FileChange>;
  readonly newBytes?: number;
  readonly oldBytes?: number;
  readonly rules: readonly string[];
}

const cases: readonly Case[] = [
  { title: 'a new file of 2 MiB is large', newBytes: 2 * MIB, rules: ['large-file'] },
  { title: 'a new file of exactly 1 MiB is not large', newBytes: MIB, rules: [] },
  { title: 'a new file of 1 MiB and one byte is large', newBytes: MIB + 1, rules: ['large-file'] },
  {
    title: 'a file that grows past the limit is large',
    file: { status: 'modified' },
    newBytes: MIB + 5,
    oldBytes: MIB - 5,
    rules: ['large-file'],
  },
  {
    title: 'a large file that grows a little is not reported again',
    file: { status: 'modified' },
    newBytes: 3 * MIB + 9,
    oldBytes: 3 * MIB,
    rules: [],
  },
  {
    title: 'a large file that grows by another MiB is reported again',
    file: { status: 'modified' },
    newBytes: 5 * MIB,
    oldBytes: 3 * MIB,
    rules: ['large-file'],
  },
  {
    title: 'a large file that shrinks is fine',
    file: { status: 'modified' },
    newBytes: 3 * MIB,
    oldBytes: 4 * MIB,
    rules: [],
  },
  {
    title: 'a large file that moves is fine',
    file: { status: 'renamed' },
    newBytes: 3 * MIB,
    oldBytes: 3 * MIB,
    rules: [],
  },
  {
    title: 'a copy of a large file is a new one',
    file: { status: 'copied' },
    newBytes: 3 * MIB,
    oldBytes: 3 * MIB,
    rules: ['large-file'],
  },
  {
    title: 'a small new binary file is reported',
    file: { isBinary: true },
    newBytes: 9,
    rules: ['new-binary'],
  },
  { title: 'a binary of unknown size too', file: { isBinary: true }, rules: ['new-binary'] },
  {
    title: 'a large new binary is both',
    file: { isBinary: true },
    newBytes: 2 * MIB,
    rules: ['large-file', 'new-binary'],
  },
  {
    title: 'a changed binary is fine',
    file: { isBinary: true, status: 'modified' },
    newBytes: 9,
    oldBytes: 8,
    rules: [],
  },
  { title: 'a deleted binary is fine', file: { isBinary: true, status: 'deleted' }, rules: [] },
  { title: 'a submodule has no size', file: { newMode: '160000' }, newBytes: 2 * MIB, rules: [] },
  { title: 'a link has no size', file: { newMode: '120000' }, newBytes: 2 * MIB, rules: [] },
];

const test = suite('checks/file-size');

for (const { title, file, newBytes, oldBytes, rules } of cases) {
  test(title, () => {
    const hits = judgeFileSize({ file: changedFile('a.bin', file), newBytes, oldBytes });
    assert.equal(
      hits.map(hit => hit.rule),
      rules,
    );
  });
}

test('the message about a large file gives its size and suggests Git LFS', () => {
  const sized = { file: changedFile('a.bin'), newBytes: 2.5 * MIB, oldBytes: undefined };
  assert.match(judgeFileSize(sized)[0]?.message ?? '', /2\.50 MiB.*Git LFS/);
});

for (const [bytes, size] of [
  [12, '12 bytes'],
  [1024, '1 KiB'],
  [20_480, '20 KiB'],
] as const) {
  test(`a new binary of ${bytes} bytes is reported as ${size}`, () => {
    const file = changedFile('a.bin', { isBinary: true });
    const [hit] = judgeFileSize({ file, newBytes: bytes, oldBytes: undefined });
    assert.ok(hit?.message.includes(`(${size})`), hit?.message);
  });
}

for (const path of [
  'a.png',
  'docs/b.JPG',
  'Fonts/c.otf',
  'App/A.xcassets/d.imageset/d.pdf',
  'AppIcon.icns',
  'App/de.lproj/Localizable.strings',
]) {
  test(`${path} is usually binary, so it is not reported`, () => {
    const file = changedFile(path, { isBinary: true });
    assert.equal(judgeFileSize({ file, newBytes: 10, oldBytes: undefined }), []);
  });
}

test('a binary file of tests or documentation is info', () => {
  for (const path of ['test/fixtures/a.gz', 'Sources/A/Documentation.docc/intro.mp4']) {
    const file = changedFile(path, { isBinary: true });
    const [hit] = judgeFileSize({ file, newBytes: 10, oldBytes: undefined });
    assert.is(hit?.severity, 'info');
  }
});

test.run();
