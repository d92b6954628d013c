import { readFile, stat, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import * as assert from 'uvu/assert';
import { startStandIn } from '../../fixtures/apfel/stand-in.js';
import { apfelBotProcess, type CliRun } from '../support/cli.js';
import { reviewer } from '../support/reviewer.js';
import { suite } from '../support/suite.js';
import { type Repo, withFolder, withRepo } from '../support/with-repo.js';

/** Records what a process has loaded when it exits. */
const RECORDER = `process.on('exit', () => require('node:fs').writeFileSync(process.env.LOADED,
  JSON.stringify({ files: Object.keys(require.cache), modules: process.moduleLoadList })));`;

interface Loaded extends CliRun {
  /** File names of the bundle. */
  readonly files: readonly string[];
  readonly bytes: number;
  /** Node's own modules. */
  readonly modules: readonly string[];
}

async function loadedBy(
  args: readonly string[],
  repo: Repo,
  more: Readonly<Record<string, string>> = {},
): Promise<Loaded> {
  let loaded: Loaded | undefined;
  await withFolder(async dir => {
    const recorder = join(dir, 'recorder.cjs');
    await writeFile(recorder, RECORDER);
    const env = { NODE_OPTIONS: `--require ${recorder}`, LOADED: join(dir, 'loaded'), ...more };
    const run = await apfelBotProcess(args, { cwd: repo.dir, env });
    const { files, modules } = JSON.parse(await readFile(env.LOADED, 'utf8'));
    const own: string[] = files.filter((file: string) => file !== recorder);
    const sizes = await Promise.all(own.map(async file => (await stat(file)).size));
    const bytes = sizes.reduce((sum, size) => sum + size, 0);
    loaded = { ...run, files: own.map(file => basename(file)), bytes, modules };
  });
  if (loaded === undefined) throw new Error('nothing was recorded');
  return loaded;
}

const CORE = ['cli.cjs', 'start.cjs', 'rolldown-runtime.cjs', 'main.cjs'];

const test = suite('cli/loaded-modules');

test('a clean review without a model loads six files, no package and few Node modules', () =>
  withRepo(async repo => {
    await repo.stage('a.js', 'export const one = 1;\n');
    const run = await loadedBy(['review', '--staged', '--no-model'], repo);
    assert.is(run.code, 0, run.stderr);
    assert.equal(run.files, [...CORE, 'help.cjs', 'review.cjs']);
    assert.ok(run.bytes <= 410_000, `${run.bytes} bytes`);
    for (const name of [
      'crypto',
      'http',
      'https',
      'tls',
      'dns',
      'perf_hooks',
      'readline',
      'zlib',
    ]) {
      assert.not(run.modules.includes(`NativeModule ${name}`), name);
    }
  }));

test('a pre-commit hook without a model loads no package', () =>
  withRepo(async repo => {
    await repo.stage('a.js', 'it.only("x", () => {});\n');
    const run = await loadedBy(['hook', 'pre-commit'], repo);
    assert.is(run.code, 1, run.stderr);
    assert.equal(run.files, [...CORE, 'review.cjs', 'model.cjs', 'user-cache.cjs']);
    assert.ok(run.bytes <= 442_000, `${run.bytes} bytes`);
    assert.not(run.modules.includes('NativeModule https'));
  }));

test('a post-commit hook loads four files', () =>
  withRepo(async repo => {
    await repo.stage('a.js', 'export const one = 1;\n');
    assert.is((await apfelBotProcess(['hook', 'pre-commit'], { cwd: repo.dir })).code, 0);
    await repo.git('commit', '--quiet', '--message', 'one');
    const run = await loadedBy(['hook', 'post-commit'], repo);
    assert.is(run.code, 0, run.stderr);
    assert.equal(run.files, CORE);
    assert.ok(run.bytes <= 155_000, `${run.bytes} bytes`);
  }));

test('a hook loads the model client only if there is something to ask', async () => {
  const server = await startStandIn({ policy: reviewer({ sees: [] }) });
  const env = { APFEL_BOT_BASE_URL: server.baseUrl };
  try {
    await withRepo(async repo => {
      await repo.stage('a.js', 'export const one = 1;\n');
      const first = await loadedBy(['hook', 'pre-commit'], repo, env);
      assert.is(first.code, 0, first.stderr);
      assert.ok(first.files.includes('openai.cjs'));
      const asked = server.requests.length;
      assert.ok(asked > 0);
      const again = await loadedBy(['hook', 'pre-commit'], repo, env);
      assert.is(again.code, 0, again.stderr);
      assert.is(server.requests.length, asked);
      for (const name of ['openai', 'ajv', 'simple-git', 'octokit', 'listr2', 'yaml']) {
        assert.not(again.files.includes(`${name}.cjs`), name);
      }
    });
  } finally {
    await server.close();
  }
});

test.run();
