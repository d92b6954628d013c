/** Languages told apart by how they write comments, strings and tests. `java` is the JVM's family. */
export type SourceLanguage =
  | 'javascript'
  | 'python'
  | 'ruby'
  | 'go'
  | 'rust'
  | 'swift'
  | 'java'
  | 'csharp'
  | 'php'
  | 'elixir';

export function sourceLanguage(path: string): SourceLanguage | undefined {
  const dot = path.lastIndexOf('.');
  if (dot <= path.lastIndexOf('/')) return undefined;
  return BY_EXTENSION.get(path.slice(dot + 1).toLowerCase());
}

const EXTENSIONS: ReadonlyArray<readonly [SourceLanguage, string]> = [
  ['javascript', 'js jsx mjs cjs ts tsx mts cts vue svelte astro'],
  ['python', 'py pyi'],
  ['ruby', 'rb rake'],
  ['go', 'go'],
  ['rust', 'rs'],
  ['swift', 'swift'],
  ['java', 'java kt kts groovy scala'],
  ['csharp', 'cs'],
  ['php', 'php phtml'],
  ['elixir', 'ex exs'],
];

const BY_EXTENSION: ReadonlyMap<string, SourceLanguage> = new Map(
  EXTENSIONS.flatMap(([language, names]) =>
    names.split(' ').map((name): [string, SourceLanguage] => [name, language]),
  ),
);

export interface FileRole {
  readonly isTest: boolean;
  /** Scripts, command lines, examples and loggers: what they print is meant to be printed. */
  readonly mayPrint: boolean;
}

/** What a file is for, as far as its path tells. */
export function fileRole(path: string): FileRole {
  const slash = path.lastIndexOf('/');
  const folders = path.slice(0, Math.max(slash, 0)).split('/');
  const name = path.slice(slash + 1);
  const isTest = folders.some(folder => TEST_FOLDER.test(folder)) || TEST_NAME.test(name);
  const mayPrint =
    isTest || folders.some(folder => PRINTING_FOLDER.test(folder)) || PRINTING_NAME.test(name);
  return { isTest, mayPrint };
}

// Upper and lower case are told apart on purpose: `latest` is no test, `LoginTest` is one.
const TEST_FOLDER =
  /^(?:[Tt]ests?|__tests?__|[Ss]pecs?|e2e|cypress|playwright|testing|androidTest|\w+[-_.][Tt]ests?|\w*[a-z0-9]Tests?)$/;

const TEST_NAME =
  /[._-](?:tests?|specs?|e2e|cy)\.[^.]+$|^test_.*\.py$|^conftest\.py$|[a-z0-9](?:Tests?|Specs?|IT|TestCase)\.[^.]+$/;

const PRINTING_FOLDER =
  /^(?:scripts?|bin|cli|cmd|commands?|tools?|tasks?|examples?|samples?|demos?|docs?|bench|benchmarks?|build|hooks|playgrounds?|seeds?|migrations?|fixtures|__fixtures__|__mocks__|\.\w+)$/;

const PRINTING_NAME =
  /^(?:cli|[Gg]ulpfile|[Gg]runtfile|logger|logging|log|console|debug|seed)\.|[.-](?:cli|config|script|logger|example|bench|stories)\.[^.]+$|^(?:Main|Program)\.[^.]+$|[a-z](?:Cli|CLI|Main|Logger|Example|Demo)\.[^.]+$/;
