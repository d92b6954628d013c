import { execFileSync, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, rename, symlink, utimes, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import * as assert from 'uvu/assert';
import { makeScratchFolder } from '../../src/git/scratch-folder.js';
import { startRun, sweepRuns } from '../../src/git/sweep.js';
import { processSpace, processStart } from '../../src/platform/processes.js';
import { announce, failureOf } from '../git/scratch-harness.js';
import { suite } from '../support/suite.js';
import { withFolder } from '../support/with-repo.js';

const test = suite('runs/records');

const HOUR_MS = 3_600_000;

/** A git directory with room for records, and a temporary folder. */
const withPlaces = (body: (gitDir: string, temp: string) => Promise<void>): Promise<void> =>
  withFolder(async folder => {
    const [gitDir, temp] = [join(folder, 'git'), join(folder, 'temp')];
    await mkdir(join(gitDir, 'refs/heads/apfel-bot/deep'), { recursive: true });
    await mkdir(join(gitDir, 'refs/notes'), { recursive: true });
    await mkdir(temp);
    await body(gitDir, temp);
  });

/** Writes a record as a process that is gone would have left it. */
async function plantRecord(gitDir: string, record: Record<string, unknown>): Promise<string> {
  await mkdir(join(gitDir, 'apfel-bot/runs'), { recursive: true });
  const whole = {
    id: 'DEAD',
    pid: deadPid(),
    start: '1',
    space: await processSpace(),
    scratch: [],
  };
  const file = join(gitDir, 'apfel-bot/runs', `${record['id'] ?? 'DEAD'}.json`);
  await writeFile(file, JSON.stringify({ ...whole, ...record }));
  return file;
}

const deadPid = (): number => Number(execFileSync('sh', ['-c', 'echo $$'], { encoding: 'utf8' }));

const LOCKS = [
  'refs/notes/apfel-bot.lock',
  'refs/heads/apfel-bot/x.lock',
  'refs/heads/apfel-bot/deep/y.lock',
];
const FOREIGN = [
  'index.lock',
  'packed-refs.lock',
  'refs/heads/main.lock',
  'refs/heads/apfel-bot.lock',
];

async function plantLocks(gitDir: string, ageMs: number): Promise<void> {
  const then = new Date(Date.now() - ageMs);
  for (const lock of [...LOCKS, ...FOREIGN]) {
    await writeFile(join(gitDir, lock), '');
    await utimes(join(gitDir, lock), then, then);
  }
}

const standing = (gitDir: string, names: readonly string[]): string[] =>
  names.filter(name => existsSync(join(gitDir, name)));

test('a run has a record while it is alive, and nothing of it is removed until then', () =>
  withPlaces(async (gitDir, temp) => {
    const run = await startRun(gitDir, '01RUN');
    const folder = await makeScratchFolder(temp, run.addScratch);
    const file = join(gitDir, 'apfel-bot/runs/01RUN.json');
    const { pid, start, scratch } = JSON.parse(await readFile(file, 'utf8'));
    assert.equal([pid, start, scratch], [process.pid, await processStart(process.pid), [folder]]);
    await plantLocks(gitDir, HOUR_MS);
    const sweep = await sweepRuns(gitDir, Date.now());
    assert.equal(sweep, { folders: [], locks: [], left: [], alive: 1 });
    assert.ok(existsSync(folder));
    await run.end();
    await run.end();
    assert.equal(await readdir(join(gitDir, 'apfel-bot/runs')), []);
  }));

test('folders and old locks of a dead run are removed, locks of others stay', () =>
  withPlaces(async (gitDir, temp) => {
    const folder = await makeScratchFolder(temp, announce);
    await writeFile(join(folder, 'file'), 'x');
    await symlink(gitDir, join(folder, 'link'));
    await plantRecord(gitDir, { scratch: [folder, join(temp, 'apfel-bot-0123456789abcdef01')] });
    await plantLocks(gitDir, HOUR_MS);
    const sweep = await sweepRuns(gitDir, Date.now());
    assert.equal(sweep.folders, [folder]);
    assert.equal([...sweep.locks].sort(), LOCKS.map(lock => join(gitDir, lock)).sort());
    assert.equal(await readdir(temp), []);
    assert.equal(standing(gitDir, LOCKS), []);
    assert.equal(standing(gitDir, FOREIGN), FOREIGN);
    assert.equal(await readdir(join(gitDir, 'apfel-bot/runs')), []);
  }));

test('a lock younger than a minute stays', () =>
  withPlaces(async gitDir => {
    await plantLocks(gitDir, 30_000);
    assert.equal((await sweepRuns(gitDir, Date.now())).locks, []);
    assert.equal(standing(gitDir, LOCKS), LOCKS);
  }));

test('a lock counts as old from one minute on, and a run on another machine from one day on', () =>
  withPlaces(async gitDir => {
    const then = new Date('2026-01-02T03:04:05Z');
    const lock = join(gitDir, 'refs/notes/apfel-bot.lock');
    await writeFile(lock, '');
    await utimes(lock, then, then);
    const sweep = (ageMs: number) => sweepRuns(gitDir, then.getTime() + ageMs);
    assert.equal((await sweep(59_999)).locks, []);
    assert.equal((await sweep(60_000)).locks, [lock]);
    const file = await plantRecord(gitDir, { space: 'elsewhere' });
    await utimes(file, then, then);
    assert.is((await sweep(24 * HOUR_MS - 1)).alive, 1);
    assert.is((await sweep(24 * HOUR_MS)).alive, 0);
  }));

test('only locks up to eight folders deep are looked for', () =>
  withPlaces(async gitDir => {
    const then = new Date(Date.now() - HOUR_MS);
    const [near, far] = [7, 8].map(depth => {
      const parts = Array.from({ length: depth }, () => 'd');
      return ['refs/heads/apfel-bot', ...parts, 'x.lock'].join('/');
    });
    for (const lock of [near, far]) {
      const path = join(gitDir, lock ?? '');
      await mkdir(dirname(path), { recursive: true });
      await writeFile(path, '');
      await utimes(path, then, then);
    }
    assert.equal((await sweepRuns(gitDir, Date.now())).locks, [join(gitDir, near ?? '')]);
  }));

test('a record that is still being written belongs to a run that is alive', () =>
  withPlaces(async gitDir => {
    const file = await plantRecord(gitDir, {});
    await rename(file, `${file}.tmp`);
    assert.is((await sweepRuns(gitDir, Date.now())).alive, 1);
    await sweepRuns(gitDir, Date.now() + HOUR_MS);
    assert.not.ok(existsSync(`${file}.tmp`));
  }));

test('a reused process id is not taken for the run', () =>
  withPlaces(async (gitDir, temp) => {
    const folder = await makeScratchFolder(temp, announce);
    await plantRecord(gitDir, { pid: process.pid, start: 'long ago', scratch: [folder] });
    assert.equal((await sweepRuns(gitDir, Date.now())).folders, [folder]);
  }));

test('another process that is alive is left alone', () =>
  withPlaces(async (gitDir, temp) => {
    const child = spawn('sleep', ['20'], { stdio: 'ignore' });
    const pid = child.pid ?? 0;
    const folder = await makeScratchFolder(temp, announce);
    await plantRecord(gitDir, { pid, start: await processStart(pid), scratch: [folder] });
    assert.is((await sweepRuns(gitDir, Date.now())).alive, 1);
    const gone = new Promise(resolve => child.on('exit', resolve));
    child.kill('SIGKILL');
    await gone;
    assert.equal((await sweepRuns(gitDir, Date.now())).folders, [folder]);
  }));

test('a run on another machine is taken for alive for a day', () =>
  withPlaces(async gitDir => {
    const file = await plantRecord(gitDir, { space: 'elsewhere' });
    assert.is((await sweepRuns(gitDir, Date.now())).alive, 1);
    await sweepRuns(gitDir, Date.now() + 25 * HOUR_MS);
    assert.not.ok(existsSync(file));
  }));

test('a folder without our mark or name is never deleted, whatever a record says', () =>
  withPlaces(async (gitDir, temp) => {
    const precious = ['project', 'apfel-bot-0123456789abcdef02'].map(name => join(temp, name));
    for (const folder of precious) {
      await mkdir(folder);
      await writeFile(join(folder, 'work'), 'of days');
    }
    const marked = await makeScratchFolder(temp, announce);
    const disguised = join(temp, 'apfel-bot-0123456789abcdef03');
    await symlink(marked, disguised);
    await plantRecord(gitDir, { scratch: [...precious, disguised, '/', '', '.', temp] });
    const { folders, left } = await sweepRuns(gitDir, Date.now());
    assert.equal(folders, []);
    assert.is(left.filter(line => /has no marker file/.test(line)).length, left.length);
    for (const folder of precious) assert.ok(existsSync(join(folder, 'work')));
    assert.ok(existsSync(marked));
    assert.equal(await readdir(join(gitDir, 'apfel-bot/runs')), []);
  }));

test('an empty folder of a run that died before marking it is removed', () =>
  withPlaces(async (gitDir, temp) => {
    const folder = join(temp, 'apfel-bot-0123456789abcdef04');
    await mkdir(folder);
    await plantRecord(gitDir, { scratch: [folder] });
    assert.equal((await sweepRuns(gitDir, Date.now())).folders, [folder]);
  }));

test('records that cannot be read are removed after a minute', () =>
  withPlaces(async gitDir => {
    const runs = join(gitDir, 'apfel-bot/runs');
    await mkdir(runs, { recursive: true });
    const hostile = [
      '',
      '{',
      '[]',
      'null',
      '{"id":1}',
      '{"id":"x","pid":-1,"space":"","scratch":[]}',
      'x'.repeat(100_000),
    ];
    for (const [at, text] of hostile.entries()) await writeFile(join(runs, `${at}.json`), text);
    await writeFile(join(runs, '01RUN.json.tmp'), '{');
    await writeFile(join(runs, 'not ours.txt'), '');
    assert.is((await sweepRuns(gitDir, Date.now())).alive, hostile.length + 1);
    await sweepRuns(gitDir, Date.now() + HOUR_MS);
    assert.equal(await readdir(runs), ['not ours.txt']);
  }));

test('old folders are removed, new ones and those of others stay, and links are not followed', () =>
  withPlaces(async (gitDir, temp) => {
    const folders = join(gitDir, 'apfel-bot/scratch');
    const [old, young] = ['notes-0123456789abcdef01', 'notes-0123456789abcdef02'];
    for (const name of [old, young, 'else'])
      await mkdir(join(folders, name ?? ''), { recursive: true });
    const then = new Date(Date.now() - 2 * HOUR_MS);
    await utimes(join(folders, old ?? ''), then, then);
    await sweepRuns(gitDir, Date.now());
    assert.equal((await readdir(folders)).sort(), ['else', young]);
    await mkdir(join(temp, 'notes-0123456789abcdef01'));
    await utimes(join(temp, 'notes-0123456789abcdef01'), then, then);
    await mkdir(join(temp, 'git/apfel-bot'), { recursive: true });
    await symlink(temp, join(temp, 'git/apfel-bot/scratch'));
    await sweepRuns(join(temp, 'git'), Date.now());
    assert.ok(existsSync(join(temp, 'notes-0123456789abcdef01')));
  }));

test('without records nothing is removed or created', () =>
  withPlaces(async gitDir => {
    const sweep = await sweepRuns(gitDir, Date.now());
    assert.equal(sweep, { folders: [], locks: [], left: [], alive: 0 });
    assert.not.ok(existsSync(join(gitDir, 'apfel-bot')));
  }));

test('a run name that is not a file name is refused', () =>
  withPlaces(async gitDir => {
    for (const id of ['', '../x', 'a/b', 'a b', 'x'.repeat(99)])
      await failureOf(startRun(gitDir, id));
  }));

test.run();
