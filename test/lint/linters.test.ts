import { getSupportInfo } from 'prettier';
import * as assert from 'uvu/assert';
import { findLinters, type LinterSpec, linterFiles } from '../../src/lint/find.js';
import { KNOWN_LINTERS } from '../../src/lint/known-linters.js';
import { planLinters } from '../../src/lint/project-linters.js';
import { lintCommand } from '../../src/lint/run.js';
import { suite } from '../support/suite.js';

const test = suite('lint/linters');

const find = (paths: string[], manifests: Record<string, string> = {}): LinterSpec[] =>
  findLinters({
    paths: [...paths, ...Object.keys(manifests)],
    manifests: new Map(Object.entries(manifests)),
  });
const names = (specs: readonly LinterSpec[]): string[] => specs.map(({ name }) => name);

function one(specs: readonly LinterSpec[]): LinterSpec {
  const [spec, another] = specs;
  if (spec === undefined || another !== undefined) throw new Error(`${specs.length} linters`);
  return spec;
}

test('every documented linter is known', () => {
  const titles = KNOWN_LINTERS.map(({ title }) => title.replace('-cli2', ''));
  const named = `Biome ESLint Prettier RuboCop Ruff ShellCheck Stylelint SwiftLint clippy golangci-lint
    markdownlint oxlint tsc XO standard remark Flake8 Pylint dprint swift-format SwiftFormat ktlint Oxfmt`;
  for (const title of [...named.split(/\s+/), 'Ruff format', 'go vet']) {
    assert.ok(titles.includes(title), title);
  }
});

const CONFIGS: Readonly<Record<string, string>> = {
  eslint: 'eslint.config.js eslint.config.mts .eslintrc .eslintrc.cjs .eslintrc.yaml',
  biome: 'biome.json biome.jsonc .biome.json',
  oxlint: '.oxlintrc.json oxlint.config.ts',
  tsc: 'tsconfig.json',
  stylelint: '.stylelintrc .stylelintrc.json stylelint.config.mjs',
  prettier: '.prettierrc .prettierrc.toml prettier.config.ts',
  markdownlint: '.markdownlint.json .markdownlint-cli2.jsonc .markdownlintrc .markdownlint.yaml',
  ruff: 'ruff.toml .ruff.toml',
  shellcheck: '.shellcheckrc',
  swiftlint: '.swiftlint.yml',
  'golangci-lint': '.golangci.yml .golangci.toml',
  rubocop: '.rubocop.yml',
  clippy: 'Cargo.toml clippy.toml',
};

for (const [name, files] of Object.entries(CONFIGS)) {
  test(`${name} is found by ${files}`, () => {
    for (const file of files.split(' ')) {
      const spec = one(find([file, 'README.md']));
      assert.equal([spec.name, spec.reason, spec.folder], [name, `${file} exists`, '']);
    }
  });
}

test('Prettier checks every file that it would find itself', async () => {
  const { languages } = await getSupportInfo();
  const paths = languages.flatMap(({ extensions = [], filenames = [] }) => [
    ...extensions.map(each => `a/b${each}`),
    ...filenames,
  ]);
  const script = (text: string) => async () => new TextEncoder().encode(text);
  const spec = one(find(['.prettierrc']));
  const taken = await linterFiles(spec, [...paths, 'a.py', 'Makefile'], script('x'));
  assert.equal(
    paths.filter(path => !taken.includes(path) && !/frag$/.test(path)),
    [],
  );
  assert.equal(
    taken.filter(path => !paths.includes(path)),
    [],
  );
  assert.equal(await linterFiles(spec, ['bin/tool'], script('#!/usr/bin/env node\n')), [
    'bin/tool',
  ]);
});

test('RuboCop checks Ruby programs, and files that are Ruby by their name', async () => {
  const paths = ['bin/tool', 'a/Thorfile', 'a/b.thor', 'Podfile', 'a/MyFastfile', '.irbrc', 'a.rb'];
  const spec = one(find(['.rubocop.yml']));
  const taken = await linterFiles(spec, [...paths, 'bin/other', 'a.py', 'Makefile'], async path =>
    new TextEncoder().encode(path === 'bin/tool' ? '#!/usr/bin/env ruby\n' : '#!/bin/sh\n'),
  );
  assert.equal(taken, paths);
});

test('a file that the command names itself or by a glob is linted, whatever its type', async () => {
  const spec = { ...one(find(['eslint.config.js'])), targets: ['bin/run', 'lib/*.es'] };
  const paths = ['bin/run', 'bin/other', 'lib/a.es', 'lib/b.txt', 'src/c.js'];
  const taken = await linterFiles(spec, paths, async () => undefined);
  assert.equal(taken, ['bin/run', 'lib/a.es']);
});

test('files with similar names configure no linter', () => {
  const paths = [
    'eslint.config.js.bak',
    'my-biome.json',
    'docs/tsconfig.json.md',
    'src/prettierrc',
  ];
  assert.equal(names(find(paths)), []);
});

test('a manifest may contain the configuration of a linter', () => {
  const manifests = {
    'package.json': '{"eslintConfig": {}, "prettier": "x", "stylelint": {}, "standard": {}}',
    'tox.ini': '[tox]\n\n[flake8]\nmax-line-length = 100\n',
    'pyproject.toml': '[project]\nname = "x"\n\n[tool.ruff.lint]\nselect = ["E"]\n',
  };
  const specs = find([], manifests);
  assert.equal(names(specs), ['eslint', 'stylelint', 'prettier', 'ruff', 'standard', 'flake8']);
  assert.is(specs[0]?.reason, 'package.json configures it');
  const none = { 'package.json': '{"eslintConfig', 'pyproject.toml': '# [tool.ruff]\nx = 1' };
  assert.equal(names(find([], none)), []);
});

test('a shell script is reason enough for ShellCheck', () => {
  const spec = one(find(['scripts/run.sh']));
  assert.equal([spec.name, spec.foundBy], ['shellcheck', 'files']);
});

test('a linter runs in the topmost folders that configure it', () => {
  const specs = find([
    'packages/b/eslint.config.js',
    'packages/a/eslint.config.js',
    'packages/a/deep/.eslintrc.json',
    'packages/ab/readme.md',
  ]);
  assert.equal(
    specs.map(({ folder }) => folder),
    ['packages/a', 'packages/b'],
  );
  assert.is(one(find(['x/eslint.config.js', 'eslint.config.js'])).folder, '');
});

test('third-party and sample configuration is ignored', () => {
  const folders = ['node_modules/x', 'test/fixtures', 'vendor/y', 'pkg/testdata'];
  assert.equal(names(find(folders.map(folder => `${folder}/.eslintrc.json`))), []);
});

test('markdownlint-cli and a bundled RuboCop are run as the project has them', () => {
  const markdown = one(
    find(['.markdownlint.json'], { 'package.json': '{"x":{"markdownlint-cli":"1"}}' }),
  );
  assert.equal(lintCommand(markdown, markdown.check.argv, ['a.md']), [
    ['node_modules/.bin/markdownlint', 'a.md'],
  ]);
  const ruby = one(find(['.rubocop.yml'], { 'Gemfile.lock': '    rubocop (1.80.0)\n' }));
  assert.equal(ruby.check.argv.slice(0, 3), ['bundle', 'exec', 'rubocop']);
  assert.equal(ruby.fix?.slice(0, 4), ['bundle', 'exec', 'rubocop', '-a']);
});

test('what another folder has installed says nothing about how RuboCop is run', () => {
  const specs = find(['a/.rubocop.yml', 'b/.rubocop.yml'], { 'a/Gemfile.lock': '  rubocop (1)\n' });
  assert.equal(
    specs.map(({ folder, check }) => [folder, check.argv[0]]),
    [
      ['a', 'bundle'],
      ['b', 'rubocop'],
    ],
  );
});

test("the user's entries are added and replace known linters of the same name", async () => {
  const { specs } = await planLinters({ paths: ['biome.json'], manifests: new Map() }, [
    { name: 'biome', command: ['my-biome', '{files}', '-x'], format: 'rdjson' },
    { name: 'mypy', command: ['mypy'], format: 'gcc', files: ['**/*.py'], fix: ['mypy-fix'] },
  ]);
  assert.equal(names(specs), ['biome', 'mypy']);
  const [biome, mypy] = specs;
  assert.equal(
    [biome?.check.argv[0], biome?.exits, biome?.foundBy],
    ['my-biome', undefined, 'user'],
  );
  assert.equal([mypy?.files, mypy?.fix], [['**/*.py'], ['mypy-fix']]);
  assert.equal(mypy && lintCommand(mypy, mypy.check.argv, ['a.py']), [['mypy', 'a.py']]);
  assert.equal(biome && lintCommand(biome, biome.check.argv, ['a.js']), [
    ['my-biome', 'a.js', '-x'],
  ]);
});

test('paths are relative to the folder, and none can be read as an option', () => {
  const spec = one(find(['web/.oxlintrc.json']));
  assert.equal(lintCommand(spec, spec.check.argv, ['web/-rf.js', 'web/a b.js', 'api/c.js']), [
    ['node_modules/.bin/oxlint', '--format=json', './-rf.js', 'a b.js'],
  ]);
  assert.equal(lintCommand(spec, spec.check.argv, ['api/c.js']), [], 'nothing to look at');
});

test('a linter is given folders, nothing or literal paths, as it needs', () => {
  const go = one(find(['.golangci.yml']));
  assert.equal(lintCommand(go, ['g', '{files}'], ['a/x.go', 'a/y.go', 'z.go']), [
    ['g', './a', './'],
  ]);
  const tsc = one(find(['tsconfig.json']));
  assert.equal(lintCommand(tsc, ['tsc', '-p'], ['a.ts', 'b.ts']), [['tsc', '-p']]);
  const markdown = one(find(['.markdownlint.json']));
  assert.equal(lintCommand(markdown, ['m', '{files}'], ['[a].md']), [['m', ':[a].md']]);
});

test('a long list of files is split over several command lines, each file once', () => {
  const spec = one(find(['.oxlintrc.json']));
  const paths = Array.from({ length: 5000 }, (_, at) => `src/${'x'.repeat(80)}/${at}.js`);
  const lines = lintCommand(spec, ['o', '{files}'], paths);
  assert.ok(lines.length > 5 && lines.every(line => line.join(' ').length < 100_000));
  assert.equal(
    lines.flatMap(line => line.slice(1)),
    paths,
  );
});

test('which exit codes mean no problem, and which mean problems, is known for every linter', () => {
  const others: Readonly<Record<string, string>> = {
    tsc: '0, 1 to 2',
    stylelint: '0, 2 to 2',
    prettier: '0, 1 to 2',
    swiftlint: '0, 2 to 3',
    clippy: '0, 101 to 101',
    'ruff-format': '0, 1 to 2',
    pylint: '0, 1 to 31',
    'go-vet': '0, 1 to 2',
    dprint: '0 14, 20 to 20',
  };
  for (const { name, exits } of KNOWN_LINTERS) {
    const { clean = [], findings = [] } = exits ?? {};
    const said = `${clean.join(' ')}, ${findings[0]} to ${findings.at(-1)}`;
    assert.is(said, others[name] ?? '0, 1 to 1', name);
  }
});

test('no command goes through a shell or asks the network for a program', () => {
  const words = KNOWN_LINTERS.flatMap(({ check, otherwise, suggest, fix }) => [
    check.argv[0],
    otherwise?.argv[0],
    suggest?.argv[0],
    fix?.[0],
  ]).filter(word => word !== undefined);
  assert.ok(words.every(word => !/^(npx|sh|bash|npm|yarn|pnpm|bunx)$/.test(word)));
});

test.run();
