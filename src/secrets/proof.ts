import { crc32 } from 'node:zlib';

/** Whether a token in the right format is real: `public` means that nobody keeps it secret. */
export type Proof = 'certain' | 'lookalike' | 'public';

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const CHECKSUM_LENGTH = 6;

/** GitHub and npm end their tokens with the CRC-32 of the random part, in base 62. */
export function tokenChecksum(token: string): Proof {
  const body = token.slice(token.indexOf('_') + 1);
  let rest = crc32(body.slice(0, -CHECKSUM_LENGTH));
  let checksum = '';
  for (let digit = 0; digit < CHECKSUM_LENGTH; digit += 1) {
    checksum = (BASE62[rest % BASE62.length] ?? '') + checksum;
    rest = Math.floor(rest / BASE62.length);
  }
  return body.endsWith(checksum) ? 'certain' : 'lookalike';
}

/**
 * GitLab ends a routable token with the length of its payload and the CRC-32 of everything before
 * it, in base 36.
 */
export function routableChecksum(token: string): Proof {
  const checksum = crc32(token.slice(0, -ROUTABLE_CHECKSUM)).toString(36);
  return token.endsWith(checksum.padStart(ROUTABLE_CHECKSUM, '0')) ? 'certain' : 'lookalike';
}

const ROUTABLE_CHECKSUM = 7;

/** Reads the claims of a JSON web token. */
export function webTokenProof(token: string): Proof {
  const [header, payload] = token.split('.', 2).map(decoded);
  if (header === undefined || typeof header['alg'] !== 'string') return 'lookalike';
  if (payload === undefined) return 'lookalike';
  return isPublicPayload(payload) ? 'public' : 'certain';
}

/** Keys that every visitor of a web page gets, and the samples of jwt.io and RFC 7519. */
const isPublicPayload = ({ role, iss, sub, name }: Payload): boolean =>
  role === 'anon' ||
  iss === 'supabase-demo' ||
  iss === 'joe' ||
  sub === '1234567890' ||
  name === 'John Doe';

type Payload = Readonly<Record<string, unknown>>;

function decoded(part: string): Payload | undefined {
  try {
    const value: unknown = JSON.parse(Buffer.from(part, 'base64url').toString());
    return typeof value === 'object' && value !== null ? (value as Payload) : undefined;
  } catch {
    return undefined;
  }
}
