import {
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { nodeClock } from '../../src/platform/clock.js';
import type { AuditFacts } from '../../src/runs/run-log.js';
import { readSavedRun, type SavedRun, savedRunNames, saveRun } from '../../src/runs/save.js';
import { planted } from '../secrets/planted.js';
import { suite } from '../support/suite.js';
import { withFolder } from '../support/with-repo.js';

const test = suite('runs/saved');

const FACTS: AuditFacts = {
  asked: 'apfel-bot review',
  stages: [],
  hunks: [],
  hosts: [],
  texts: [],
};
const run = (name: string): { run: string } => ({ run: name });
const save = (dir: string, saved: SavedRun): Promise<boolean> => saveRun(dir, saved, nodeClock);
const folderIn = (dir: string): string => join(dir, 'apfel-bot', 'outcomes');

test('a saved run can be read again, by its owner only', () =>
  withFolder(async dir => {
    assert.is(await save(dir, { outcome: run('01A'), facts: FACTS }), true);
    assert.equal(savedRunNames(dir), ['01A']);
    assert.equal(readSavedRun(dir, '01A'), { v: 1, outcome: run('01A'), facts: FACTS });
    assert.is(statSync(join(folderIn(dir), '01A.json')).mode & 0o077, 0);
  }));

test('the newest fifty runs are kept, and half-written files are removed', () =>
  withFolder(async dir => {
    mkdirSync(folderIn(dir), { recursive: true });
    writeFileSync(join(folderIn(dir), '00Z.json.tmp'), '{');
    writeFileSync(join(folderIn(dir), '01Z.json.tmp'), '{');
    for (let at = 0; at < 60; at += 1) {
      await save(dir, { outcome: run(`01A${100 + at}`), facts: FACTS });
    }
    const names = savedRunNames(dir);
    assert.is(names.length, 50);
    assert.is(names[0], '01A159');
    assert.is(names.at(-1), '01A110');
    assert.is(readdirSync(folderIn(dir)).includes('00Z.json.tmp'), false);
  }));

test('no secret is saved with a run', () =>
  withFolder(async dir => {
    const { githubToken: secret } = planted;
    const outcome = { ...run('01A'), notices: [`token ${secret}`], deep: [{ text: secret }] };
    await save(dir, { outcome, facts: { ...FACTS, asked: `apfel-bot ask "${secret}"` } });
    assert.not.match(readFileSync(join(folderIn(dir), '01A.json'), 'utf8'), secret);
  }));

test('a run that is too large is saved without its texts, or not at all', () =>
  withFolder(async dir => {
    const line = { kind: 'added', text: 'x'.repeat(5_000_000), newLine: 1 } as const;
    const texts = [{ path: 'a', hunk: 1, section: '', lines: [line] }];
    assert.is(await save(dir, { outcome: run('01A'), facts: { ...FACTS, texts } }), true);
    assert.equal(readSavedRun(dir, '01A'), { v: 1, outcome: run('01A'), facts: FACTS });
    const outcome = { ...run('01B'), notices: ['y'.repeat(5_000_000)] };
    assert.is(await save(dir, { outcome, facts: FACTS }), false);
    assert.equal(savedRunNames(dir), ['01A']);
  }));

test('a run works where nothing can be saved', () =>
  withFolder(async dir => {
    writeFileSync(join(dir, 'apfel-bot'), 'a file in our place');
    assert.is(await save(dir, { outcome: run('01A'), facts: FACTS }), false);
    assert.equal(savedRunNames(dir), []);
    assert.is(readSavedRun(dir, '01A'), undefined);
  }));

test('a link in the place of the folder is not followed', () =>
  withFolder(async dir => {
    mkdirSync(join(dir, 'elsewhere'));
    mkdirSync(join(dir, 'apfel-bot'));
    symlinkSync(join(dir, 'elsewhere'), folderIn(dir));
    assert.is(await save(dir, { outcome: run('01A'), facts: FACTS }), false);
    assert.equal(readdirSync(join(dir, 'elsewhere')), []);
  }));

test('a saved run that is not JSON reads as none', () =>
  withFolder(async dir => {
    mkdirSync(folderIn(dir), { recursive: true });
    writeFileSync(join(folderIn(dir), '01A.json'), '{"v":');
    assert.is(readSavedRun(dir, '01A'), undefined);
    assert.is(readSavedRun(dir, '../../01A'), undefined);
  }));

test.run();
