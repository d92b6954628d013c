import { foldName } from '../../core/fold-name.js';
import { isSecretBearing } from '../../diff/secret-bearing.js';
import type { FileRead, Source } from '../../git/source.js';
import { failed, type ToolOutcome } from '../tool.js';

type SourceFile =
  | { readonly ok: true; readonly path: string; readonly bytes: Uint8Array; readonly text: string }
  | { readonly ok: false; readonly outcome: ToolOutcome };

/** A tracked text file by the name the model gave, or why it can't be shown and the next step. */
export async function readSource(source: Source, given: string): Promise<SourceFile> {
  const guarded = guardPath(given);
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

/** The text, including a byte order mark, so that it encodes to the same bytes. */
function decode(bytes: Uint8Array): string | undefined {
  // Git's own rule for "binary": a NUL among the first bytes.
  if (bytes.subarray(0, BINARY_PREFIX).includes(0)) return undefined;
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    // Some other encoding: a wrong display would lead to a wrong edit.
    return undefined;
  }
}

type GuardedPath =
  | { readonly ok: true; readonly path: string }
  /** Why not, and what to do instead; for the model. */
  | { readonly ok: false; readonly reason: string };

/**
 * Accepts only repository-relative paths, spelt as git spells them, and refuses what the name alone
 * rules out. The source decides whether the file is tracked and of which type.
 */
export function guardPath(given: string): GuardedPath {
  if (given.includes('\0')) return refuse('a path cannot hold a NUL character', given);
  if (given.length > LONGEST_PATH) return refuse('the path is too long', given);
  if (/^(?:[/\\~]|[A-Za-z]:[/\\])/.test(given.trim())) {
    return refuse(
      'absolute paths are not allowed; give the path from the top of the repository',
      given,
    );
  }
  const parts = given
    .trim()
    .split('/')
    .filter(part => part !== '' && part !== '.');
  if (parts.includes('..')) {
    return refuse('".." is not allowed; give the path from the top of the repository', given);
  }
  if (parts.some(isGitFolder)) return refuse(".git is not part of the repository's files", given);
  const path = parts.join('/');
  if (isSecretBearing(path)) {
    return refuse('the file may hold secrets and is never shown; work without it', given);
  }
  return { ok: true, path };
}

const LONGEST_PATH = 4096;

/** Also as other file systems would read it: any case, trailing dots or spaces, the short name. */
const isGitFolder = (part: string): boolean => /^(?:\.git|git~1)[. ]*$/.test(foldName(part));

const refuse = (reason: string, given: string): GuardedPath => ({
  ok: false,
  reason: `${reason} ("${given.replaceAll('\0', '\\0').slice(0, 80)}")`,
});
