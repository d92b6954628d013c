import type { FoundCommand } from './scripts.js';

/** How people write a linter's command. */
export interface CommandForm {
  /** The linter's name in `known-linters.ts`. */
  readonly name: string;
  /** Its program, and the subcommand that must follow. */
  readonly program: string;
  readonly word?: RegExp;
  /** Options whose value is the next word. */
  readonly valued: ReadonlySet<string>;
  /** Options that we set ourselves: how to report, whether to fix, caches, when to fail. */
  readonly ours: ReadonlySet<string>;
  /** Options that make it write files. A formatter with one of them reports nothing. */
  readonly writes?: ReadonlySet<string>;
  /** It writes unless one of these is given. */
  readonly checks?: ReadonlySet<string>;
}

const set = (words: string): ReadonlySet<string> => new Set(words.split(/\s+/).filter(Boolean));

const ESLINT = {
  valued: set(`-c --config --env --ext --global --parser --parser-options --rulesdir --plugin --rule
    --resolve-plugins-relative-to --ignore-path --ignore-pattern --max-warnings -f --format -o
    --output-file --cache-file --cache-location --cache-strategy --fix-type --flag --concurrency
    --report-unused-disable-directives-severity --suppressions-location`),
  ours: set(`--fix --fix-dry-run --fix-type --cache --cache-file --cache-location --cache-strategy
    -f --format -o --output-file --max-warnings --color --no-color --debug --ext
    --no-error-on-unmatched-pattern --pass-on-no-patterns --concurrency --stats`),
};

const BIOME = {
  valued: set(`--config-path --max-diagnostics --diagnostic-level --reporter --only --skip --since
    --log-level --log-kind --colors`),
  ours: set(`--write --fix --apply --apply-unsafe --unsafe --reporter --max-diagnostics --colors
    --no-errors-on-unmatched --files-ignore-unknown --changed --staged --since --error-on-warnings
    --log-level --log-kind --verbose`),
};

const RUFF = {
  valued:
    set(`--config --select --ignore --extend-select --extend-ignore --per-file-ignores --exclude
    --extend-exclude --line-length --target-version --output-format --format --fixable --unfixable
    --cache-dir -o --output-file`),
  ours: set(`--fix --no-fix --unsafe-fixes --fix-only --show-fixes --diff --watch --output-format
    --format --cache-dir --no-cache -n --exit-zero --exit-non-zero-on-fix -q --quiet --statistics -e
    -o --output-file --check --force-exclude --show-source --no-show-source`),
};

export const COMMAND_FORMS: readonly CommandForm[] = [
  { name: 'eslint', program: 'eslint', ...ESLINT },
  { name: 'eslint', program: 'eslint_d', ...ESLINT },
  {
    name: 'xo',
    program: 'xo',
    valued: set('--reporter --cwd --config --prettier --semicolon --space'),
    ours: set('--fix --reporter --quiet'),
  },
  {
    name: 'standard',
    program: 'standard',
    valued: set('--env --global --plugin --parser --ext'),
    ours: set('--fix --verbose -v'),
  },
  { name: 'biome', program: 'biome', word: /^(?:check|lint|ci)$/, ...BIOME },
  {
    name: 'biome-format',
    program: 'biome',
    word: /^format$/,
    ...BIOME,
    writes: set('--write --fix'),
  },
  {
    name: 'oxlint',
    program: 'oxlint',
    valued: set(`-c --config --tsconfig -A --allow -D --deny -W --warn -f --format --max-warnings
      --threads --ignore-path --ignore-pattern`),
    ours: set(`--fix --fix-suggestions --fix-dangerously -f --format --max-warnings --threads
      --deny-warnings`),
  },
  ...['tsc', 'tsgo', 'vue-tsc'].map(program => ({
    name: 'tsc',
    program,
    valued:
      set(`-p --project --outDir --outFile --rootDir --tsBuildInfoFile --target -t --module -m --lib
      --jsx --declarationDir --baseUrl --moduleResolution --types --generateTrace`),
    ours: set(`-p --project -b --build --noEmit --pretty -w --watch --incremental --tsBuildInfoFile
      --outDir --outFile --declaration -d --emitDeclarationOnly --declarationDir --sourceMap
      --diagnostics --extendedDiagnostics --listFiles --generateTrace --force -f --verbose -v`),
  })),
  {
    name: 'stylelint',
    program: 'stylelint',
    valued: set(`--config -c --config-basedir --custom-syntax --formatter -f --custom-formatter
      --ignore-path -i --ignore-pattern --ip --max-warnings --mw --output-file -o --cache-location
      --cache-strategy`),
    ours: set(`--fix --cache --cache-location --cache-strategy --formatter -f --custom-formatter
      --max-warnings --mw --output-file -o --color --no-color --allow-empty-input --aei`),
  },
  {
    name: 'prettier',
    program: 'prettier',
    valued: set(`--config --ignore-path --plugin --parser --log-level --loglevel --cache-location
      --cache-strategy --print-width --tab-width --trailing-comma --end-of-line --arrow-parens
      --prose-wrap --quote-props --html-whitespace-sensitivity --config-precedence`),
    ours: set(`--check -c --write -w --list-different -l --cache --cache-location --cache-strategy
      --log-level --loglevel --no-error-on-unmatched-pattern --ignore-unknown -u --color --no-color`),
    writes: set('--write -w'),
  },
  {
    name: 'markdownlint',
    program: 'markdownlint-cli2',
    valued: set('--config --configPointer'),
    ours: set('--fix --no-globs'),
  },
  {
    name: 'markdownlint-cli',
    program: 'markdownlint',
    valued: set(
      '-c --config -i --ignore -p --ignore-path -r --rules -o --output --enable --disable',
    ),
    ours: set('-f --fix -j --json -o --output -q --quiet'),
  },
  {
    name: 'remark',
    program: 'remark',
    valued: set(
      '-r --rc-path -s --setting -u --use -i --ignore-path --ignore-pattern -e --ext --report',
    ),
    ours: set(
      '-f --frail -q --quiet -S --silent -o --output --report --color --no-color --no-stdout',
    ),
  },
  { name: 'ruff', program: 'ruff', word: /^check$/, ...RUFF },
  {
    name: 'ruff-format',
    program: 'ruff',
    word: /^format$/,
    ...RUFF,
    checks: set('--check --diff'),
  },
  {
    name: 'flake8',
    program: 'flake8',
    valued:
      set(`--max-line-length --config --select --ignore --extend-ignore --exclude --extend-exclude
      --per-file-ignores --max-complexity --format --output-file -j --jobs --filename
      --max-doc-length --append-config`),
    ours: set(`--format --output-file -j --jobs --statistics --count --show-source --exit-zero --tee
      --benchmark -q -v --color`),
  },
  {
    name: 'pylint',
    program: 'pylint',
    valued: set(`--rcfile -d --disable -e --enable --output-format -f --msg-template -j --jobs
      --fail-under --fail-on --ignore --ignore-patterns --ignore-paths --load-plugins -r --reports`),
    ours: set(`-f --output-format --msg-template -j --jobs --fail-under --fail-on --exit-zero -r --reports
      --score`),
  },
  {
    name: 'shellcheck',
    program: 'shellcheck',
    valued: set(
      '-e --exclude -i --include -s --shell -S --severity -P --source-path -f --format -o --enable -W',
    ),
    ours: set('-f --format -C --color -W --wiki-link-count'),
  },
  {
    name: 'swiftlint',
    program: 'swiftlint',
    word: /^lint$/,
    valued: set('--config --reporter --cache-path --baseline'),
    ours: set(
      '--fix --autocorrect --format --quiet --reporter --strict --cache-path --no-cache --progress',
    ),
  },
  ...[
    { program: 'swift-format', word: /^lint$/ },
    { program: 'swift', word: /^format$/ },
  ].map(each => ({
    ...each,
    name: 'swift-format',
    valued: set('--configuration'),
    ours: set('-r --recursive -p --parallel -i --in-place -s --strict lint'),
  })),
  {
    name: 'swiftformat',
    program: 'swiftformat',
    valued: set(
      '--config --rules --disable --enable --swiftversion --swift-version --exclude --reporter',
    ),
    ours: set('--lint --dryrun --quiet --reporter --strict --cache'),
    checks: set('--lint --dryrun'),
  },
  {
    name: 'ktlint',
    program: 'ktlint',
    valued: set('--editorconfig -R --ruleset --code-style --baseline'),
    ours: set('-F --format --relative --color --reporter'),
  },
  {
    name: 'golangci-lint',
    program: 'golangci-lint',
    word: /^run$/,
    valued: set(
      '-c --config -E --enable -D --disable --timeout --build-tags -j --concurrency --out-format',
    ),
    ours: set(`--fix --out-format --issues-exit-code --max-issues-per-linter --max-same-issues -v
      --verbose --output.json.path --show-stats`),
  },
  {
    name: 'go-vet',
    program: 'go',
    word: /^vet$/,
    valued: set('-tags -vettool'),
    ours: set('-json'),
  },
  {
    name: 'rubocop',
    program: 'rubocop',
    valued: set(
      '-c --config -f --format -o --out --only --except -r --require --fail-level --cache',
    ),
    ours: set(`-a -A --autocorrect --auto-correct --autocorrect-all --auto-correct-all -f --format -o --out
      --parallel -P --no-parallel --fail-level --cache --color --no-color --force-exclusion -D
      --display-cop-names`),
  },
  {
    name: 'clippy',
    program: 'cargo',
    word: /^clippy$/,
    valued: set('-p --package --features -F --manifest-path --target --profile --message-format'),
    ours: set(`--fix --allow-dirty --allow-staged --allow-no-vcs --message-format -q --quiet --workspace
      --all --all-targets`),
  },
  {
    name: 'oxfmt',
    program: 'oxfmt',
    valued: set('-c --config --ignore-path --threads'),
    ours: set('--check --list-different --write --threads --no-error-on-unmatched-pattern'),
    checks: set('--check --list-different'),
  },
  {
    name: 'dprint',
    program: 'dprint',
    word: /^(?:check|fmt)$/,
    valued: set('-c --config --excludes'),
    ours: set('--list-different --incremental'),
    checks: set('check'),
  },
];

/** How the linter's command is written; undefined for any other program. */
export function formOf({
  program,
  args,
}: Pick<FoundCommand, 'program' | 'args'>): CommandForm | undefined {
  const [first = ''] = args.filter(word => !word.startsWith('-'));
  return COMMAND_FORMS.find(
    each => each.program === program && (each.word === undefined || each.word.test(first)),
  );
}
