import * as assert from 'uvu/assert';
import { type LinterSpec, linterFiles } from '../../src/lint/find.js';
import { type LinterPlan, MANIFEST, planLinters } from '../../src/lint/project-linters.js';
import { expandGlob } from '../../src/lint/shell-words.js';
import { suite } from '../support/suite.js';

const test = suite('lint/project-linters');

const plan = (
  manifests: Readonly<Record<string, string>>,
  paths: readonly string[] = [],
): Promise<LinterPlan> =>
  planLinters(
    {
      paths: [...Object.keys(manifests), ...paths],
      manifests: new Map(Object.entries(manifests)),
    },
    [],
  );

const scripts = (all: Readonly<Record<string, string>>, more: object = {}): string =>
  JSON.stringify({ name: 'top', scripts: all, ...more });

/** `folder: name options on targets`, as short as it can be. */
const short = ({ name, folder, check, targets = [''], formatter }: LinterSpec): string => {
  const at = check.argv.indexOf('{files}');
  const flags = check.argv.slice(0, at === -1 ? check.argv.length : at).slice(1);
  const own = flags.filter(word => !OURS.has(word) && !word.endsWith('.tsbuildinfo'));
  const where = targets.map(each => (each === '' ? '.' : each)).join(' ');
  return [folder, name, ...own, 'on', where, formatter ?? ''].filter(Boolean).join(' ');
};
const OURS = new Set([
  ...['--no-error-on-unmatched-pattern', '--format', 'json-with-metadata', '--check', '--noEmit'],
  ...['--ignore-unknown', '--pretty', 'false', '--emitDeclarationOnly', '--project', '--formatter'],
  ...['json', '--allow-empty-input', '--no-globs', '--output-format=json', '--force-exclude'],
  ...['--no-fix', '--format=json1', '--reporter=json', '--format=json', '--incremental'],
  '--tsBuildInfoFile',
]);

const shows =
  (
    manifests: Readonly<Record<string, string>>,
    expected: readonly string[],
    paths: readonly string[] = [],
  ) =>
  async (): Promise<void> =>
    assert.equal((await plan(manifests, paths)).specs.map(short), expected);

test(
  'a lint script gives the linter, its options and its files; fixing, caching and reporting are ours',
  shows(
    {
      'package.json': scripts({
        lint: 'eslint -c config/eslint.config.js --fix --cache --max-warnings 0 -f unix --quiet src "test/**/*.js"',
      }),
    },
    ['eslint -c config/eslint.config.js --quiet on src test/**/*.js'],
  ),
);

test(
  'short options in one word are read one by one',
  shows({ 'package.json': scripts({ lint: 'remark . -qfo && prettier -cu src' }) }, [
    'remark --frail --no-stdout --no-color on .',
    'prettier on src',
  ]),
);

test(
  'an unquoted glob stands for what a shell makes of it, or for itself when nothing matches',
  shows(
    { 'package.json': scripts({ lint: 'eslint lib/**/*.js && stylelint css/**/*.css' }) },
    ['eslint on lib/core/a.js lib/core/b.js', 'stylelint on css/**/*.css'],
    ['lib/axios.js', 'lib/core/a.js', 'lib/core/b.js', 'lib/core/deep/c.js'],
  ),
);

test('a glob is expanded from the folder of its script, and only a dot matches a hidden file', () => {
  const paths = ['.a.js', 'a.js', 'b.js', 'lib/.c.js', 'lib/c.js', 'web/lib/d.js', 'web/e.js'];
  for (const [pattern, folder, expected] of [
    ['*.js', '', 'a.js b.js'],
    ['.*.js', '', '.a.js'],
    ['./*.js', '', 'a.js b.js'],
    ['?.js', '', 'a.js b.js'],
    ['[!a].js', '', 'b.js'],
    ['*/*.js', '', 'lib/c.js web/e.js'],
    ['l*', '', 'lib'],
    ['*', 'web', 'e.js lib'],
    ['lib/*.js', 'web', 'lib/d.js'],
    ['*.js', 'lib', 'c.js'],
    ['*.css', 'web', '*.css'],
  ] as const) {
    assert.is(expandGlob(paths)(pattern, folder).join(' '), expected, `${pattern} in ${folder}`);
  }
});

test(
  'scripts are followed through npm, pnpm, yarn, bun and npx',
  shows(
    {
      'package.json': scripts({
        lint: 'npm run -s lint:js -- --quiet && pnpm lint:css && yarn run lint:md && bun run lint:sh && npx --no-install prettier --check .',
        'lint:js': 'eslint .',
        'lint:css': 'stylelint "**/*.css"',
        'lint:md': 'markdownlint-cli2 "**/*.md" "#node_modules"',
        'lint:sh': 'shellcheck -x scripts/run.sh',
      }),
    },
    [
      'eslint --quiet on .',
      'stylelint on **/*.css',
      'markdownlint on **/*.md !node_modules',
      'shellcheck -x on scripts/run.sh',
      'prettier on .',
    ],
  ),
);

test(
  'npm-run-all, run-s, run-p and concurrently run the scripts that match',
  shows(
    {
      'package.json': scripts({
        lint: 'run-p -l lint:*',
        'lint:js': 'eslint src',
        'lint:style': 'npm-run-all --parallel style:css',
        'style:css': 'stylelint src',
        check: 'concurrently -n a,b "npm:typecheck" "prettier -c src"',
        typecheck: 'tsc --noEmit -p tsconfig.build.json',
      }),
      'tsconfig.build.json': '{"include": ["src"]}',
    },
    ['eslint on src', 'stylelint on src', 'tsc tsconfig.build.json on src', 'prettier on src'],
  ),
);

for (const [manager, root, script] of [
  ['npm', { workspaces: ['packages/*'] }, 'npm run lint --workspaces --if-present'],
  ['yarn', { workspaces: { packages: ['packages/*'] } }, 'yarn workspaces foreach -A run lint'],
  ['pnpm', {}, 'pnpm -r lint'],
  ['turbo', { workspaces: ['packages/*'] }, 'turbo run lint'],
] as const) {
  test(
    `a monorepo of ${manager} is linted package by package`,
    shows(
      {
        'package.json': scripts({ lint: script }, root),
        ...(manager === 'pnpm' && { 'pnpm-workspace.yaml': "packages:\n  - 'packages/*'\n" }),
        'packages/a/package.json': '{"name": "@x/a", "scripts": {"lint": "eslint src"}}',
        'packages/b/package.json': '{"name": "@x/b", "scripts": {"lint": "eslint --quiet ."}}',
        'examples/c/package.json': '{"name": "c", "scripts": {"lint": "eslint ."}}',
      },
      ['packages/a eslint on packages/a/src', 'packages/b eslint --quiet on packages/b'],
    ),
  );
}

for (const lint of [
  'npm -w packages/b run lint',
  'npm --workspace=packages/b run lint',
  'pnpm -r --filter=@x/b lint',
  'pnpm --filter @x/b run lint',
  "pnpm -r --filter '!@x/a' lint",
  'yarn workspaces foreach --all --include @x/b run lint',
  "yarn workspaces foreach -A --exclude '*/a' run lint",
  'turbo run lint --filter=@x/b',
  'turbo lint -F ./packages/b --concurrency 2',
  'lerna run lint --scope @x/b --stream',
  "lerna run lint --ignore='*/a'",
  'nx run-many -t lint -p @x/b',
  'nx run-many --target=lint --exclude=@x/a',
  'nx run @x/b:lint',
  'nx lint @x/b',
]) {
  for (const own of ['eslint .', 'eslint . | cat', 'true']) {
    test(`packages that ${lint} leaves out are not linted, also where the other has ${own}`, async () => {
      const { specs } = await plan(
        {
          'package.json': scripts({ lint }, { workspaces: ['packages/*'] }),
          'packages/a/package.json': '{"name": "@x/a", "scripts": {"lint": "eslint ."}}',
          'packages/b/package.json': JSON.stringify({ name: '@x/b', scripts: { lint: own } }),
        },
        ['packages/a/eslint.config.js', 'packages/b/eslint.config.js'],
      );
      assert.equal(
        specs.map(({ folder }) => folder),
        ['packages/b'],
      );
    });
  }
}

for (const [filter, expected] of [
  ['pnpm -F a... lint', 'a b'],
  ['pnpm -F a^... lint', 'b'],
  ['pnpm -F ...b lint', 'b a top'],
  ['pnpm -F ...^b lint', 'a top'],
  ['turbo run lint --filter=...a', 'a top'],
  ['nx run-many -t lint -p a,c', 'a c'],
  ["turbo run lint --filter='...[main]'", 'a b c top'],
] as const) {
  test(`${filter} follows what packages depend on`, async () => {
    const one = (name: string, dependencies: object = {}): [string, string] => [
      `packages/${name}/package.json`,
      JSON.stringify({ name, scripts: { lint: 'eslint .' }, devDependencies: dependencies }),
    ];
    const { specs, unread } = await plan({
      'package.json': scripts({ lint: filter }, { name: 'root', workspaces: ['packages/*'] }),
      ...Object.fromEntries([one('b'), one('a', { b: '*' }), one('top', { a: '*' }), one('c')]),
    });
    assert.equal(unread, []);
    assert.equal(specs.map(({ folder }) => folder.replace('packages/', '')).sort(), [
      ...expected.split(' ').sort(),
    ]);
  });
}

for (const [lint, more] of [
  ['pnpm run "/^x:.*/"', { 'x:js': 'eslint src', y: 'standard' }],
  ['pnpm run "/(/" && eslint src', { '(': 'standard' }],
  ['pnpm run "/^x:ts[0-9]{2}$/"', { 'x:ts59': 'eslint src', 'x:ts590': 'standard' }],
  ['pnpm x', { x: 'eslint src' }],
  ['bun run x', { x: 'eslint src' }],
  ['npx -y eslint@9 src', {}],
  ['bunx --bun eslint@^9.1.0 src', {}],
  ['node --max-old-space-size=4096 ./node_modules/.bin/eslint src', {}],
  ['node node_modules/eslint/bin/eslint.js src', {}],
] as const) {
  test(
    `${lint} is followed`,
    shows({ 'package.json': scripts({ lint, ...more }) }, ['eslint on src']),
  );
}

test(
  'what npm runs before the lint script, and a linter that a test script is named after, count',
  shows(
    {
      'package.json': scripts({
        prelint: 'stylelint src',
        lint: 'eslint src',
        'test:oxlint': 'oxlint src',
      }),
    },
    ['stylelint on src', 'eslint on src', 'oxlint on src'],
  ),
);

test('a lint script that names no known linter is named as not read; its Makefile is read', async () => {
  for (const [lint, expected] of [
    ['wireit', ['package.json, script lint was not read: what wireit runs is not known']],
    [
      'rimraf x && gulp lint',
      ['package.json, script lint was not read: what gulp lint runs is not known'],
    ],
    ['rimraf x && eslint .', []],
    ['make lint', []],
    ['pre-commit run --all-files', []],
  ] as const) {
    const { unread } = await plan({
      'package.json': scripts({ lint }),
      Makefile: 'lint:\n\teslint .\n',
    });
    assert.equal(unread, expected, lint);
  }
});

test('a lint script that calls itself, a script or a target that is not there is named as not read', async () => {
  for (const [lint, problem] of [
    ['npm run lint', 'it calls itself'],
    ['npm run lint:js', 'no package here has a script lint:js'],
    ['pnpm run lint:js', 'what lint:js runs is not known'],
    ['make lint', 'what make lint runs is not known'],
    ['make', 'what make runs is not known'],
    ['turbo run lint', 'no package here has a script lint'],
  ] as const) {
    const { specs, unread } = await plan({ 'package.json': scripts({ lint }) }, ['.eslintrc.json']);
    assert.equal(unread, [`package.json, script lint was not read: ${problem}`], lint);
    assert.equal(specs.map(short), ['eslint on .']);
  }
});

test('a script that node --run names is read, with what follows it', async () => {
  const { specs, unread } = await plan({
    'package.json': scripts({ lint: 'node --run js -- --quiet', js: 'eslint src' }),
  });
  assert.equal([specs.map(short), unread], [['eslint --quiet on src'], []]);
});

test('what a lint script runs besides linters is in the plan only', async () => {
  const { left, unread } = await plan({
    'package.json': scripts({
      lint: 'eslint src && touch x && lint-staged',
      test: 'eslint . && tap',
    }),
  });
  const line = 'package.json, script lint was only partly read: what touch x runs is not known';
  assert.equal([left, unread], [[line], []]);
});

test('a package that is not found and a program whose lint is not known are named as not read', async () => {
  const { specs, unread } = await plan(
    {
      'package.json': scripts(
        { lint: 'nx run shop:lint && tsdx lint src' },
        { workspaces: ['packages/*'] },
      ),
      'packages/a/package.json': '{"name": "a", "scripts": {"lint": "eslint ."}}',
    },
    [],
  );
  assert.equal(specs.map(short), ['packages/a eslint on packages/a']);
  assert.equal(unread, [
    'package.json, script lint was not read: it names shop, which is not a package here',
    'package.json, script lint was not read: what tsdx lint runs is not known',
  ]);
});

test('scripts that are not read for the same reason are counted behind the first', async () => {
  const own = { 'a/package.json': scripts({ lint: '../lint.sh' }) };
  const all = { 'package.json': scripts({ lint: './lint.sh' }), ...own };
  for (const [files, expected] of [
    [own, 'a/package.json, script lint was'],
    [all, 'package.json, script lint and 1 other were'],
  ] as const) {
    const { unread } = await plan(files);
    assert.equal(unread, [`${expected} not read: what lint.sh runs is not known`]);
  }
});

test('a lint script that starts nothing, and a lint target that starts an unknown program, are named as not read', async () => {
  const { specs, unread } = await plan(
    {
      'package.json': scripts({ lint: 'nx run-many -t lint' }, { workspaces: ['packages/*'] }),
      'packages/a/package.json': '{"name": "a", "scripts": {}}',
      Makefile: 'lint:\n\tgo run ./staticcheck ./...\n\nvet:\n\tgo vet ./...\n',
    },
    ['eslint.config.js'],
  );
  assert.equal(
    specs.map(({ name }) => name),
    ['go-vet'],
  );
  assert.equal(unread, [
    'package.json, script lint was not read: no package here has a script lint',
    'Makefile, target lint was not read: what go run runs is not known',
  ]);
});

test('what lerna exec names runs in the packages that it names', async () => {
  const { specs } = await plan({
    'package.json': scripts(
      { lint: 'lerna exec --scope b -- eslint src' },
      { workspaces: ['packages/*'] },
    ),
    'packages/a/package.json': '{"name": "a", "scripts": {"lint": "eslint ."}}',
    'packages/b/package.json': '{"name": "b", "scripts": {"lint": "eslint ."}}',
  });
  assert.equal(specs.map(short), ['packages/b eslint on packages/b/src']);
});

test('where the lint script at the top is not guessed, packages name no narrower scope for its linter', async () => {
  const { specs } = await plan(
    {
      'package.json': scripts({ lint: 'eslint . ; true' }, { workspaces: ['packages/*'] }),
      'packages/a/package.json': scripts({ lint: 'eslint src && stylelint .' }),
    },
    ['eslint.config.js'],
  );
  assert.equal(specs.map(short), ['packages/a stylelint on packages/a', 'eslint on .']);
});

test('a lint environment of tox is read, with its default arguments', async () => {
  const ini = (commands: string): Readonly<Record<string, string>> => ({
    'tox.ini': `[tox]
envlist = py,lint
[testenv]
commands = pytest
[testenv:lint]
deps =
    flake8
commands =
    flake8 {posargs:src tests} --max-line-length 99
    ${commands}
[flake8]
ignore = E1
`,
  });
  const { specs } = await plan(ini('python -m pylint {toxinidir}/src'), ['src/a.py']);
  assert.equal(
    specs.map(({ name, targets }) => [name, targets]),
    [
      ['flake8', ['src', 'tests']],
      ['pylint', ['src']],
    ],
  );
  const { unread } = await plan(ini('pylint {[testenv]files}'), ['src/a.py']);
  assert.equal(unread, [
    'tox.ini, testenv:lint was not read: it uses {[testenv]files}, which only tox knows',
  ]);
});

test('one workspace may be named', async () => {
  const { specs } = await plan({
    'package.json': scripts({ lint: 'npm run lint -w @x/a && yarn workspace @x/b lint' }),
    'packages/a/package.json': '{"name": "@x/a", "scripts": {"lint": "eslint ."}}',
    'packages/b/package.json': '{"name": "@x/b", "scripts": {"lint": "eslint ."}}',
  });
  assert.equal(
    specs.map(({ folder }) => folder),
    ['packages/a', 'packages/b'],
  );
});

test('variables in front of a command and of cross-env become its environment', async () => {
  const { specs } = await plan({
    'package.json': scripts({
      lint: 'ESLINT_USE_FLAT_CONFIG=false cross-env NODE_ENV=production eslint . --ext .ts,.js',
    }),
  });
  assert.equal(specs[0]?.env, { ESLINT_USE_FLAT_CONFIG: 'false', NODE_ENV: 'production' });
  assert.equal(specs[0]?.extensions, ['.ts', '.js']);
});

test(
  'a formatter that writes reports nothing, and one that checks does',
  shows(
    {
      'package.json': scripts({
        lint: 'eslint --fix . && prettier --write .',
        check: 'ruff format --check . && ruff format .',
      }),
    },
    ['eslint on .', 'prettier on . named', 'ruff-format format on .'],
  ),
);

test('a script with more than words, variables and && is not guessed: configuration files decide', async () => {
  for (const lint of [
    'eslint $(git ls-files)',
    'eslint . | tee x',
    'eslint src; true',
    'eslint $A',
  ]) {
    const { specs, unread } = await plan({ 'package.json': scripts({ lint }) }, [
      'eslint.config.js',
    ]);
    assert.equal(specs.map(short), ['eslint on .'], lint);
    assert.match(unread.join(), /^package\.json, script lint was not read: it uses /);
  }
});

test('what comes before a command that is more than words is read, unless a join decides about it', async () => {
  for (const [lint, expected, said] of [
    ['standard && tape test/*.js | tap-spec', ['standard on .'], 'only partly'],
    ['standard && eslint $A', ['standard on .', 'eslint on .'], 'only partly'],
    ['standard && eslint src > log', ['standard on .', 'eslint on .'], 'only partly'],
    ['standard && eslint src | cat || true', ['eslint on .'], 'not'],
    ['if standard && eslint . | cat; then true; fi', ['eslint on .'], 'not'],
    ['standard & eslint src | cat', ['eslint on .'], 'not'],
    ['(standard && eslint src)', ['eslint on .'], 'not'],
  ] as const) {
    const { specs, unread, left } = await plan({ 'package.json': scripts({ lint }) }, [
      'eslint.config.js',
    ]);
    assert.equal(specs.map(short), expected, lint);
    const lines = (lint.includes('eslint') ? unread : left).join('\n');
    assert.match(lines, `package.json, script lint was ${said} read: it uses `);
  }
});

test('a script that several scripts call and that is not read is named once', async () => {
  const lint = { lint: 'npm run lint:js', 'lint:js': 'eslint . || true', check: 'npm run lint:js' };
  const { unread } = await plan({ 'package.json': scripts(lint) }, ['eslint.config.js']);
  assert.equal(unread, [
    "package.json, script lint:js was not read: it uses the shell operator '||'",
  ]);
});

test('where a command names a linter, others that are only configured do not run and are named', async () => {
  const { specs, left } = await plan({ 'package.json': scripts({ lint: 'eslint lib' }) }, [
    'eslint.config.js',
    'tsconfig.json',
    '.prettierrc',
    'run.sh',
  ]);
  assert.equal(specs.map(short), ['eslint on lib', 'prettier on . quiet']);
  assert.equal(left, ["tsc isn't run: tsconfig.json exists, but no lint command names it"]);
});

test(
  'the lint script takes precedence over lint:*, and hooks and the Makefile add what it does not name',
  shows(
    {
      'package.json': scripts(
        { lint: 'eslint src', 'lint:all': 'eslint . && stylelint src' },
        { 'lint-staged': { '*.{css,md}': ['prettier --write', 'eslint --fix'] } },
      ),
      '.pre-commit-config.yaml': `exclude: ^docs/
repos:
  - repo: https://example.com/ruff-pre-commit
    hooks:
      - id: ruff
        args: [--fix, --select, E]
      - id: ruff-format
  - repo: local
    hooks:
      - id: shell
        entry: shellcheck -x
        files: ^scripts/
`,
      'lefthook.yml': `pre-commit:
  commands:
    md:
      glob: "*.md"
      run: npx markdownlint-cli2 {staged_files}
`,
      Makefile: `lint: lint-py\n\t@echo done\n\nlint-py:\n\t@flake8 --max-line-length 100 \\\n\t  src\n\nrun:\n\tpylint src\n`,
    },
    [
      'eslint on src',
      'stylelint on src',
      'ruff check --select E on .',
      'ruff-format format on . named',
      'shellcheck -x on .',
      'markdownlint on .',
      'prettier on . named',
      'flake8 --max-line-length 100 on src',
    ],
  ),
);

test('lint-staged is read from its own files too, except from programs', async () => {
  const { specs, unread } = await plan(
    { '.lintstagedrc.json': '{"*.js": "eslint"}', 'web/.lintstagedrc': '"*.css": stylelint\n' },
    ['lint-staged.config.mjs'],
  );
  assert.equal(
    specs.map(({ name, only }) => [name, only?.globs]),
    [
      ['eslint', ['**/*.js']],
      ['stylelint', ['web/**/*.css']],
    ],
  );
  assert.equal(unread, ['lint-staged.config.mjs was not read: it is a program']);
});

test('in a package below the top, the globs of lint-staged are those of its folder', async () => {
  const staged = { '*.js': 'eslint', './src/*.css': ['stylelint', 1] };
  const { specs } = await plan({ 'web/package.json': scripts({}, { 'lint-staged': staged }) });
  assert.equal(
    specs.map(({ name, folder, only }) => [name, folder, only?.globs]),
    [
      ['eslint', 'web', ['web/**/*.js']],
      ['stylelint', 'web', ['web/src/*.css']],
    ],
  );
});

for (const [title, Makefile, expected] of [
  [
    'targets of a Makefile that need each other, or a file, are read once',
    'lint: node_modules css\n\ncss: lint\n\tstylelint src\n\nlint:\n\teslint src\n',
    ['stylelint on src', 'eslint on src'],
  ],
  [
    'a recipe of a Makefile goes on after blank lines and comments, and ends with other text',
    'lint:\n\teslint a\n\n# why\n\teslint b\ninclude other.mk\n\teslint c\n',
    ['eslint on a', 'eslint on b'],
  ],
  [
    'variables of a Makefile may refer to each other, four deep',
    'A = $(B)\nB = $(C)\nC = $(D)\nD = src\nX = $(X)\nlint:\n\teslint $(A)\n',
    ['eslint on src'],
  ],
] as const) {
  test(title, shows({ Makefile }, expected));
}

test('a lint target of a Makefile that also starts an unknown program is read', async () => {
  const Makefile = 'lint:\n\tgo run ./own\n\teslint src\n\tgo run ./own\n';
  const { specs, unread } = await plan({ Makefile });
  assert.equal([specs.map(short), unread], [['eslint on src'], []]);
});

test('a hook of pre-commit lints what its own patterns and the common ones let through', async () => {
  const { specs } = await plan({
    '.pre-commit-config.yaml': `files: ^(src|tools|docs)/
exclude: ^docs/
repos:
  - repo: https://example.com/flake8
    hooks:
      - id: flake8
        files: a
        exclude: ^src/old/
`,
  });
  const [flake8] = specs;
  const paths = ['src/a.py', 'src/b.py', 'src/old/a.py', 'docs/a.py', 'tools/a.py', 'a.py'];
  assert.equal(flake8 && (await linterFiles(flake8, paths, async () => undefined)), [
    'src/a.py',
    'tools/a.py',
  ]);
});

test('a command of lefthook with one glob lints only files that match it', async () => {
  const run = 'pre-commit:\n  commands:\n    md:\n      glob: "*.md"\n      run: npx remark .\n';
  const { specs } = await plan({ 'lefthook.yml': run });
  assert.equal(
    specs.map(({ name, only }) => [name, only?.globs]),
    [['remark', ['**/*.md']]],
  );
});

test('the globs of a command of lefthook with a root are those of its folder', async () => {
  const command =
    'run: npx eslint {staged_files}\n      root: web/\n      glob: ["*.js", "src/*.ts"]';
  const { specs } = await plan({
    'lefthook.yml': `lint:\n  commands:\n    a:\n      ${command}\n`,
  });
  assert.equal(
    specs.map(({ folder, only }) => [folder, only?.globs]),
    [['web', ['web/**/*.js', 'web/src/*.ts']]],
  );
});

test('jobs in groups of lefthook are read, with the globs of the group and without what they exclude', async () => {
  const text = `lint:
  jobs:
    - name: js
      glob: "*.js"
      group:
        jobs:
          - run: npx eslint {staged_files}
            exclude: [dist/*, "*.min.js"]
          - run: npx stylelint {staged_files}
            glob: "*.css"
`;
  const { specs } = await plan({ 'lefthook.yml': text });
  assert.equal(
    specs.map(({ name, only }) => [name, only]),
    [
      ['eslint', { globs: ['**/*.js'], excludedGlobs: ['dist/*', '**/*.min.js'] }],
      ['stylelint', { globs: ['**/*.css'] }],
    ],
  );
  const [eslint] = specs;
  const paths = ['a.js', 'dist/a.js', 'src/b.min.js', 'src/b.js'];
  assert.equal(eslint && (await linterFiles(eslint, paths, async () => undefined)), [
    'a.js',
    'src/b.js',
  ]);
});

test('if the lint script names several packages, each is linted as its configuration says', async () => {
  const { specs } = await plan(
    {
      'package.json': scripts(
        { lint: 'turbo run lint --filter=a --filter=b' },
        { workspaces: ['packages/*'] },
      ),
      'packages/a/package.json': '{"name": "a"}',
      'packages/b/package.json': '{"name": "b"}',
      'packages/c/package.json': '{"name": "c"}',
    },
    ['a', 'b', 'c'].map(name => `packages/${name}/eslint.config.js`),
  );
  assert.equal(
    specs.map(({ folder }) => folder),
    ['packages/a', 'packages/b'],
  );
});

test(
  'scripts that call each other are followed eight levels deep',
  shows(
    {
      'package.json': scripts({
        ...Object.fromEntries(
          Array.from({ length: 8 }, (_, at) => [
            at === 0 ? 'lint' : `s${at}`,
            `npm run s${at + 1}`,
          ]),
        ),
        s8: 'eslint src && npm run lint',
      }),
    },
    ['eslint on src'],
  ),
);

test(
  'without a lint script, the linters that npm test runs are used',
  shows({ 'package.json': scripts({ test: 'xo && ava' }) }, ['xo on .']),
);

test(
  'without a lint script, a script that is called like a linter is used before npm test',
  shows({ 'package.json': scripts({ standard: 'standard src', test: 'xo && ava' }) }, [
    'standard on src',
  ]),
);

test(
  'variables of a Makefile are put in place, and where a program lies does not matter',
  shows(
    {
      Makefile: `BIN = $(ROOT)/bin\nSRC := src tests\n\ncodestyle:\n\t@$(BIN)/flake8 $(SRC) *.py\n`,
      'setup.cfg': '[flake8]\n',
    },
    ['flake8 on src tests setup.py'],
    ['setup.py', 'src/a.py'],
  ),
);

test(
  'a command that only prints its version is not the lint command',
  shows(
    { Makefile: 'check:\n\tshellcheck --version\n\tshellcheck -x bin/*.sh\n' },
    ['shellcheck -x on bin/a.sh'],
    ['bin/a.sh'],
  ),
);

test(
  'Oxfmt formats what was edited, or checks where a script does',
  shows(
    {
      'package.json': scripts(
        { 'format:check': 'oxfmt --check .' },
        { 'lint-staged': { '*': 'oxfmt' } },
      ),
      'web/package.json': '{}',
    },
    ['oxfmt --list-different on .'],
  ),
);

test('every script that cannot be read and may run a linter is named, whatever others name', async () => {
  const readable = { lint: 'eslint b.js' };
  for (const [own, more, expected] of [
    [
      { lint: 'run-s lint:a lint:b', 'lint:a': 'eslint a.js > log', 'lint:b': 'eslint b.js' },
      {},
      "package.json, script lint:a was not read: it uses the shell operator '>'",
    ],
    [
      { ...readable, 'lint:a': 'eslint $(touch x) .' },
      {},
      "package.json, script lint:a was not read: it uses the shell operator '('",
    ],
    [
      { ...readable, 'lint:own': './own.sh | cat' },
      {},
      "package.json, script lint:own was not read: it uses the shell operator '|'",
    ],
    [
      { ...readable, check: 'yarn lint || true' },
      {},
      "package.json, script check was not read: it uses the shell operator '||'",
    ],
    [
      { ...readable, check: 'biome check . || true' },
      {},
      "package.json, script check was not read: it uses the shell operator '||'",
    ],
    [
      { ...readable, check: 'eslint c.js && ./lint.sh x' },
      {},
      'package.json, script check was only partly read: what lint.sh x runs is not known',
    ],
    [
      { lint: 'eslint b.js && make lint-rest' },
      { Makefile: 'lint-rest:\n\teslint a.js; echo\n' },
      "Makefile, target lint-rest was not read: it uses the shell operator ';'",
    ],
    [
      {},
      {
        'a/package.json': scripts({ lint: 'eslint . > log || true' }),
        'b/package.json': scripts({ lint: 'eslint .' }),
      },
      "a/package.json, script lint was not read: it uses the shell operator '>'",
    ],
  ] as const) {
    const { unread } = await plan({ 'package.json': scripts(own), ...more });
    assert.equal(unread, [expected]);
  }
});

test('a script that cannot be read and names no linter is in the plan only', async () => {
  const own = {
    lint: 'eslint b.js && echo eslint passed && rm -f $TMP',
    check: 'tape test | cat',
  };
  const { unread, left } = await plan({ 'package.json': scripts(own) });
  assert.equal(unread, []);
  assert.equal(left, [
    'package.json, script lint was only partly read: it uses the variable $TMP',
    'package.json, script lint was only partly read: what echo eslint runs is not known',
    "package.json, script check was not read: it uses the shell operator '|'",
  ]);
});

test('a command whose only target is outside the repository takes no file', async () => {
  const files = { 'package.json': scripts({ lint: 'eslint ../../out' }) };
  const [spec] = (await plan(files)).specs;
  assert.ok(spec);
  assert.equal(await linterFiles(spec, ['a.js'], async () => undefined), []);
});

test('a solution of tsc is built, and a project that checks JavaScript has JavaScript files', async () => {
  const solution = await plan({
    'package.json': scripts({ typecheck: 'tsc' }),
    'tsconfig.json': '{"files": [], "references": [{"path": "./a"}], /* jsonc */ }',
  });
  assert.equal(solution.specs[0]?.check.argv.slice(1), [
    '--build',
    'tsconfig.json',
    '--pretty',
    'false',
  ]);
  const scripted = await plan({
    'tsconfig.json': '{"extends": "./base.json", "include": ["src"], "exclude": ["src/x"]}',
    'tsconfig.base.json': '{}',
    'base.json': '{}',
  });
  assert.equal(scripted.specs[0]?.targets, ['src', '!src/x']);
  const js = await plan({ 'tsconfig.json': '{"compilerOptions": {"checkJs": true}}' });
  assert.match(js.specs[0]?.files[0] ?? '', /js/);
  for (const name of ['jsconfig.json', 'jsconfig.check.json']) {
    assert.ok(MANIFEST.test(name));
    const text = name === 'jsconfig.json' ? '{}' : '{"compilerOptions": {"checkJs": true}}';
    const typecheck = `tsc -p ${name} --noEmit`;
    const named = await plan({ 'package.json': scripts({ typecheck }), [name]: text });
    assert.match(named.specs[0]?.files[0] ?? '', /js/);
  }
});

test('tsgo and vue-tsc are run in the place of tsc, each by its own name', async () => {
  for (const program of ['tsc', 'tsgo', 'vue-tsc']) {
    const { specs } = await plan({
      'package.json': scripts({ typecheck: `${program} --noEmit` }),
      'tsconfig.json': '{}',
    });
    assert.equal(
      specs.map(({ name, title, check }) => [name, title, check.argv[0]]),
      [['tsc', program, `node_modules/.bin/${program}`]],
    );
  }
});

test('without a flat configuration ESLint takes .js and what an override is for', async () => {
  const config = '{"overrides": [{"files": ["*.{ts,tsx}"]}]}';
  const old = await plan({ '.eslintrc.json': config });
  assert.equal(old.specs[0]?.extensions, ['.js', '.ts', '.tsx']);
  const flat = await plan({}, ['eslint.config.js']);
  assert.is(flat.specs[0]?.extensions, undefined);
});

test(
  'a script test:lint of the top decides before the packages below it',
  shows(
    {
      'package.json': scripts({
        'fix:lint': 'eslint --fix .',
        'test:lint': 'eslint .',
        'test:format': 'prettier . --list-different',
        'test:types': 'tsc --noEmit',
      }),
      'examples/demo/package.json': scripts({ lint: 'eslint .' }),
      'tsconfig.json': '{}',
    },
    ['eslint on .', 'prettier on .', 'tsc tsconfig.json on .'],
  ),
);

test('a package of Go that a Makefile names is the folder of its module, or the top without one', async () => {
  const Makefile = `PKG := example.org/one\n\nvet:\n\tgo vet $(PKG)/two\n\ngolangci-lint:\n\tgolangci-lint run -v\n`;
  const named = await plan({ Makefile, 'go.mod': 'module example.org/one\n' }, ['two/a.go']);
  assert.equal(
    named.specs.map(({ name, targets }) => [name, targets]),
    [
      ['go-vet', ['two']],
      ['golangci-lint', undefined],
    ],
  );
  const bare = await plan({ Makefile }, ['two/a.go']);
  assert.equal(bare.specs[0]?.targets, ['']);
});

test(
  'scripts that call themselves end',
  shows({ 'package.json': scripts({ lint: 'npm run lint' }) }, []),
);

const argvOf = async (lint: string): Promise<readonly string[][]> =>
  (await plan({ 'package.json': scripts({ lint }) })).specs.map(({ check }) => [...check.argv]);

test('of two commands of a linter, the same one counts once, and another one of its own', async () => {
  for (const [lint, amount] of [
    ['eslint src && eslint src --fix', 1],
    ['eslint src && eslint test', 2],
    ['eslint src && eslint src --quiet', 2],
    ['eslint src && ESLINT_USE_FLAT_CONFIG=false eslint src', 2],
    ['eslint src && stylelint src', 2],
  ] as const) {
    assert.is((await argvOf(lint)).length, amount, lint);
  }
});

test('what the command runs of Biome is run, and words after -- stay behind them', async () => {
  for (const [lint, word] of [
    ['biome lint .', 'lint'],
    ['biome check .', 'check'],
    ['biome ci .', 'check'],
  ] as const) {
    assert.is((await argvOf(lint))[0]?.[1], word, lint);
  }
  const withRest = async (words: string) =>
    (await argvOf(`cargo clippy ${words}`))[0]?.join(' ') ?? '';
  assert.match(await withRest('-- -D warnings'), / -- -D warnings$/);
  assert.not.match(await withRest('--all-targets'), / --( |$)/);
});

test('one variable before a command is passed on, and none is not', async () => {
  const envOf = async (lint: string) =>
    (await plan({ 'package.json': scripts({ lint }) })).specs[0];
  assert.equal((await envOf('NODE_ENV=test eslint .'))?.env, { NODE_ENV: 'test' });
  assert.not.ok('env' in ((await envOf('eslint .')) ?? {}));
});

test('with ESLINT_USE_FLAT_CONFIG=false the endings are those of the older configuration', async () => {
  const manifests = (lint: string) => ({
    'package.json': scripts({ lint }),
    'eslint.config.js': '',
    '.eslintrc.json': '{"overrides": [{"files": ["*.ts"]}]}',
  });
  const endings = async (lint: string) => (await plan(manifests(lint))).specs[0]?.extensions;
  assert.equal(await endings('ESLINT_USE_FLAT_CONFIG=false eslint .'), ['.js', '.ts']);
  assert.is(await endings('eslint .'), undefined);
  // A script that is named is a flat configuration too.
  const named = async (lint: string) => {
    const { 'eslint.config.js': _, ...others } = manifests(lint);
    return (await plan(others)).specs[0]?.extensions;
  };
  assert.equal(await named('eslint .'), ['.js', '.ts']);
  assert.equal(await named('eslint -c config/own.json .'), ['.js', '.ts']);
  assert.is(await named('eslint -c config/own.mjs .'), undefined);
});

test('package managers start programs by name, npm only scripts', async () => {
  for (const [lint, names] of [
    ['yarn eslint .', ['eslint']],
    ['pnpm stylelint css', ['stylelint']],
    ['npm eslint .', []],
    ['npm run eslint', []],
    ['yarn && eslint .', ['eslint']],
    ['npm ci && eslint .', ['eslint']],
  ] as const) {
    const { specs } = await plan({ 'package.json': scripts({ lint }) });
    assert.equal(
      specs.map(({ name }) => name),
      names,
      lint,
    );
  }
  for (const [call, names] of [
    ['npm test', ['eslint', 'stylelint']],
    ['npm t', ['eslint', 'stylelint']],
    ['npm run test', ['eslint', 'stylelint']],
    ['npm ci', ['stylelint']],
  ] as const) {
    const all = scripts({ lint: `${call} && stylelint css`, test: 'eslint .' });
    const { specs } = await plan({ 'package.json': all });
    assert.equal(
      specs.map(({ name }) => name),
      names,
      call,
    );
  }
});

test('a glob for packages matches their names and their folders', async () => {
  const one = (name: string) => JSON.stringify({ name, scripts: { lint: 'eslint .' } });
  for (const filter of ["'@x/*'", "'packages/*'", "'./packages/*'"]) {
    const lint = `pnpm --filter ${filter} lint`;
    const { specs, unread } = await plan({
      'package.json': scripts({ lint }, { workspaces: ['packages/*', 'others/*'] }),
      'packages/a/package.json': one('@x/a'),
      'others/b/package.json': one('@y/b'),
    });
    assert.equal(unread, []);
    assert.equal(
      specs.map(({ folder }) => folder),
      ['packages/a'],
      filter,
    );
  }
});

test('a linter of the configuration keeps test scripts from being read', async () => {
  const facts = {
    paths: ['package.json'],
    manifests: new Map([['package.json', scripts({ test: 'eslint .' })]]),
  };
  const entry = { name: 'own', command: ['own'], format: 'gcc', files: ['**'] } as const;
  const names = async (entries: Parameters<typeof planLinters>[1]) =>
    (await planLinters(facts, entries)).specs.map(({ name }) => name);
  assert.equal(await names([entry]), ['own']);
  assert.equal(await names([]), ['eslint']);
});

test('linters that a command or the configuration names run before those that only have a configuration file', async () => {
  const lint = 'biome lint . && eslint $A';
  const facts = {
    paths: ['package.json', 'eslint.config.js', 'biome.json'],
    manifests: new Map([['package.json', scripts({ lint })]]),
  };
  const entry = { name: 'own', command: ['own'], format: 'gcc', files: ['**'] } as const;
  const { specs } = await planLinters(facts, [entry]);
  assert.equal(
    specs.map(({ name }) => name),
    ['biome', 'own', 'eslint'],
  );
});

test('a linter of the configuration is known by its program, however it is started and named', async () => {
  const facts = {
    paths: ['package.json'],
    manifests: new Map([
      ['package.json', scripts({ lint: 'eslint .', strict: 'eslint --max-warnings 0' })],
      ['Makefile', 'lint:\n\tflake8 src && pylint src\n'],
    ]),
  };
  for (const [command, name] of [
    [['node_modules/.bin/eslint', '-f', 'json', '{files}'], 'eslint'],
    [['npx', '--no-install', 'eslint@9'], 'eslint'],
    [['pnpm', 'exec', 'eslint'], 'eslint'],
    [['npm', 'run', 'strict', '--', '-f', 'json'], 'eslint'],
    [['python3', '-m', 'flake8'], 'flake8'],
    [['poetry', 'run', 'pylint'], 'pylint'],
  ] as const) {
    const entry = { name: 'mine', command, format: 'gcc' } as const;
    const { specs } = await planLinters(facts, [entry]);
    const others = ['eslint', 'flake8', 'pylint'].filter(each => each !== name);
    assert.equal(
      specs.map(each => each.name),
      [...others, 'mine'],
      command.join(' '),
    );
  }
});

test('the first of pre-commit, lefthook and lint-staged that names a linter decides about its files', async () => {
  const staged = { 'package.json': scripts({}, { 'lint-staged': { '*.js': 'eslint --fix' } }) };
  const lefthook = { 'lefthook.yml': 'pre-commit:\n  commands:\n    a:\n      run: eslint lib\n' };
  const preCommit = {
    '.pre-commit-config.yaml':
      'repos:\n  - repo: local\n    hooks:\n      - id: eslint\n        entry: eslint src\n',
  };
  const planned = async (manifests: Readonly<Record<string, string>>) =>
    (await plan(manifests)).specs.map(short);
  assert.equal(await planned({ ...staged, ...lefthook, ...preCommit }), ['eslint on src']);
  assert.equal(await planned({ ...staged, ...lefthook }), ['eslint on lib']);
  assert.equal(await planned(staged), ['eslint on .']);
});

test.run();
