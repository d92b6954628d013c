import type { KnownLinter } from './linter-table.js';

const RUFF = ['ruff', 'check', '--output-format=json', '--force-exclude'];
const SWIFTLINT = ['swiftlint', 'lint', '--quiet', '--force-exclude'];
// Out of the box golangci-lint prints 3 of the same kind and 50 of a linter.
const GOLANGCI = ['--issues-exit-code=1', '--max-issues-per-linter=0', '--max-same-issues=0'];
const CLIPPY = ['--quiet', '--workspace', '--all-targets', '--message-format=json'];

/** The rows of linters that do not come with npm, and markdownlint, which comes in two. */
export const MORE_LINTERS: readonly KnownLinter[] = [
  {
    name: 'markdownlint',
    title: 'markdownlint-cli2',
    config: /^\.markdownlint(?:-cli2)?\.(?:jsonc?|ya?ml|[cm]js)$|^\.markdownlintrc$/,
    files: ['**/*.{md,markdown}'],
    scope: 'files',
    check: {
      argv: ['node_modules/.bin/markdownlint-cli2', '--no-globs', '{files}'],
      format: 'markdownlint-text',
      streams: ['stderr'],
    },
    fix: ['node_modules/.bin/markdownlint-cli2', '--no-globs', '--fix', '{files}'],
    stdin: { argv: ['node_modules/.bin/markdownlint-cli2', '--no-globs', '-'], as: 'stdin' },
    pathPrefix: ':',
    exits: { clean: [0], findings: [1] },
  },
  {
    name: 'ruff',
    title: 'Ruff',
    config: /^\.?ruff\.toml$/,
    manifest: { file: 'pyproject.toml', has: text => /^[ \t]*\[?\[?tool\.ruff\b/m.test(text) },
    files: ['**/*.{py,pyi}'],
    scope: 'files',
    // The configuration may say that checking fixes.
    check: { argv: [...RUFF, '--no-fix', '{files}'], format: 'ruff-json', streams: ['stdout'] },
    fix: [...RUFF, '--fix', '{files}'],
    stdin: { argv: [...RUFF, '--no-fix', '--stdin-filename', '{path}', '-'] },
    exits: { clean: [0], findings: [1] },
  },
  {
    name: 'shellcheck',
    title: 'ShellCheck',
    config: /^\.?shellcheckrc$/,
    enough: /\.(?:sh|bash|dash|ksh|bats)$/,
    files: ['**/*.{sh,bash,dash,ksh,bats}'],
    interpreters: ['sh', 'bash', 'dash', 'ksh'],
    scope: 'files',
    check: {
      argv: ['shellcheck', '--format=json1', '{files}'],
      format: 'shellcheck-json',
      streams: ['stdout'],
    },
    stdin: { argv: ['shellcheck', '--format=json1', '-'], as: '-' },
    exits: { clean: [0], findings: [1] },
  },
  {
    name: 'swiftlint',
    title: 'SwiftLint',
    config: /^\.swiftlint\.ya?ml$/,
    files: ['**/*.swift'],
    scope: 'files',
    check: {
      argv: [...SWIFTLINT, '--reporter', 'json', '{files}'],
      format: 'swiftlint-json',
      streams: ['stdout'],
    },
    fix: [...SWIFTLINT, '--fix', '{files}'],
    exits: { clean: [0], findings: [2, 3] },
  },
  {
    name: 'golangci-lint',
    title: 'golangci-lint',
    config: /^\.golangci\.(?:ya?ml|toml|json)$/,
    files: ['**/*.go'],
    scope: 'folders',
    check: {
      argv: [
        ...['golangci-lint', 'run', '--output.json.path=stdout', '--show-stats=false'],
        ...[...GOLANGCI, '{files}'],
      ],
      format: 'golangci-json',
      streams: ['stdout'],
    },
    // Version 1 spells the output otherwise.
    otherwise: {
      argv: ['golangci-lint', 'run', '--out-format=json', ...GOLANGCI, '{files}'],
      format: 'golangci-json',
      streams: ['stdout'],
    },
    fix: ['golangci-lint', 'run', '--fix', ...GOLANGCI, '{files}'],
    exits: { clean: [0], findings: [1] },
  },
  {
    name: 'rubocop',
    title: 'RuboCop',
    config: /^\.rubocop\.ya?ml$/,
    files: ['**/*.{rb,rake,gemspec,ru}', '**/{Gemfile,Rakefile}'],
    scope: 'files',
    check: {
      argv: ['rubocop', '--format', 'json', '--force-exclusion', '{files}'],
      format: 'rubocop-json',
      streams: ['stdout'],
    },
    // The short form means "safe corrections only" in every version.
    fix: ['rubocop', '-a', '--format', 'json', '--force-exclusion', '{files}'],
    stdin: { argv: ['rubocop', '--format', 'json', '--force-exclusion', '--stdin', '{path}'] },
    exits: { clean: [0], findings: [1] },
  },
  {
    name: 'clippy',
    title: 'clippy',
    config: /^(?:Cargo\.toml|\.?clippy\.toml)$/,
    files: ['**/*.rs'],
    scope: 'project',
    check: {
      argv: ['cargo', 'clippy', ...CLIPPY],
      format: 'clippy-json',
      streams: ['stdout'],
    },
    fix: [
      'cargo',
      'clippy',
      '--fix',
      '--allow-dirty',
      '--allow-staged',
      '--allow-no-vcs',
      ...CLIPPY,
    ],
    exits: { clean: [0], findings: [101] },
  },
];

/** The other program of that name; the project's manifest tells which one it has. */
export const MARKDOWNLINT_CLI: Pick<
  KnownLinter,
  'title' | 'check' | 'fix' | 'stdin' | 'pathPrefix'
> = {
  title: 'markdownlint-cli',
  check: {
    argv: ['node_modules/.bin/markdownlint', '--json', '{files}'],
    format: 'markdownlint-json',
    streams: ['stderr', 'stdout'],
  },
  fix: ['node_modules/.bin/markdownlint', '--fix', '{files}'],
  stdin: { argv: ['node_modules/.bin/markdownlint', '--json', '--stdin'], as: 'stdin' },
  pathPrefix: '',
};
