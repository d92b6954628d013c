/** What `.gitattributes` files say of one path; read from the reviewed tree, never from disk. */
export interface LinguistAttributes {
  readonly isGenerated: boolean;
  readonly isVendored: boolean;
}

export interface AttributeFile {
  /** The folder it stands in, with a slash at its end; empty for the top. */
  readonly folder: string;
  readonly text: string;
}

interface AttributeLine {
  readonly folder: string;
  readonly glob: string;
  readonly name: 'linguist-generated' | 'linguist-vendored';
  readonly value: boolean;
}

export type Matcher = (globs: readonly string[]) => Promise<(path: string) => boolean>;

const NAMES = ['linguist-generated', 'linguist-vendored'] as const;

/** A look-up over attribute files; later lines and deeper folders win, as in git. */
export async function readAttributes(
  files: readonly AttributeFile[],
  matcher: Matcher,
): Promise<(path: string) => LinguistAttributes> {
  const lines = [...files]
    .sort((one, other) => one.folder.length - other.folder.length)
    .flatMap(parseAttributeFile);
  const tests = await Promise.all(lines.map(line => matcher([line.folder + line.glob])));
  const settingFor = (name: AttributeLine['name'], path: string): boolean => {
    const last = lines.findLastIndex((line, at) => line.name === name && tests[at]?.(path));
    return lines[last]?.value ?? false;
  };
  return path => ({
    isGenerated: settingFor('linguist-generated', path),
    isVendored: settingFor('linguist-vendored', path),
  });
}

function parseAttributeFile({ folder, text }: AttributeFile): AttributeLine[] {
  return text.split('\n').flatMap(line => {
    const [pattern, ...words] = line.trim().split(/\s+/);
    if (pattern === undefined || pattern === '' || pattern.startsWith('#')) return [];
    const found = NAMES.map(name => ({ name, value: settingOf(name, words) }));
    return found.flatMap(({ name, value }) =>
      value === undefined ? [] : [{ folder, glob: toGlob(pattern), name, value }],
    );
  });
}

function settingOf(name: string, words: readonly string[]): boolean | undefined {
  const word = words.findLast(each => each.replace(/^[-!]/, '').split('=')[0] === name);
  if (word === undefined) return undefined;
  return !/^[-!]/.test(word) && !/=(false|0)$/.test(word);
}

/** A pattern without a slash matches at any depth below its folder. */
function toGlob(pattern: string): string {
  if (pattern.startsWith('/')) return pattern.slice(1);
  return pattern.includes('/') ? pattern : `**/${pattern}`;
}
