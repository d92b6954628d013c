import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { suite } from '../support/suite.js';
import { fixJson, withProject } from './lint-project.js';

const test = suite('fix/never-below');

interface Case {
  readonly lint: string;
  /** What a person would run. */
  readonly fix: ReadonlyArray<readonly string[]>;
  readonly files: Readonly<Record<string, string>>;
}

/** Rules that set each other off, and faults that no linter fixes. */
const MESSY = `var a = 1, b = "x"
var unused = a
function f(x) { if (x == null) { return "1" } else { return b } }
let never = 2
if (a) { } else { f(never) }
module.exports = {f:f, "a": a, a: 2, c: !!(!a), d: function(){ return f }}
`;

const ESLINT_RULES = {
  'no-var': 2,
  'prefer-const': 2,
  'one-var': [2, 'never'],
  'no-else-return': 2,
  'object-shorthand': 2,
  'quote-props': [2, 'as-needed'],
  'no-unused-vars': 2,
  'no-extra-boolean-cast': 2,
  'no-dupe-keys': 2,
  eqeqeq: 2,
  curly: 2,
  'prefer-arrow-callback': 2,
  'arrow-body-style': 2,
  semi: 2,
  quotes: [2, 'single'],
  'no-lonely-if': 2,
  'no-useless-return': 2,
};

/** With `x += 1`, `x` counts as unused. */
const NEIGHBOURS = {
  'prefer-arrow-callback': 2,
  'arrow-body-style': 2,
  'operator-assignment': 2,
  'no-unused-vars': 2,
  'no-else-return': 2,
};

const CASES: Readonly<Record<string, Case>> = {
  'ESLint and Prettier': {
    lint: 'eslint src && prettier --check src',
    fix: [
      ['eslint', '--fix', 'src'],
      ['prettier', '--write', 'src'],
    ],
    files: {
      'eslint.config.js': `module.exports = [{ languageOptions: { sourceType: 'commonjs' }, rules: ${JSON.stringify(ESLINT_RULES)} }];\n`,
      '.prettierrc': '{"singleQuote": true}',
      'src/a.js': MESSY,
      'src/b.js': MESSY.replaceAll('unused', 'other'),
    },
  },
  'ESLint and Prettier, where one of the fixes on neighbouring lines reveals something new': {
    lint: 'eslint src && prettier --write src',
    fix: [
      ['eslint', '--fix', 'src'],
      ['prettier', '--write', 'src'],
    ],
    files: {
      'eslint.config.js': `module.exports = [{ rules: ${JSON.stringify(NEIGHBOURS)} }];\n`,
      '.prettierrc': '{}',
      'src/a.mjs': `let x = 1;
export function g(b) {
  if (b) { return 1; } else { x = x + 1; }
  [1].map(function (k) { return k + 1; });
}
`,
      'src/one-line.mjs': `let x = 1;
export function g(b) {
  if (b) { return 1; } else { x = x + 1; } [1].map(function (k) { return k + 1; });
}
`,
    },
  },
  Biome: {
    lint: 'biome check src',
    fix: [['biome', 'check', '--write', 'src']],
    files: { 'biome.json': '{"root": true}', 'src/a.js': MESSY },
  },
  oxlint: {
    lint: 'oxlint src',
    fix: [['oxlint', '--fix', 'src']],
    files: {
      '.oxlintrc.json':
        '{"rules": {"no-var": "error", "no-useless-escape": "error", "no-dupe-keys": "error"}}',
      'src/a.js': `${MESSY}exports.s = "\\d";\n`,
    },
  },
  Stylelint: {
    lint: 'stylelint "**/*.css"',
    fix: [['stylelint', '--fix', '**/*.css']],
    files: {
      '.stylelintrc.json':
        '{"rules": {"color-hex-length": "short", "length-zero-no-unit": true, "color-no-invalid-hex": true, "declaration-block-no-duplicate-properties": true}}',
      'a.css': 'a { color: #ffffff; margin: 0px; top: 0px; top: 1px; background: #ff; }\n',
    },
  },
  'Stylelint and Prettier, whose result Stylelint has to fix again': {
    lint: 'stylelint "**/*.css" && prettier --check "**/*.css"',
    fix: [
      ['stylelint', '--fix', '**/*.css'],
      ['prettier', '--write', '**/*.css'],
      ['stylelint', '--fix', '**/*.css'],
    ],
    files: {
      '.stylelintrc.json':
        '{"rules": {"color-hex-length": "short", "rule-empty-line-before": "always-multi-line", "no-duplicate-selectors": true}}',
      'a.css': 'a{color:#FFFFFF}\na{color:#FFF}\n',
    },
  },
  markdownlint: {
    lint: 'markdownlint-cli2 "**/*.md" "#node_modules"',
    fix: [['markdownlint-cli2', '--fix', '**/*.md', '#node_modules']],
    files: {
      '.markdownlint.json': '{"default": true}',
      'a.md': '# Title\n* one\n+ two\n\n\n\n```\nls\n```\n## Second   \ntext\n',
    },
  },
};

for (const [name, { lint, fix, files }] of Object.entries(CASES)) {
  test(name, () =>
    withProject({ 'package.json': JSON.stringify({ scripts: { lint } }), ...files }, async repo => {
      const { outcome } = await fixJson(repo, ['--no-model']);
      for (const [program = '', ...args] of fix) {
        spawnSync(join(repo.dir, 'node_modules/.bin', program), args, { cwd: repo.dir });
      }
      await repo.git('commit', '--quiet', '--all', '--message', 'own fixes');
      const own = await fixJson(repo, ['--no-model', '--dry-run']);
      const [ours, theirs] = [outcome.diagnostics.after, own.outcome.diagnostics.before];
      const about = `${ours} left by us, ${theirs} by its own fix: ${JSON.stringify(outcome)}`;
      assert.ok(outcome.diagnostics.fixed > 0 && ours <= theirs, about);
      assert.is(outcome.diagnostics.introduced, 0);
    }),
  );
}

test('a fix that reveals something new is left out, and the other fixes of the file are kept', () =>
  withProject(
    {
      'package.json': JSON.stringify({ scripts: { lint: 'markdownlint-cli2 a.md' } }),
      '.markdownlint.json': '{"default": true}',
      // As a heading, the last line would be the second of that name.
      'a.md': '# Title\n\n* one\n+ two\n\n\ntext\n\n#Title\n',
    },
    async repo => {
      const { outcome } = await fixJson(repo, ['--no-model']);
      assert.equal(
        outcome.findings.map(({ rule }) => rule),
        ['MD018'],
      );
      assert.equal([outcome.diagnostics.fixed > 1, outcome.diagnostics.introduced], [true, 0]);
    },
  ));

const REPORT = (word: string): string =>
  `grep -no ${word} a.txt | sed 's/:.*/:1: error: ${word} [${word}]/; s/^/a.txt:/'`;

/** A linter that reports these words, and replaces the first one. */
const wordLinter = (name: string, words: readonly string[], replacement: string) => ({
  name,
  command: ['sh', '-c', words.map(REPORT).join('; ')],
  fix: ['sh', '-c', `sed s/${words[0]}/${replacement}/ a.txt >a.new; cat a.new >a.txt; rm a.new`],
  format: 'gcc',
  files: ['*.txt'],
});

test('a fix that is left out is left with its own reason, and so is what no fix is for', () => {
  const lint = [wordLinter('own', ['bad', 'odd', 'good'], 'good')];
  return withProject(
    { '.apfel-bot.json': JSON.stringify({ lint }), 'a.txt': 'odd\n\n\nbad odd\n', 'b.js': '' },
    async repo => {
      const { outcome } = await fixJson(repo, ['--no-model']);
      assert.equal(
        outcome.findings.map(({ rule, left }) => [rule, left]),
        [
          ['bad', 'it causes a new diagnostic from own at a.txt:4: good'],
          ['odd', 'the linter has no single fix for it, and no model was asked'],
          ['odd', 'the linter has no single fix for it, and no model was asked'],
        ],
      );
    },
  );
});

test("a linter's own fix is kept where another linter's fix of the same line is not", () => {
  const lint = [wordLinter('one', ['bad', 'tidy'], 'good'), wordLinter('two', ['ugly'], 'tidy')];
  return withProject(
    { '.apfel-bot.json': JSON.stringify({ lint }), 'a.txt': 'bad ugly\n' },
    async repo => {
      const { outcome } = await fixJson(repo, ['--no-model']);
      assert.equal(
        outcome.findings.map(({ rule, left }) => [rule, left]),
        [['ugly', 'it causes a new diagnostic from one at a.txt:1: tidy']],
      );
      assert.is(await repo.git('show', `${outcome.branch?.name}:a.txt`), 'good ugly');
    },
  );
});

test('a fix of a chosen rule is kept next to a diagnostic that the linter can not fix', () => {
  const lint = [wordLinter('own', ['bad', 'odd'], 'good')];
  return withProject(
    { '.apfel-bot.json': JSON.stringify({ lint }), 'a.txt': 'bad odd\n' },
    async repo => {
      const { outcome } = await fixJson(repo, ['--no-model', '--rule', 'bad']);
      assert.is(await repo.git('show', `${outcome.branch?.name}:a.txt`), 'good odd');
    },
  );
});

test.run();
