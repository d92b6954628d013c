import { isIP } from 'node:net';

/** 127.0.0.0/8 and ::1, as `URL` and the resolver spell them. */
export function isLoopback(address: string): boolean {
  if (isIP(address) === 4) return address.startsWith('127.');
  return address === '::1';
}
