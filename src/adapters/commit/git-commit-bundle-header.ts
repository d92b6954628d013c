import { isPlainBranch } from '../../core/commit-plan.js';
import { BotError } from '../../core/failure.js';

/** One ref and one prerequisite with a subject line need far less. */
const MOST_HEADER_BYTES = 64 * 1024;
const MOST_HEADER_LINES = 20;

export interface BundleHeader {
  /** Without `refs/heads/`. */
  readonly branch: string;
  readonly tip: string;
  readonly prerequisites: readonly string[];
  /** Where the pack begins. */
  readonly packAt: number;
}

/** Reads the head of a bundle that nobody vouches for. Anything out of the ordinary is refused. */
export function readBundleHeader(bytes: Buffer, idLength: number): BundleHeader {
  const end = bytes.subarray(0, MOST_HEADER_BYTES).indexOf('\n\n');
  const [signature = '', ...lines] = bytes.toString('latin1', 0, Math.max(end, 0)).split('\n');
  if (end < 0 || !/^# v[23] git bundle$/.test(signature) || lines.length > MOST_HEADER_LINES) {
    throw badBundle('it is not a git bundle');
  }
  const prerequisites: string[] = [];
  const refs: string[] = [];
  for (const line of lines) {
    if (line.startsWith('@')) refuseCapability(line, idLength);
    else if (line.startsWith('-')) prerequisites.push(idAt(line, { from: 1, idLength }));
    else refs.push(line);
  }
  const [ref] = refs;
  if (ref === undefined || refs.length > 1)
    throw badBundle(`it holds ${refs.length} refs, not one`);
  const tip = idAt(ref, { from: 0, idLength });
  const name = /^refs\/heads\/(.+)$/.exec(ref.slice(idLength + 1))?.[1];
  if (name === undefined || !isPlainBranch(name)) {
    throw badBundle(`${JSON.stringify(ref.slice(idLength + 1, 300))} is no plain branch`);
  }
  return { branch: name, tip, prerequisites, packAt: end + 2 };
}

export const badBundle = (reason: string, cause?: unknown): BotError =>
  new BotError('not-permitted', `the bundle is refused: ${reason}`, {
    hint: 'Make it again with: apfel-bot fix-lint --out FILE',
    cause,
  });

function refuseCapability(line: string, idLength: number): void {
  const expected = `@object-format=${idLength === 64 ? 'sha256' : 'sha1'}`;
  if (line !== expected) throw badBundle(`it asks for ${JSON.stringify(line.slice(0, 100))}`);
}

function idAt(line: string, place: { readonly from: number; readonly idLength: number }): string {
  const end = place.from + place.idLength;
  const id = line.slice(place.from, end);
  if (/^[0-9a-f]+$/.test(id) && id.length === place.idLength && /^( |$)/.test(line.slice(end))) {
    return id;
  }
  throw badBundle(`${JSON.stringify(line.slice(0, 100))} is no object id`);
}
