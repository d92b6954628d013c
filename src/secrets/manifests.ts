import { NO_SECRETS, type Secret, secretAt } from './secret.js';

export const MANIFEST_ANCHORS: readonly string[] = ['kind:', 'data:', 'apiversion:'];

// The indentation may start with the marker of a diff line.
const API_VERSION = /^[-+ \t]{0,8}apiVersion:/;
const KIND = /^([-+ \t]{0,8})kind:[ \t]{0,8}["']?([A-Za-z]{1,60})["']?[ \t]{0,80}\r?$/;
const DATA = /^([-+ \t]{0,8})data:[ \t]{0,80}\r?$/;
const ENTRY =
  /^[-+ \t]{1,80}["']?[\w.-]{1,120}["']?:[ \t]{0,8}(?:([|>][-+]?)|["']?([A-Za-z0-9+/]{10,}={0,3})["']?)[ \t]{0,80}\r?$/;
const BLOCK_LINE = /^[-+ \t]{1,80}([A-Za-z0-9+/]{10,}={0,3})[ \t]{0,80}\r?$/;
/** The base64 of `-----BEGIN CERTIFICATE`: public, even in a Secret. */
const CERTIFICATE = 'LS0tLS1CRUdJTiBDRVJUSUZJQ0FUR';
/** The limit for a document that never names its kind; real ones have a handful of entries. */
const MAX_PENDING = 100;

interface Manifest {
  isSecret: boolean;
  kindIndent: number | undefined;
  dataIndent: number | undefined;
  /** Whether a value of several lines has just been opened or continues. */
  block: 'none' | 'opened' | 'inside';
  pending: Secret[];
}

const emptyManifest = (): Manifest => ({
  isSecret: false,
  kindIndent: undefined,
  dataIndent: undefined,
  block: 'none',
  pending: [],
});

/**
 * Reads the lines of a manifest: the values under `data:` are secrets if the same document has
 * `kind: Secret`. A value before the kind is reported once the kind is known, with offsets that count
 * back from the start of that line.
 */
export function manifestReader() {
  let manifest = emptyManifest();
  const reset = (): void => {
    manifest = emptyManifest();
  };
  return {
    reset,
    isInData: (): boolean => manifest.dataIndent !== undefined,
    /** For lines that contain an anchor, start with `---` or are inside data. */
    read: (line: string, lineStart: number): readonly Secret[] => {
      if (line.startsWith('---') || API_VERSION.test(line)) reset();
      const kind = KIND.exec(line);
      if (kind !== null) return readKind(manifest, kind, lineStart);
      return readData(manifest, line, lineStart);
    },
  };
}

function readKind(
  manifest: Manifest,
  match: RegExpExecArray,
  lineStart: number,
): readonly Secret[] {
  const indent = match[1]?.length ?? 0;
  const outer = manifest.kindIndent ?? manifest.dataIndent;
  // A nested reference to another object has its own kind.
  if (outer !== undefined && indent > outer) return NO_SECRETS;
  manifest.kindIndent = indent;
  manifest.isSecret = match[2]?.toLowerCase() === 'secret';
  manifest.dataIndent = undefined;
  const known = manifest.isSecret ? manifest.pending : [];
  manifest.pending = [];
  return known.map(secret => moved(secret, -lineStart));
}

function readData(manifest: Manifest, line: string, lineStart: number): readonly Secret[] {
  const data = DATA.exec(line);
  if (data !== null) return openData(manifest, data[1]?.length ?? 0);
  if (manifest.dataIndent === undefined || /^[-+ \t]{0,80}(?:#|\r?$)/.test(line)) return NO_SECRETS;
  const indent = line.length - line.replace(/^[-+ \t]{1,80}/, '').length;
  if (indent <= manifest.dataIndent) manifest.dataIndent = undefined;
  const secret = manifest.dataIndent === undefined ? undefined : readEntry(manifest, line);
  if (secret === undefined) return NO_SECRETS;
  if (manifest.isSecret) return [secret];
  if (manifest.pending.length < MAX_PENDING) manifest.pending.push(moved(secret, lineStart));
  return NO_SECRETS;
}

function openData(manifest: Manifest, indent: number): readonly Secret[] {
  const belongsToKind = manifest.kindIndent === undefined || manifest.kindIndent === indent;
  const isRelevant = manifest.kindIndent === undefined || manifest.isSecret;
  if (belongsToKind && isRelevant) manifest.dataIndent = indent;
  manifest.block = 'none';
  return NO_SECRETS;
}

function readEntry(manifest: Manifest, line: string): Secret | undefined {
  const entry = ENTRY.exec(line);
  const block = entry === null && manifest.block !== 'none' ? BLOCK_LINE.exec(line) : null;
  const isContinuation = manifest.block === 'inside';
  manifest.block = entry?.[1] !== undefined ? 'opened' : block === null ? 'none' : 'inside';
  const value = entry?.[2] ?? block?.[1];
  if (value === undefined || value.startsWith(CERTIFICATE)) return undefined;
  const more = { isContinuation, isLookalike: true };
  return secretAt('kubernetes-secret', line.lastIndexOf(value), value.length, more);
}

const moved = (secret: Secret, by: number): Secret => ({
  ...secret,
  start: secret.start + by,
  end: secret.end + by,
});
