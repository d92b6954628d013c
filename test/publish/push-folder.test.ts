import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readdir, symlink, utimes, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import * as assert from 'uvu/assert';
import { makePushFolder } from '../../src/publish/remote-repo.js';
import { suite } from '../support/suite.js';
import { withFolder } from '../support/with-repo.js';
import { endOf } from './push-fixture.js';

const test = suite('the folder of push');

const MODULE = new URL('../../src/publish/remote-repo.js', import.meta.url).href;
/** As `push` does it: the folder, work in it, and a way out on a signal. */
const SCRIPT = `
  import { writeFileSync, mkdirSync } from 'node:fs';
  process.on('SIGTERM', () => process.exit(143));
  const { makePushFolder } = await import(${JSON.stringify(MODULE)});
  const { folder } = await makePushFolder(process.argv[1]);
  mkdirSync(folder + '/base.git/objects', { recursive: true });
  writeFileSync(folder + '/base.git/objects/x', 'x');
  setInterval(() => undefined, 1000);
  console.log(folder);
`;

interface Pusher {
  readonly folder: string;
  end(signal: NodeJS.Signals): Promise<void>;
}

async function startPusher(temp: string): Promise<Pusher> {
  const child = spawn(process.execPath, ['--input-type=module', '-e', SCRIPT, temp], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [text] = await once(child.stdout.setEncoding('utf8'), 'data');
  // One that a failing test forgets ends with us.
  process.once('exit', () => child.kill('SIGKILL'));
  child.stdout.destroy();
  child.unref();
  return {
    folder: String(text).trim(),
    end: async signal => {
      child.ref();
      child.kill(signal);
      await once(child, 'exit');
    },
  };
}

/** The name that another process, or another machine, would have given. */
const named = (folder: string, parts: { pid?: number; space?: string }): string => {
  const [, space = '', pid = ''] = /-push-(\w+)-(\d+)-/.exec(folder) ?? [];
  return `apfel-bot-push-${parts.space ?? space}-${parts.pid ?? pid}-${'a'.repeat(18)}`;
};

async function age(path: string, hours: number): Promise<void> {
  const then = new Date(Date.now() - hours * 3_600_000);
  await utimes(path, then, then);
}

test('is private, empty, and gone when it is removed', () =>
  withFolder(async temp => {
    const { folder, remove } = await makePushFolder(temp);
    assert.equal(await readdir(temp), [basename(folder)]);
    assert.equal(await readdir(folder), []);
    await writeFile(join(folder, 'x'), 'x');
    await remove();
    await remove();
    assert.equal(await readdir(temp), []);
  }));

test('goes with a process that a signal ends', () =>
  withFolder(async temp => {
    const pusher = await startPusher(temp);
    assert.is((await readdir(temp)).length, 1);
    await pusher.end('SIGTERM');
    assert.equal(await readdir(temp), []);
  }));

test('of a process that was killed is removed by the next one, that of a living one is not', () =>
  withFolder(async temp => {
    const [killed, living] = [await startPusher(temp), await startPusher(temp)];
    await killed.end('SIGKILL');
    assert.is((await readdir(temp)).length, 2);
    const [one, other] = [await makePushFolder(temp), await makePushFolder(temp)];
    const left = [living, one, other].map(({ folder }) => basename(folder));
    assert.equal((await readdir(temp)).sort(), left.sort());
    await living.end('SIGTERM');
    await one.remove();
    await other.remove();
  }));

test('of an earlier process that had our number is removed', () =>
  withFolder(async temp => {
    const made = await makePushFolder(temp);
    await mkdir(join(temp, named(made.folder, {})));
    const other = await makePushFolder(temp);
    assert.equal(
      (await readdir(temp)).sort(),
      [made, other].map(({ folder }) => basename(folder)).sort(),
    );
    await made.remove();
    await other.remove();
  }));

test('of another machine is left for a day, and what is not a folder of ours for good', () =>
  withFolder(async temp => {
    const made = await makePushFolder(temp);
    const elsewhere = join(temp, named(made.folder, { space: '00000000', pid: 2 ** 30 }));
    const old = join(temp, named(made.folder, { space: '00000001', pid: 1 }));
    const link = join(temp, named(made.folder, { pid: 2 ** 30 }));
    const target = join(temp, 'apfel-bot-0123456789abcdef01');
    const stray = join(temp, 'apfel-bot-push-mine');
    for (const folder of [elsewhere, old, target, stray]) {
      await mkdir(folder);
      await writeFile(join(folder, 'kept'), '');
    }
    await symlink(target, link);
    for (const folder of [old, target, stray]) await age(folder, 25);
    await age(elsewhere, 23);
    await made.remove();
    await (await makePushFolder(temp)).remove();
    const left = [elsewhere, link, target, stray].map(path => basename(path));
    assert.equal((await readdir(temp)).sort(), left.sort());
    assert.equal(await readdir(target), ['kept']);
  }));

test('cannot be made: exit 5, and what to do', () =>
  withFolder(async temp => {
    const { code, said } = await endOf(makePushFolder(join(temp, 'nowhere')));
    assert.is(code, 5);
    assert.match(said, /cannot create a folder in .*nowhere.*ENOENT[\s\S]*TMPDIR/);
  }));

test.run();
