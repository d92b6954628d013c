import { NO_SECRETS, type Secret } from './secret.js';

/** Follows a private key over the lines after its first one. */
export interface PemBody {
  /** The rest of the key on this line, or undefined when the line is none of the key's. */
  read(line: string): readonly Secret[] | undefined;
  /** Told the secrets of a line that was none of the key's. */
  note(found: readonly Secret[], line: string): void;
  reset(): void;
}

// Masked lines count, so that redacted text reads as before. A diff marker, indentation or a quote may come first; a quote, a comma or `\n" +` last.
const BODY_LINE =
  /^[-+ \t"'`>|#*/]{0,40}?([A-Za-z0-9+/=*]{4,20000})(?:\\{1,4}[nr])?["'`,; \t+\\\r]{0,12}$/;
const FIELD_LINE =
  /^[-+ \t"'`>|#*/]{0,40}(?:[A-Z][A-Za-z]{2,12}(?:-[A-Z][A-Za-z]{2,12}){0,3}: .{0,200})?\r?$/;

/** A key of 16,384 bits on one line has 13,000 characters; what is longer is something else. */
const MAX_LINE = 20_000;

export function pemBody(): PemBody {
  let isInside = false;
  return {
    read: line => {
      if (!isInside) return undefined;
      const body = line.length > MAX_LINE ? null : BODY_LINE.exec(line);
      if (body?.[1] !== undefined) return [continuation(line.indexOf(body[1]), body[1].length)];
      // `DEK-Info: …` or a blank line belongs to the key, but may hold anything.
      isInside = line.length <= MAX_LINE && FIELD_LINE.test(line);
      return line.includes('-----END ') ? NO_SECRETS : undefined;
    },
    note: (found, line) => {
      isInside = found.some(secret => secret.kind === 'private-key') && !line.includes('-----END ');
    },
    reset: () => {
      isInside = false;
    },
  };
}

const continuation = (start: number, length: number): Secret => ({
  kind: 'private-key',
  start,
  end: start + length,
  publicLength: 0,
  isContinuation: true,
});
