import type { LintCommand, LinterKind } from './linter-spec.js';
import { MORE_LINTERS } from './linter-table-other.js';
import type { ReportFormat } from './report.js';

/** How a linter is recognised. */
export interface KnownLinter extends LinterKind {
  /** The base name of a file that configures it. */
  readonly config: RegExp;
  /** A manifest that may hold its configuration instead. */
  readonly manifest?: { readonly file: string; readonly has: (text: string) => boolean };
  /** A file of this kind is enough; for a linter that hardly anybody configures. */
  readonly enough?: RegExp;
}

const bin = (name: string): string => `node_modules/.bin/${name}`;

const onStdout = (format: ReportFormat, ...argv: string[]): LintCommand => ({
  argv,
  format,
  streams: ['stdout', 'stderr'],
});

const onStderr = (format: ReportFormat, ...argv: string[]): LintCommand => ({
  argv,
  format,
  streams: ['stderr', 'stdout'],
});

/** True for a package.json with that key at its top; a broken one has none. */
const hasKey =
  (key: string) =>
  (text: string): boolean => {
    try {
      const manifest: unknown = JSON.parse(text);
      return typeof manifest === 'object' && manifest !== null && key in manifest;
    } catch {
      // The check `invalid/json` reports it; here it only means: nothing found.
      return false;
    }
  };

const SCRIPT = '**/*.{js,mjs,cjs,jsx,ts,mts,cts,tsx,vue,svelte,astro}';

const ESLINT = [bin('eslint'), '--no-error-on-unmatched-pattern', '--format'];
// The default limit of printed diagnostics is 20; an unknown kind of file is not an error to us.
const BIOME = ['--max-diagnostics=none', '--no-errors-on-unmatched', '--files-ignore-unknown=true'];

export const KNOWN_LINTERS: readonly KnownLinter[] = [
  {
    name: 'eslint',
    title: 'ESLint',
    config: /^(?:eslint\.config\.[cm]?[jt]s|\.eslintrc(?:\.(?:[cm]?js|jsonc?|ya?ml))?)$/,
    manifest: { file: 'package.json', has: hasKey('eslintConfig') },
    files: [SCRIPT],
    scope: 'files',
    check: onStdout('eslint-json', ...ESLINT, 'json-with-metadata', '{files}'),
    otherwise: onStdout('eslint-json', ...ESLINT, 'json', '{files}'),
    fix: [...ESLINT, 'json', '--fix', '{files}'],
    stdin: { argv: [bin('eslint'), '--format', 'json', '--stdin', '--stdin-filename', '{path}'] },
    exits: { clean: [0], findings: [1] },
  },
  {
    name: 'biome',
    title: 'Biome',
    config: /^\.?biome\.jsonc?$/,
    files: [
      '**/*.{js,mjs,cjs,jsx,ts,mts,cts,tsx,json,jsonc,css,graphql,gql,vue,svelte,astro,html}',
    ],
    scope: 'files',
    check: onStdout('biome-json', bin('biome'), 'check', '--reporter=json', ...BIOME, '{files}'),
    // Only this reporter tells edits, but it does not tell the file of a formatting problem.
    suggest: onStdout('rdjson', bin('biome'), 'lint', '--reporter=rdjson', ...BIOME, '{files}'),
    fix: [bin('biome'), 'check', '--write', ...BIOME, '{files}'],
    // 1 is a crash as well; the report tells.
    exits: { clean: [0], findings: [1] },
  },
  {
    name: 'oxlint',
    title: 'oxlint',
    config: /^(?:\.oxlintrc\.jsonc?|oxlint\.config\.[cm]?[jt]s)$/,
    files: [SCRIPT],
    scope: 'files',
    check: onStdout('oxlint-json', bin('oxlint'), '--format=json', '{files}'),
    fix: [bin('oxlint'), '--format=json', '--fix', '{files}'],
    exits: { clean: [0], findings: [1] },
  },
  {
    name: 'tsc',
    title: 'tsc',
    config: /^tsconfig\.json$/,
    files: ['**/*.{ts,mts,cts,tsx}'],
    scope: 'project',
    // A configuration that only emits declarations may not be combined with --noEmit.
    check: onStdout(
      'tsc',
      ...[bin('tsc'), '--project', 'tsconfig.json', '--pretty', 'false'],
      ...['--noEmit', '--emitDeclarationOnly', 'false'],
    ),
    exits: { clean: [0], findings: [1, 2] },
  },
  {
    name: 'stylelint',
    title: 'Stylelint',
    config: /^(?:stylelint\.config\.[cm]?[jt]s|\.stylelintrc(?:\.(?:[cm]?[jt]s|json|ya?ml))?)$/,
    manifest: { file: 'package.json', has: hasKey('stylelint') },
    files: ['**/*.{css,scss,sass,less,pcss}'],
    scope: 'files',
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
    manifest: { file: 'package.json', has: hasKey('prettier') },
    files: [
      '**/*.{js,mjs,cjs,jsx,ts,mts,cts,tsx,vue,css,scss,less,json,jsonc,json5,md,mdx,yml,yaml,html,graphql,hbs}',
    ],
    scope: 'files',
    check: onStderr('prettier', bin('prettier'), '--check', '--ignore-unknown', '{files}'),
    fix: [bin('prettier'), '--write', '--ignore-unknown', '{files}'],
    // 2: some file could not be parsed; the report names it.
    exits: { clean: [0], findings: [1, 2] },
  },
  ...MORE_LINTERS,
];
