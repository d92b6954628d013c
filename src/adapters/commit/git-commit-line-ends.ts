const NUL = 0;
const LINE_FEED = 10;
const CARRIAGE_RETURN = 13;

/** What `git check-attr` says of one file: attribute to `set`, `unset`, `unspecified` or a value. */
export type Attributes = ReadonlyMap<string, string>;

/** The attributes that decide between the bytes on disk and those in the blob. */
export const ATTRIBUTES = ['text', 'crlf', 'eol', 'filter', 'ident', 'working-tree-encoding'];

/** Why a file cannot be turned back into a blob without running something; undefined when it can. */
export function whyNotConvertible(attributes: Attributes): string | undefined {
  const filter = settingOf(attributes, 'filter');
  if (filter !== undefined) return `it goes through the filter ${JSON.stringify(filter)}`;
  if (settingOf(attributes, 'ident') !== undefined) return 'git expands $Id$ in it';
  const encoding = settingOf(attributes, 'working-tree-encoding');
  if (encoding === undefined || /^utf-?8$/i.test(encoding)) return undefined;
  return `it is encoded as ${JSON.stringify(encoding)} on disk`;
}

type LineEnds = 'as-is' | 'text' | 'auto' | 'text-crlf';

export type BlobForm =
  | { readonly isKnown: true; readonly bytes: Uint8Array }
  | { readonly isKnown: false; readonly reason: string };

/**
 * The file as a blob. `base` is the blob as it was: one that holds CRLF against its attributes
 * keeps them, or every line of it would change.
 */
export function toBlobForm(bytes: Uint8Array, base: Uint8Array, attributes: Attributes): BlobForm {
  const rule = lineEndsOf(attributes);
  if (rule === 'as-is') return { isKnown: true, bytes };
  const before = survey(base);
  if (before.pairs > 0) {
    if (rule === 'text-crlf' && before.loneFeeds > 0) {
      return { isKnown: false, reason: 'its line ends are mixed against its attributes' };
    }
    return { isKnown: true, bytes };
  }
  const now = survey(bytes);
  const isBinary = now.hasNul || now.loneReturns > 0;
  if (now.pairs === 0 || (rule === 'auto' && isBinary)) return { isKnown: true, bytes };
  return { isKnown: true, bytes: withoutReturns(bytes, now.pairs) };
}

/** Git's own order: `text` (or the older `crlf`), then `eol` unless the file is not text. */
function lineEndsOf(attributes: Attributes): LineEnds {
  const text = attributes.get('text') ?? 'unspecified';
  const word = text === 'unspecified' ? (attributes.get('crlf') ?? 'unspecified') : text;
  if (word === 'unset') return 'as-is';
  if (word === 'auto') return 'auto';
  const eol = attributes.get('eol');
  if (eol === 'crlf' && word !== 'input') return 'text-crlf';
  return eol === 'lf' || word === 'set' || word === 'input' ? 'text' : 'as-is';
}

function settingOf(attributes: Attributes, name: string): string | undefined {
  const value = attributes.get(name);
  return value === undefined || value === 'unspecified' || value === 'unset' ? undefined : value;
}

function survey(bytes: Uint8Array) {
  let pairs = 0;
  let loneFeeds = 0;
  let loneReturns = 0;
  let previous = NUL;
  for (const byte of bytes) {
    if (byte === LINE_FEED) {
      if (previous === CARRIAGE_RETURN) pairs += 1;
      else loneFeeds += 1;
    } else if (previous === CARRIAGE_RETURN) loneReturns += 1;
    previous = byte;
  }
  if (previous === CARRIAGE_RETURN) loneReturns += 1;
  return { pairs, loneFeeds, loneReturns, hasNul: bytes.includes(NUL) };
}

function withoutReturns(bytes: Uint8Array, pairs: number): Uint8Array {
  const kept = new Uint8Array(bytes.length - pairs);
  let at = 0;
  for (const [from, byte] of bytes.entries()) {
    if (byte === CARRIAGE_RETURN && bytes[from + 1] === LINE_FEED) continue;
    kept[at] = byte;
    at += 1;
  }
  return kept;
}
