import type { Probe, Secret } from './secret.js';
import { BASE64, family, tokenFormats } from './token-formats.js';
import { tokenProbes } from './token-probes.js';

// How the encodings of an RSA, elliptic or OpenSSH private key begin, whatever the key is. None of
// it is a prefix to keep, and the first bytes are all alike.
const BODIES = [
  { prefix: 'MII', body: `${BASE64}{3}IBA(?:AK[BC]|DANBgkqhkiG9w0)${BASE64}{20}` },
  { prefix: 'MIGHAgEAMBMGByqGSM49AgEG', body: `${BASE64}{20}` },
  { prefix: ['MHcCAQEEI', 'MHQCAQEEI'], body: `${BASE64}{30}` },
  { prefix: 'b3BlbnNzaC1rZXktdjE', body: `${BASE64}{20}` },
].map(shape => ({ ...shape, before: { source: '', length: 0 }, tail: BASE64, entropy: 0 }));

/** Private keys in PEM armour, as base64 of such a file, and bodies whose armour is elsewhere. */
export const privateKeyProbes = (): readonly Probe[] => [
  { anchors: ['-begin '], find: findArmour },
  { anchors: ['ls0tls1crudjti'], find: findEncodedArmour },
  ...tokenProbes(tokenFormats([family('private-key', 'a private key', BODIES)])),
];

const ARMOUR = /-----BEGIN (?:[A-Z0-9]{1,12} ){0,3}PRIVATE KEY(?: BLOCK)?-----/y;
/** What follows the armour on its own line when a key does: nothing, or its body. */
const KEY_FOLLOWS = /[ \t\r]*$|(?:\\{1,4}[nr]|[ \t])*[A-Za-z0-9+/=]{16}/y;
const SAME_LINE_BODY = /(?:\\{1,4}[nrt]|[A-Za-z0-9+/=,:. \t]|-(?!----)){0,20000}/y;

function findArmour(text: string, place: number): Secret | undefined {
  const header = matchAt(ARMOUR, text, place - 4);
  if (header === undefined) return undefined;
  const start = place - 4;
  const bodyStart = start + header.length;
  // A header in the middle of a sentence or of a comparison is only talked about.
  const isMention = /(?<!\\)[A-Za-z0-9.)][ \t]*$/.test(text.slice(Math.max(0, start - 8), start));
  if (isMention || matchAt(KEY_FOLLOWS, text, bodyStart) === undefined) return undefined;
  const body = matchAt(SAME_LINE_BODY, text, bodyStart) ?? '';
  const end = bodyStart + body.trimEnd().length;
  return { kind: 'private-key', start, end, publicLength: header.length, isContinuation: false };
}

const ENCODED = /(?<![A-Za-z0-9+/])LS0tLS1CRUdJTi[A-Za-z0-9+/]{42}/y;
const ENCODED_REST = /[A-Za-z0-9+/]*={0,2}/y;

function findEncodedArmour(text: string, start: number): Secret | undefined {
  const head = matchAt(ENCODED, text, start);
  if (head === undefined || !atob(head).includes('PRIVATE KEY')) return undefined;
  const end = start + head.length + (matchAt(ENCODED_REST, text, start + head.length)?.length ?? 0);
  return { kind: 'private-key', start, end, publicLength: 0, isContinuation: false };
}

function matchAt(sticky: RegExp, text: string, place: number): string | undefined {
  if (place < 0) return undefined;
  sticky.lastIndex = place;
  return sticky.exec(text)?.[0];
}
