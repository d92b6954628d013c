import type { SyntaxKind, SyntaxProblem } from '../platform/syntax-yaml.js';

interface ParsedChange {
  readonly kind: SyntaxKind;
  /** Undefined if the new text parses. */
  readonly newProblem: SyntaxProblem | undefined;
  /** Undefined if the old text parsed or there was none. */
  readonly oldProblem: SyntaxProblem | undefined;
  /** Line numbers on the new side, in order. */
  readonly addedLines: readonly number[];
}

interface SyntaxHit {
  readonly rule: 'invalid/json' | 'invalid/yaml' | 'invalid/toml';
  readonly line: number;
  /** Only if the problem itself is on that line. */
  readonly column: number | undefined;
  readonly message: string;
}

/** This change broke the file, unless the file was broken before and the problem is elsewhere. */
export function judgeSyntax(change: ParsedChange): SyntaxHit | undefined {
  const { newProblem: problem, oldProblem, addedLines } = change;
  if (problem === undefined) return undefined;
  const { name, rule } = LANGUAGES[change.kind];
  const isHere = addedLines.includes(problem.line);
  if (!isHere && oldProblem !== undefined) return undefined;
  const line = isHere ? problem.line : nearest(problem.line, addedLines);
  const place = line === problem.line ? '' : ` (noticed at line ${problem.line})`;
  return {
    rule,
    line,
    column: line === problem.line ? problem.column : undefined,
    message: `This isn't valid ${name}: ${problem.message}${place}.`,
  };
}

const LANGUAGES: Readonly<Record<SyntaxKind, { name: string; rule: SyntaxHit['rule'] }>> = {
  json: { name: 'JSON', rule: 'invalid/json' },
  jsonc: { name: 'JSON', rule: 'invalid/json' },
  yaml: { name: 'YAML', rule: 'invalid/yaml' },
  toml: { name: 'TOML', rule: 'invalid/toml' },
};

/** The added line closest to the parser's error; of two, the earlier one, as causes come first. */
function nearest(line: number, addedLines: readonly number[]): number {
  let best: number | undefined;
  for (const added of addedLines) {
    if (best === undefined || Math.abs(added - line) < Math.abs(best - line)) best = added;
  }
  return best ?? line;
}

/** How to parse the file at this path; undefined if it shouldn't be parsed. */
export function syntaxOf(path: string): SyntaxKind | undefined {
  const slash = path.lastIndexOf('/');
  const folders = path.slice(0, slash + 1);
  const name = path.slice(slash + 1);
  if (isTemplate(path)) return undefined;
  const known = BY_NAME.get(name);
  if (known !== undefined) return known;
  const dot = name.lastIndexOf('.');
  const extension = dot === -1 ? undefined : name.slice(dot + 1).toLowerCase();
  const kind = extension === undefined ? undefined : BY_EXTENSION.get(extension);
  return kind === 'json' && allowsComments(folders, name) ? 'jsonc' : kind;
}

// Cookiecutter and similar tools use placeholders in file names.
const isTemplate = (path: string): boolean => path.includes('{{') || path.includes('{%');

// Settings that their tools read with a parser that allows comments.
const COMMENTED_FOLDER = /(?:^|\/)(?:\.vscode|\.devcontainer|\.zed|common\/config\/rush)\//;
const COMMENTED_NAME =
  /^(?:[tj]sconfig|appsettings|babel\.config|\.?devcontainer|nx|turbo|project|deno|biome|wrangler|tslint|rush|typedoc|api-extractor|global|\.?cspell|\.markdownlint(?:-cli2)?|renovate|language-configuration)(?:[.-][\w.-]+)?\.json$|^\..*rc\.json$/i;

const allowsComments = (folders: string, name: string): boolean =>
  COMMENTED_NAME.test(name) || COMMENTED_FOLDER.test(folders);

const EXTENSIONS: ReadonlyArray<readonly [SyntaxKind, string]> = [
  ['json', 'json geojson topojson jsonld webmanifest ipynb har avsc sarif gltf'],
  ['jsonc', 'jsonc code-workspace code-snippets'],
  ['yaml', 'yml yaml cff'],
  ['toml', 'toml'],
];

/** `.eslintrc` and `.prettierrc` may be JSON or YAML, so they aren't parsed. */
const NAMES: ReadonlyArray<readonly [SyntaxKind, string]> = [
  ['json', 'composer.lock Pipfile.lock flake.lock deno.lock .all-contributorsrc .arcconfig'],
  ['jsonc', '.swcrc .babelrc .jshintrc .jscsrc .hintrc .oxlintrc .nycrc'],
  ['yaml', 'pubspec.lock Podfile.lock .clang-format .clang-tidy .clangd .yamllint'],
  ['toml', 'Cargo.lock poetry.lock uv.lock pdm.lock Pipfile Gopkg.lock'],
];

const byWord = (rows: typeof EXTENSIONS): ReadonlyMap<string, SyntaxKind> =>
  new Map(
    rows.flatMap(([kind, words]) =>
      words.split(' ').map((word): [string, SyntaxKind] => [word, kind]),
    ),
  );

const BY_EXTENSION = byWord(EXTENSIONS);
const BY_NAME = byWord(NAMES);
