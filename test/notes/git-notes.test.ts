import { existsSync } from 'node:fs';
import { chmod, mkdir, readdir, readFile, symlink, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { runSimpleGit } from '../../src/git/remote.js';
import { runGit } from '../../src/git/spawn.js';
import { finishedOf, noteOf } from '../../src/notes/record.js';
import {
  appendNote,
  notesPlace,
  parseNote,
  readPages,
  writeRecords,
} from '../../src/notes/store.js';
import type { NotesLocation } from '../../src/notes/transaction.js';
import {
  failureOf,
  fingerprint,
  repositoryLocation,
  withTwoRepos,
} from '../git/scratch-harness.js';
import { EMPTY } from '../report/sample-outcome.js';
import { suite } from '../support/suite.js';
import { openRepo, type Repo, withRepo } from '../support/with-repo.js';

const test = suite('notes/git-notes');

async function notesOf(
  dir: string,
  run = runGit,
): Promise<NotesLocation & { readonly head: string }> {
  const place = await repositoryLocation(dir);
  return { ...notesPlace(place, run), head: place.repository.head ?? '' };
}

const show = (repo: Repo, commit = 'HEAD'): Promise<string> =>
  repo.git('notes', '--ref=apfel-bot', 'show', commit);

const runsOn = async (repo: Repo, commit: string): Promise<unknown[]> =>
  parseNote(await show(repo, commit)).records.map(({ run }) => run);

/** A hook runs git itself; every other command writes notes through simple-git. */
function both(title: string, body: (run: typeof runGit) => Promise<void>): void {
  test(`in a hook, ${title}`, () => body(runGit));
  test.long(`${title}, through simple-git`, () => body(runSimpleGit));
}

both('a line is added to the note, once, and nothing else of the repository changes', run =>
  withRepo(async repo => {
    const place = await notesOf(repo.dir, run);
    await repo.stage('new.txt', 'staged\n');
    const isOurs = (path: string): boolean =>
      /^\.git\/(objects|apfel-bot|(logs\/)?refs\/notes)(\/|$)/.test(path);
    const before = await fingerprint(repo.dir, isOurs);
    assert.ok(await appendNote(place, place.head, { v: 1, run: 'a', text: 'ünï\n"x"' }));
    assert.ok(await appendNote(place, place.head, { v: 1, run: 'b' }));
    assert.not.ok(await appendNote(place, place.head, { v: 1, run: 'b' }));
    assert.is(await show(repo), '{"v":1,"run":"a","text":"ünï\\n\\"x\\""}\n{"v":1,"run":"b"}');
    assert.equal(await fingerprint(repo.dir, isOurs), before);
    assert.equal(await readdir(join(repo.dir, '.git/apfel-bot/scratch')), []);
    assert.is(
      await repo.git('log', '-1', '--format=%an <%ae>', 'refs/notes/apfel-bot'),
      'apfel-bot <apfel-bot@localhost>',
    );
    assert.is(await repo.git('fsck', '--no-dangling'), '');
  }),
);

test('a note holds no character that a terminal would obey or a reader would not see', () =>
  withRepo(async repo => {
    const place = await notesOf(repo.dir);
    const text = '\u009b31m \u202e ##[set-output name=x] \u{e0041}';
    await appendNote(place, place.head, { v: 1, run: 'a', text });
    const note = await show(repo);
    assert.not.match(note, /[^ -~]|##\[/);
    assert.is(parseNote(note).records[0]?.['text'], text);
  }));

both('twelve writers at once lose no line, on one commit or on many', run =>
  withRepo(async repo => {
    const other = await repo.commit({ 'a.txt': 'a\n' });
    const first = await repo.git('rev-parse', 'HEAD~1');
    const writers = Array.from({ length: 12 }, async (_, at) =>
      appendNote(await notesOf(repo.dir, run), at % 2 === 0 ? first : other, { run: String(at) }),
    );
    assert.equal(new Set(await Promise.all(writers)), new Set([true]));
    const even = await runsOn(repo, first);
    const odd = await runsOn(repo, other);
    assert.equal(
      [...even, ...odd].map(Number).sort((one, two) => one - two),
      [...Array(12).keys()],
    );
    assert.is(even.length, 6);
  }),
);

both('a lock that stays is reported after a limited number of tries', run =>
  withRepo(async repo => {
    const place = await notesOf(repo.dir, run);
    await appendNote(place, place.head, { v: 1 });
    await writeFile(join(repo.dir, '.git/refs/notes/apfel-bot.lock'), '');
    await repo.git('config', 'core.filesRefLockTimeout', '0');
    const { message, hint, code } = await failureOf(appendNote(place, place.head, { v: 2 }));
    assert.match(message, /the note on [0-9a-f]{12} was not recorded: .*apfel-bot\.lock/);
    assert.match(hint ?? '', /older than a minute/);
    assert.is(code, 'publish-failed');
  }),
);

both('writing a note runs no hook or signing program, whatever the user has configured', run =>
  withRepo(async repo => {
    const place = await notesOf(repo.dir, run);
    const program = join(repo.dir, '.git/program');
    await writeFile(program, `#!/bin/sh\ntouch "${repo.dir}/.git/ran"\n`);
    await chmod(program, 0o755);
    for (const [key, value] of [
      ['core.fsmonitor', program],
      ['core.editor', program],
      ['gpg.program', program],
      ['commit.gpgSign', 'true'],
      ['core.notesRef', 'refs/notes/mine'],
      ['notes.rewriteMode', 'overwrite'],
      ['notes.mergeStrategy', 'theirs'],
      ['user.useConfigOnly', 'true'],
      ['core.sharedRepository', 'group'],
    ] as const) {
      await repo.git('config', key, value);
    }
    for (const hook of ['reference-transaction', 'post-commit', 'pre-commit']) {
      await writeFile(join(repo.dir, '.git/hooks', hook), `#!/bin/sh\n${program}\n`, {
        mode: 0o755,
      });
    }
    const config = await readFile(join(repo.dir, '.git/config'), 'utf8');
    await appendNote(place, place.head, { run: 'a' });
    await appendNote(place, place.head, { run: 'b' });
    assert.equal(await runsOn(repo, place.head), ['a', 'b']);
    assert.not.ok(existsSync(join(repo.dir, '.git/ran')), 'a configured program ran');
    assert.is(await readFile(join(repo.dir, '.git/config'), 'utf8'), config);
  }),
);

test('unusable lines of a note are counted, never fatal', () => {
  const text = '{"a":1}\n\n  \n{"a":1}\nnot json\n[1]\nnull\n3\n{"b":2}\r\n{"b":2}\n';
  assert.equal(parseNote(text), {
    records: [{ a: 1 }, { b: 2 }],
    unparsable: 4,
  });
  assert.equal(parseNote(''), { records: [], unparsable: 0 });
  const deep = '['.repeat(100_000);
  const hostile = `${deep}\n${'{"a":'.repeat(20_000)}\n${' '.repeat(100_000)}x\n{"__proto__":{"x":1}}`;
  const reading = parseNote(hostile);
  assert.is(reading.unparsable, 3);
  assert.is(Object.getPrototypeOf(reading.records[0]), Object.prototype);
});

test('a note that git concatenated or people edited is still read', () =>
  withRepo(async repo => {
    const place = await notesOf(repo.dir);
    await appendNote(place, place.head, { run: 'a' });
    await repo.git('notes', '--ref=apfel-bot', 'append', '-m', 'by hand\n\n{"run":"b"}', 'HEAD');
    const { records, unparsable } = parseNote(await show(repo));
    assert.equal(records, [{ run: 'a' }, { run: 'b' }]);
    assert.is(unparsable, 1);
    await appendNote(place, place.head, { run: 'c' });
    assert.is(await show(repo), '{"run":"a"}\nby hand\n{"run":"b"}\n{"run":"c"}');
  }));

test('records of several commits are added in one step to what their notes had', () =>
  withRepo(async repo => {
    const place = await notesOf(repo.dir);
    const first = place.head;
    const second = await repo.commit({ 'a.txt': 'a\n' });
    const tree = await repo.git('rev-parse', 'HEAD^{tree}');
    await repo.git('notes', '--ref=apfel-bot', 'add', '-m', 'by hand\n\n{"run":"b"}', first);
    const records = [first, second].map(commit => noteOf(finishedOf(EMPTY), { commit, tree }));
    const lines = records.map(record => JSON.stringify(record));
    for (let at = 0; at < 2; at += 1) {
      await writeRecords(place, records);
      assert.is(await show(repo, first), `by hand\n{"run":"b"}\n${lines[0]}`);
      assert.is(await show(repo, second), lines[1]);
    }
    await writeRecords(place, []);
    const moves = await repo.git('reflog', '--format=%gs', 'refs/notes/apfel-bot');
    assert.is(moves.split('\n')[0], 'apfel-bot: notes');
    assert.is(moves.split('\n').length, 2, 'git wrote the first note');
  }));

test('the page of a commit has its subject, its parents and the record of its own tree', () =>
  withRepo(async repo => {
    const place = await notesOf(repo.dir);
    const commit = await repo.commit({ 'a.txt': 'a\n' });
    const tree = await repo.git('rev-parse', 'HEAD^{tree}');
    const record = noteOf(finishedOf(EMPTY), { commit, tree });
    await writeRecords(place, [record]);
    await appendNote(place, commit, { ...record, tree: place.head });
    await appendNote(place, commit, { run: 'a' });
    const subject = await repo.git('log', '-1', '--format=%s');
    const page = { commit, tree, parents: [place.head], subject, record };
    assert.equal(await readPages(place, [commit, 'f'.repeat(40)], 'all'), [
      { ...page, isOwn: true, unusable: 1, outdated: 1 },
    ]);
    assert.equal(await readPages(place, [commit], 'own'), [
      { ...page, isOwn: true, unusable: 0, outdated: 0 },
    ]);
  }));

test('notes work in a linked worktree, in a bare repository and with SHA-256 ids', async () => {
  await withTwoRepos(async (one, folder) => {
    await one.git('worktree', 'add', '--quiet', '--detach', join(folder, 'linked'));
    await one.git('clone', '--quiet', '--bare', one.dir, join(folder, 'bare'));
    for (const dir of [join(folder, 'linked'), join(folder, 'bare')]) {
      const place = await notesOf(dir);
      await appendNote(place, place.head, { run: dir });
      assert.is(await show(openRepo(dir)), JSON.stringify({ run: dir }));
    }
  });
  await withRepo(
    async repo => {
      const place = await notesOf(repo.dir);
      await appendNote(place, place.head, { run: 'long' });
      assert.is(await show(repo), '{"run":"long"}');
    },
    { init: ['--object-format=sha256'] },
  );
});

test('writing a note removes old repositories of ours', () =>
  withRepo(async repo => {
    const place = await notesOf(repo.dir);
    const folder = join(repo.dir, '.git/apfel-bot/scratch/notes-0123456789abcdef01');
    await mkdir(folder, { recursive: true });
    await utimes(folder, 0, 0);
    await appendNote(place, place.head, { v: 1 });
    assert.not.ok(existsSync(folder));
  }));

test('a link in place of our folder in the git directory is not followed', () =>
  withTwoRepos(async (one, folder) => {
    const place = await notesOf(one.dir);
    await writeFile(join(folder, 'precious'), 'x');
    await utimes(join(folder, 'precious'), 0, 0);
    await symlink(folder, join(one.dir, '.git/apfel-bot'));
    const { message } = await failureOf(appendNote(place, place.head, { v: 1 }));
    assert.match(message, /is a link or not a folder/);
    assert.ok(existsSync(join(folder, 'precious')));
  }));

test.run();
