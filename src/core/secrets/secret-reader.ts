import { elementReader } from './element-reader.js';
import { findInLine } from './find-in-line.js';
import { manifestReader } from './manifest-reader.js';
import { pemBody } from './pem-body.js';
import { NO_SECRETS, type Secret } from './secret.js';

/** Reads the lines of one text in order and remembers what spans several of them. */
export interface SecretReader {
  /**
   * The secrets of this line, in order. A secret that only this line gives away may lie on an
   * earlier one: its offsets then count back from the start of this line.
   */
  read(line: string): readonly Secret[];
  /** The next line does not follow the last one. */
  reset(): void;
}

const MINUS = 45;

export function secretReader(): SecretReader {
  const body = pemBody();
  const manifest = manifestReader();
  const element = elementReader();
  let lineStart = 0;
  const read = (line: string): readonly Secret[] => {
    const ofKey = body.read(line);
    if (ofKey !== undefined) return ofKey;
    const { secrets, hasName, hasManifestKey } = findInLine(line);
    if (secrets.length > 0) body.note(secrets, line);
    const isManifest = hasManifestKey || manifest.isInData() || line.charCodeAt(0) === MINUS;
    const entries = isManifest ? manifest.read(line, lineStart) : NO_SECRETS;
    const values = hasName || element.isOpen() ? element.read(line) : NO_SECRETS;
    if (entries.length + values.length === 0) return secrets;
    return joined([...entries, ...values], secrets);
  };
  return {
    read: line => {
      const secrets = read(line);
      lineStart += line.length + 1;
      return secrets;
    },
    reset: () => {
      body.reset();
      manifest.reset();
      element.reset();
    },
  };
}

function joined(more: readonly Secret[], found: readonly Secret[]): readonly Secret[] {
  const others = more.filter(
    one => !found.some(secret => secret.start < one.end && one.start < secret.end),
  );
  return [...others, ...found].sort((a, b) => a.start - b.start);
}
