import * as assert from 'uvu/assert';
import { judgeSyntax, syntaxOf } from '../../src/checks/invalid-syntax.js';
import type { SyntaxKind, SyntaxProblem } from '../../src/platform/syntax-yaml.js';
import { suite } from '../support/suite.js';

const test = suite('checks/invalid-syntax');

const at = (line: number): SyntaxProblem => ({ line, column: 3, message: 'a comma is missing' });

interface Case {
  readonly title: string;
  readonly now: SyntaxProblem;
  readonly before?: SyntaxProblem;
  readonly added: readonly number[];
  readonly line: number | undefined;
}

const cases: readonly Case[] = [
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
      path: 'a.json',
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
    path: 'a.toml',
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
  ['plist', 'invalid/plist'],
  ['xml', 'invalid/xml'],
  ['strings', 'invalid/strings'],
  ['pbxproj', 'invalid/pbxproj'],
];

const judgedAt = (path: string, newProblem: SyntaxProblem, kind: SyntaxKind = 'json') =>
  judgeSyntax({ path, kind, newProblem, oldProblem: undefined, addedLines: [1] });

test('a file whose name says that it is broken, or a fixture, is at most a warning', () => {
  for (const path of ['src/invalid.json', 'test/fixtures/config.json', 'docs/a.json']) {
    assert.is(judgedAt(path, at(1))?.severity, 'warning', path);
  }
  for (const path of [
    'Tests/Resources/Responses/JSON/invalid_data.json',
    'test/unit/__mocks__/invalid-json-config.json',
    'test/unit/__mocks__/invalid-yml-config.yml',
    'tests/testdata/malformed/a.json',
    'spec/fixtures/broken.json',
  ]) {
    assert.is(judgedAt(path, at(1)), undefined, path);
  }
});

test('comments in JSON are a warning, or an error where the reader is known to refuse them', () => {
  const tolerated = { ...at(1), isTolerated: true };
  assert.is(judgedAt('src/settings.json', tolerated)?.severity, 'warning');
  assert.is(judgedAt('packages/a/package.json', tolerated)?.severity, undefined);
  assert.is(judgedAt('App/Localizable.xcstrings', tolerated)?.severity, undefined);
});

test('a key that appears twice has a rule of its own, except in a workflow, which GitHub refuses', () => {
  const twice = { line: 1, column: 3, message: 'a key appears twice', isDuplicateKey: true };
  const hit = judgedAt('a.json', twice);
  assert.is(hit?.rule, 'duplicate-key');
  assert.is(hit?.message, 'A key appears twice: the last one silently wins. Remove one of them.');
  assert.is(judgedAt('.github/workflows/ci.yml', twice, 'yaml')?.rule, 'invalid/yaml');
});

for (const [kind, rule] of rules) {
  test(`${kind} has the rule ${rule}`, () => {
    const hit = judgedAt('config', at(1), kind);
    assert.equal([hit?.rule, hit?.column, hit?.severity], [rule, 3, undefined]);
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
  ['manifest.json', 'jsonc'],
  ['.claude/settings.json', 'jsonc'],
  ['.cursor/mcp.json', 'jsonc'],
  ['packages/tsconfig/base.json', 'jsonc'],
  ['App/Info.plist', 'plist'],
  ['App/App.entitlements', 'plist'],
  ['App/PrivacyInfo.xcprivacy', 'plist'],
  ['App/Base.lproj/Main.storyboard', 'xml'],
  ['App/Cell.xib', 'xml'],
  ['A.xcodeproj/xcshareddata/xcschemes/A.xcscheme', 'xml'],
  ['App/en.lproj/Localizable.strings', 'strings'],
  ['A.xcodeproj/project.pbxproj', 'pbxproj'],
  ['App/Localizable.xcstrings', 'json'],
  ['App.xctestplan', 'json'],
  ['Package.resolved', 'json'],
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
