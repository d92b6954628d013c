import { isSecretBearing } from '../../diff/secret-bearing.js';
import type { FileRead, Source } from '../../git/source.js';
import { failed, type ToolOutcome } from '../tool.js';

type SourceFile =
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

type GuardedPath =
  | { readonly ok: true; readonly path: string }
  /** Why not, and what to do instead; for the model. */
  | { readonly ok: false; readonly reason: string };

/**
 * Lets through repository-relative paths only, spelt the way git spells them. Whether the file is
 * tracked, and what it is, is for the source to say; what is known from the name alone stops here.
 */
export function guardPath(said: string): GuardedPath {
  if (said.includes('\0')) return refuse('a path cannot hold a NUL character', said);
  if (said.length > LONGEST_PATH) return refuse('the path is too long', said);
  if (/^(?:[/\\~]|[A-Za-z]:[/\\])/.test(said.trim())) {
    return refuse(
      'absolute paths are not allowed; give the path from the top of the repository',
      said,
    );
  }
  const parts = said
    .trim()
    .split('/')
    .filter(part => part !== '' && part !== '.');
  if (parts.includes('..')) {
    return refuse('".." is not allowed; give the path from the top of the repository', said);
  }
  if (parts.some(isGitFolder)) return refuse(".git is not part of the repository's files", said);
  const path = parts.join('/');
  if (isSecretBearing(path)) {
    return refuse('the file may hold secrets and is never shown; work without it', said);
  }
  return { ok: true, path };
}

const LONGEST_PATH = 4096;

/** Also as other file systems would read it: any case, dots or spaces at the end, the short name. */
const isGitFolder = (part: string): boolean =>
  /^(?:\.git|git~1)[. ]*$/.test(
    part.toLowerCase().replace(/[\u200c-\u200f\u202a-\u202e\ufeff]/g, ''),
  );

const refuse = (reason: string, said: string): GuardedPath => ({
  ok: false,
  reason: `${reason} ("${said.replaceAll('\0', '\\0').slice(0, 80)}")`,
});
