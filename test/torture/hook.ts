import { copyFile, mkdir, readdir, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { fingerprint } from '../git/scratch-harness.js';
import { apfelBotProcess, CLI } from '../support/cli.js';
import { gitEnv, openRepo, type Repo } from '../support/with-repo.js';
import type { Scenario, Victim } from './scenario.js';

/** A port where nothing listens, and no background work after the hook. */
const CONFIG = { model: { baseUrl: 'http://127.0.0.1:9/v1' }, hooks: { background: false } };

/** What a hook may write: objects, the notes with their log, its records. */
const isOurs = (path: string): boolean =>
  /^\.git\/(objects|apfel-bot|(logs\/)?refs\/notes)(\/|$)/.test(path);

/** A repository with staged, unsaved and stashed work. */
async function openWork(folder: string): Promise<Repo> {
  const dir = join(folder, 'repo');
  await mkdir(dir);
  const repo = openRepo(dir);
  await repo.git('init', '--quiet', '--initial-branch', 'main');
  await repo.commit({ '.apfel-bot.json': JSON.stringify(CONFIG), 'a.js': 'one();\n' }, 'first');
  await repo.write('a.js', 'stashed();\n');
  await repo.git('stash');
  const many = Array.from({ length: 300 }, (_, at) => `const value${at} = ${at};\n`).join('');
  await repo.stage('a.js', `one();\n${many}debugger;\n`);
  await repo.write('a.js', 'not saved\n');
  return repo;
}

const victim = (repo: Repo, name: string): Omit<Victim, 'afterwards'> => ({
  repo,
  argv: [process.execPath, CLI, 'hook', name],
  cwd: repo.dir,
  env: gitEnv(repo.dir),
  exitCode: 0,
  state: () => fingerprint(repo.dir, isOurs),
  close: async () => undefined,
});

/** Half-written files go with the next commit, temporary folders with a later sweep. */
async function mustBeTidy(repo: Repo): Promise<void> {
  const own = join(repo.dir, '.git', 'apfel-bot');
  await apfelBotProcess(['hook', 'post-commit'], { cwd: repo.dir });
  const then = new Date(Date.now() - 7_200_000);
  for (const folder of await readdir(join(own, 'scratch')).catch(() => [])) {
    await utimes(join(own, 'scratch', folder), then, then);
  }
  await apfelBotProcess(['hook', 'background'], { cwd: repo.dir });
  assert.equal(await readdir(join(own, 'scratch')).catch(() => []), [], 'scratch');
  const left = await readdir(own, { recursive: true });
  assert.equal(
    left.filter(each => /\.tmp$|lock$/.test(each)),
    [],
    'half-written files',
  );
}

/** The review before a commit, and what it saves for post-commit. */
export const hookBefore: Scenario = {
  name: 'hook pre-commit',
  open: async folder => {
    const repo = await openWork(folder);
    const made = victim(repo, 'pre-commit');
    const env = { ...made.env, GIT_INDEX_FILE: join(repo.dir, '.git', 'index') };
    return { ...made, env, afterwards: () => mustBeTidy(repo) };
  },
};

/** The note after a commit. */
export const hookAfter: Scenario = {
  name: 'hook post-commit',
  open: async folder => {
    const repo = await openWork(folder);
    const own = join(repo.dir, '.git', 'apfel-bot');
    const copy = join(folder, 'hand-over.json');
    const env = { GIT_INDEX_FILE: join(repo.dir, '.git', 'index') };
    await apfelBotProcess(['hook', 'pre-commit'], { cwd: repo.dir, env });
    await copyFile(join(own, 'hand-over.json'), copy);
    await repo.git('commit', '--quiet', '--no-verify', '-m', 'next');
    await writeFile(join(repo.dir, 'b.js'), 'not tracked\n');
    return {
      ...victim(repo, 'post-commit'),
      // As if the commit had just been made.
      prepare: async () => {
        await copyFile(copy, join(own, 'hand-over.json'));
        await repo.git('update-ref', '-d', 'refs/notes/apfel-bot').catch(() => undefined);
      },
      afterwards: async () => {
        const notes = await repo.git('notes', '--ref=apfel-bot', 'show', 'HEAD');
        assert.match(notes, '"rule":"debugger"');
        await mustBeTidy(repo);
      },
    };
  },
};
