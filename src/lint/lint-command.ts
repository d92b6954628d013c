import type { LinterSpec } from './linter-spec.js';

/** Systems refuse longer command lines; the tightest of them, Windows aside, allows 256 kB. */
const MOST_BYTES = 100_000;
const PLACE = '{files}';

/**
 * The command lines that run `argv` of a linter on files of its folder: several when one would be
 * too long, none when there is nothing to look at. Paths are given relative to the folder and are
 * never taken for an option.
 */
export function lintCommand(
  spec: LinterSpec,
  argv: readonly string[],
  paths: readonly string[],
): string[][] {
  const inside = paths.flatMap(path => within(path, spec.folder) ?? []);
  if (inside.length === 0) return [];
  if (spec.scope === 'project') return [argv.filter(word => word !== PLACE)];
  const names = spec.scope === 'folders' ? folders(inside) : inside;
  const words = names.map(name => `${spec.pathPrefix ?? ''}${notAnOption(name)}`);
  return inPortions(words).map(portion => fill(argv, portion));
}

function within(path: string, folder: string): string | undefined {
  if (folder === '') return path;
  return path.startsWith(`${folder}/`) ? path.slice(folder.length + 1) : undefined;
}

const folders = (paths: readonly string[]): string[] => [
  ...new Set(paths.map(path => `./${path.slice(0, Math.max(0, path.lastIndexOf('/')))}`)),
];

const notAnOption = (name: string): string => (name.startsWith('-') ? `./${name}` : name);

function inPortions(words: readonly string[]): string[][] {
  const portions: string[][] = [];
  let size = Number.POSITIVE_INFINITY;
  for (const word of words) {
    // A character is at most three bytes, and the system keeps a pointer to each word.
    const bytes = word.length * 3 + 8;
    if (size + bytes > MOST_BYTES) {
      portions.push([]);
      size = 0;
    }
    portions.at(-1)?.push(word);
    size += bytes;
  }
  return portions;
}

function fill(argv: readonly string[], words: readonly string[]): string[] {
  const at = argv.indexOf(PLACE);
  if (at === -1) return [...argv, ...words];
  return [...argv.slice(0, at), ...words, ...argv.slice(at + 1)];
}
