import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import {
  addNews,
  dropNews,
  queuedCommits,
  takeBackgroundFindings,
} from '../../src/runs/background-state.js';
import { suite } from '../support/suite.js';
import { withFolder } from '../support/with-repo.js';

const test = suite('runs/background-state');

/** The id of a made-up commit. */
const id = (digit: number): string => String(digit).repeat(40);

test('background findings are reported once, with the newest three commits', () =>
  withFolder(async dir => {
    assert.is(await takeBackgroundFindings(dir), undefined);
    await addNews(dir, id(1), 1);
    assert.match(
      (await takeBackgroundFindings(dir)) ?? '',
      /: the background review found 1 problem in 1111111; see: .*show 1111111$/,
    );
    assert.is(await takeBackgroundFindings(dir), undefined);
    for (const digit of [2, 3, 4, 5]) await addNews(dir, id(digit), 2);
    assert.match(
      (await takeBackgroundFindings(dir)) ?? '',
      /found 8 problems in 4 commits; see: .*show 3333333 4444444 5555555$/,
    );
  }));

test('news of a commit that was reviewed again replace the old, and twenty are kept', () =>
  withFolder(async dir => {
    for (let at = 0; at < 21; at += 1) await addNews(dir, `${at + 10}${'a'.repeat(38)}`, 1);
    await addNews(dir, `30${'a'.repeat(38)}`, 5);
    const kept = Object.entries(JSON.parse(readFileSync(join(dir, 'apfel-bot/news.json'), 'utf8')));
    assert.is(kept.length, 20);
    assert.equal(kept.at(0), [`11${'a'.repeat(38)}`, 1]);
    assert.equal(kept.at(-1), [`30${'a'.repeat(38)}`, 5]);
  }));

test('what was shown is no longer news, and an unreadable entry never was', () =>
  withFolder(async dir => {
    for (const digit of [1, 2]) await addNews(dir, id(digit), 1);
    await dropNews(dir, [id(1), id(9)]);
    assert.match((await takeBackgroundFindings(dir)) ?? '', 'found 1 problem in 2222222');
    await addNews(dir, id(3), 0);
    assert.is(await takeBackgroundFindings(dir), undefined);
    await addNews(dir, id(4), 1);
    await dropNews(dir, [id(4)]);
    assert.is(await takeBackgroundFindings(dir), undefined);
  }));

test('a queued commit is being reviewed only while the process with the lock is alive', () =>
  withFolder(async dir => {
    assert.is((await queuedCommits(dir)).size, 0);
    mkdirSync(join(dir, 'apfel-bot/queue'), { recursive: true });
    writeFileSync(join(dir, `apfel-bot/queue/${id(1)}.json`), '{}');
    writeFileSync(join(dir, 'apfel-bot/queue/x.json'), '{}');
    for (const [lock, state] of [
      [undefined, 'waiting'],
      [{}, 'waiting'],
      [{ pid: 0 }, 'waiting'],
      [{ pid: process.pid, start: 'never' }, 'waiting'],
      [{ pid: process.pid }, 'running'],
    ] as const) {
      if (lock !== undefined) {
        writeFileSync(join(dir, 'apfel-bot/background.lock'), JSON.stringify(lock));
      }
      assert.equal([...(await queuedCommits(dir))], [[id(1), state]], JSON.stringify(lock));
    }
  }));

test.run();
