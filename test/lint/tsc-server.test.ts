import { appendFile, chmod, mkdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import * as assert from 'uvu/assert';
import { LinterProcess } from '../../src/lint/linter-process.js';
import { TSC_SERVER } from '../../src/lint/linter-servers.js';
import { linterEnvironment, type RunRequest, runLinter } from '../../src/lint/run.js';
import { fixJson } from '../fix/lint-project.js';
import { modulesOf } from '../support/installed.js';
import { suite } from '../support/suite.js';
import { withFolder, withRepo } from '../support/with-repo.js';

const test = suite('lint/tsc-server');

const TSC = 'node_modules/.bin/tsc';
const CHECK = ['--pretty', 'false', '--noEmit', '--emitDeclarationOnly', 'false', '--incremental'];

interface Project {
  readonly dir: string;
  readonly tsc: LinterProcess;
  readonly request: (args: readonly string[]) => RunRequest;
  /** The same exit code and output from the loaded process and from tsc's own program; the output. */
  readonly sameFrom: (config?: string) => Promise<string>;
}

async function withTsc(modules: string, body: (project: Project) => Promise<void>): Promise<void> {
  await withFolder(async dir => {
    await symlink(modules, join(dir, 'node_modules'));
    await writeFile(join(dir, 'tsconfig.json'), configOf({}));
    const tsc = new LinterProcess(TSC_SERVER);
    const request: Project['request'] = args => ({
      argv: [TSC, ...args],
      root: dir,
      folder: '',
      env: linterEnvironment(process.env, []),
      timeoutMs: 300_000,
      signal: new AbortController().signal,
    });
    const sameFrom: Project['sameFrom'] = async (config = 'tsconfig.json') => {
      const args = ['--project', config, ...CHECK, '--tsBuildInfoFile'];
      const own = await runLinter(request([...args, `own-${config}.tsbuildinfo`]));
      const loaded = await tsc.run(request([...args, `loaded-${config}.tsbuildinfo`]));
      assert.equal([loaded?.end, loaded?.stdout], [own.end, own.stdout], own.stderr);
      return own.stdout;
    };
    try {
      await body({ dir, tsc, request, sameFrom });
    } finally {
      tsc.close();
    }
  });
}

const configOf = (options: Readonly<Record<string, unknown>>): string =>
  JSON.stringify({ compilerOptions: { strict: true, types: [], ...options }, include: ['*.ts'] });

/** The rules in tsc's output. */
const rulesIn = (output: string): string[] => output.match(/TS\d+/g) ?? [];

/** With the rule that it reports about declarations which aren't written. */
for (const [version, declared] of [
  ['4.9', []],
  ['5.9', ['TS4094']],
  ['6.0', ['TS4094']],
] as const) {
  const open = async (body: (project: Project) => Promise<void>): Promise<void> =>
    withTsc(await modulesOf('typescript', version), body);

  test.long(
    `TypeScript ${version} answers alike from one process and its program after edits`,
    () =>
      open(async ({ dir, sameFrom }) => {
        const write = (name: string, text: string): Promise<void> =>
          writeFile(join(dir, name), text);
        await write('a.ts', 'export const a = 1;\n');
        await write('b.ts', "import { a } from './a';\nexport const b: number = a;\n");
        assert.is(await sameFrom(), '');
        await write('a.ts', 'export const a = 1;\nexport const c: string = 2;\n');
        await write('b.ts', "import { a } from './a';\nexport const b: string = a;\n");
        assert.match(
          await sameFrom(),
          /^a\.ts\(2,14\): error TS2322.*\nb\.ts\(2,14\): error TS2322/,
        );
        await write('a.ts', 'export const a = 1;\nexport const c: number = 2;\n');
        assert.equal(rulesIn(await sameFrom()), ['TS2322']);
        await write('a.ts', "export const a = 'text';\n");
        assert.is(await sameFrom(), '', 'the edit of one file fixes the other');
        await write('a.ts', 'export const a = {};\n');
        assert.match(await sameFrom(), /^b\.ts/, 'the edit of one file breaks the other');
        await write('a.ts', 'export const a = ;\n');
        assert.equal(rulesIn(await sameFrom()), ['TS1109']);
        await write('a.ts', "export const a = 'text';\n");
        await write('added.ts', 'export const d: string = 3;\n');
        assert.match(await sameFrom(), /^added\.ts/);
        await rm(join(dir, 'added.ts'));
        await rm(join(dir, 'a.ts'));
        assert.equal(rulesIn(await sameFrom()), ['TS2307']);
        await mkdir(join(dir, 'a'));
        await write('a/index.ts', "export const a = 'text';\n");
        assert.is(await sameFrom(), '', 'the same import leads to another file');
      }),
  );

  test.long(`TypeScript ${version} answers alike for several and for changed configurations`, () =>
    open(async ({ dir, sameFrom }) => {
      const code = 'export function f(x) {\n  return class { private y = x };\n  f(1);\n}\n';
      await writeFile(join(dir, 'a.ts'), code);
      const strict = { noImplicitAny: false, allowUnreachableCode: false };
      await writeFile(join(dir, 'more.json'), configOf(strict));
      await writeFile(
        join(dir, 'types.json'),
        configOf({ noImplicitAny: false, declaration: true }),
      );
      for (const _ of [1, 2]) {
        assert.ok(rulesIn(await sameFrom()).includes('TS7006'));
        assert.equal(rulesIn(await sameFrom('more.json')), ['TS7027']);
        assert.equal(rulesIn(await sameFrom('types.json')), [...declared]);
      }
      await writeFile(join(dir, 'tsconfig.json'), configOf(strict));
      assert.equal(rulesIn(await sameFrom()), ['TS7027']);
      for (const wrong of [{ noSuchOption: true }, { target: 'none' }, { checkJs: 1 }]) {
        await writeFile(join(dir, 'tsconfig.json'), configOf(wrong));
        assert.match(await sameFrom(), /^tsconfig\.json\(1,/m);
      }
      await writeFile(join(dir, 'tsconfig.json'), configOf({}).slice(0, -1));
      assert.match(await sameFrom(), /TS1005/);
      await writeFile(join(dir, 'tsconfig.json'), JSON.stringify({ include: ['none/*.ts'] }));
      assert.match(await sameFrom(), /^error TS18003/m);
    }),
  );
}

test.long("what isn't a plain check of a configuration is left to the program of tsc", async () => {
  const modules = await modulesOf('typescript', '5.9');
  for (const args of [
    ['--project', 'tsconfig.json', ...CHECK],
    ['--project', 'tsconfig.json', '--pretty', 'false', '--noEmit'],
    ['--project', 'tsconfig.json', '--noEmit', '--incremental'],
    ['--project', 'tsconfig.json', ...CHECK, '--watch'],
    ['--project', 'tsconfig.json', ...CHECK, '--extendedDiagnostics'],
    ['--project', 'tsconfig.json', ...CHECK, '--noSuchOption'],
    ['--project', 'none.json', ...CHECK],
    ['--build', 'tsconfig.json', '--pretty', 'false'],
    [...CHECK, 'a.ts'],
  ]) {
    await withTsc(modules, async ({ dir, tsc, request }) => {
      await writeFile(join(dir, 'a.ts'), 'export const a: string = 1;\n');
      const run = await tsc.run(request(args));
      const isPlain = args.length === 2 + CHECK.length && args[1] === 'tsconfig.json';
      assert.is(run !== undefined, isPlain, args.join(' '));
    });
  }
});

test.long('fix-lint loads TypeScript 5 once for all configurations and checks', () =>
  withRepo(async repo => {
    await symlink(await modulesOf('typescript', '5.9'), join(repo.dir, 'node_modules'));
    await repo.commit({
      '.gitignore': 'node_modules\n',
      'package.json': '{ "scripts": { "lint": "tsc -p tsconfig.json && tsc -p more.json" } }\n',
      'tsconfig.json': JSON.stringify({ files: ['a.ts'] }),
      'more.json': JSON.stringify({ files: ['b.ts'] }),
      'a.ts': 'export const a: string = 1;\n',
      'b.ts': 'export const b: string = 1;\n',
    });
    await withFolder(async dir => {
      const [log, note] = [join(dir, 'loads'), join(dir, 'note.cjs')];
      await appendFile(log, '');
      const code = `require('fs').appendFileSync(${JSON.stringify(log)}, process.argv[1] + '\\n');`;
      await writeFile(note, `if (/tsc$/.test(process.argv[1])) ${code}\n`);
      const env = { NODE_OPTIONS: `--require ${note}` };
      const { outcome } = await fixJson(repo, ['--no-model'], env);
      assert.equal(outcome.findings.map(({ path }) => path).sort(), ['a.ts', 'b.ts']);
      assert.match(await readFile(log, 'utf8'), /^.+\/typescript\/bin\/tsc\n$/);
    });
  }),
);

test('TypeScript 7, which has no JavaScript API, is left to its own program', () =>
  withTsc(resolve('node_modules'), async ({ dir, tsc, request }) => {
    await writeFile(join(dir, 'a.ts'), 'export const a: string = 1;\n');
    const asked = request(['--project', 'tsconfig.json', ...CHECK]);
    assert.is(await tsc.run(asked), undefined);
    assert.is(await tsc.run(asked), undefined);
    assert.match((await runLinter(asked)).stdout, /^a\.ts\(1,14\): error TS2322/);
  }));

test('a program of another package that is called tsc is not replaced', () =>
  withFolder(async dir => {
    const own = join(dir, 'node_modules', 'own');
    for (const name of ['bin', 'lib', '../.bin']) await mkdir(join(own, name), { recursive: true });
    await writeFile(join(own, 'bin/tsc'), '#!/bin/sh\necho mine\n');
    await chmod(join(own, 'bin/tsc'), 0o755);
    await symlink('../own/bin/tsc', join(own, '../.bin/tsc'));
    const answer = "process.send({ code: 0, stdout: 'replaced', stderr: '' });\n";
    await writeFile(join(own, 'lib/typescript.js'), answer);
    const run = await new LinterProcess(TSC_SERVER).run({
      argv: [TSC, '--project', 'tsconfig.json', ...CHECK],
      root: dir,
      folder: '',
      env: linterEnvironment(process.env, []),
      timeoutMs: 60_000,
      signal: new AbortController().signal,
    });
    assert.is(run, undefined);
  }));

test.run();
