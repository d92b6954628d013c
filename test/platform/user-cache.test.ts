import { execFileSync } from 'node:child_process';
import { chmod, mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { openUserCache } from '../../src/platform/user-cache.js';
import { suite } from '../support/suite.js';
import { withFolder } from '../support/with-repo.js';

const test = suite('platform/user-cache');

test('an entry can be read again, and nothing else is left in the folder', () =>
  withFolder(async home => {
    const cache = openUserCache({ XDG_CACHE_HOME: home });
    assert.is(await cache.read('a.json'), undefined);
    assert.ok(await cache.write('a.json', { one: 1 }));
    assert.ok(await cache.write('a.json', { two: 2 }));
    assert.equal(await cache.read('a.json'), { two: 2 });
    assert.equal(await readdir(join(home, 'apfel-bot')), ['a.json']);
    assert.is((await stat(join(home, 'apfel-bot'))).mode & 0o777, 0o700);
  }));

test("the cache is in the system's cache folder", () =>
  withFolder(async home => {
    const places = [
      [{ HOME: home }, 'linux', '.cache/apfel-bot'],
      [{ HOME: home, XDG_CACHE_HOME: 'relative' }, 'linux', '.cache/apfel-bot'],
      [{ HOME: home }, 'darwin', 'Library/Caches/apfel-bot'],
      [{ HOME: '/nowhere', XDG_CACHE_HOME: join(home, 'x') }, 'darwin', 'x/apfel-bot'],
    ] as const;
    for (const [at, [environment, platform, place]] of places.entries()) {
      assert.ok(await openUserCache(environment, platform).write('n.json', at));
      assert.is(await readFile(join(home, place, 'n.json'), 'utf8'), `${at}\n`);
    }
  }));

test('a cache entry that is broken, too large or not a file reads as empty', () =>
  withFolder(async home => {
    const cache = openUserCache({ XDG_CACHE_HOME: home });
    const folder = join(home, 'apfel-bot');
    await mkdir(join(folder, 'folder.json'), { recursive: true });
    await writeFile(join(folder, 'broken.json'), '{"half": ');
    await writeFile(join(folder, 'large.json'), JSON.stringify('x'.repeat(9_000_000)));
    execFileSync('mkfifo', [join(folder, 'pipe.json')]);
    for (const name of ['folder', 'broken', 'large', 'pipe']) {
      assert.is(await cache.read(`${name}.json`), undefined, name);
    }
  }));

test('writing to a read-only cache returns false', () =>
  withFolder(async home => {
    await writeFile(join(home, 'file'), '');
    assert.not(await openUserCache({ XDG_CACHE_HOME: join(home, 'file') }).write('a.json', 1));
    await mkdir(join(home, 'apfel-bot'));
    await mkdir(join(home, 'apfel-bot', 'a.json', 'taken'), { recursive: true });
    await chmod(home, 0o700);
    assert.not(await openUserCache({ XDG_CACHE_HOME: home }).write('a.json', 1));
    assert.equal(await readdir(join(home, 'apfel-bot')), ['a.json']);
  }));

test.run();
