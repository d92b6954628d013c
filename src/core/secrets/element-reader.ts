import { credentialValue } from './credential-value.js';
import { NO_SECRETS, type Secret } from './secret.js';

/** Follows `<apiToken>` on a line of its own to the value on the next. */
export interface ElementReader {
  /** For lines that may name a credential, and the line after one that opened an element. */
  read(line: string): readonly Secret[];
  isOpen(): boolean;
  reset(): void;
}

// The indentation may begin with the marker of a diff line.
const OPENING = /^[-+ \t]{0,80}<([A-Za-z][\w.-]{0,79})>[ \t]{0,20}\r?$/;
const VALUE = /^([-+ \t]{0,80})([^\s<>]{10,2000})[ \t]{0,20}\r?$/;

export function elementReader(): ElementReader {
  let name: string | undefined;
  return {
    isOpen: () => name !== undefined,
    read: line => {
      const secret = name === undefined ? undefined : secretOf(name, line);
      name = OPENING.exec(line)?.[1];
      return secret === undefined ? NO_SECRETS : [secret];
    },
    reset: () => {
      name = undefined;
    },
  };
}

function secretOf(name: string, line: string): Secret | undefined {
  const match = VALUE.exec(line);
  if (match === null) return undefined;
  const [, indent = '', text = ''] = match;
  return credentialValue(name, { text, start: indent.length, isQuoted: true });
}
