import { type FileChange, isSymlink } from '../core/change.js';

export interface ModeHit {
  readonly rule: 'exec-bit' | 'broken-symlink' | 'lfs-pointer';
  readonly message: string;
}

/** Whether the change makes this file executable. */
export const becomesExecutable = ({ newMode, oldMode, status }: FileChange): boolean =>
  newMode === '100755' && status !== 'deleted' && oldMode !== '100755' && status !== 'renamed';

/** An executable text needs a line that names its interpreter. */
export function judgeExecutable(
  file: FileChange,
  opening: string | undefined,
): ModeHit | undefined {
  if (!becomesExecutable(file) || file.isBinary || opening === undefined || opening === '') {
    return undefined;
  }
  if (opening.startsWith('#!') || WINDOWS_SCRIPT.test(file.path)) return undefined;
  return {
    rule: 'exec-bit',
    message:
      'This file is executable but does not start with #!, so it cannot run. Remove the bit with git update-index --chmod=-x, or add the line.',
  };
}

const WINDOWS_SCRIPT = /\.(?:bat|cmd|ps1|exe|com)$/i;

/** `paths` is the new tree, if it is known. */
export function judgeSymlink(
  file: FileChange,
  target: string,
  paths: readonly string[] | undefined,
): ModeHit | undefined {
  if (!isSymlink(file) || target === '') return undefined;
  const why = whyBroken(file.path, target, paths);
  return why === undefined
    ? undefined
    : {
        rule: 'broken-symlink',
        message: `This link ${why}. Point it to a file in the repository.`,
      };
}

function whyBroken(
  path: string,
  target: string,
  paths: readonly string[] | undefined,
): string | undefined {
  if (target.startsWith('/') || /^[A-Za-z]:[\\/]/.test(target)) {
    return 'has an absolute target, which only exists on one machine';
  }
  const parts = path.split('/').slice(0, -1);
  for (const part of target.split('/')) {
    if (part === '' || part === '.') continue;
    if (part !== '..') parts.push(part);
    else if (parts.pop() === undefined) return 'leads out of the repository';
  }
  const resolved = parts.join('/');
  if (paths === undefined || resolved === '') return undefined;
  const isThere = paths.some(
    one => one === resolved || one.startsWith(`${resolved}/`) || resolved.startsWith(`${one}/`),
  );
  return isThere ? undefined : `has the target ${resolved}, which isn't in the tree`;
}

/** What `.gitattributes` stores in Git LFS must be a pointer. */
export function judgeLfs(file: FileChange, opening: string): ModeHit | undefined {
  const isPointer = opening.startsWith('version https://git-lfs.github.com/');
  if (isPointer || isSymlink(file) || (!file.isBinary && opening === '')) return undefined;
  return {
    rule: 'lfs-pointer',
    message:
      'According to .gitattributes this file belongs in Git LFS, but the file itself is committed. Run git lfs install, then git add --renormalize on it.',
  };
}
