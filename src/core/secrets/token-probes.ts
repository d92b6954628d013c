import { isPublished, isStandIn } from './placeholder.js';
import { entropy } from './randomness.js';
import type { Probe, Secret } from './secret.js';
import type { TokenFormat } from './token-formats.js';

export const tokenProbes = (formats: readonly TokenFormat[]): readonly Probe[] =>
  formats.map(format => ({
    anchors: format.anchors,
    find: (text, place) => findToken(format, text, place),
  }));

function findToken(format: TokenFormat, text: string, place: number): Secret | undefined {
  const { pattern, kind } = format;
  pattern.lastIndex = place - format.back;
  if (pattern.lastIndex < 0) return undefined;
  const match = pattern.exec(text);
  if (match === null) return undefined;
  const value = match[2] ?? '';
  const body = value.slice(format.prefixLength);
  if (entropy(body) < format.entropy || isStandIn(value)) return undefined;
  const start = match.index + (match[1]?.length ?? 0);
  const end = endOfTail(format, text, start + value.length);
  if (isPublished(text.slice(start, end))) return undefined;
  const publicLength = Math.min(4, format.prefixLength);
  return { kind, start, end, publicLength, isContinuation: false };
}

function endOfTail(format: TokenFormat, text: string, end: number): number {
  if (format.tail === undefined) return end;
  format.tail.lastIndex = end;
  return end + (format.tail.exec(text)?.[0].length ?? 0);
}
