import type { FileChange } from '../core/change.js';
import { isSubmodule, isSymlink } from '../core/change.js';
import type { Severity } from '../core/finding.js';

export const FILE_SIZE_RULES: Readonly<Record<string, Severity>> = {
  'large-file': 'warning',
  'new-binary': 'warning',
};

export interface SizedFile {
  readonly file: FileChange;
  /** Undefined where git was not asked or does not know. */
  readonly newBytes: number | undefined;
  readonly oldBytes: number | undefined;
}

export interface SizeHit {
  readonly rule: 'large-file' | 'new-binary';
  readonly message: string;
}

const MEBIBYTE = 1024 * 1024;

/** GitHub warns at 50 MiB; long before that every clone pays for each version of the file. */
export const LARGE_FILE_BYTES = MEBIBYTE;

/** What the size and kind of a file say, without its content. It concerns the file, not a line. */
export function judgeFileSize(sized: SizedFile, largeFileBytes = LARGE_FILE_BYTES): SizeHit[] {
  const { file, newBytes } = sized;
  if (file.status === 'deleted' || isSubmodule(file) || isSymlink(file)) return [];
  const hits: SizeHit[] = [];
  if (newBytes !== undefined && isNewlyLarge(sized, newBytes, largeFileBytes)) {
    hits.push({ rule: 'large-file', message: largeMessage(newBytes, largeFileBytes) });
  }
  if (file.isBinary && isNew(file)) {
    hits.push({ rule: 'new-binary', message: binaryMessage(newBytes) });
  }
  return hits;
}

const isNew = (file: FileChange): boolean => file.status === 'added' || file.status === 'copied';

/** A file that was large before is worth a word again only when it grew by as much once more. */
function isNewlyLarge(sized: SizedFile, newBytes: number, limit: number): boolean {
  if (newBytes <= limit) return false;
  const before = isNew(sized.file) ? 0 : (sized.oldBytes ?? 0);
  return before <= limit || newBytes - before > limit;
}

const largeMessage = (bytes: number, limit: number): string =>
  `This file has ${inMebibytes(bytes)} (more than ${inMebibytes(limit)}) and stays in every clone for good. Keep it out of git or use Git LFS.`;

function binaryMessage(bytes: number | undefined): string {
  const size = bytes === undefined ? '' : ` (${readableSize(bytes)})`;
  return `A new binary file${size}: nobody can review it and git keeps every version whole. Check that it belongs here.`;
}

const readableSize = (bytes: number): string => {
  if (bytes < 1024) return `${bytes} bytes`;
  return bytes < MEBIBYTE ? `${Math.round(bytes / 1024)} KiB` : inMebibytes(bytes);
};

function inMebibytes(bytes: number): string {
  const mebibytes = bytes / MEBIBYTE;
  return `${Number.isInteger(mebibytes) ? mebibytes : mebibytes.toFixed(mebibytes < 10 ? 2 : 1)} MiB`;
}
