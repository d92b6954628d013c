import { objectOf, parseJson } from '../core/json-fields.js';
import type { LintCommand, LinterKind } from './find.js';
import type { ReportFormat } from './report.js';

const bin = (name: string): string => `node_modules/.bin/${name}`;

const reportOn =
  (...streams: LintCommand['streams']) =>
  (format: ReportFormat, ...argv: string[]): LintCommand => ({ argv, format, streams });
const onStdout = reportOn('stdout', 'stderr');
const onStderr = reportOn('stderr', 'stdout');
const onlyStdout = reportOn('stdout');
const onlyStderr = reportOn('stderr');

/** True for a package.json with that key at the top level; a broken one has none. */
const hasKey =
  (key: string) =>
  (text: string): boolean =>
    key in objectOf(parseJson(text));

// By default only 20 diagnostics are printed, and an unknown file type is an error.
const BIOME = ['--max-diagnostics=none', '--no-errors-on-unmatched', '--files-ignore-unknown=true'];

const RUFF = ['ruff', 'check', '--output-format=json', '--force-exclude'];
const SWIFTLINT = ['swiftlint', 'lint', '--quiet', '--force-exclude'];
// By default golangci-lint prints 3 of the same kind and 50 per linter.
const GOLANGCI = ['--issues-exit-code=1', '--max-issues-per-linter=0', '--max-same-issues=0'];
const CLIPPY = ['--quiet', '--workspace', '--all-targets', '--message-format=json'];

/** Linters that don't come from npm, and both programs called markdownlint. */
const MORE_LINTERS: readonly Described[] = [
  {
    name: 'markdownlint',
    title: 'markdownlint-cli2',
    config: /^\.markdownlint(?:-cli2)?\.(?:jsonc?|ya?ml|[cm]js)$|^\.markdownlintrc$/,
    files: ['**/*.{md,markdown}'],
    isPerFile: true,
    check: onlyStderr('markdownlint', bin('markdownlint-cli2'), '--no-globs', '{files}'),
    fix: [bin('markdownlint-cli2'), '--no-globs', '--fix', '{files}'],
    stdin: { argv: [bin('markdownlint-cli2'), '--no-globs', '-'], as: 'stdin' },
    pathPrefix: ':',
  },
  {
    name: 'ruff',
    title: 'Ruff',
    config: /^\.?ruff\.toml$/,
    manifest: { file: /^pyproject\.toml$/, has: text => /^[ \t]*\[?\[?tool\.ruff\b/m.test(text) },
    files: ['**/*.{py,pyi}'],
    isPerFile: true,
    // The configuration may turn on fixing during checks.
    check: onlyStdout('ruff-json', ...RUFF, '--no-fix', '{files}'),
    fix: [...RUFF, '--fix', '{files}'],
    fixReports: true,
    stdin: { argv: [...RUFF, '--no-fix', '--stdin-filename', '{path}', '-'] },
  },
  {
    name: 'shellcheck',
    title: 'ShellCheck',
    config: /^\.?shellcheckrc$/,
    enough: /\.(?:sh|bash|dash|ksh|bats)$/,
    files: ['**/*.{sh,bash,dash,ksh,bats}'],
    interpreters: ['sh', 'bash', 'dash', 'ksh'],
    isPerFile: true,
    check: onlyStdout('shellcheck-json', 'shellcheck', '--format=json1', '{files}'),
    stdin: { argv: ['shellcheck', '--format=json1', '-'], as: '-' },
    // It needs gigabytes for many scripts at once, and minutes for a large one.
    batchBytes: 60_000,
    timeoutMs: 60_000,
  },
  {
    name: 'swiftlint',
    title: 'SwiftLint',
    config: /^\.swiftlint\.ya?ml$/,
    files: ['**/*.swift'],
    isPerFile: true,
    check: onlyStdout('swiftlint-json', ...SWIFTLINT, '--reporter', 'json', '{files}'),
    fix: [...SWIFTLINT, '--fix', '{files}'],
    exits: { clean: [0], findings: [2, 3] },
  },
  {
    name: 'golangci-lint',
    title: 'golangci-lint',
    config: /^\.golangci\.(?:ya?ml|toml|json)$/,
    files: ['**/*.go'],
    scope: 'folders',
    check: onlyStdout(
      'golangci-json',
      ...['golangci-lint', 'run', '--output.json.path=stdout', '--show-stats=false'],
      ...[...GOLANGCI, '{files}'],
    ),
    // Version 1 has a different name for the option.
    otherwise: onlyStdout(
      'golangci-json',
      'golangci-lint',
      'run',
      '--out-format=json',
      ...GOLANGCI,
      '{files}',
    ),
    fix: ['golangci-lint', 'run', '--fix', ...GOLANGCI, '{files}'],
  },
  {
    name: 'rubocop',
    title: 'RuboCop',
    config: /^\.rubocop\.ya?ml$/,
    files: [
      '**/*.{rb,arb,axlsx,builder,fcgi,gemfile,gemspec,god,jb,jbuilder,mspec,opal,pluginspec,podspec,rabl,rake,rbuild,rbw,rbx,ru,ruby,schema,spec,thor,watchr}',
      '**/{.irbrc,.pryrc,.simplecov,buildfile,rakefile,*Fastfile}',
      '**/{Berks,Brew,Build,Cap,Chef,Danger,Deliver,Gem,Guard,Jar,Maven,Pod,Puppet,Rake,Schema,Snap,Steep,Thor,Vagabond,Vagrant}file',
      '**/Appraisals',
    ],
    interpreters: ['ruby', 'macruby', 'rake', 'jruby', 'rbx'],
    isPerFile: true,
    check: onlyStdout(
      'rubocop-json',
      'rubocop',
      '--format',
      'json',
      '--force-exclusion',
      '{files}',
    ),
    // The short form means "safe corrections only" in every version.
    fix: ['rubocop', '-a', '--format', 'json', '--force-exclusion', '{files}'],
    fixReports: true,
    stdin: { argv: ['rubocop', '--format', 'json', '--force-exclusion', '--stdin', '{path}'] },
  },
  {
    name: 'clippy',
    title: 'clippy',
    config: /^(?:Cargo\.toml|\.?clippy\.toml)$/,
    files: ['**/*.rs'],
    scope: 'project',
    check: onlyStdout('clippy-json', 'cargo', 'clippy', ...CLIPPY),
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

/** Linters that are only found by a command, and formatters that belong to another linter. */
const NAMED_LINTERS: readonly Described[] = [
  {
    name: 'xo',
    title: 'XO',
    config: /^(?:xo\.config\.[cm]?[jt]s|\.xo-config(?:\.[cm]?js|\.json)?)$/,
    manifest: { file: /^package\.json$/, has: hasKey('xo') },
    files: ['**/*.{js,mjs,cjs,jsx,ts,mts,cts,tsx}'],
    check: onStdout('eslint-json', bin('xo'), '--reporter=json', '{files}'),
    fix: [bin('xo'), '--reporter=json', '--fix', '{files}'],
    fixReports: true,
  },
  {
    name: 'standard',
    title: 'standard',
    manifest: { file: /^package\.json$/, has: hasKey('standard') },
    files: ['**/*.{js,mjs,cjs,jsx}'],
    check: onlyStdout('gcc', bin('standard'), '{files}'),
    fix: [bin('standard'), '--fix', '{files}'],
    fixReports: true,
  },
  {
    name: 'biome-format',
    title: 'Biome format',
    files: ['**/*.{js,mjs,cjs,jsx,ts,mts,cts,tsx,json,jsonc,css,graphql,gql}'],
    isFormatter: true,
    check: onStdout('biome-json', bin('biome'), 'format', '--reporter=json', ...BIOME, '{files}'),
    fix: [bin('biome'), 'format', '--write', ...BIOME, '{files}'],
    isPerFile: true,
  },
  {
    name: 'remark',
    title: 'remark',
    config: /^\.remarkrc(?:\.(?:[cm]?js|json|ya?ml))?$/,
    manifest: { file: /^package\.json$/, has: hasKey('remarkConfig') },
    files: ['**/*.{md,markdown}'],
    check: onlyStderr('remark', bin('remark'), '--frail', '--no-stdout', '--no-color', '{files}'),
    isPerFile: true,
  },
  {
    name: 'ruff-format',
    title: 'Ruff format',
    files: ['**/*.{py,pyi}'],
    isFormatter: true,
    check: onStdout('unformatted', 'ruff', 'format', '--check', '--force-exclude', '{files}'),
    fix: ['ruff', 'format', '--force-exclude', '{files}'],
    isPerFile: true,
    // 2: a file couldn't be parsed; the report names it.
    exits: { clean: [0], findings: [1, 2] },
  },
  {
    name: 'flake8',
    title: 'Flake8',
    config: /^\.flake8$/,
    manifest: { file: /^(?:setup\.cfg|tox\.ini)$/, has: text => /^\[flake8\]/m.test(text) },
    files: ['**/*.py'],
    check: onlyStdout('gcc', 'flake8', '{files}'),
    isPerFile: true,
  },
  {
    name: 'pylint',
    title: 'Pylint',
    config: /^\.?pylintrc(?:\.toml)?$/,
    manifest: { file: /^pyproject\.toml$/, has: text => /^\[tool\.pylint\b/m.test(text) },
    files: ['**/*.py'],
    check: onlyStdout(
      'gcc',
      ...['pylint', '--reports=n', '--score=n'],
      ...['--msg-template={path}:{line}: {msg_id}: {msg} ({symbol})', '{files}'],
    ),
    // Each bit means a kind of message; 32 is a usage error.
    exits: { clean: [0], findings: Array.from({ length: 31 }, (_, at) => at + 1) },
  },
  {
    name: 'swift-format',
    title: 'swift-format',
    config: /^\.swift-format$/,
    files: ['**/*.swift'],
    isFormatter: true,
    check: onlyStderr('gcc', 'swift', 'format', 'lint', '{files}'),
    fix: ['swift', 'format', '--in-place', '{files}'],
    isPerFile: true,
  },
  {
    name: 'swiftformat',
    title: 'SwiftFormat',
    config: /^\.swiftformat$/,
    files: ['**/*.swift'],
    isFormatter: true,
    check: onStderr('gcc', 'swiftformat', '--lint', '--quiet', '{files}'),
    fix: ['swiftformat', '--quiet', '{files}'],
    isPerFile: true,
  },
  {
    name: 'ktlint',
    title: 'ktlint',
    files: ['**/*.{kt,kts}'],
    check: onlyStdout('gcc', 'ktlint', '--relative', '{files}'),
    fix: ['ktlint', '--format', '{files}'],
    isPerFile: true,
  },
  {
    name: 'go-vet',
    title: 'go vet',
    files: ['**/*.go'],
    scope: 'folders',
    check: onlyStderr('gcc', 'go', 'vet', '{files}'),
    exits: { clean: [0], findings: [1, 2] },
  },
  {
    name: 'oxfmt',
    title: 'Oxfmt',
    config: /^\.oxfmtrc\.jsonc?$|^oxfmt\.config\.[cm]?[jt]s$/,
    files: [
      '**/*.{js,mjs,cjs,jsx,ts,mts,cts,tsx,vue,css,scss,less,json,jsonc,json5,md,mdx,yml,yaml,toml,html,graphql}',
    ],
    isFormatter: true,
    check: onlyStdout(
      'unformatted',
      bin('oxfmt'),
      '--list-different',
      '--no-error-on-unmatched-pattern',
      '{files}',
    ),
    fix: [bin('oxfmt'), '--write', '--no-error-on-unmatched-pattern', '{files}'],
    isPerFile: true,
  },
  {
    name: 'dprint',
    title: 'dprint',
    config: /^\.?dprint\.jsonc?$/,
    files: ['**/*.{js,mjs,cjs,jsx,ts,mts,cts,tsx,json,jsonc,md,toml,css,scss,less,yml,yaml,html}'],
    isFormatter: true,
    check: onlyStdout(
      'unformatted',
      bin('dprint'),
      'check',
      '--list-different',
      '--allow-no-files',
      '{files}',
    ),
    fix: [bin('dprint'), 'fmt', '--allow-no-files', '{files}'],
    isPerFile: true,
    exits: { clean: [0, 14], findings: [20] },
  },
];

/** The other program called markdownlint; the project's manifest shows which one it has. */
export const MARKDOWNLINT_CLI: Pick<
  KnownLinter,
  'title' | 'check' | 'fix' | 'stdin' | 'pathPrefix'
> = {
  title: 'markdownlint-cli',
  check: onlyStderr('markdownlint', bin('markdownlint'), '{files}'),
  fix: [bin('markdownlint'), '--fix', '{files}'],
  stdin: { argv: [bin('markdownlint'), '--stdin'], as: 'stdin' },
  pathPrefix: '',
};

/** How a linter is recognised. */
export interface KnownLinter extends LinterKind {
  /** The base name of a file that configures it. */
  readonly config?: RegExp;
  /** A manifest that may contain its configuration instead. */
  readonly manifest?: { readonly file: RegExp; readonly has: (text: string) => boolean };
  /** A file like this is enough, for a linter that is rarely configured. */
  readonly enough?: RegExp;
}

/** A linter as described here: most take files, and exit with 1 if they found something. */
type Described = Omit<KnownLinter, 'scope'> & Partial<Pick<KnownLinter, 'scope'>>;

const SCRIPT = '**/*.{js,mjs,cjs,jsx,ts,mts,cts,tsx,vue,svelte,astro}';

export const ESLINT_CONFIG =
  /^(?:eslint\.config\.[cm]?[jt]s|\.eslintrc(?:\.(?:[cm]?js|jsonc?|ya?ml))?)$/;
export const ESLINT_PROGRAM = bin('eslint');
export const TSC_PROGRAM = bin('tsc');

/** What `prettier.getSupportInfo()` lists; `--ignore-unknown` leaves out what an older version doesn't take. */
const PRETTIER_FILES = [
  `**/*.{js,_js,bones,cjs,es,es6,gs,jake,javascript,jsb,jscad,jsfl,jslib,jsm,jspre,jss,mjs,njs,pac,sjs,ssjs,xsjs,xsjslib,wxs,js.flow,jsx,ts,cts,mts,tsx,vue}`,
  `**/*.{json,importmap,4DForm,4DProject,avsc,geojson,gltf,har,ice,JSON-tmLanguage,json.example,mcmeta,sarif,slnlaunch,tact,tfstate,tfstate.backup,topojson,webapp,webmanifest,yy,yyp,jsonc,code-snippets,code-workspace,sublime-*,sublime_*,json5}`,
  `**/*.{md,livemd,markdown,mdown,mdwn,mkd,mkdn,mkdown,ronn,scd,workbook,mdx,html,hta,htm,html.hl,inc,xht,xhtml,mjml,handlebars,hbs,graphql,gql,graphqls}`,
  `**/*.{css,wxss,pcss,postcss,less,scss,yml,mir,reek,rviz,syntax,yaml,yaml-tmlanguage,yaml.sed,yml.mysql}`,
  `**/{.prettierrc,.stylelintrc,.lintstagedrc,.eslintrc,.all-contributorsrc,.arcconfig,.auto-changelog,.c8rc,.htmlhintrc,.imgbotconfig,.nycrc,.tern-config,.tern-project,.watchmanconfig,.babelrc,.jscsrc,.jshintrc,.jslintrc,.swcrc,.clang-format,.clang-tidy,.clangd,.gemrc}`,
  `**/{Jakefile,contents.lr,README,CITATION.cff,glide.lock,pixi.lock}`,
];

const ESLINT = [ESLINT_PROGRAM, '--no-error-on-unmatched-pattern', '--format'];
const ALL_LINTERS: readonly Described[] = [
  {
    name: 'eslint',
    title: 'ESLint',
    config: ESLINT_CONFIG,
    manifest: { file: /^package\.json$/, has: hasKey('eslintConfig') },
    files: [SCRIPT],
    check: onStdout('eslint-json', ...ESLINT, 'json-with-metadata', '{files}'),
    fix: [...ESLINT, 'json-with-metadata', '--fix', '{files}'],
    fixReports: true,
    stdin: { argv: [bin('eslint'), '--format', 'json', '--stdin', '--stdin-filename', '{path}'] },
  },
  {
    name: 'biome',
    title: 'Biome',
    config: /^\.?biome\.jsonc?$/,
    files: [
      '**/*.{js,mjs,cjs,jsx,ts,mts,cts,tsx,json,jsonc,css,graphql,gql,vue,svelte,astro,html}',
    ],
    check: onStdout('biome-json', bin('biome'), 'check', '--reporter=json', ...BIOME, '{files}'),
    // Only this reporter has edits, but it lacks the file of a formatting problem.
    suggest: onStdout('rdjson', bin('biome'), 'lint', '--reporter=rdjson', ...BIOME, '{files}'),
    fix: [bin('biome'), 'check', '--write', ...BIOME, '{files}'],
  },
  {
    name: 'oxlint',
    title: 'oxlint',
    config: /^(?:\.oxlintrc\.jsonc?|oxlint\.config\.[cm]?[jt]s)$/,
    files: [SCRIPT],
    check: onStdout('oxlint-json', bin('oxlint'), '--format=json', '{files}'),
    fix: [bin('oxlint'), '--format=json', '--fix', '{files}'],
  },
  {
    name: 'tsc',
    title: 'tsc',
    config: /^tsconfig\.json$/,
    files: ['**/*.{ts,mts,cts,tsx}'],
    scope: 'project',
    // A configuration that only emits declarations can't be combined with --noEmit.
    check: onStdout(
      'tsc',
      ...[TSC_PROGRAM, '--project', 'tsconfig.json', '--pretty', 'false'],
      ...['--noEmit', '--emitDeclarationOnly', 'false'],
    ),
    exits: { clean: [0], findings: [1, 2] },
  },
  {
    name: 'stylelint',
    title: 'Stylelint',
    config: /^(?:stylelint\.config\.[cm]?[jt]s|\.stylelintrc(?:\.(?:[cm]?[jt]s|json|ya?ml))?)$/,
    manifest: { file: /^package\.json$/, has: hasKey('stylelint') },
    files: ['**/*.{css,scss,sass,less,pcss}'],
    isPerFile: true,
    // Since version 16 the report is on stderr.
    check: onStderr(
      'stylelint-json',
      ...[bin('stylelint'), '--formatter', 'json', '--allow-empty-input', '{files}'],
    ),
    stdin: {
      argv: [bin('stylelint'), '--formatter', 'json', '--stdin', '--stdin-filename', '{path}'],
    },
    fix: [bin('stylelint'), '--formatter', 'json', '--allow-empty-input', '--fix', '{files}'],
    exits: { clean: [0], findings: [2] },
  },
  {
    name: 'prettier',
    title: 'Prettier',
    config:
      /^(?:prettier\.config\.[cm]?[jt]s|\.prettierrc(?:\.(?:[cm]?[jt]s|json5?|ya?ml|toml))?)$/,
    manifest: { file: /^package\.json$/, has: hasKey('prettier') },
    files: PRETTIER_FILES,
    interpreters: 'bun chakra d8 deno gjs js node nodejs qjs rhino zx ts-node tsx'.split(' '),
    isFormatter: true,
    isPerFile: true,
    check: onStderr('prettier', bin('prettier'), '--check', '--ignore-unknown', '{files}'),
    fix: [bin('prettier'), '--write', '--ignore-unknown', '{files}'],
    // 2: a file couldn't be parsed; the report names it.
    exits: { clean: [0], findings: [1, 2] },
  },
  ...MORE_LINTERS,
  ...NAMED_LINTERS,
];

export const KNOWN_LINTERS: readonly KnownLinter[] = ALL_LINTERS.map(each => ({
  scope: 'files',
  exits: { clean: [0], findings: [1] },
  ...each,
}));
