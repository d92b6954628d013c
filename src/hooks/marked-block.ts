import type { HookName } from './facts.js';

/** Where the block goes, and its indentation. */
export interface InsertPosition {
  readonly at: number;
  readonly pad: string;
}

/**
 * Adds our lines to somebody else's file, between two comments that name them. Removing the block
 * gives back the same bytes, with or without a newline at the end of the file.
 */
export function addBlock(
  text: string,
  position: InsertPosition,
  block: { readonly hook: HookName; readonly lines: readonly string[] },
): string {
  const lines = textLines(text);
  const marked = [beginOf(block.hook), ...block.lines, endOf(block.hook)];
  lines.splice(position.at, 0, ...marked.map(line => position.pad + line));
  return lines.join(lineEnd(text));
}

/** Unchanged when there is no such block, or only half of one. */
export function removeBlock(text: string, hook: HookName): string {
  const lines = textLines(text);
  const begin = lines.findIndex(line => line.trim() === beginOf(hook));
  const end = lines.findIndex((line, at) => at > begin && line.trim() === endOf(hook));
  if (begin < 0 || end < 0) return text;
  lines.splice(begin, end - begin + 1);
  return lines.join(lineEnd(text));
}

export const textLines = (text: string): string[] => text.split(lineEnd(text));

/** After the last line; a final newline doesn't start another line. */
export const insertAtEnd = (text: string): InsertPosition => {
  const lines = textLines(text);
  return { at: lines.at(-1) === '' ? lines.length - 1 : lines.length, pad: '' };
};

const lineEnd = (text: string): string => (text.includes('\r\n') ? '\r\n' : '\n');

const beginOf = (hook: HookName): string =>
  `# apfel-bot ${hook}: begin (apfel-bot uninstall takes these lines out)`;

const endOf = (hook: HookName): string => `# apfel-bot ${hook}: end`;

/** A range of lines and their indentation. */
interface YamlBlock {
  readonly from: number;
  readonly to: number;
  readonly pad: string;
}

/** `inline`: the key is there, but its value is on the same line. */
type YamlValue = YamlBlock | 'absent' | 'inline';

/**
 * The lines below a key, found by indentation alone so that no other byte of the file changes.
 * YAML has more ways to write things than this knows: callers must check the edited text with a
 * real parser.
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

export const positionAtEnd = (block: YamlBlock): InsertPosition => ({
  at: block.to,
  pad: block.pad,
});

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
