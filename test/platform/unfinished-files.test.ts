import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { removeUnfinishedFiles } from '../../src/platform/own-files.js';
import { suite } from '../support/suite.js';
import { withFolder } from '../support/with-repo.js';

/** Higher than any process number that systems give out. */
const NOBODY = 2_000_000_000;

const test = suite('platform/unfinished-files');

test('half-written files of a dead process are removed, others stay', () =>
  withFolder(async dir => {
    const queue = join(dir, 'apfel-bot', 'queue');
    await mkdir(queue, { recursive: true });
    const names = [
      `hand-over.json.${NOBODY}.tmp`,
      `x.json.${process.pid}.tmp`,
      'note.tmp',
      'a.json',
    ];
    for (const name of names) {
      await writeFile(join(dir, 'apfel-bot', name), '{');
      await writeFile(join(queue, name), '{');
    }
    await writeFile(join(dir, `index.${NOBODY}.tmp`), 'not ours');
    await removeUnfinishedFiles(dir);
    const kept = ['a.json', 'note.tmp', `x.json.${process.pid}.tmp`];
    assert.equal((await readdir(queue)).sort(), kept);
    assert.equal((await readdir(join(dir, 'apfel-bot'))).sort(), [...kept, 'queue'].sort());
    assert.ok((await readdir(dir)).includes(`index.${NOBODY}.tmp`));
  }));

test('a folder without files of ours is left alone', () =>
  withFolder(async dir => {
    await removeUnfinishedFiles(dir);
    assert.equal(await readdir(dir), []);
  }));

test.run();
