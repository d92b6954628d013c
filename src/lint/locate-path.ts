import type { ReportContext } from './report.js';

export type Located =
  | { readonly ok: true; readonly path: string }
  | { readonly ok: false; readonly why: 'no file' | 'outside' | 'not in the commit' };

/** A path as a report spells it → a path of the repository. */
export function locatePath(file: string | undefined, context: ReportContext): Located {
  const { stdin } = context;
  if (stdin?.as !== undefined && file === stdin.as) return { ok: true, path: stdin.path };
  const name = file?.startsWith('file://') ? fromFileUrl(file) : file;
  if (name === undefined || name === '' || /^<[^>]{0,80}>$/.test(name)) {
    return { ok: false, why: 'no file' };
  }
  const path = isAbsolute(name) ? belowRoot(name, context) : plain(context.folder ?? '', name);
  if (path === undefined || path === '') return { ok: false, why: 'outside' };
  return inCommit(path, context.files);
}

/** Undefined for an address that names no file of this machine. */
function fromFileUrl(address: string): string | undefined {
  const path = address.slice('file://'.length).replace(/^localhost(?=\/)/, '');
  if (!path.startsWith('/')) return undefined;
  return decode(/^\/[a-z]:/i.test(path) ? path.slice(1) : path);
}

export function decode(address: string): string {
  try {
    return decodeURIComponent(address);
  } catch {
    // A stray percent sign: then the address was never encoded.
    return address;
  }
}

/** `C:\` is absolute too: never ours, but to be recognised as not ours. */
const isAbsolute = (name: string): boolean => name.startsWith('/') || /^[a-z]:[\\/]/i.test(name);

function belowRoot(name: string, context: ReportContext): string | undefined {
  const file = withoutPrivate(name);
  for (const root of [context.root, ...(context.aliases ?? [])].map(withoutPrivate)) {
    const folder = root.endsWith('/') ? root : `${root}/`;
    if (file.startsWith(folder)) return plain('', file.slice(folder.length));
  }
  return undefined;
}

/** On a Mac `/var` leads to `/private/var`; SwiftLint reports the short name, Node finds the long one. */
const withoutPrivate = (path: string): string =>
  path.replace(/^\/private(?=\/(?:etc|tmp|var)\/)/, '');

/** Without `.` and `..`; undefined when it leads outside. */
function plain(folder: string, name: string): string | undefined {
  const parts: string[] = [];
  for (const part of `${folder}/${name}`.split('/')) {
    if (part === '' || part === '.') continue;
    if (part !== '..') parts.push(part);
    else if (parts.pop() === undefined) return undefined;
  }
  return parts.includes('.git') || name.includes('\0') ? undefined : parts.join('/');
}

function inCommit(path: string, files: ReadonlySet<string> | undefined): Located {
  if (files === undefined || files.has(path)) return { ok: true, path };
  const slashed = path.replaceAll('\\', '/');
  return files.has(slashed) ? { ok: true, path: slashed } : { ok: false, why: 'not in the commit' };
}
