import {
  CREDENTIAL_ANCHORS,
  elementReader,
  inlineCredentialProbes,
  readAssignment,
} from './credentials.js';
import { tokenFamilies } from './formats.js';
import { MANIFEST_ANCHORS, manifestReader } from './manifests.js';
import { type Anchored, anchorIndex, NO_SECRETS, type Probe, type Secret } from './secret.js';
import { pemBody, privateKeyProbes, tokenFormats, tokenProbes } from './tokens.js';

const MINUS = 45;

/** Reads the lines of one text in order; finds secrets that span several of them. */
export function secretReader() {
  const body = pemBody();
  const manifest = manifestReader();
  const element = elementReader();
  let lineStart = 0;
  const read = (line: string): readonly Secret[] => {
    const keySecrets = body.read(line);
    if (keySecrets !== undefined) return keySecrets;
    const { secrets, hasName, hasManifestKey } = findInLine(line);
    if (secrets.length > 0) body.note(secrets, line);
    const isManifest = hasManifestKey || manifest.isInData() || line.charCodeAt(0) === MINUS;
    const entries = isManifest ? manifest.read(line, lineStart) : NO_SECRETS;
    const values = hasName || element.isOpen() ? element.read(line) : NO_SECRETS;
    if (entries.length + values.length === 0) return secrets;
    return merge([...entries, ...values], secrets);
  };
  return {
    /**
     * The secrets of this line, in order. This line may reveal a secret on an earlier one, whose
     * offsets then count back from the start of this line.
     */
    read: (line: string): readonly Secret[] => {
      const secrets = read(line);
      lineStart += line.length + 1;
      return secrets;
    },
    /** The next line doesn't follow the last one. */
    reset: (): void => {
      body.reset();
      manifest.reset();
      element.reset();
    },
  };
}

function merge(more: readonly Secret[], found: readonly Secret[]): readonly Secret[] {
  const others = more.filter(
    one => !found.some(secret => secret.start < one.end && one.start < secret.end),
  );
  return [...others, ...found].sort((a, b) => a.start - b.start);
}

/**
 * The secrets that a single line shows on its own, in order and without overlaps. Linear in the length of the line: probes are
 * bounded and only run where their anchor may occur.
 */
function findInLine(line: string) {
  let finds: Finds | undefined;
  index()(line, (anchors, place) => {
    finds ??= { line, exact: [], names: [], hasManifestKey: false };
    return probeAt(finds, anchors, place);
  });
  if (finds === undefined) return NOTHING;
  const { exact, names, hasManifestKey } = finds;
  const secrets = withoutOverlaps(exact, readNames(line, names));
  return { secrets, hasName: names.length > 0, hasManifestKey };
}

const NOTHING = { secrets: NO_SECRETS, hasName: false, hasManifestKey: false };

let cachedIndex: ReturnType<typeof anchorIndex> | undefined;

/** Built for the first line that is scanned: half of all runs don't scan any. */
const index = (): NonNullable<typeof cachedIndex> => {
  cachedIndex ??= anchorIndex([
    ...probes().flatMap(probe => probe.anchors.map(anchor => [anchor, probe] as const)),
    ...CREDENTIAL_ANCHORS.map(anchor => [anchor, 'name'] as const),
    ...MANIFEST_ANCHORS.map(anchor => [anchor, 'manifest'] as const),
  ]);
  return cachedIndex;
};

const probes = (): readonly Probe[] => [
  ...tokenProbes(tokenFormats(tokenFamilies)),
  ...privateKeyProbes(),
  ...inlineCredentialProbes,
];

interface Finds {
  readonly line: string;
  readonly exact: Secret[];
  /** Where the line may name a credential, whose value can be on the next line. */
  readonly names: number[];
  /** Whether the line may open a part of a manifest. */
  hasManifestKey: boolean;
}

/** Returns where to continue. */
function probeAt(finds: Finds, anchors: readonly Anchored[], place: number): number {
  for (const { entry, offset } of anchors) {
    if (entry === 'manifest') finds.hasManifestKey = true;
    else if (entry === 'name') finds.names.push(place - offset);
    else {
      const secret = place < offset ? undefined : entry.find(finds.line, place - offset);
      if (secret === undefined) continue;
      finds.exact.push(secret);
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

/** A match by a token's format takes precedence over one by name. */
function withoutOverlaps(exact: readonly Secret[], named: readonly Secret[]): readonly Secret[] {
  if (exact.length + named.length < 2) return exact.length > 0 ? exact : named;
  const result: Secret[] = [];
  const isExact = new Set(exact);
  for (const secret of [...exact, ...named].sort((a, b) => a.start - b.start)) {
    const last = result.at(-1);
    if (last === undefined || last.end <= secret.start) result.push(secret);
    else if (isExact.has(secret) && !isExact.has(last)) result[result.length - 1] = secret;
  }
  return result;
}

/** Every secret in a text, in order and without overlaps. */
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

/** A value in a manifest may have been found by its name before its kind was known. */
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
