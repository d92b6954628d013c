import { ai } from './ai.js';
import { anchorIndex } from './anchor-index.js';
import { chat } from './chat.js';
import { cloud } from './cloud.js';
import { CREDENTIAL_ANCHORS, readAssignment } from './credential.js';
import { forges } from './forges.js';
import { inlineCredentialProbes } from './inline-credential.js';
import { payments } from './payments.js';
import { privateKeyProbes } from './private-key.js';
import { NO_SECRETS, type Probe, type Secret } from './secret.js';
import { services } from './services.js';
import { type TokenFamily, tokenFormats } from './token-format.js';
import { tokenProbes } from './token-probes.js';
import { vaults } from './vaults.js';

export const FAMILIES: readonly TokenFamily[] = [
  ...cloud,
  ...vaults,
  ...forges,
  ...payments,
  ...chat,
  ...ai,
  ...services,
];

const PROBES: readonly Probe[] = [
  ...tokenProbes(tokenFormats(FAMILIES)),
  ...privateKeyProbes,
  ...inlineCredentialProbes,
];

const NAME = 'name';

const INDEX = anchorIndex<Probe | typeof NAME>([
  ...PROBES.flatMap(probe => probe.anchors.map(anchor => [anchor, probe] as const)),
  ...CREDENTIAL_ANCHORS.map(anchor => [anchor, NAME] as const),
]);

/**
 * The secrets that a single line shows by itself, in order and without overlaps. Linear in the
 * length of the line: the probes are bounded and look only where their anchor may stand.
 */
export function findInLine(line: string): readonly Secret[] {
  let exact: Secret[] | undefined;
  let names: number[] | undefined;
  INDEX.visit(line, (anchors, place) => {
    for (const { entry, offset } of anchors) {
      if (entry === NAME) {
        names ??= [];
        names.push(place - offset);
        continue;
      }
      const secret = place < offset ? undefined : entry.find(line, place - offset);
      if (secret === undefined) continue;
      exact ??= [];
      exact.push(secret);
      return Math.max(place + 1, secret.end);
    }
    return place + 1;
  });
  if (exact === undefined && names === undefined) return NO_SECRETS;
  return withoutOverlaps(exact ?? [], readNames(line, names ?? []));
}

function readNames(line: string, places: readonly number[]): readonly Secret[] {
  const secrets: Secret[] = [];
  let readUntil = 0;
  for (const place of places) {
    if (place < readUntil) continue;
    const { secret, nameEnd } = readAssignment(line, place, readUntil);
    readUntil = nameEnd;
    if (secret !== undefined) secrets.push(secret);
  }
  return secrets;
}

/** What a token's own format says weighs more than what a name suggests. */
function withoutOverlaps(exact: readonly Secret[], named: readonly Secret[]): readonly Secret[] {
  if (exact.length + named.length < 2) return exact.length > 0 ? exact : named;
  const kept: Secret[] = [];
  const isExact = new Set(exact);
  for (const secret of [...exact, ...named].sort((a, b) => a.start - b.start)) {
    const last = kept.at(-1);
    if (last === undefined || last.end <= secret.start) kept.push(secret);
    else if (isExact.has(secret) && !isExact.has(last)) kept[kept.length - 1] = secret;
  }
  return kept;
}
