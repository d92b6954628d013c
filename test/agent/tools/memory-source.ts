import type { Entry, Source } from '../../../src/git/source.js';

/** A repository in memory: paths to texts or bytes, read the way git would give them. */
export function memorySource(files: Readonly<Record<string, string | Uint8Array>>): Source {
  const bytesOf = (path: string): Uint8Array | undefined => {
    const held = Object.hasOwn(files, path) ? files[path] : undefined;
    return typeof held === 'string' ? new TextEncoder().encode(held) : held;
  };
  const isFolder = (path: string): boolean =>
    Object.keys(files).some(name => name.startsWith(`${path}/`));
  return {
    list: async path => entriesIn(Object.keys(files), path),
    read: async path => {
      const bytes = bytesOf(path);
      if (bytes !== undefined) return { kind: 'file', bytes };
      return { kind: isFolder(path) ? 'folder' : 'absent' };
    },
    search: async (query, within) => {
      const matches = Object.entries(files)
        .filter(
          ([path]) => within === undefined || path === within || path.startsWith(`${within}/`),
        )
        .flatMap(([path, text]) =>
          String(text)
            .split('\n')
            .map((line, at) => ({ path, line: at + 1, text: line })),
        )
        .filter(match => match.text.includes(query));
      return { matches: matches.slice(0, 200), isTruncated: matches.length > 200 };
    },
    diff: async path => (path === 'changed.ts' ? '@@ -1 +1 @@\n-old\n+new' : undefined),
    history: async path =>
      bytesOf(path) === undefined
        ? []
        : [
            {
              commit: 'a'.repeat(40),
              date: '2026-11-16T07:00:00Z',
              subject: 'Begin',
            },
          ],
  };
}

function entriesIn(paths: readonly string[], folder: string): Entry[] {
  const prefix = folder === '' ? '' : `${folder}/`;
  const names = paths
    .filter(path => path.startsWith(prefix))
    .map(path => path.slice(prefix.length));
  const kinds = new Map<string, Entry['kind']>(
    names.map(name => [name.split('/')[0] ?? '', name.includes('/') ? 'folder' : 'file']),
  );
  return [...kinds].map(([name, kind]) => ({ name, kind }));
}
