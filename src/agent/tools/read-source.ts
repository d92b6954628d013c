import { failed, type ToolOutcome } from '../tool.js';
import { guardPath } from './path-guard.js';
import type { FileRead, Source } from './source.js';

export type SourceFile =
  | { readonly ok: true; readonly path: string; readonly bytes: Uint8Array; readonly text: string }
  | { readonly ok: false; readonly outcome: ToolOutcome };

/** A tracked text file by the name the model gave, or the reason why not with the next step. */
export async function readSource(source: Source, said: string): Promise<SourceFile> {
  const guarded = guardPath(said);
  if (!guarded.ok) return { ok: false, outcome: failed(guarded.reason) };
  const { path } = guarded;
  const read: FileRead = path === '' ? { kind: 'folder' } : await source.read(path);
  if (read.kind !== 'file') return { ok: false, outcome: failed(`${path}: ${REASONS[read.kind]}`) };
  const text = decode(read.bytes);
  if (text === undefined) return { ok: false, outcome: failed(`${path}: ${NOT_TEXT}`) };
  return { ok: true, path, bytes: read.bytes, text };
}

const REASONS: Readonly<Record<Exclude<FileRead['kind'], 'file'>, string>> = {
  absent: 'there is no such file. List the folder or search to find the right path',
  folder: 'this is a folder. Use list_dir, or name a file in it',
  symlink: 'this is a symbolic link, which is not followed. Name the file itself',
  submodule: 'this is a submodule, which is another repository',
  untracked: 'git does not track this file, so it is not shown',
  'too-big': 'the file is too big to read. Use search_code for a part of it',
};

const NOT_TEXT =
  'this is not UTF-8 text (binary, or another encoding) and cannot be shown or edited';

const BINARY_PREFIX = 8000;

/** The text, a byte order mark included, so that it encodes to the very same bytes again. */
function decode(bytes: Uint8Array): string | undefined {
  // Git's own rule for "binary": a NUL among the first bytes.
  if (bytes.subarray(0, BINARY_PREFIX).includes(0)) return undefined;
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    // Some other encoding: shown wrong it would be edited wrong.
    return undefined;
  }
}
