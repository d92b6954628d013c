import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { defaultConfig } from '../../src/config/config.js';
import { findConfig, saysFailClosed } from '../../src/config/find.js';
import { suite } from '../support/suite.js';
import { withFolder } from '../support/with-repo.js';

const test = suite('configuration');

test('the defaults are those of the contract', () => {
  const { limits, hooks, review } = defaultConfig();
  const { turns, requests, badReplies, resultTokens, deadlineMs } = limits;
  assert.equal([turns, requests, badReplies, resultTokens, deadlineMs], [8, 12, 3, 800, undefined]);
  assert.is(hooks.deadlineMs, 8_000);
  assert.is(hooks.failClosed, false);
  assert.is(review.failOn, 'error');
});

test('a file that --config names is read instead of any other, and must be there', () =>
  withFolder(async dir => {
    const file = join(dir, 'other.json');
    const place = { file, base: undefined, git: undefined, knownRules: [] };
    await writeFile(file, '{ "limits": { "turns": 5 }, "hooks": { "failClosed": true } }');
    assert.is((await findConfig(place)).limits.turns, 5);
    assert.is(await saysFailClosed(place), true);
    const missing = { ...place, file: `${file}.old` };
    const thrown = await findConfig(missing).catch(String);
    assert.match(String(thrown), `--config names ${file}.old, but there is no such file`);
    assert.is(await saysFailClosed(missing), false);
    // Without a repository there is nothing to read.
    assert.is((await findConfig({ ...place, file: undefined })).limits.turns, 8);
  }));

test('problems of the configuration are listed in the order of the file', () =>
  withFolder(async dir => {
    const file = join(dir, 'a.json');
    await writeFile(file, '{\n"zz": 1,\n"model": {"votes": "x", "votes": "y"},\n"aa": 2\n}\n');
    const place = { file, base: undefined, git: undefined, knownRules: [] };
    const thrown = String(await findConfig(place).catch(String));
    const places = [...thrown.matchAll(/^ {2}(\d+):\d+ /gm)].map(([, line]) => Number(line));
    assert.equal(places, [2, 3, 3, 4], thrown);
  }));

test.run();
