import { type FileChange, isSubmodule, isSymlink } from '../core/change.js';
import { foldName } from '../core/fold-name.js';
import { kindName } from '../secrets/formats.js';
import { findSecrets } from '../secrets/scan.js';
import type { Problem } from './check.js';
import { fileRole } from './language.js';

interface NameProblem extends Problem {
  /** What makes it a finding; a folder is reported once, not per file. */
  readonly cause: string;
}

/** Judges a new name. */
export function judgeName({ path }: FileChange): NameProblem | undefined {
  const name = path.slice(path.lastIndexOf('/') + 1);
  return secretName(path) ?? privateFile(path, name) ?? junkFile(path, name) ?? portableName(path);
}

/** No fixed format is shorter. */
const MIN_SECRET = 16;

function secretName(path: string): NameProblem | undefined {
  for (const cause of path.split('/')) {
    if (cause.length < MIN_SECRET) continue;
    const secret = findSecrets(cause).find(({ isLookalike }) => !isLookalike);
    if (secret === undefined) continue;
    const message = `This name contains ${kindName(secret.kind)}. Rename it and revoke the secret: anyone with the commit can read it.`;
    const isSample = fileRole(path).isSample;
    return { rule: `secret/${secret.kind}`, message, cause, ...(isSample && WARNING) };
  }
  return undefined;
}

const KEY = /^id_(?:rsa|dsa|ecdsa|ed25519)$|\.(?:p12|pfx|p8|ppk|kdbx)$/i;
const SETTINGS =
  /^\.env(?:\.local|\.prod|\.production|\.staging|\.live)?$|^\.env\.\w+\.local$|^[._]netrc$|^\.(?:pgpass|git-credentials|htpasswd)$|\.(?:mobileprovision|provisionprofile)$/i;

function privateFile(path: string, name: string): NameProblem | undefined {
  if (KEY.test(name)) {
    const message = `${name} is a private key or certificate by its name. Remove it from the change, and revoke it if it was ever pushed.`;
    const isSample = fileRole(path).isSample;
    return { rule: 'private-file', message, cause: path, ...(isSample && WARNING) };
  }
  if (!SETTINGS.test(name)) return undefined;
  const message = `${name} usually holds secrets or belongs to one machine. Keep it out of git and commit a sample without values.`;
  // A team that keeps its profiles in git has one per target.
  const isProfile = PROFILE.test(name);
  const cause = isProfile ? path.slice(0, -name.length) : path;
  return { rule: 'private-file', message, cause, ...WARNING };
}

const PROFILE = /\.(?:mobileprovision|provisionprofile)$/i;

const WARNING = { severity: 'warning' } as const;

const JUNK_NAME =
  /^(?:\.DS_Store|Thumbs\.db|desktop\.ini|.*\.(?:orig|rej|swp|xcuserstate|pyc)|.+~)$/;
const JUNK_FOLDER =
  /^(?:.*\/)?(?:xcuserdata|DerivedData|\.build|\.swiftpm(?!\/xcode\/xcshareddata\/)|__pycache__)(?=\/)/;

function junkFile(path: string, name: string): NameProblem | undefined {
  const folder = JUNK_FOLDER.exec(path)?.[0];
  const isJunk = folder !== undefined || (JUNK_NAME.test(name) && !fileRole(path).isSample);
  if (!isJunk) return undefined;
  const what = folder === undefined ? name : folder.slice(folder.lastIndexOf('/') + 1);
  const message = `${what} is left behind by a tool or belongs to one user. Remove it with git rm --cached and add it to .gitignore.`;
  return { rule: 'junk-file', message, cause: folder ?? path };
}

const RESERVED = /^(?:con|prn|aux|nul|com[1-9]|lpt[1-9])(?:\.|$)/i;
const FORBIDDEN = /[<>:"|?*\\\x01-\x1f]/;

function portableName(path: string): NameProblem | undefined {
  let end = 0;
  for (const part of path.split('/')) {
    end += part.length + 1;
    const why = notPortable(part);
    if (why === undefined) continue;
    const message = `Windows can't check out this name: ${why}. Rename it.`;
    return { rule: 'portable-name', message, cause: path.slice(0, end - 1) };
  }
  return undefined;
}

function notPortable(part: string): string | undefined {
  if (RESERVED.test(part)) return 'it is the name of a device';
  if (/[. ]$/.test(part)) return 'it ends with a dot or a space';
  const sign = FORBIDDEN.exec(part)?.[0];
  if (sign === undefined) return undefined;
  return sign < ' ' ? 'it has a control character' : `it has the character ${sign}`;
}

/**
 * Added names that collide with another name in the tree on a disk that ignores case and Unicode
 * form, the default on macOS and Windows; `other` has the same name there. `allPaths` is the whole new tree, with or without the added
 * paths. A folder that collides is reported once, not per file.
 */
export function caseCollisions(
  addedPaths: Iterable<string>,
  allPaths: Iterable<string>,
): Array<{ path: string; other: string }> {
  const added = new Set(addedPaths);
  if (added.size === 0) return [];
  const tree: Tree = { spellings: new Map(), folders: new Set(), collidingFolders: new Set() };
  for (const path of allPaths) if (!added.has(path)) addPath(path, tree);
  tree.collidingFolders.clear();

  return [...added].flatMap(path => {
    const other = addPath(path, tree);
    return other === undefined ? [] : [{ path, other }];
  });
}

interface Tree {
  /** The first spelling of every file and folder, by its folded name. */
  readonly spellings: Map<string, string>;
  readonly folders: Set<string>;
  /** Folders already reported; what is in them isn't reported again. */
  readonly collidingFolders: Set<string>;
}

/** Adds a path and its folders; returns the name it is the first to collide with. */
function addPath(path: string, tree: Tree): string | undefined {
  let isReported = false;
  let other: string | undefined;
  for (let slash = path.indexOf('/'); slash !== -1; slash = path.indexOf('/', slash + 1)) {
    const folder = path.slice(0, slash);
    isReported ||= tree.collidingFolders.has(folder);
    if (tree.folders.has(folder)) continue;
    tree.folders.add(folder);
    const clash = addName(folder, tree);
    if (clash === undefined) continue;
    tree.collidingFolders.add(folder);
    other ??= clash;
  }
  const clash = addName(path, tree);
  return isReported ? undefined : (other ?? clash);
}

function addName(name: string, tree: Tree): string | undefined {
  const folded = foldName(name);
  const spelling = tree.spellings.get(folded);
  if (spelling === undefined) tree.spellings.set(folded, name);
  return spelling === name ? undefined : spelling;
}

/** Whether the change makes this file executable. */
export const becomesExecutable = ({ newMode, oldMode, status }: FileChange): boolean =>
  newMode === '100755' && status !== 'deleted' && oldMode !== '100755' && status !== 'renamed';

/** An executable text needs a line that names its interpreter. */
export function judgeExecutable(
  { path, isBinary }: FileChange,
  opening: string | undefined,
): Problem | undefined {
  if (isBinary || !opening || opening.startsWith('#!') || WINDOWS_SCRIPT.test(path)) {
    return undefined;
  }
  return {
    rule: 'exec-bit',
    message:
      'This file is executable but does not start with #!, so it cannot run. Remove the bit with git update-index --chmod=-x, or add the line.',
  };
}

const WINDOWS_SCRIPT = /\.(?:bat|cmd|ps1|exe|com)$/i;

/** `paths` is the new tree, if it is known. */
export function judgeSymlink(
  path: string,
  target: string,
  paths: readonly string[] | undefined,
): Problem | undefined {
  const why = whyBroken(path, target, paths);
  const message = `This link ${why}. Point it to a file in the repository.`;
  return why === undefined ? undefined : { rule: 'broken-symlink', message };
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
export function judgeLfs(file: FileChange, opening: string): Problem | undefined {
  const isPointer = opening.startsWith('version https://git-lfs.github.com/');
  if (isPointer || isSymlink(file) || (!file.isBinary && opening === '')) return undefined;
  return {
    rule: 'lfs-pointer',
    message:
      'According to .gitattributes this file belongs in Git LFS, but the file itself is committed. Run git lfs install, then git add --renormalize on it.',
  };
}

interface SizedFile {
  readonly file: FileChange;
  /** Undefined if git wasn't asked or doesn't know. */
  readonly newBytes: number | undefined;
  readonly oldBytes: number | undefined;
}

const MEBIBYTE = 1024 * 1024;

/** GitHub warns at 50 MiB; long before that every clone pays for each version of the file. */
const LARGE_FILE_BYTES = MEBIBYTE;

/** Judges a file by its size and kind, not by its content. */
export function judgeFileSize(sized: SizedFile): Problem[] {
  const { file, newBytes } = sized;
  if (file.status === 'deleted' || isSubmodule(file) || isSymlink(file)) return [];
  const hits: Problem[] = [];
  if (newBytes !== undefined && isNewlyLarge(sized, newBytes)) {
    hits.push({ rule: 'large-file', message: largeMessage(newBytes) });
  }
  if (file.isBinary && isNew(file) && !USUAL.test(file.path)) {
    // Tests and documentation have binary files on purpose.
    const isExpected = fileRole(file.path).isSample || PACKAGE_CACHE.test(file.path);
    const message = binaryMessage(newBytes);
    hits.push({ rule: 'new-binary', message, ...(isExpected && { severity: 'info' }) });
  }
  return hits;
}

/**
 * What a binary file usually is, or what a reviewer can look at; `.strings` files are often UTF-16.
 */
const USUAL =
  /\.(?:png|jpe?g|gif|webp|avif|heic|heif|bmp|tiff?|ico|icns|svgz?|psd|ttf|otf|ttc|woff2?|eot|strings)$|\.xcassets\/.*\.pdf$/i;

/** Packages that a project keeps on purpose. */
const PACKAGE_CACHE = /(?:^|\/)(?:vendor\/cache|\.yarn\/(?:cache|offline-mirror))\//;

const isNew = (file: FileChange): boolean => file.status === 'added' || file.status === 'copied';

/** A file that was already large is reported again only after it grew by the same limit. */
function isNewlyLarge(sized: SizedFile, newBytes: number): boolean {
  if (newBytes <= LARGE_FILE_BYTES) return false;
  const before = isNew(sized.file) ? 0 : (sized.oldBytes ?? 0);
  return before <= LARGE_FILE_BYTES || newBytes - before > LARGE_FILE_BYTES;
}

const largeMessage = (bytes: number): string =>
  `This file is ${inMebibytes(bytes)} (over ${inMebibytes(LARGE_FILE_BYTES)}) and will be part of every clone forever. Keep it out of git or use Git LFS.`;

function binaryMessage(bytes: number | undefined): string {
  const size = bytes === undefined ? '' : ` (${readableSize(bytes)})`;
  return `New binary file${size}: it can't be reviewed, and git stores every version in full. Make sure it belongs here.`;
}

const readableSize = (bytes: number): string => {
  if (bytes < 1024) return `${bytes} bytes`;
  return bytes < MEBIBYTE ? `${Math.round(bytes / 1024)} KiB` : inMebibytes(bytes);
};

function inMebibytes(bytes: number): string {
  const mebibytes = bytes / MEBIBYTE;
  return `${Number.isInteger(mebibytes) ? mebibytes : mebibytes.toFixed(mebibytes < 10 ? 2 : 1)} MiB`;
}
