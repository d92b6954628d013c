import { execFileSync } from 'node:child_process';
import { hostname } from 'node:os';
import { fileURLToPath } from 'node:url';
import * as assert from 'uvu/assert';
import { processSpace } from '../../src/platform/processes.js';
import { noMounts } from '../git/scratch-harness.js';
import { suite } from '../support/suite.js';

const test = suite('platform/processes');

const isMac = process.platform === 'darwin';
const MODULE = fileURLToPath(new URL('../../src/platform/processes.js', import.meta.url));
const SESSION = '4A1B2C3D-0000-4000-8000-123456789ABC';

/** Where there is no `/proc`, and `sysctl` knows the start of the system. */
function spaceOnMac(): string {
  const script = `mount -t tmpfs tmpfs /usr/sbin && printf '#!/bin/sh\\necho ${SESSION}\\n' > /usr/sbin/sysctl &&
chmod +x /usr/sbin/sysctl && mount -t tmpfs tmpfs /proc && exec "$@"`;
  const print = `import(${JSON.stringify(MODULE)}).then(async ({ processSpace }) => console.log(await processSpace()))`;
  const args = ['-m', 'sh', '-c', script, 'sh', process.execPath, '-e', print];
  return execFileSync('unshare', args, { encoding: 'utf8' }).trim();
}

test.unless(
  isMac ? undefined : noMounts(),
  'on a Mac, whose host name changes with the network, process ids belong to one boot of the system',
  async () => {
    const space = isMac ? await processSpace() : spaceOnMac();
    assert.match(space, /^[0-9A-F-]{36}$/i);
    assert.not.match(space, hostname());
  },
);

test.run();
