import type { Secret } from './secret.js';
import { secretReader } from './secret-reader.js';

/** Every secret of a text of any number of lines, in order and without overlaps. */
export function findSecrets(text: string): readonly Secret[] {
  const reader = secretReader();
  const secrets: Secret[] = [];
  let start = 0;
  while (start <= text.length) {
    const newline = text.indexOf('\n', start);
    const end = newline === -1 ? text.length : newline;
    for (const secret of reader.read(text.slice(start, end))) {
      secrets.push({ ...secret, start: secret.start + start, end: secret.end + start });
    }
    start = end + 1;
  }
  return inOrder(secrets);
}

/** A value of a manifest may have been found by its name before its kind was known. */
function inOrder(secrets: readonly Secret[]): readonly Secret[] {
  let end = 0;
  return [...secrets]
    .sort((a, b) => a.start - b.start)
    .filter(secret => {
      const isFree = secret.start >= end;
      if (isFree) end = secret.end;
      return isFree;
    });
}
