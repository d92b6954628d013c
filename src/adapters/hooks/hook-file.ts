import { lstatSync, readFileSync, readlinkSync, type Stats } from 'node:fs';
import { BotError } from '../../core/failure.js';
import type { HookFile } from '../../hooks/hook-facts.js';
import { statOf } from './hook-path.js';

/** Longer than any hook or configuration that people write; what is longer is not read. */
const MOST_BYTES = 1024 * 1024;

export function readHookFile(path: string): HookFile {
  const own = lookAt(path);
  if (own === undefined) return { kind: 'absent' };
  const isLink = own.isSymbolicLink();
  const stats = isLink ? statOf(path) : own;
  if (stats !== undefined && !stats.isFile()) return { kind: 'odd' };
  return {
    kind: 'file',
    text: readHookText(path),
    isExecutable: stats !== undefined && (stats.mode & 0o111) !== 0,
    target: isLink ? readlinkSync(path) : undefined,
  };
}

/** Undefined when it is not text, is far too long, or cannot be read. */
export function readHookText(path: string): string | undefined {
  const stats = statOf(path);
  // Reading a pipe would wait for ever.
  if (stats === undefined || !stats.isFile() || stats.size > MOST_BYTES) return undefined;
  try {
    const bytes = readFileSync(path);
    if (bytes.includes(0)) return undefined;
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

function lookAt(path: string): Stats | undefined {
  try {
    return lstatSync(path);
  } catch (thrown) {
    const code = thrown instanceof Error && 'code' in thrown ? thrown.code : undefined;
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined;
    throw new BotError('git', `cannot look at ${path}: ${String(code)}`, {
      hint: 'Check the permissions of its folder',
      cause: thrown,
    });
  }
}
