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
