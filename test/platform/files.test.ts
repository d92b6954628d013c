import { execFileSync } from 'node:child_process';
import { lstat, readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { writeText } from '../../src/platform/files.js';
import { suite } from '../support/suite.js';
import { withFolder } from '../support/with-repo.js';

/** Higher than any process number that systems give out. */
const NOBODY = 2_000_000_000;

const test = suite('platform/files');

test('a file is replaced, and a half-written one of a killed run is removed', () =>
  withFolder(async dir => {
    const others = ['out.json.tmp', `other.json.${NOBODY}.tmp`, `out.json.${process.ppid}.tmp`];
    for (const name of ['out.json', `out.json.${NOBODY}.tmp`, ...others]) {
      await writeFile(join(dir, name), 'old');
    }
    await writeText(join(dir, 'out.json'), 'new');
    assert.is(await readFile(join(dir, 'out.json'), 'utf8'), 'new');
    assert.equal((await readdir(dir)).sort(), ['out.json', ...others].sort());
  }));

test('a process that ends in the middle removes its half-written file', () =>
  withFolder(async dir => {
    const module = new URL('../../src/platform/files.js', import.meta.url).href;
    const code = `
      import { writeText } from ${JSON.stringify(module)};
      import { existsSync, readdirSync } from 'node:fs';
      writeText('out.json', 'x'.repeat(50_000_000));
      const look = () => {
        if (readdirSync('.').length > 0) process.exit(existsSync('out.json') ? 3 : 0);
        setImmediate(look);
      };
      look();
    `;
    execFileSync(process.execPath, ['--input-type=module', '--eval', code], { cwd: dir });
    assert.equal(await readdir(dir), []);
  }));

test('a pipe or a link in place of the file is replaced, not read or followed', () =>
  withFolder(async dir => {
    execFileSync('mkfifo', [join(dir, 'pipe')]);
    await writeFile(join(dir, 'theirs'), 'theirs');
    await symlink(join(dir, 'theirs'), join(dir, 'link'));
    for (const name of ['pipe', 'link']) {
      await writeText(join(dir, name), 'ours');
      assert.ok((await lstat(join(dir, name))).isFile(), name);
    }
    assert.is(await readFile(join(dir, 'theirs'), 'utf8'), 'theirs');
  }));

test('no exit listener is left once a file is written', () =>
  withFolder(async dir => {
    const before = process.listenerCount('exit');
    for (let at = 0; at < 20; at += 1) await writeText(join(dir, `${at}.json`), '{}');
    assert.is(process.listenerCount('exit'), before);
  }));

test('an error about a missing folder names the file and the next step', () =>
  withFolder(async dir => {
    const failure = await writeText(join(dir, 'no', 'out.json'), '{}').then(
      () => undefined,
      thrown => thrown,
    );
    assert.match(failure.message, /cannot write .*out\.json.*ENOENT/);
    assert.match(failure.hint, /folder/);
    assert.equal(await readdir(dir), []);
  }));

test.run();
