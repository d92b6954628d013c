import * as assert from 'uvu/assert';
import { judgeSyntax, syntaxOf } from '../../src/checks/invalid-syntax.js';
import type { SyntaxKind, SyntaxProblem } from '../../src/platform/syntax-yaml.js';
import { suite } from '../support/suite.js';

const test = suite('invalid-syntax');

const at = (line: number): SyntaxProblem => ({ line, column: 3, message: 'a comma is missing' });

interface Case {
  readonly title: string;
  readonly now: SyntaxProblem | undefined;
  readonly before?: SyntaxProblem;
  readonly added: readonly number[];
  readonly line: number | undefined;
}

const cases: readonly Case[] = [
  { title: 'a text that parses is fine', now: undefined, added: [1], line: undefined },
  {
    title: 'a text that parses again is fine',
    now: undefined,
    before: at(2),
    added: [2],
    line: undefined,
  },
  { title: 'a problem on an added line is reported there', now: at(4), added: [3, 4], line: 4 },
  {
    title: 'a problem on an added line is reported even if the old text was broken',
    now: at(4),
    before: at(9),
    added: [4],
    line: 4,
  },
  {
    title: 'a problem elsewhere is reported on the nearest added line',
    now: at(9),
    added: [2, 7],
    line: 7,
  },
  {
    title: 'of two equally near added lines the earlier one gets the problem',
    now: at(5),
    added: [3, 7],
    line: 3,
  },
  {
    title: 'without added lines a problem is reported at its own line',
    now: at(5),
    added: [],
    line: 5,
  },
  {
    title: 'a file that was broken before is not reported again',
    now: at(9),
    before: at(9),
    added: [2],
    line: undefined,
  },
];

for (const { title, now, before, added, line } of cases) {
  test(title, () => {
    const change = {
      kind: 'json',
      newProblem: now,
      oldProblem: before,
      addedLines: added,
    } as const;
    assert.is(judgeSyntax(change)?.line, line);
  });
}

test('a problem reported on another line has no column and names the original line', () => {
  const hit = judgeSyntax({
    kind: 'toml',
    newProblem: at(9),
    oldProblem: undefined,
    addedLines: [2],
  });
  assert.is(hit?.column, undefined);
  assert.is(hit?.message, "This isn't valid TOML: a comma is missing (noticed at line 9).");
});

const rules: ReadonlyArray<readonly [SyntaxKind, string]> = [
  ['json', 'invalid/json'],
  ['jsonc', 'invalid/json'],
  ['yaml', 'invalid/yaml'],
  ['toml', 'invalid/toml'],
];

for (const [kind, rule] of rules) {
  test(`${kind} has the rule ${rule}`, () => {
    const hit = judgeSyntax({ kind, newProblem: at(1), oldProblem: undefined, addedLines: [1] });
    assert.equal([hit?.rule, hit?.column], [rule, 3]);
  });
}

const paths: ReadonlyArray<readonly [string, SyntaxKind | undefined]> = [
  ['package.json', 'json'],
  ['package-lock.json', 'json'],
  ['src/data.JSON', 'json'],
  ['map.geojson', 'json'],
  ['site.webmanifest', 'json'],
  ['notebook.ipynb', 'json'],
  ['composer.lock', 'json'],
  ['Pipfile.lock', 'json'],
  ['tsconfig.json', 'jsonc'],
  ['packages/a/tsconfig.build.json', 'jsonc'],
  ['jsconfig.json', 'jsonc'],
  ['.vscode/settings.json', 'jsonc'],
  ['.devcontainer/devcontainer.json', 'jsonc'],
  ['.eslintrc.json', 'jsonc'],
  ['.swcrc', 'jsonc'],
  ['.babelrc', 'jsonc'],
  ['babel.config.json', 'jsonc'],
  ['wrangler.jsonc', 'jsonc'],
  ['app.code-workspace', 'jsonc'],
  ['appsettings.Development.json', 'jsonc'],
  ['.github/workflows/ci.yml', 'yaml'],
  ['pnpm-lock.yaml', 'yaml'],
  ['CITATION.cff', 'yaml'],
  ['Cargo.toml', 'toml'],
  ['Cargo.lock', 'toml'],
  ['poetry.lock', 'toml'],
  ['uv.lock', 'toml'],
  ['Pipfile', 'toml'],
  ['yarn.lock', undefined],
  ['data.json5', undefined],
  ['events.jsonl', undefined],
  ['.eslintrc', undefined],
  ['deploy.yaml.tmpl', undefined],
  ['{{cookiecutter.name}}/package.json', undefined],
  ['test/fixtures/invalid.json', 'json'],
  ['tests/testdata/bad-key.toml', 'toml'],
  ['test/fixtures/config.json', 'json'],
  ['src/invalid.json', 'json'],
  ['src/a.ts', undefined],
  ['json', undefined],
  ['folder.json/readme', undefined],
];

for (const [path, kind] of paths) {
  test(`${path} is ${kind ?? 'not parsed'}`, () => assert.is(syntaxOf(path), kind));
}

test.run();
