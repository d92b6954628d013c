import type { FileChange } from '../core/change.js';
import type { Severity } from '../core/finding.js';
import { kindName } from '../secrets/formats.js';
import { findSecrets } from '../secrets/scan.js';
import { fileRole } from './language.js';

interface NameHit {
  readonly rule: string;
  readonly message: string;
  readonly severity?: Severity;
  /** What makes it a finding; a folder is reported once, not per file. */
  readonly cause: string;
}

/** Judges a new name. */
export function judgeName({ path }: FileChange): NameHit | undefined {
  const name = path.slice(path.lastIndexOf('/') + 1);
  return secretName(path) ?? privateFile(path, name) ?? junkFile(path, name) ?? portableName(path);
}

/** No fixed format is shorter. */
const MIN_SECRET = 16;

function secretName(path: string): NameHit | undefined {
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

function privateFile(path: string, name: string): NameHit | undefined {
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

function junkFile(path: string, name: string): NameHit | undefined {
  const folder = JUNK_FOLDER.exec(path)?.[0];
  const isJunk = folder !== undefined || (JUNK_NAME.test(name) && !fileRole(path).isSample);
  if (!isJunk) return undefined;
  const what = folder === undefined ? name : folder.slice(folder.lastIndexOf('/') + 1);
  const message = `${what} is left behind by a tool or belongs to one user. Remove it with git rm --cached and add it to .gitignore.`;
  return { rule: 'junk-file', message, cause: folder ?? path };
}

const RESERVED = /^(?:con|prn|aux|nul|com[1-9]|lpt[1-9])(?:\.|$)/i;
const FORBIDDEN = /[<>:"|?*\\\x01-\x1f]/;

function portableName(path: string): NameHit | undefined {
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
