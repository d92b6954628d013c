import { kindName } from '../secrets/formats.js';
import { secretReader } from '../secrets/scan.js';
import type { Secret } from '../secrets/secret.js';
import { type Hit, type LineCheck, NO_HITS } from './check.js';

/** Tokens, private keys and passwords on added lines. Messages never show the value. */
export const secretCheck: LineCheck = {
  rules: { 'secret/*': 'error' },
  guards: true,
  open: () => {
    const reader = secretReader();
    // A key over several lines is reported once, on its first added line.
    let isReported = false;
    return line => {
      if (line.startsHunk) reader.reset();
      const secrets = reader.read(line.text);
      if (secrets.length === 0) return NO_HITS;
      const isNew = !isReported || secrets.some(secret => !secret.isContinuation);
      isReported = line.isAdded || !isNew;
      if (!line.isAdded || !isNew) return NO_HITS;
      return secrets.map(secret => hit(secret, line.text));
    };
  },
};

function hit(secret: Secret, text: string): Hit {
  const name = kindName(secret.kind);
  const isEarlier = secret.start < 0;
  return {
    rule: `secret/${secret.kind}`,
    message: `This looks like ${name}. Remove it and revoke it: anyone with the commit can read it.`,
    column: isEarlier ? 1 : secret.start + 1,
    endColumn: isEarlier ? text.length + 1 : secret.end + 1,
  };
}
