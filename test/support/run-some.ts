// Runs test files in this one process, one after the other: FILE REPORT [FILE REPORT]…
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

// uvu starts by itself unless it is told to wait, and then only once.
const uvu = Object.assign(globalThis, { UVU_DEFER: true, UVU_QUEUE: [] as unknown[][] });
const { exec } = await import('uvu');
const { countInto, writeTally } = await import('./suite.js');

/** Stands before what each file prints. */
const MARK = '\u001e';

let isOk = true;
const args = process.argv.slice(2);
for (let at = 0; at < args.length; at += 2) {
  const [file = '', report = ''] = args.slice(at, at + 2);
  process.stdout.write(MARK);
  uvu.UVU_QUEUE.splice(0, Infinity, [null]);
  countInto(report);
  try {
    await import(pathToFileURL(resolve(file)).href);
    await exec();
  } catch (thrown) {
    console.error(thrown);
    isOk = false;
  }
  isOk = writeTally() && isOk;
}
process.exitCode = isOk ? 0 : 1;
