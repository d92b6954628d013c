import { mkdir, readdir, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { releaseLock, takeLock } from '../../src/hooks/background.js';
import { openQueue } from '../../src/hooks/queue.js';
import { processSpace } from '../../src/platform/processes.js';
import { suite } from '../support/suite.js';
import { withFolder } from '../support/with-repo.js';

const test = suite('hooks/background');

const commit = (number: number): string => number.toString(16).padStart(40, '0');

test('queued commits keep their order, each once', () =>
  withFolder(async dir => {
    const queue = openQueue(dir);
    assert.ok(await queue.isEmpty());
    assert.is(await queue.next(), undefined);
    for (const number of [1, 2, 1]) {
      await queue.add(commit(number));
      await utimes(join(dir, 'apfel-bot/queue', `${commit(number)}.json`), number, number);
    }
    assert.is(await queue.next(), commit(1));
    await queue.remove(commit(1));
    assert.is(await queue.next(), commit(2));
    await queue.remove(commit(2));
    assert.ok(await queue.isEmpty());
  }));

test('a commit that crashed the background run three times is dropped from the queue', () =>
  withFolder(async dir => {
    const queue = openQueue(dir);
    await queue.add(commit(1));
    for (let round = 0; round < 3; round += 1) assert.is(await queue.next(), commit(1));
    assert.is(await queue.next(), undefined);
    assert.ok(await queue.isEmpty());
  }));

test('a full queue drops its oldest commits', () =>
  withFolder(async dir => {
    const queue = openQueue(dir);
    for (let number = 0; number < 205; number += 1) {
      await queue.add(commit(number));
      await utimes(join(dir, 'apfel-bot/queue', `${commit(number)}.json`), number + 1, number + 1);
    }
    assert.is((await readdir(join(dir, 'apfel-bot/queue'))).length, 200);
    assert.is(await queue.next(), commit(5));
  }));

test('garbage in the queue is ignored', () =>
  withFolder(async dir => {
    await mkdir(join(dir, 'apfel-bot/queue'), { recursive: true });
    for (const name of ['--help.json', 'HEAD', '../x.json'.replace('/', '_'), 'abc.json']) {
      await writeFile(join(dir, 'apfel-bot/queue', name), '{}');
    }
    const queue = openQueue(dir);
    assert.ok(await queue.isEmpty());
    await queue.add(commit(1));
    await writeFile(join(dir, 'apfel-bot/queue', `${commit(1)}.json`), 'not json');
    assert.is(await queue.next(), commit(1));
  }));

test('only object ids are queued', () =>
  withFolder(async dir => {
    let message = '';
    await openQueue(dir)
      .add('../../hooks/pre-commit')
      .catch(thrown => (message = thrown.message));
    assert.match(message, 'is not an object id');
  }));

test('one background run holds the lock at a time', () =>
  withFolder(async dir => {
    assert.ok(await takeLock(dir));
    assert.not.ok(await takeLock(dir));
    // Half-written by a run that was killed, before the clock was set back.
    const lock = join(dir, 'apfel-bot/background.lock');
    await writeFile(lock, '');
    assert.not.ok(await takeLock(dir));
    const later = new Date(Date.now() + 3_600_000);
    await utimes(lock, later, later);
    assert.ok(await takeLock(dir));
    await releaseLock(dir);
    assert.ok(await takeLock(dir));
  }));

const lock = (dir: string): string => join(dir, 'apfel-bot/background.lock');

test('the lock of a background run that died is taken over', () =>
  withFolder(async dir => {
    const space = await processSpace();
    await mkdir(join(dir, 'apfel-bot'));
    // This process is alive, but it began at another time.
    for (const dead of [
      { pid: 2 ** 22 + 1, start: '1', space },
      { pid: process.pid, start: 'earlier', space },
      { pid: -1, start: '1', space },
    ]) {
      await writeFile(lock(dir), JSON.stringify(dead));
      assert.ok(await takeLock(dir), JSON.stringify(dead));
      await releaseLock(dir);
    }
    assert.equal(await readdir(join(dir, 'apfel-bot')), []);
  }));

test('a lock that is being written, or is of another machine, is respected for a while', () =>
  withFolder(async dir => {
    await mkdir(join(dir, 'apfel-bot'));
    for (const text of ['', '{"pid":1,"space":"another machine"}']) {
      await writeFile(lock(dir), text);
      assert.not.ok(await takeLock(dir));
      await utimes(lock(dir), 1, 1);
      assert.ok(await takeLock(dir));
      await releaseLock(dir);
    }
  }));

test.run();
