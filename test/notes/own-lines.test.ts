import { appendFile, mkdir, rename, rm, symlink, truncate } from 'node:fs/promises';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { ownLines, rememberOwn } from '../../src/notes/own-lines.js';
import { suite } from '../support/suite.js';
import { withFolder } from '../support/with-repo.js';

const test = suite('notes/own-lines');

test('a clone knows the lines that it wrote and no others', () =>
  withFolder(async folder => {
    assert.not.ok(ownLines(folder)('one'), 'before there is a file');
    await rememberOwn(folder, ['one', 'two']);
    await rememberOwn(folder, ['three']);
    const isOwn = ownLines(folder);
    assert.equal(['one', 'two', 'three', 'four', ''].map(isOwn), [true, true, true, false, false]);
  }));

test('a list of own lines that is far too large, or a folder, is not read', () =>
  withFolder(async folder => {
    const file = join(folder, 'apfel-bot/own-notes');
    await rememberOwn(folder, ['one']);
    await truncate(file, 5_400_000);
    assert.ok(ownLines(folder)('one'));
    await truncate(file, 5_400_001);
    assert.not.ok(ownLines(folder)('one'));
    await rm(file);
    await mkdir(file);
    assert.not.ok(ownLines(folder)('one'));
  }));

test('a link in place of the list of own lines proves nothing', () =>
  withFolder(async folder => {
    await rememberOwn(folder, ['one']);
    await rename(join(folder, 'apfel-bot/own-notes'), join(folder, 'elsewhere'));
    await symlink('../elsewhere', join(folder, 'apfel-bot/own-notes'));
    assert.not.ok(ownLines(folder)('one'));
  }));

test('the older half of a long list of own lines is dropped', () =>
  withFolder(async folder => {
    await rememberOwn(folder, ['old']);
    await appendFile(join(folder, 'apfel-bot/own-notes'), `${'x'.repeat(43)}\n`.repeat(61_361));
    assert.ok(ownLines(folder)('old'));
    await rememberOwn(folder, ['new']);
    assert.equal(['old', 'new'].map(ownLines(folder)), [true, true], '2,700,000 bytes or fewer');
    await rememberOwn(folder, ['newer']);
    assert.equal(['old', 'new', 'newer'].map(ownLines(folder)), [false, true, true]);
  }));

test.run();
