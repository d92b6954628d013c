import { readdir, readFile } from 'node:fs/promises';
import { isBuiltin } from 'node:module';
import { dirname, join } from 'node:path';
import { Linter } from 'eslint';
import * as assert from 'uvu/assert';
import { apfelBotProcess, CLI } from '../support/cli.js';
import { suite } from '../support/suite.js';
import { withRepo } from '../support/with-repo.js';

/** Licences that let their text be handed on with ours. */
const PERMISSIVE = [
  'MIT',
  'ISC',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'Apache-2.0',
  '0BSD',
  'BlueOak-1.0.0',
];
const DIST = dirname(CLI);

const readJson = async (file: string) => JSON.parse(await readFile(file, 'utf8'));

const test = suite('package/bundle');

test('the bundle needs no package at run time', async () => {
  const { dependencies, peerDependencies, optionalDependencies } = await readJson('package.json');
  assert.equal({ ...dependencies, ...peerDependencies, ...optionalDependencies }, {});
  const required = new Set<string>();
  for (const name of (await readdir(DIST)).filter(file => file.endsWith('.cjs'))) {
    const code = await readFile(join(DIST, name), 'utf8');
    for (const [, found = ''] of code.matchAll(/\brequire\("([^".][^"]*)"\)/g)) required.add(found);
  }
  // Text that ajv would write into code of its own, which nobody asks it to do here.
  const real = [...required].filter(name => !name.startsWith('ajv/dist/runtime/'));
  assert.ok(real.length > 5);
  assert.equal(
    real.filter(name => !isBuiltin(name)),
    [],
  );
});

test('the bundle is started by a file that any version of Node can parse', async () => {
  const code = (await readFile(CLI, 'utf8')).replace(/^#!.*\n/, '');
  const options = { ecmaVersion: 5, sourceType: 'script' } as const;
  assert.equal(new Linter().verify(code, { languageOptions: options }), []);
});

test('the bundle ships the licence of each package in it, and each is permissive', async () => {
  const text = await readFile(join(DIST, 'LICENSES.md'), 'utf8');
  const parts = text.split(/^(?=## \S+ \d)/m).slice(1);
  const names = parts.map(part => /^## (\S+) \d/.exec(part)?.[1] ?? '');
  for (const direct of ['@octokit/rest', 'ajv', 'jsonc-parser', 'listr2', 'openai', 'picomatch']) {
    assert.ok(names.includes(direct), `${direct} is missing`);
  }
  // Their code is in it too, so the packages they need are to be named as well.
  for (const indirect of ['bottleneck', 'content-type', 'debug', 'eventemitter3', 'fast-uri']) {
    assert.ok(names.includes(indirect), `${indirect} is missing`);
  }
  for (const part of parts) {
    const [title = '', , licence = ''] = part.split('\n');
    assert.ok(PERMISSIVE.includes(licence), `${title}: ${licence}`);
    assert.match(part, /copyright|\(c\)/i, title);
    assert.match(part, /permission|redistribution|apache license/i, title);
  }
});

test('the lockfile has every package for every system, so that npm ci works on a Mac too', async () => {
  const { packages } = await readJson('package-lock.json');
  const missing = Object.values<{ optionalDependencies?: object }>(packages)
    .flatMap(({ optionalDependencies = {} }) => Object.keys(optionalDependencies))
    .filter(name => packages[`node_modules/${name}`]?.version === undefined);
  assert.equal(missing, []);
});

test('no bundled package needs a newer Node than package.json promises', async () => {
  const { packages } = await readJson('package-lock.json');
  const tooNew = Object.entries<{ engines?: { node?: string } }>(packages)
    .filter(([, { engines }]) => /^>= ?2[1-9][.\d]*$/.test(engines?.node ?? ''))
    .map(([name]) => name);
  assert.equal(tooNew, []);
});

// The other commands run as a process in the suites of hooks, workflows and the packed package.
for (const [line, code] of [
  ['show HEAD', 0],
  ['plan', 0],
  ['notes fetch', 3],
  ['doctor', 0],
  ['calibrate', 4],
  ['eval', 0],
  ['describe', 4],
] as const) {
  test(`the bundle has all that apfel-bot ${line} needs`, () =>
    withRepo(async repo => {
      await repo.stage('a.js', 'fine();\n');
      const env = { APFEL_BOT_BASE_URL: 'http://127.0.0.1:9/v1' };
      const run = await apfelBotProcess(line.split(' '), { cwd: repo.dir, env });
      assert.is(run.code, code, run.stderr);
    }));
}

test.run();
