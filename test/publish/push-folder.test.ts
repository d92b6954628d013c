import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import * as assert from 'uvu/assert';
import { openRemoteRepo } from '../../src/publish/remote-repo.js';
import { suite } from '../support/suite.js';
import { withFolder } from '../support/with-repo.js';
import { endOf } from './push-fixture.js';

const test = suite('publish/push-folder');

const MODULE = new URL('../../src/publish/remote-repo.js', import.meta.url).href;
/** As `push` does it: the folder, work in it, and a way out on a signal. */
const SCRIPT = `
  import { writeFileSync, mkdirSync } from 'node:fs';
  process.on('SIGTERM', () => process.exit(143));
  const { openRemoteRepo } = await import(${JSON.stringify(MODULE)});
  const { folder } = await openRemoteRepo({}, process.argv[1]);
  mkdirSync(folder + '/base.git/objects', { recursive: true });
  writeFileSync(folder + '/base.git/objects/x', 'x');
  setInterval(() => undefined, 1000);
  console.log(folder);
`;

const REMOTE = {
  address: 'https://github.com/a/b.git',
  token: 't',
  env: {},
  signal: new AbortController().signal,
};

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

test('the temporary folder of push is private, empty, and gone when it is removed', () =>
  withFolder(async temp => {
    const { folder, remove } = await openRemoteRepo(REMOTE, temp);
    assert.equal(await readdir(temp), [basename(folder)]);
    assert.equal(await readdir(folder), []);
    await writeFile(join(folder, 'x'), 'x');
    await remove();
    await remove();
    assert.equal(await readdir(temp), []);
  }));

test('the temporary folder of push is removed when a signal ends the process', () =>
  withFolder(async temp => {
    const pusher = await startPusher(temp);
    assert.is((await readdir(temp)).length, 1);
    await pusher.end('SIGTERM');
    assert.equal(await readdir(temp), []);
  }));

test('push exits 5 and says what to do when its temporary folder cannot be created', () =>
  withFolder(async temp => {
    const { code, said } = await endOf(openRemoteRepo(REMOTE, join(temp, 'nowhere')));
    assert.is(code, 5);
    assert.match(said, /can't create a folder in .*nowhere.*ENOENT[\s\S]*TMPDIR/);
  }));

test.run();
