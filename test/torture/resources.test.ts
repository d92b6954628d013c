import { spawn } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { EXIT } from '../../src/core/bot-error.js';
import { fingerprint, noMounts } from '../git/scratch-harness.js';
import { apfelBot, CLI } from '../support/cli.js';
import { notAll, suite } from '../support/suite.js';
import { gitEnv, openRepo, type Repo, withFolder } from '../support/with-repo.js';

const test = suite('torture/resources');

const isOurs = (path: string): boolean =>
  /^\.git\/(objects|apfel-bot|(logs\/)?refs\/notes)(\/|$)/.test(path);

const ENV = { APFEL_BOT_BASE_URL: 'http://127.0.0.1:9/v1' };

/** Each writes something of ours: an outcome, a record, a note. */
const ALL: ReadonlyArray<readonly string[]> = [
  ['review', '--no-model', '--commit', 'HEAD', '--out', '../out.json'],
  ['hook', 'pre-commit', '--no-model'],
  ['hook', 'post-commit'],
  ['post', '../whole.json', '--note'],
  ['notes', 'fetch', '../notes.git'],
  ['notes', 'push'],
];

const COMMANDS = notAll === undefined ? ALL : ALL.slice(1, 5);

/** Hours back and forth at every look. */
const JUMPING = `
  const real = Date.now;
  let at = 0;
  Date.now = () => real() - 3_600_000 * (at++ % 3);
`;

interface Shortage {
  /** Before the program, in the same shell. */
  readonly limit?: string;
  /** It mounts something, which only this shell and the program see. */
  readonly isMounting?: boolean;
  readonly preload?: string;
  /** After the program, in the same shell. */
  readonly after?: string;
  /** Nothing is short at all, only odd: everything works. */
  readonly isHarmless?: boolean;
}

const SHORTAGES: Readonly<Record<string, Shortage>> = {
  'no room for a file': { limit: 'ulimit -f 0' },
  // Of its own group: a child that could not start must not take us along.
  'too few open files': { limit: 'ulimit -n 22' },
  'hardly enough open files': { limit: 'ulimit -n 27' },
  'a read-only disk': {
    limit: 'mount --bind . . && mount -o remount,bind,ro "$PWD" && cd "$PWD"',
    isMounting: true,
  },
  // What the program leaves there is copied back, to be looked at.
  'a full disk': {
    limit: `here=$PWD; mkdir -p ../full && mount -t tmpfs -o size=4m none ../full &&
      cp -a . ../full/repo && cp -a ../far.git ../notes.git ../whole.json ../full && cd ../full/repo &&
      { head -c 9m /dev/zero > ../filler 2>/dev/null; ! cp a.js ../more 2>/dev/null; }`,
    isMounting: true,
    after: 'rm -rf "$here/.git" "$here"/* && cp -a . "$here"',
  },
  'a clock that jumps backwards': { preload: JUMPING, isHarmless: true },
};

interface Ended {
  readonly code: number | null;
  readonly stderr: string;
}

function runIn(
  repo: Repo,
  args: readonly string[],
  how: Shortage,
  preload: string,
): Promise<Ended> {
  const node = [process.execPath, ...(how.preload === undefined ? [] : ['--require', preload])];
  const run = how.after === undefined ? 'exec "$@"' : `"$@"; code=$?; ${how.after}; exit $code`;
  const script = `${how.limit ?? ':'} || exit 99; ${run}`;
  const shell = [...(how.isMounting === true ? ['unshare', '--mount'] : []), 'sh', '-c'];
  const [program = '', ...rest] = [...shell, script, 'sh', ...node, CLI, ...args];
  return new Promise((done, reject) => {
    const child = spawn(program, rest, {
      cwd: repo.dir,
      env: { ...gitEnv(repo.dir), ...ENV },
      stdio: ['ignore', 'ignore', 'pipe'],
      timeout: 60_000,
      killSignal: 'SIGKILL',
    });
    let stderr = '';
    child.stderr.setEncoding('utf8').on('data', text => (stderr += text));
    child.on('error', reject);
    child.on('close', code => done({ code, stderr }));
  });
}

async function withWork(body: (repo: Repo, folder: string) => Promise<void>): Promise<void> {
  await withFolder(async folder => {
    await openRepo(folder).git('init', '--quiet', '--initial-branch', 'main', 'repo');
    const repo = openRepo(join(folder, 'repo'));
    await repo.commit({ 'a.js': 'one();\n' }, 'first');
    await repo.commit({ 'a.js': 'one();\ntwo();\n' }, 'second');
    await openRepo(folder).git('clone', '--quiet', '--bare', 'repo', 'far.git');
    await repo.git('remote', 'add', 'origin', '../far.git');
    const args = ['review', '--no-model', '--commit', 'HEAD', '--out', '../whole.json'];
    assert.is((await apfelBot(args, { cwd: repo.dir })).code, 0);
    assert.is((await apfelBot(['post', '../whole.json', '--note'], { cwd: repo.dir })).code, 0);
    await openRepo(folder).git('clone', '--quiet', '--mirror', 'repo', 'notes.git');
    await repo.stage('b.js', 'staged();\n');
    await repo.write('a.js', 'unsaved();\n');
    await body(repo, folder);
  });
}

for (const [name, how] of Object.entries(SHORTAGES)) {
  const reason = how.isMounting === true ? noMounts() : undefined;
  test.unless(reason, `with ${name}, nothing of the user's changes, and the next run works`, () =>
    withWork(async (repo, folder) => {
      const preload = join(folder, 'preload.cjs');
      await writeFile(preload, how.preload ?? '');
      const before = await fingerprint(repo.dir, isOurs);
      for (const args of COMMANDS) {
        const { code, stderr } = await runIn(repo, args, how, preload);
        const what = `${args.join(' ')}: ${code}, ${stderr}`;
        assert.equal(await fingerprint(repo.dir, isOurs), before, what);
        assert.is.not(code, EXIT.bug, what);
        assert.is.not(code, 99, what);
        // Only a finding stops git; what the machine lacks doesn't.
        if (args[0] === 'hook' || how.isHarmless) assert.is(code, 0, what);
      }
      for (const args of COMMANDS) {
        const { code, stderr } = await apfelBot(args, { cwd: repo.dir, env: ENV });
        assert.is(code, 0, `${args.join(' ')}: ${stderr}`);
      }
      const note = await repo.git('notes', '--ref=apfel-bot', 'show', 'HEAD');
      assert.is(note.split('\n').filter(Boolean).length, 1, 'the note is there once');
      assert.is(await repo.git('fsck', '--no-dangling'), '');
    }),
  );
}

test.run();
