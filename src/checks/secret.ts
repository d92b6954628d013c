import { kindName } from '../secrets/formats.js';
import { entropy, isPlaceholder } from '../secrets/placeholder.js';
import { secretReader } from '../secrets/scan.js';
import type { Secret } from '../secrets/secret.js';
import { type Hit, type LineCheck, type LineJudge, type NewSideLine, NO_HITS } from './check.js';
import { fileRole } from './language.js';

/** Tokens, private keys and passwords on added lines. Messages never show the value. */
export const secretCheck: LineCheck = {
  rules: { 'secret/*': 'error' },
  guards: true,
  open: ({ path }, view) => openJudge(path, view !== undefined),
};

function openJudge(path: string, isCode: boolean): LineJudge {
  const reader = secretReader();
  const state: State = { armour: undefined, isReported: false };
  const isSample = fileRole(path).isSample;
  // The service that a key belongs to is named in its path, or up to three lines above.
  let above = [path, '', '', ''];
  return line => {
    if (line.startsHunk) {
      reader.reset();
      state.armour = undefined;
      state.isReported = false;
      above = [path, '', '', ''];
    }
    const secrets = reader.read(line.text);
    const hits =
      secrets.length === 0
        ? NO_HITS
        : secrets
            .filter(secret => !isPublicByDesign(secret, line.text, above))
            .filter(secret => !(secret.isLookalike && isCode && line.text.length > MAX_WRITTEN))
            .flatMap(secret => judge(secret, line, state));
    above[1] = above[2] ?? '';
    above[2] = above[3] ?? '';
    above[3] = line.text;
    return isSample ? hits.map(hit => ({ ...hit, severity: 'warning' })) : hits;
  };
}

/** Only tools write longer lines of code, in which any name and value look like a credential. */
const MAX_WRITTEN = 2000;

interface State {
  /** The added first line of a private key whose body hasn't been read yet. */
  armour: { readonly line: NewSideLine; readonly secret: Secret } | undefined;
  /** A key over several lines is reported once, on its first added line. */
  isReported: boolean;
}

function judge(secret: Secret, line: NewSideLine, state: State): Hit[] {
  const { armour } = state;
  if (!secret.isContinuation) {
    const isArmour = isBareArmour(secret, line.text);
    state.armour = isArmour && line.isAdded ? { line, secret } : undefined;
    state.isReported = !isArmour && line.isAdded;
    return state.isReported ? [toHit(secret, line)] : [];
  }
  if (state.isReported) return [];
  if (armour === undefined) {
    state.isReported = line.isAdded;
    return line.isAdded ? [toHit(secret, line)] : [];
  }
  state.isReported = true;
  // Documentation often shows a key as its BEGIN and END lines around a few words.
  const body = line.text.slice(secret.start, secret.end);
  const isKey = body.length >= MIN_BODY && entropy(body) > 3 && !isPlaceholder(body);
  return isKey ? [{ ...toHit(armour.secret, armour.line), at: armour.line }] : [];
}

/** The shortest keys have 64 characters; people wrap them, but not into less. */
const MIN_BODY = 40;

const isBareArmour = ({ kind, start, end, publicLength }: Secret, text: string): boolean =>
  kind === 'private-key' && end - start === publicLength && text.startsWith('-----', start);

// Public keys that every visitor of a page or user of an app gets.
const PUBLIC_KINDS: ReadonlySet<string> = new Set(['google-api-key', 'generic-credential']);
const PUBLIC_SERVICE = /firebase|GoogleService-Info|google-services\.json|algolia|docsearch/i;
const PRIVILEGED = /admin|write|secret|private|server/i;

const isPublicByDesign = (secret: Secret, text: string, above: readonly string[]): boolean =>
  PUBLIC_KINDS.has(secret.kind) &&
  !PRIVILEGED.test(text.slice(0, Math.max(0, secret.start))) &&
  (PUBLIC_SERVICE.test(text) || above.some(one => PUBLIC_SERVICE.test(one)));

const masked = ({ start, end, publicLength }: Secret, text: string): string =>
  text.slice(0, start + publicLength) + '*'.repeat(end - start - publicLength) + text.slice(end);

function toHit(secret: Secret, { text }: NewSideLine): Hit {
  const name = kindName(secret.kind);
  const isEarlier = secret.start < 0;
  return {
    rule: `secret/${secret.kind}`,
    message: `This looks like ${name}. Remove it and revoke it: anyone with the commit can read it.`,
    column: isEarlier ? 1 : secret.start + 1,
    endColumn: isEarlier ? text.length + 1 : secret.end + 1,
    ...(!isEarlier && { evidence: masked(secret, text) }),
    ...(secret.isLookalike && { severity: 'warning' as const }),
  };
}
