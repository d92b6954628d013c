import * as fs from 'node:fs';
import { chmod, mkdir, readlink, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { applyPlan, type Disk } from '../../src/hooks/install-command.js';
import type { FileStep } from '../../src/hooks/plan.js';
import { suite } from '../support/suite.js';
import { withFolder } from '../support/with-repo.js';
import { photograph } from './snapshot.js';

const test = suite('hooks/hook-files');

async function prepare(dir: string): Promise<FileStep[]> {
  await mkdir(join(dir, 'hooks'));
  await writeFile(join(dir, 'hooks/pre-commit'), 'theirs');
  await chmod(join(dir, 'hooks/pre-commit'), 0o750);
  await symlink('../lint', join(dir, 'hooks/pre-push'));
  await writeFile(join(dir, 'lefthook.yml'), 'a: 1\n');
  await chmod(join(dir, 'lefthook.yml'), 0o640);
  await writeFile(join(dir, 'hooks/old'), 'old');
  const write = { kind: 'write', replaces: undefined, isExecutable: true } as const;
  return [
    { kind: 'move', from: join(dir, 'hooks/pre-commit'), to: join(dir, 'hooks/before') },
    { ...write, path: join(dir, 'hooks/pre-commit'), text: 'ours' },
    { kind: 'move', from: join(dir, 'hooks/pre-push'), to: join(dir, 'hooks/push-before') },
    { ...write, path: join(dir, 'new/deep/post-commit'), text: 'ours' },
    {
      ...write,
      path: join(dir, 'lefthook.yml'),
      text: 'a: 1\nb: 2\n',
      replaces: 'a: 1\n',
      isExecutable: false,
    },
    { kind: 'remove', path: join(dir, 'hooks/old'), replaces: 'old' },
  ];
}

test('install writes every hook, keeps modes and links, and leaves no other file', () =>
  withFolder(async dir => {
    applyPlan({ steps: await prepare(dir) });
    assert.equal(
      photograph(dir).map(line => line.replace(/ [0-9a-f]+$/, '')),
      [
        'hooks/',
        'hooks/before 100750',
        'hooks/pre-commit 100755',
        'hooks/push-before 120777 ../lint',
        'lefthook.yml 100640',
        'new/',
        'new/deep/',
        'new/deep/post-commit 100755',
      ],
    );
    assert.is(await readlink(join(dir, 'hooks/push-before')), '../lint');
  }));

/** A disk whose call number `fatal` fails; it works again afterwards, as a full disk may. */
function failingDisk(fatal: number): { disk: Disk; calls: () => number } {
  let count = 0;
  const guard =
    <Args extends unknown[]>(name: string, call: (...args: Args) => unknown) =>
    (...args: Args): never => {
      count += 1;
      if (count === fatal) {
        throw Object.assign(new Error(`ENOSPC: ${name}`), { code: 'ENOSPC', path: args[0] });
      }
      return call(...args) as never;
    };
  const disk = {
    chmodSync: guard('chmod', fs.chmodSync),
    copyFileSync: guard('copyFile', fs.copyFileSync),
    // Where links can't be made, the file is renamed.
    linkSync: fs.linkSync,
    mkdirSync: guard('mkdir', fs.mkdirSync),
    renameSync: guard('rename', fs.renameSync),
    rmdirSync: guard('rmdir', fs.rmdirSync),
    unlinkSync: guard('unlink', fs.unlinkSync),
    writeFileSync: guard('writeFile', fs.writeFileSync),
  } as Disk;
  return { disk, calls: () => count };
}

/** Calls up to the last one that can fail; then come only the spare copies. */
const CALLS = 12;

for (let fatal = 1; fatal <= CALLS; fatal += 1) {
  test(`install leaves everything as it was when disk call ${fatal} fails`, () =>
    withFolder(async dir => {
      const steps = await prepare(dir);
      const before = photograph(dir);
      assert.throws(
        () => applyPlan({ steps }, failingDisk(fatal).disk),
        (thrown: Error & { hint?: string }) =>
          /^can't write .*: the disk is full$/.test(thrown.message) &&
          /^Nothing was changed\./.test(thrown.hint ?? ''),
      );
      assert.equal(photograph(dir), before);
    }));
}

test('install makes no other disk call that could leave a hook half-written', () =>
  withFolder(async dir => {
    const { disk, calls } = failingDisk(CALLS + 1);
    applyPlan({ steps: await prepare(dir) }, disk);
    assert.is(calls(), CALLS + 2);
  }));

/** A disk on which nothing works from call number `last` on, as after `kill -9`. */
function deadDisk(last: number): Disk {
  let count = 0;
  const guarded = Object.entries(failingDisk(0).disk).map(([name, call]) => [
    name,
    (...args: never[]) => {
      count += 1;
      if (count > last) throw Object.assign(new Error('killed'), { code: 'EIO', path: 'x' });
      return (call as (...args: never[]) => unknown)(...args);
    },
  ]);
  return Object.fromEntries(guarded);
}

test('install killed at any moment leaves the old hook in place, or ours with the old one beside it', async () => {
  for (let last = 0; last <= 8; last += 1) {
    await withFolder(async dir => {
      const [path, kept] = [join(dir, 'pre-commit'), join(dir, 'pre-commit.before')];
      await writeFile(path, 'theirs');
      const written = { path, text: 'ours', replaces: undefined, isExecutable: true };
      const install: FileStep[] = [
        { kind: 'move', from: path, to: kept },
        { kind: 'write', ...written },
      ];
      const uninstall: FileStep[] = [
        { kind: 'remove', path, replaces: 'ours' },
        { kind: 'move', from: kept, to: path },
      ];
      const attempt = (steps: readonly FileStep[], disk: Disk): string => {
        try {
          applyPlan({ steps }, disk);
        } catch {
          // As intended.
        }
        const there = fs.readFileSync(path, 'utf8');
        return there === 'ours' ? `ours with ${fs.readFileSync(kept, 'utf8')}` : there;
      };
      assert.match(attempt(install, deadDisk(last)), /^(?:theirs|ours with theirs)$/, `${last}`);
      for (const name of fs.readdirSync(dir)) fs.unlinkSync(join(dir, name));
      await writeFile(path, 'theirs');
      applyPlan({ steps: install });
      assert.match(attempt(uninstall, deadDisk(last)), /^(?:theirs|ours with theirs)$/, `${last}`);
    });
  }
});

test('install stops when a hook changed meanwhile, and changes nothing', () =>
  withFolder(async dir => {
    const steps = await prepare(dir);
    await writeFile(join(dir, 'lefthook.yml'), 'a: 3\n');
    const before = photograph(dir);
    assert.throws(() => applyPlan({ steps }), /lefthook\.yml changed while/);
    assert.equal(photograph(dir), before);
  }));

test('install never writes over a file that was not in its plan', () =>
  withFolder(async dir => {
    const path = join(dir, 'pre-commit');
    await writeFile(path, 'new here');
    const step = {
      kind: 'write',
      path,
      text: 'x',
      replaces: undefined,
      isExecutable: true,
    } as const;
    assert.throws(() => applyPlan({ steps: [step] }), /changed while/);
    const move = { kind: 'move', from: path, to: path } as const;
    assert.throws(() => applyPlan({ steps: [move] }), /changed while/);
    assert.is(fs.readFileSync(path, 'utf8'), 'new here');
  }));

test("a failed install names what couldn't be restored", () =>
  withFolder(async dir => {
    const steps = await prepare(dir);
    const disk: Disk = {
      ...fs,
      mkdirSync: () => {
        // From here on nothing works.
        disk.renameSync = () => {
          throw Object.assign(new Error('EROFS'), { code: 'EROFS' });
        };
        throw Object.assign(new Error('EROFS'), { code: 'EROFS', path: 'x' });
      },
    };
    assert.throws(
      () => applyPlan({ steps }, disk),
      /the disk is read-only; .*pre-commit couldn't be restored \(the disk is read-only\)/,
    );
  }));

/** Root may write anywhere, so it becomes somebody else for the moment. */
function asNobody(body: () => void): void {
  const isRoot = process.getuid?.() === 0;
  if (isRoot) process.seteuid?.(65534);
  try {
    body();
  } finally {
    if (isRoot) process.seteuid?.(0);
  }
}

test('install says so when it may not write to the hook folder', () =>
  withFolder(async dir => {
    const steps = await prepare(dir);
    await chmod(dir, 0o755);
    await chmod(join(dir, 'hooks'), 0o555);
    const before = photograph(dir);
    asNobody(() =>
      assert.throws(() => applyPlan({ steps }), /hooks\/pre-commit: no permission to write there$/),
    );
    assert.equal(photograph(dir), before);
    await chmod(join(dir, 'hooks'), 0o755);
  }));

test('install says so when the hook folder is a file', () =>
  withFolder(async dir => {
    await writeFile(join(dir, 'hooks'), '');
    const path = join(dir, 'hooks', 'pre-commit');
    const step = {
      kind: 'write',
      path,
      text: 'x',
      replaces: undefined,
      isExecutable: true,
    } as const;
    assert.throws(() => applyPlan({ steps: [step] }), /part of the path isn't a folder$/);
  }));

test.run();
