import type { HookName } from './hook-name.js';

/** Where the block goes, and how far in its lines stand. */
export interface Seat {
  readonly at: number;
  readonly pad: string;
}

/**
 * Our lines in somebody else's file, between two comments that name them. Taking the block out
 * again gives back the very same bytes, with or without a line end at the end of the file.
 */
export function addBlock(
  text: string,
  seat: Seat,
  block: { readonly hook: HookName; readonly lines: readonly string[] },
): string {
  const lines = textLines(text);
  const marked = [beginOf(block.hook), ...block.lines, endOf(block.hook)];
  lines.splice(seat.at, 0, ...marked.map(line => seat.pad + line));
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

/** Behind the last line; what follows a final line end is not a line. */
export const endSeat = (text: string): Seat => {
  const lines = textLines(text);
  return { at: lines.at(-1) === '' ? lines.length - 1 : lines.length, pad: '' };
};

const lineEnd = (text: string): string => (text.includes('\r\n') ? '\r\n' : '\n');

const beginOf = (hook: HookName): string =>
  `# apfel-bot ${hook}: begin (apfel-bot uninstall takes these lines out)`;

const endOf = (hook: HookName): string => `# apfel-bot ${hook}: end`;
