import { appendFile, chmod, mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import * as assert from 'uvu/assert';
import { LinterProcess } from '../../src/lint/linter-process.js';
import { ESLINT_SERVER } from '../../src/lint/linter-servers.js';
import { linterEnvironment, type RunRequest, runLinter } from '../../src/lint/run.js';
import { suite } from '../support/suite.js';
import { withFolder } from '../support/with-repo.js';

const test = suite('lint/eslint-server');

interface Project {
  readonly dir: string;
  readonly eslint: LinterProcess;
  readonly request: (args: readonly string[], more?: Partial<RunRequest>) => RunRequest;
  /** How many processes have loaded the configuration. */
  readonly loads: () => Promise<number>;
}

/** A folder with the real ESLint, and a configuration that notes each process that loads it. */
async function withEslint(config: string, body: (project: Project) => Promise<void>) {
  await withFolder(async dir => {
    const log = join(dir, 'loads');
    await appendFile(log, '');
    await symlink(resolve('node_modules'), join(dir, 'node_modules'));
    const note = `require('fs').appendFileSync(${JSON.stringify(log)}, '.');\n`;
    await writeFile(join(dir, 'eslint.config.js'), `${note}module.exports = ${config};\n`);
    const eslint = new LinterProcess(ESLINT_SERVER);
    const request: Project['request'] = (args, more = {}) => ({
      argv: ['node_modules/.bin/eslint', '--format', 'json', ...args],
      root: dir,
      folder: '',
      env: linterEnvironment(process.env, []),
      timeoutMs: 120_000,
      signal: new AbortController().signal,
      ...more,
    });
    try {
      const loads = async () => (await readFile(log, 'utf8')).length;
      await body({ dir, eslint, request, loads });
    } finally {
      eslint.close();
    }
  });
}

const CORE = `[
  { ignores: ['ignored.js'] },
  { rules: { semi: 'error', 'no-var': 'error', eqeqeq: 'warn' } },
]`;

test('one process answers as its own program does, for several files, options and broken code', () =>
  withEslint(CORE, async ({ dir, eslint, request, loads }) => {
    await writeFile(join(dir, 'a.js'), 'var a = 1\nif (a == 2) a = 3;\n');
    await writeFile(join(dir, 'b.js'), 'export const b = 1;\n');
    await writeFile(join(dir, 'broken.js'), 'const = ;\n');
    await writeFile(join(dir, 'ignored.js'), 'var c\n');
    await writeFile(join(dir, 'other.mjs'), "module.exports = 'no configuration';\n");
    await writeFile(join(dir, 'strict.cjs'), "module.exports = [{ rules: { curly: 'error' } }];\n");
    const runs = [
      ['a.js'],
      ['a.js', 'b.js', 'broken.js', 'ignored.js'],
      ['--rule', 'no-console: error', '--no-inline-config', 'a.js'],
      ['-c', 'strict.cjs', 'a.js'],
      ['--quiet', 'a.js'],
      ['--no-error-on-unmatched-pattern', 'none.js'],
    ];
    for (const args of runs) {
      const warm = await eslint.run(request(args));
      const own = await runLinter(request(args));
      assert.equal([warm?.end, warm?.stdout], [own.end, own.stdout], args.join(' '));
      assert.is(warm?.isPerFile, true);
    }
    // Once for all of them, and once for each run of its own program that needs this configuration.
    assert.is(await loads(), 1 + runs.length - 2);
  }));

test('a program that pnpm has installed is loaded once as well, with its NODE_PATH', () =>
  withEslint('[{ plugins: { x: require("hoisted") }, rules: { semi: 2 } }]', async project => {
    const { dir, eslint, request, loads } = project;
    const root = join(dir, 'pnpm');
    const store = join(root, 'node_modules/.pnpm/eslint@9/node_modules');
    await mkdir(join(root, 'node_modules/.bin'), { recursive: true });
    await mkdir(join(root, 'hoisted'));
    await mkdir(store, { recursive: true });
    await symlink(resolve('node_modules/eslint'), join(store, 'eslint'));
    await writeFile(join(root, 'hoisted/hoisted.js'), 'module.exports = {};\n');
    await writeFile(join(root, 'a.js'), 'const a = 1\n');
    const shim = join(root, 'node_modules/.bin/eslint');
    await writeFile(shim, pnpmShim(join(root, 'hoisted'), '.pnpm/eslint@9/node_modules'));
    await chmod(shim, 0o755);
    const asked = request(['-c', join(dir, 'eslint.config.js'), 'a.js'], { root });
    for (const _ of [1, 2]) {
      const warm = await eslint.run(asked);
      assert.equal([warm?.end, warm?.stdout.includes('"semi"')], [{ kind: 'exit', code: 1 }, true]);
    }
    assert.is(await loads(), 1);
    assert.equal((await runLinter(asked)).end, { kind: 'exit', code: 1 });
  }));

/** As pnpm writes it, shortened. */
const pnpmShim = (nodePath: string, store: string): string => `#!/bin/sh
basedir=$(dirname "$(echo "$0" | sed -e 's,\\\\,/,g')")
if [ -z "$NODE_PATH" ]; then
  export NODE_PATH="${nodePath}"
else
  export NODE_PATH="${nodePath}:$NODE_PATH"
fi
exec node  "$basedir/../${store}/eslint/bin/eslint.js" "$@"
`;

test('files that change between two runs are read again, and --fix writes them', () =>
  withEslint(CORE, async ({ dir, eslint, request, loads }) => {
    const path = join(dir, 'a.js');
    const rules = async (): Promise<string[]> => {
      const run = await eslint.run(request(['a.js']));
      const [file] = JSON.parse(run?.stdout ?? '[]');
      return file.messages.map(({ ruleId }: { readonly ruleId: string }) => ruleId);
    };
    await writeFile(path, 'var a = 1\n');
    assert.equal(await rules(), ['no-var', 'semi']);
    await writeFile(path, 'var a = 1;\n');
    assert.equal(await rules(), ['no-var']);
    await eslint.run(request(['--fix', 'a.js']));
    assert.is(await readFile(path, 'utf8'), 'let a = 1;\n');
    assert.equal(await rules(), []);
    assert.is(await loads(), 1);
  }));

/** A configuration that offers types to a rule with such metadata. */
const withTypes = (docs: string): string =>
  `[{ languageOptions: { parserOptions: { projectService: true } },
    plugins: { unicorn: { rules: { ok: { meta: { docs: ${docs} }, create: () => ({}) } } } },
    rules: { 'unicorn/ok': 'error' } }]`;

test('a rule that may look at other files ends the ESLint process after the first run', async () => {
  const plugin = '{ rules: { ok: { create: () => ({}) } } }';
  const parser = "{ meta: { name: 'other' }, parse: require('espree').parse }";
  for (const config of [
    `[{ plugins: { own: ${plugin} }, rules: { 'own/ok': 'error' } }]`,
    `[{ languageOptions: { parser: ${parser} } }]`,
    withTypes('{ requiresTypeChecking: true }'),
    withTypes('undefined'),
  ]) {
    await withEslint(config, async ({ dir, eslint, request }) => {
      await writeFile(join(dir, 'a.js'), 'a();\n');
      assert.is((await eslint.run(request(['a.js'])))?.isPerFile, false, config);
      assert.is(await eslint.run(request(['a.js'])), undefined, config);
    });
  }
  await withEslint(`[{ plugins: { own: ${plugin} } }]`, async ({ dir, eslint, request }) => {
    await writeFile(join(dir, 'a.js'), 'a();\n');
    assert.is((await eslint.run(request(['a.js'])))?.isPerFile, true, 'a plugin without a rule');
  });
  await withEslint(withTypes('{}'), async ({ dir, eslint, request }) => {
    await writeFile(join(dir, 'a.js'), 'a();\n');
    assert.is((await eslint.run(request(['a.js'])))?.isPerFile, true, 'no rule asks for types');
  });
});

test('a crash, a broken configuration and an early exit are left to its own program', async () => {
  const bad = "{ create() { throw new Error('bad'); } }";
  for (const config of [
    `[{ plugins: { own: { rules: { bad: ${bad} } } }, rules: { 'own/bad': 1 } }]`,
    "[{ rules: { 'no-such-rule': 'error' } }]",
    'process.exit(0)',
  ]) {
    await withEslint(config, async ({ dir, eslint, request }) => {
      await writeFile(join(dir, 'a.js'), 'a();\n');
      assert.is(await eslint.run(request(['a.js'])), undefined, config);
      assert.is(await eslint.run(request(['a.js'])), undefined, config);
    });
  }
});

test('a run that takes too long or is stopped ends the ESLint process', () =>
  withEslint('(() => { for (;;); })()', async ({ dir, eslint, request }) => {
    await writeFile(join(dir, 'a.js'), 'a();\n');
    const late = await eslint.run(request(['a.js'], { timeoutMs: 300 }));
    assert.equal(late?.end, { kind: 'time-up', afterMs: 300 });
    assert.is(await eslint.run(request(['a.js'])), undefined);
    const stop = new AbortController();
    const second = new LinterProcess(ESLINT_SERVER);
    const running = second.run(request(['a.js'], { signal: stop.signal }));
    setTimeout(() => stop.abort(), 300);
    await running.then(
      () => assert.unreachable(),
      thrown => assert.is(thrown, stop.signal.reason),
    );
  }));

const HANGING = `[{
  plugins: { jest: { rules: { hang: { create: () => ({ DebuggerStatement() { for (;;); } }) } } } },
  rules: { semi: 'error', 'jest/hang': 'error' },
}]`;

test('the file on which ESLint hangs is named, and the others are linted by a new process', () =>
  withEslint(HANGING, async ({ dir, eslint, request, loads }) => {
    await writeFile(join(dir, 'a.js'), 'a()\n');
    await writeFile(join(dir, 'b.js'), 'debugger;\n');
    await eslint.run(request(['a.js']));
    const late = await eslint.run(request(['a.js', 'b.js'], { timeoutMs: 3000 }));
    assert.equal(late?.end, { kind: 'time-up', afterMs: 3000, file: join(dir, 'b.js') });
    const rest = await eslint.run(request(['a.js']));
    assert.match(rest?.stdout ?? '', /Missing semicolon/);
    assert.is(await loads(), 2);
  }));

test('a program that only has the name of ESLint is not replaced', () =>
  withFolder(async dir => {
    const bins = join(dir, 'node_modules', '.bin');
    await mkdir(bins, { recursive: true });
    await writeFile(join(bins, 'eslint'), '#!/bin/sh\necho mine\n');
    await chmod(join(bins, 'eslint'), 0o755);
    const run = await new LinterProcess(ESLINT_SERVER).run({
      argv: ['node_modules/.bin/eslint', 'a.js'],
      root: dir,
      folder: '',
      env: linterEnvironment(process.env, []),
      timeoutMs: 60_000,
      signal: new AbortController().signal,
    });
    assert.is(run, undefined);
  }));

test.run();
