/** Longer titles are cut by the tools that show them. */
const LONGEST_TITLE = 72;

/** One line, at most 72 characters, no full stop; empty when nothing is left. */
export function tidyTitle(text: string): string {
  const line = text
    .slice(0, 1000)
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .trim()
    .replace(/^(?:title|subject) ?: ?/i, '')
    .replace(/^["'`*#]+ ?/, '');
  const short = line.length <= LONGEST_TITLE ? line : cutAtWord(line);
  return withoutEnd(short);
}

function cutAtWord(line: string): string {
  const space = line.lastIndexOf(' ', LONGEST_TITLE);
  const words = line.slice(0, space > 0 ? space : LONGEST_TITLE).split(' ');
  // A title that breaks off at a small word reads as a mistake.
  while (words.length > 1 && SMALL_WORDS.has((words.at(-1) ?? '').toLowerCase())) words.pop();
  return words.join(' ');
}

const SMALL_WORDS = new Set(
  'a an the of in on at to for from by with and or but so that which when while because as is are be its into than then if via'.split(
    ' ',
  ),
);

const END_SIGNS = '.,;:!"\'`* ';

function withoutEnd(text: string): string {
  let end = text.length;
  while (end > 0 && END_SIGNS.includes(text.charAt(end - 1))) end -= 1;
  return text.slice(0, end);
}

export interface ChangedFile {
  readonly path: string;
  readonly added: number;
  readonly removed: number;
}

/** A title from what code knows alone. */
export function plainTitle(files: readonly ChangedFile[]): string {
  const [only, second] = files;
  if (only === undefined) return 'Change nothing';
  if (second === undefined) return tidyTitle(`Change ${shortPath(only.path)}`);
  const folder = sharedFolder(files.map(file => file.path));
  const where = folder === '' ? '' : ` in ${shortPath(folder)}`;
  return tidyTitle(`Change ${files.length} files${where}`);
}

const shortPath = (path: string): string =>
  path.length <= 50 ? path : path.slice(path.lastIndexOf('/') + 1);

function sharedFolder(paths: readonly string[]): string {
  const [first = [], ...others] = paths.map(path => path.split('/').slice(0, -1));
  const shared = first.findIndex((segment, at) => others.some(other => other[at] !== segment));
  return first.slice(0, shared === -1 ? undefined : shared).join('/');
}

/** A sentence from what code knows alone, for a part that the model said nothing of. */
export function plainSummary(files: readonly ChangedFile[]): string {
  const rows = files
    .slice(0, MOST_NAMED)
    .map(({ path, added, removed }) => `${path} (+${added} -${removed})`);
  const rest = files.length - rows.length;
  return `Changes ${rows.join(', ')}${rest > 0 ? ` and ${rest} more` : ''}.`;
}

const MOST_NAMED = 5;
