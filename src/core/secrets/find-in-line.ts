import { type Anchored, anchorIndex } from './anchor-index.js';
import { inlineCredentialProbes } from './inline-credential-probes.js';
import { MANIFEST_ANCHORS } from './manifest-reader.js';
import { privateKeyProbes } from './private-key-probes.js';
import { CREDENTIAL_ANCHORS, readAssignment } from './read-assignment.js';
import { NO_SECRETS, type Probe, type Secret } from './secret.js';
import { tokenFamilies } from './token-families.js';
import { tokenFormats } from './token-formats.js';
import { tokenProbes } from './token-probes.js';

export interface LineFinds {
  /** In order and without overlaps. */
  readonly secrets: readonly Secret[];
  /** Whether the line may name a credential whose value stands on the next. */
  readonly hasName: boolean;
  /** Whether the line may open a part of a manifest. */
  readonly hasManifestKey: boolean;
}

/**
 * The secrets that a single line shows by itself. Linear in the length of the line: the probes are
 * bounded and look only where their anchor may stand.
 */
export function findInLine(line: string): LineFinds {
  let seen: Seen | undefined;
  index().visit(line, (anchors, place) => {
    seen ??= { line, exact: [], names: [], hasManifestKey: false };
    return look(seen, anchors, place);
  });
  if (seen === undefined) return NOTHING;
  const { exact, names, hasManifestKey } = seen;
  const secrets = withoutOverlaps(exact, readNames(line, names));
  return { secrets, hasName: names.length > 0, hasManifestKey };
}

const NOTHING: LineFinds = { secrets: NO_SECRETS, hasName: false, hasManifestKey: false };

/** Not the place of a secret by itself, but a reason to look closer. */
type Mark = 'name' | 'manifest';

let made: ReturnType<typeof anchorIndex<Probe | Mark>> | undefined;

/** Made when the first line is looked at: half of all starts look at none. */
const index = (): NonNullable<typeof made> => {
  made ??= anchorIndex<Probe | Mark>([
    ...probes().flatMap(probe => probe.anchors.map(anchor => [anchor, probe] as const)),
    ...CREDENTIAL_ANCHORS.map(anchor => [anchor, 'name'] as const),
    ...MANIFEST_ANCHORS.map(anchor => [anchor, 'manifest'] as const),
  ]);
  return made;
};

const probes = (): readonly Probe[] => [
  ...tokenProbes(tokenFormats(tokenFamilies)),
  ...privateKeyProbes(),
  ...inlineCredentialProbes,
];

interface Seen {
  readonly line: string;
  readonly exact: Secret[];
  readonly names: number[];
  hasManifestKey: boolean;
}

/** Returns where to go on. */
function look(seen: Seen, anchors: ReadonlyArray<Anchored<Probe | Mark>>, place: number): number {
  for (const { entry, offset } of anchors) {
    if (entry === 'manifest') seen.hasManifestKey = true;
    else if (entry === 'name') seen.names.push(place - offset);
    else {
      const secret = place < offset ? undefined : entry.find(seen.line, place - offset);
      if (secret === undefined) continue;
      seen.exact.push(secret);
      return Math.max(place + 1, secret.end);
    }
  }
  return place + 1;
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
