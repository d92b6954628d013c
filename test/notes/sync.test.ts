import { existsSync } from 'node:fs';
import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { runSimpleGit } from '../../src/git/remote.js';
import { fetchNotes, type NotesRemote, pushNotes } from '../../src/notes/command.js';
import { appendNote, notesPlace, parseNote } from '../../src/notes/store.js';
import { complaintOf } from '../../src/platform/files.js';
import { failureOf, fingerprint, repositoryLocation } from '../git/scratch-harness.js';
import { suite } from '../support/suite.js';
import { openRepo, type Repo, withFolder } from '../support/with-repo.js';

const test = suite('notes/sync');

interface Clone {
  readonly repo: Repo;
  readonly sync: NotesRemote;
  readonly head: string;
  append(run: string): Promise<boolean>;
  runs(): Promise<unknown[]>;
}

async function openClone(dir: string, remote = 'origin'): Promise<Clone> {
  const where = await repositoryLocation(dir);
  const head = where.repository.head ?? '';
  const place = notesPlace(where, runSimpleGit);
  const repo = openRepo(dir);
  const note = () => repo.git('notes', '--ref=apfel-bot', 'show', head);
  return {
    repo,
    head,
    sync: { place, where, remote },
    append: run => appendNote(place, head, { run }),
    runs: async () =>
      parseNote(await note())
        .records.map(({ run }) => run)
        .sort(),
  };
}

/** A bare remote and two clones of it. */
const withClones = (body: (one: Clone, two: Clone, bare: Repo) => Promise<void>): Promise<void> =>
  withFolder(async folder => {
    const seed = openRepo(join(folder, 'seed'));
    await mkdir(seed.dir);
    await seed.git('init', '--quiet', '--initial-branch', 'main');
    await seed.commit({ 'a.txt': 'a\n' });
    const bare = openRepo(join(folder, 'bare.git'));
    await seed.git('clone', '--quiet', '--bare', seed.dir, bare.dir);
    for (const name of ['one', 'two']) {
      await seed.git('clone', '--quiet', bare.dir, join(folder, name));
    }
    await body(await openClone(join(folder, 'one')), await openClone(join(folder, 'two')), bare);
  });

test('two clones that write notes at the same time lose nobody’s lines', () =>
  withClones(async (one, two, bare) => {
    await one.append('one');
    await two.append('two');
    assert.is(await pushNotes(one.sync), 'pushed');
    assert.is(await pushNotes(two.sync), 'pushed');
    assert.equal(await two.runs(), ['one', 'two']);
    assert.ok(await fetchNotes(one.sync));
    assert.equal(await one.runs(), ['one', 'two']);
    assert.is(
      await bare.git('notes', '--ref=apfel-bot', 'show', one.head),
      '{"run":"one"}\n{"run":"two"}',
    );
    await one.append('three');
    await two.append('four');
    await Promise.all([pushNotes(one.sync), pushNotes(two.sync)]);
    await fetchNotes(one.sync);
    assert.equal(await one.runs(), ['four', 'one', 'three', 'two']);
    assert.not.ok(await fetchNotes(one.sync), 'nothing new');
  }));

test('without notes nothing is pushed or fetched, even if a branch has the name of the notes ref', () =>
  withClones(async (one, _two, bare) => {
    await bare.git('update-ref', 'refs/heads/refs/notes/apfel-bot', one.head);
    assert.is(await pushNotes(one.sync), 'nothing');
    assert.not.ok(await fetchNotes(one.sync));
  }));

test('a first fetch takes the remote’s notes as they are and changes nothing else', () =>
  withClones(async (one, two) => {
    await one.append('one');
    await pushNotes(one.sync);
    const isOurs = (path: string): boolean =>
      /^\.git\/(objects|apfel-bot|(logs\/)?refs\/notes)(\/|$)/.test(path);
    const before = await fingerprint(two.repo.dir, isOurs);
    assert.ok(await fetchNotes(two.sync));
    assert.equal(await two.runs(), ['one']);
    assert.equal(await fingerprint(two.repo.dir, isOurs), before);
    const refs = await two.repo.git('for-each-ref', '--format=%(refname)', 'refs/notes');
    assert.is(refs, 'refs/notes/apfel-bot');
  }));

test('pushing notes runs no hook of the user’s', () =>
  withClones(async one => {
    const canary = join(one.repo.dir, '.git/canary');
    await writeFile(canary, `#!/bin/sh\ntouch "${one.repo.dir}/.git/sung"\n`);
    await chmod(canary, 0o755);
    for (const hook of ['pre-push', 'reference-transaction', 'post-merge']) {
      await writeFile(join(one.repo.dir, '.git/hooks', hook), `#!/bin/sh\n${canary}\n`, {
        mode: 0o755,
      });
    }
    await one.repo.git('config', 'push.gpgSign', 'if-asked');
    await one.repo.git('config', 'gpg.program', canary);
    await one.append('one');
    await pushNotes(one.sync);
    await fetchNotes(one.sync);
    assert.not.ok(existsSync(join(one.repo.dir, '.git/sung')), 'the canary sang');
  }));

test('a remote that always has something new ends the push after eight tries', () =>
  withClones(async (one, _two, bare) => {
    await one.append('one');
    const script = [
      '#!/bin/sh',
      'echo push >> pushes',
      'unset GIT_QUARANTINE_PATH GIT_OBJECT_DIRECTORY GIT_ALTERNATE_OBJECT_DIRECTORIES',
      'git -c user.name=x -c user.email=x notes --ref=apfel-bot append -m "{\\"push\\":$(wc -l < pushes)}" main',
    ];
    await writeFile(join(bare.dir, 'hooks/pre-receive'), `${script.join('\n')}\n`, { mode: 0o755 });
    const { code, hint } = await failureOf(pushNotes(one.sync));
    assert.is(code, 'publish-failed');
    assert.match(hint ?? '', /still here/);
    assert.is(await readFile(join(bare.dir, 'pushes'), 'utf8'), 'push\n'.repeat(8));
  }));

test('an unreachable remote is reported without its password', () =>
  withClones(async one => {
    await one.append('one');
    const remote = 'https://user:p@hunter2@127.0.0.1:9/x.git';
    const { message, code } = await failureOf(pushNotes({ ...one.sync, remote }));
    assert.is(code, 'publish-failed');
    assert.match(message, /https:\/\/127\.0\.0\.1:9/);
    assert.not.match(message, 'hunter2');
    const fetched = await failureOf(fetchNotes({ ...one.sync, remote }));
    assert.not.match(complaintOf(fetched), 'hunter2');
  }));

test('an option, an odd text or an unusual transport is never used as a remote', () =>
  withClones(async one => {
    await one.append('one');
    const trace = join(one.repo.dir, 'sung');
    for (const remote of ['', '--upload-pack=touch', 'a\nb', `ext::touch ${trace}`]) {
      await failureOf(pushNotes({ ...one.sync, remote }));
      await failureOf(fetchNotes({ ...one.sync, remote }));
    }
    assert.not.ok(existsSync(trace));
  }));

test('a hostile note from the remote is merged like any other', () =>
  withClones(async (one, two) => {
    await two.repo.git(
      'notes',
      '--ref=apfel-bot',
      'add',
      '-m',
      '}{ \u001b[31m\n{"run":"x"}',
      two.head,
    );
    await two.repo.git('push', '--quiet', 'origin', 'refs/notes/apfel-bot');
    await one.append('one');
    await fetchNotes(one.sync);
    assert.equal(await one.runs(), ['one', 'x']);
  }));

test.run();
