import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { type Policy, startStandIn } from '../../fixtures/apfel/stand-in.js';
import { perfectCaller } from '../calibrate/perfect-caller.js';
import { fingerprint } from '../git/scratch-harness.js';
import { apfelBot, CLI } from '../support/cli.js';
import { gitEnv, openRepo, type Repo } from '../support/with-repo.js';
import type { Scenario } from './scenario.js';

/** Objects, notes, our own records and, for install, the hooks. */
const isOurs = (path: string): boolean =>
  /^\.git\/(objects|apfel-bot|hooks|(logs\/)?refs\/(notes|apfel-bot))(\/|$)/.test(path);

const ENV = { APFEL_BOT_BASE_URL: 'http://127.0.0.1:9/v1' };

interface Local {
  readonly args: readonly string[];
  readonly exitCode?: number;
  readonly input?: (repo: Repo) => Promise<string>;
  /** A model answers. */
  readonly model?: Policy;
  /** What it may write in the work tree. */
  readonly writes?: RegExp;
  /** Throws when what a killed run left isn't whole. */
  inspect?(repo: Repo): Promise<void>;
  prepare?(repo: Repo): Promise<void>;
  afterwards?(repo: Repo): Promise<void>;
}

const show = (repo: Repo): Promise<string> =>
  repo.git('notes', '--ref=apfel-bot', 'show', 'HEAD').catch(() => '');

/** Commands that stay on this machine. */
const LOCAL: Readonly<Record<string, Local>> = {
  review: {
    args: ['review', '--no-model', '--commit', 'HEAD', '--out', '../out.json'],
    afterwards: async repo => {
      const outcome = JSON.parse(await readFile(join(repo.dir, '../out.json'), 'utf8'));
      assert.is(outcome.complete, true);
    },
  },
  plan: { args: ['plan', '--commit', 'HEAD'] },
  show: { args: ['show'] },
  'show --html': {
    args: ['show', '--html', '../audit.html'],
    afterwards: async repo =>
      assert.match(await readFile(join(repo.dir, '../audit.html'), 'utf8'), /<\/html>\s*$/),
  },
  merge: { args: ['merge', '../whole.json'] },
  describe: { args: ['describe', '--commit', 'HEAD'], exitCode: 4 },
  ask: { args: ['ask', 'why?'], exitCode: 4 },
  explain: { args: ['explain', 'debugger'] },
  completion: { args: ['completion', 'bash'] },
  doctor: { args: ['doctor'] },
  eval: { args: ['eval', '--no-model'] },
  calibrate: {
    args: ['calibrate', '--runs', '1'],
    model: perfectCaller,
    afterwards: async repo => {
      const cache = join(repo.dir, '../home/.cache/apfel-bot/calibration.json');
      assert.is(JSON.parse(await readFile(cache, 'utf8')).version, 1);
    },
  },
  demo: { args: ['demo'] },
  init: {
    args: ['init', '--workflows', '--from', `ada/apfel-bot@${'0'.repeat(40)}`],
    writes: /^(?:\.apfel-bot\.json|\.github\/)/,
    prepare: async repo => {
      for (const name of ['.apfel-bot.json', '.github']) {
        await rm(join(repo.dir, name), { recursive: true, force: true });
      }
    },
    // It overwrites nothing, so half a file would stay.
    inspect: async repo => {
      const text = await readFile(join(repo.dir, '.apfel-bot.json'), 'utf8').catch(() => '{}');
      JSON.parse(text);
    },
    afterwards: async repo => {
      const names = await readdir(join(repo.dir, '.github/workflows'));
      assert.ok(names.includes('review.yml'), names.join());
    },
  },
  'post --note': {
    args: ['post', '../whole.json', '--note'],
    afterwards: async repo => assert.is((await show(repo)).split('\n').filter(Boolean).length, 1),
  },
  'notes push': {
    args: ['notes', 'push'],
    prepare: async repo => {
      await repo
        .git('push', '--quiet', '--force', 'origin', ':refs/notes/apfel-bot')
        .catch(() => '');
    },
    afterwards: async repo => {
      const listed = await repo.git('ls-remote', 'origin', 'refs/notes/apfel-bot');
      assert.is(listed.slice(0, 40), await repo.git('rev-parse', 'refs/notes/apfel-bot'));
    },
  },
  'notes fetch': { args: ['notes', 'fetch'] },
  'notes merge': {
    args: ['notes', 'merge', 'refs/notes/theirs'],
    prepare: async repo => {
      const [ours, saved] = ['refs/notes/apfel-bot', 'refs/notes/saved'];
      await repo.git('update-ref', ours, saved).catch(() => repo.git('update-ref', saved, ours));
      await repo.git('notes', '--ref=theirs', 'add', '--force', '-m', THEIR_NOTE, 'HEAD~1');
    },
    afterwards: async repo => {
      assert.is((await show(repo)).split('\n').filter(Boolean).length, 1);
      assert.is(await repo.git('notes', '--ref=apfel-bot', 'show', 'HEAD~1'), THEIR_NOTE);
    },
  },
  'hook pre-push': {
    args: ['hook', 'pre-push', '--no-model', 'origin', '../far.git'],
    input: async repo => {
      const head = await repo.git('rev-parse', 'HEAD');
      return `refs/heads/main ${head} refs/heads/new ${'0'.repeat(40)}\n`;
    },
    // As if nobody had looked yet.
    prepare: async repo => {
      await repo.git('update-ref', '-d', 'refs/notes/apfel-bot').catch(() => '');
    },
  },
  'hook post-rewrite': {
    args: ['hook', 'post-rewrite', 'amend'],
    input: async repo =>
      `${await repo.git('rev-parse', 'HEAD~1')} ${await repo.git('rev-parse', 'HEAD')}\n`,
  },
  'hook background': {
    args: ['hook', 'background'],
    // As post-commit leaves it: one commit waits, and nobody has looked yet.
    prepare: async repo => {
      const head = await repo.git('rev-parse', 'HEAD');
      await repo.git('update-ref', '-d', 'refs/notes/apfel-bot').catch(() => '');
      await repo.write(`.git/apfel-bot/queue/${head}.json`, '{"v":1,"tries":0}');
    },
    afterwards: async repo => assert.is((await show(repo)).split('\n').filter(Boolean).length, 1),
  },
  install: {
    args: ['install'],
    prepare: async repo => {
      await provide(repo);
      assert.is((await apfelBot(['uninstall'], { cwd: repo.dir })).code, 0);
      assert.is(await readFile(hookOf(repo), 'utf8'), OWN_HOOK);
    },
    inspect: keepsOwnHook,
    afterwards: async repo => {
      assert.match(await readFile(hookOf(repo), 'utf8'), 'apfel-bot');
      await keepsOwnHook(repo);
    },
  },
  uninstall: {
    args: ['uninstall'],
    prepare: async repo => {
      await provide(repo);
      const { code, stderr } = await apfelBot(['install'], { cwd: repo.dir });
      assert.is(code, 0, stderr);
    },
    inspect: keepsOwnHook,
    afterwards: async repo => assert.is(await readFile(hookOf(repo), 'utf8'), OWN_HOOK),
  },
};

const THEIR_NOTE = '{"v":1}';
/** The user's own hook is there before, and stays. */
const OWN_HOOK = '#!/bin/sh\necho mine\n';
const hookOf = (repo: Repo): string => join(repo.dir, '.git/hooks/pre-commit');

async function keepsOwnHook(repo: Repo): Promise<void> {
  const kept = ['', '.before-apfel-bot'].map(end =>
    readFile(hookOf(repo) + end, 'utf8').catch(() => ''),
  );
  assert.ok((await Promise.all(kept)).includes(OWN_HOOK), 'the user’s own hook is there');
}

/** What npm would have put there, and a hook of the user's own. */
async function provide(repo: Repo): Promise<void> {
  await repo.write('node_modules/apfel-bot/dist/cli.cjs', `require(${JSON.stringify(CLI)})\n`);
  await repo.write('.git/info/exclude', 'node_modules\n');
  if (existsSync(hookOf(repo))) return;
  await writeFile(hookOf(repo), OWN_HOOK, { mode: 0o755 });
}

async function openRepository(folder: string): Promise<Repo> {
  await openRepo(folder).git('init', '--quiet', '--initial-branch', 'main', 'repo');
  const repo = openRepo(join(folder, 'repo'));
  await repo.commit({ 'a.js': 'one();\n' }, 'first');
  await repo.commit({ 'a.js': 'one();\ntwo();\n' }, 'second');
  await openRepo(folder).git('clone', '--quiet', '--bare', 'repo', 'far.git');
  await repo.git('remote', 'add', 'origin', '../far.git');
  const args = ['review', '--no-model', '--commit', 'HEAD', '--out', '../whole.json'];
  await apfelBot(args, { cwd: repo.dir, env: ENV });
  await apfelBot(['post', '../whole.json', '--note'], { cwd: repo.dir, env: ENV });
  await apfelBot(['notes', 'push'], { cwd: repo.dir, env: ENV });
  await repo.stage('b.js', 'staged();\n');
  await repo.write('a.js', 'unsaved();\n');
  return repo;
}

const localScenario = (name: string, local: Local): Scenario => ({
  name,
  open: async folder => {
    const repo = await openRepository(folder);
    const [home, temp] = [join(folder, 'home'), join(folder, 'temp')];
    for (const each of [home, temp]) await mkdir(each);
    const server = local.model && (await startStandIn({ policy: local.model }));
    const more = server === undefined ? [] : ['--base-url', server.baseUrl];
    const isAllowed = (path: string): boolean => isOurs(path) || local.writes?.test(path) === true;
    return {
      repo,
      argv: [process.execPath, CLI, ...local.args, ...more],
      cwd: repo.dir,
      env: { ...gitEnv(home), ...ENV, TMPDIR: temp },
      ...(local.input && { input: await local.input(repo) }),
      exitCode: local.exitCode ?? 0,
      state: async () => {
        await local.inspect?.(repo);
        return fingerprint(repo.dir, isAllowed);
      },
      prepare: async () => local.prepare?.(repo),
      afterwards: async () => local.afterwards?.(repo),
      close: async () => server?.close(),
    };
  },
});

export const COMMAND_SCENARIOS: readonly Scenario[] = Object.entries(LOCAL).map(([name, local]) =>
  localScenario(name, local),
);
