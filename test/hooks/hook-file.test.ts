import { execFileSync } from 'node:child_process';
import { chmod, mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { readHookFile, readHookText } from '../../src/hooks/facts.js';
import { suite } from '../support/suite.js';
import { withFolder } from '../support/with-repo.js';

const test = suite('hooks/hook-file');

test('a hook file is read with its byte order mark and its mode', () =>
  withFolder(async dir => {
    const path = join(dir, 'hook');
    await writeFile(path, '\ufeffecho\n');
    const file = { kind: 'file', text: '\ufeffecho\n', target: undefined } as const;
    assert.equal(readHookFile(path), { ...file, isExecutable: false });
    await chmod(path, 0o755);
    assert.equal(readHookFile(path), { ...file, isExecutable: true });
  }));

test('a binary, a file in another encoding and a huge file are read without their text', () =>
  withFolder(async dir => {
    const path = join(dir, 'hook');
    for (const bytes of [
      Buffer.from([127, 69, 76, 70, 0]),
      Buffer.from([0xe9]),
      Buffer.alloc(2e6, 32),
    ]) {
      await writeFile(path, bytes);
      const file = readHookFile(path);
      assert.is(file.kind === 'file' ? file.text : 'no file', undefined);
    }
  }));

test('a link to a hook is followed and named', () =>
  withFolder(async dir => {
    await writeFile(join(dir, 'script'), 'echo\n', { mode: 0o755 });
    await symlink('script', join(dir, 'hook'));
    assert.equal(readHookFile(join(dir, 'hook')), {
      kind: 'file',
      text: 'echo\n',
      isExecutable: true,
      target: 'script',
    });
  }));

test('a link that leads nowhere, or in a circle, is a hook that does not run', () =>
  withFolder(async dir => {
    for (const target of ['nowhere', 'hook']) {
      const path = join(dir, target === 'hook' ? 'hook' : 'other');
      await symlink(target, path);
      assert.equal(readHookFile(path), {
        kind: 'file',
        text: undefined,
        isExecutable: false,
        target,
      });
    }
  }));

test('a folder, a link to one and a missing hook are distinguished', () =>
  withFolder(async dir => {
    await mkdir(join(dir, 'folder'));
    await symlink('folder', join(dir, 'link'));
    assert.equal(readHookFile(join(dir, 'folder')), { kind: 'odd' });
    assert.equal(readHookFile(join(dir, 'link')), { kind: 'odd' });
    assert.equal(readHookFile(join(dir, 'none')), { kind: 'absent' });
    await writeFile(join(dir, 'file'), '');
    assert.equal(readHookFile(join(dir, 'file', 'below')), { kind: 'absent' });
  }));

test('reading a hook does not wait for a pipe', () =>
  withFolder(async dir => {
    execFileSync('mkfifo', [join(dir, 'pipe')]);
    assert.equal(readHookFile(join(dir, 'pipe')), { kind: 'odd' });
    assert.is(readHookText(join(dir, 'pipe')), undefined);
  }));

test.run();
