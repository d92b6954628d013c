import type { Seat } from './marked-block.js';

/** A run of lines and how far in they stand. */
export interface YamlBlock {
  readonly from: number;
  readonly to: number;
  readonly pad: string;
}

/** `inline`: the key is there, but its value stands on the same line. */
export type YamlValue = YamlBlock | 'absent' | 'inline';

/**
 * What stands below a key, found by its indentation alone so that not a byte of the file changes.
 * YAML has more ways to write things than this knows: whoever edits by it must read the result
 * again with a real parser.
 */
export function yamlValue(
  lines: readonly string[],
  key: string,
  within: YamlBlock = { from: 0, to: lines.length, pad: '' },
): YamlValue {
  for (let at = within.from; at < within.to; at += 1) {
    const rest = afterKey(lines[at] ?? '', within.pad, key);
    if (rest === undefined) continue;
    if (rest !== '' && !rest.startsWith('#')) return 'inline';
    return blockBelow(lines, at, within);
  }
  return 'absent';
}

/** Behind the last line of a block. */
export const seatAtEnd = (block: YamlBlock): Seat => ({ at: block.to, pad: block.pad });

function afterKey(line: string, pad: string, key: string): string | undefined {
  for (const spelling of [key, `"${key}"`, `'${key}'`]) {
    const start = `${pad}${spelling}:`;
    if (line.startsWith(start)) return line.slice(start.length).trim();
  }
  return undefined;
}

function blockBelow(lines: readonly string[], key: number, within: YamlBlock): YamlBlock {
  const depth = within.pad.length;
  let to = key + 1;
  let pad: string | undefined;
  for (let at = key + 1; at < within.to; at += 1) {
    const line = lines[at] ?? '';
    const text = line.trimStart();
    if (text === '') continue;
    const indent = line.length - text.length;
    const isItem = text.startsWith('- ') || text === '-';
    const isBelow = indent > depth || (indent === depth && isItem);
    if (isBelow) to = at + 1;
    if (isBelow && !text.startsWith('#')) pad ??= line.slice(0, indent);
    if (!isBelow && !text.startsWith('#')) break;
  }
  return { from: key + 1, to, pad: pad ?? `${within.pad}  ` };
}
