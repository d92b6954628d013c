import { credentialName } from './credential-name.js';
import { isInvented } from './placeholder.js';
import { looksRandom } from './randomness.js';
import type { Secret } from './secret.js';

/** What is assigned to a name, and where it stands. */
export interface Value {
  readonly text: string;
  readonly start: number;
  readonly isQuoted: boolean;
}

/** The value as a secret when its name and its looks say so; in doubt it is none. */
export function credentialValue(name: string, value: Value): Secret | undefined {
  const meaning = credentialName(name);
  if (meaning === undefined) return undefined;
  const isPassword = meaning === 'password';
  if (!isDrawn(value) && !(isPassword && isChosen(value))) return undefined;
  return {
    kind: isPassword ? 'password' : 'generic-credential',
    start: value.start,
    end: value.start + value.text.length,
    publicLength: 0,
    isContinuation: false,
  };
}

const NOT_DRAWN = /[()<>[\]{}]|:\/\/|\.[a-z]{2,4}$|^\//;
/** `module.Ed25519Key`: parts of a member access are shorter than what a machine draws. */
const MEMBER = /^[A-Za-z_]\w{0,19}(?:\.[A-Za-z_]\w{0,19}){1,8}$/;

function isDrawn({ text, isQuoted }: Value): boolean {
  if (NOT_DRAWN.test(text) || (!isQuoted && MEMBER.test(text))) return false;
  return looksRandom(text) && !isInvented(text);
}

/** A password a person made up to satisfy a policy: three kinds of characters. */
function isChosen({ text, isQuoted }: Value): boolean {
  const minimum = isQuoted ? 8 : 10;
  if (text.length < minimum || text.length > 64) return false;
  if (/^[/~]|[a-z]\.[a-z]|[()<>[\]{};,]|:\/\//i.test(text)) return false;
  const kinds = [/[a-z]/, /[A-Z]/, /[0-9]/, /[^A-Za-z0-9_.-]/];
  return kinds.filter(kind => kind.test(text)).length >= 3 && !isInvented(text);
}
