import type { SyntaxKind, SyntaxProblem } from '../platform/syntax-yaml.js';
import type { Problem } from './check.js';
import { fileRole } from './language.js';

interface ParsedChange {
  readonly path: string;
  readonly kind: SyntaxKind;
  readonly newProblem: SyntaxProblem;
  /** Undefined if the old text parsed or there was none. */
  readonly oldProblem: SyntaxProblem | undefined;
  /** Line numbers on the new side, in order. */
  readonly addedLines: readonly number[];
}

interface SyntaxHit extends Problem {
  readonly line: number;
  /** Only if the problem itself is on that line. */
  readonly column: number | undefined;
}

/** This change broke the file, unless the file was broken before and the problem is elsewhere. */
export function judgeSyntax(change: ParsedChange): SyntaxHit | undefined {
  const { newProblem: problem, oldProblem, addedLines } = change;
  const { name, rule } = LANGUAGES[change.kind];
  const isHere = addedLines.includes(problem.line);
  if (!isHere && oldProblem !== undefined) return undefined;
  const line = isHere ? problem.line : nearest(problem.line, addedLines);
  const place = line === problem.line ? '' : ` (noticed at line ${problem.line})`;
  const column = line === problem.line ? problem.column : undefined;
  // GitHub rejects a workflow with a duplicate key; most other programs take the last one.
  if (problem.isDuplicateKey === true && !isWorkflow(change.path)) {
    const message = `${sentence(problem.message)}${place}: the last one silently wins. Remove one of them.`;
    return { rule: 'duplicate-key', line, column, message };
  }
  const { isSample } = fileRole(change.path);
  const isCalledBroken = BROKEN_ON_PURPOSE.test(change.path);
  if (isSample && isCalledBroken) return undefined;
  const isTolerated = problem.isTolerated === true && !isReadStrictly(change.path);
  return {
    rule,
    line,
    column,
    message: `This isn't ${name}: ${problem.message}${place}.`,
    ...((isTolerated || isSample || isCalledBroken) && { severity: 'warning' }),
  };
}

const sentence = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

const isWorkflow = (path: string): boolean => /(?:^|\/)\.github\/workflows\//.test(path);

/** Files whose programs accept neither comments nor trailing commas. */
const isReadStrictly = (path: string): boolean =>
  /(?:^|\/)(?:package|composer|package-lock|Contents)\.json$|\.(?:lock|resolved|ipynb|xcstrings|xctestplan|webmanifest|geojson)$/.test(
    path,
  );

const LANGUAGES: Readonly<Record<SyntaxKind, { name: string; rule: string }>> = {
  json: { name: 'valid JSON', rule: 'invalid/json' },
  jsonc: { name: 'valid JSON', rule: 'invalid/json' },
  yaml: { name: 'valid YAML', rule: 'invalid/yaml' },
  toml: { name: 'valid TOML', rule: 'invalid/toml' },
  plist: { name: 'a valid property list', rule: 'invalid/plist' },
  xml: { name: 'valid XML', rule: 'invalid/xml' },
  strings: { name: 'a valid strings file', rule: 'invalid/strings' },
  pbxproj: { name: 'a valid Xcode project', rule: 'invalid/pbxproj' },
};

/** The added line closest to the parser's error; of two, the earlier one, as causes come first. */
function nearest(line: number, addedLines: readonly number[]): number {
  const distance = (added: number): number => Math.abs(added - line);
  return addedLines.reduce((best, added) => (distance(added) < distance(best) ? added : best));
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

/** What parser tests call their data. */
const BROKEN_ON_PURPOSE =
  /(?:^|[/._-])(?:invalid|broken|malformed|corrupt(?:ed)?|bad|bogus|unparsable|syntax[._-]?errors?|parse[._-]?errors?|truncated|not[._-]?json|(?:with|has)[._-]errors?)(?:[/._-]|$)/i;

// Settings that their tools read with a parser that allows comments.
const COMMENTED_FOLDER =
  /(?:^|\/)(?:\.vscode|\.devcontainer|\.zed|\.claude|\.cursor|\.gemini|\.windsurf|\.roo|\.kilocode|\.codex|common\/config\/rush|[\w-]*tsconfigs?)\//;
const COMMENTED_NAME =
  /^(?:[tj]sconfig|appsettings|babel\.config|\.?devcontainer|nx|turbo|project|deno|biome|wrangler|tslint|rush|manifest|mcp|opencode|typedoc|api-extractor|global|\.?cspell|\.markdownlint(?:-cli2)?|renovate|language-configuration|\.apfel-bot)(?:[.-][\w.-]+)?\.json$|^\..*rc\.json$/i;

const allowsComments = (folders: string, name: string): boolean =>
  COMMENTED_NAME.test(name) || COMMENTED_FOLDER.test(folders);

const EXTENSIONS: ReadonlyArray<readonly [SyntaxKind, string]> = [
  ['json', 'json geojson topojson jsonld webmanifest ipynb har avsc sarif gltf'],
  ['json', 'xcstrings xctestplan'],
  ['jsonc', 'jsonc code-workspace code-snippets'],
  ['yaml', 'yml yaml cff'],
  ['toml', 'toml'],
  ['plist', 'plist entitlements xcprivacy stringsdict'],
  ['xml', 'storyboard xib xcscheme xcworkspacedata'],
  ['strings', 'strings'],
  ['pbxproj', 'pbxproj'],
];

/** `.eslintrc` and `.prettierrc` may be JSON or YAML, so they aren't parsed. */
const NAMES: ReadonlyArray<readonly [SyntaxKind, string]> = [
  [
    'json',
    'Package.resolved composer.lock Pipfile.lock flake.lock deno.lock .all-contributorsrc .arcconfig',
  ],
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

/**
 * Larger files aren't parsed: that would block the event loop for too long. Xcode's are parsed
 * quickly, and a project file of a megabyte is common.
 */
export const maxParsedBytes = (path: string): number =>
  XCODE.has(syntaxOf(path) ?? '') ? 2 * 1024 * 1024 : 256 * 1024;

const XCODE: ReadonlySet<string> = new Set(['plist', 'xml', 'strings', 'pbxproj']);
