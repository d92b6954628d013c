import { createHash } from 'node:crypto';

/** A style or script as a content security policy names it: `'sha256-…'`. */
export const sourceHash = (text: string): string =>
  `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
