import { BotError } from '../core/failure.js';
import type { Git } from '../world.js';

/** A path as the user typed it → from the top of the repository; one outside is a usage failure. */
export function narrowTo(path: string, git: Git | undefined): string {
  const { top, prefix = '' } = git?.repository ?? {};
  if (path === '') {
    const hint = 'Leave it out for everything, or name "."';
    throw new BotError('usage', 'a path behind -- is empty, found ""', { hint });
  }
  const inside = path.startsWith('/') ? withoutTop(path, top) : prefix + path;
  const parts: string[] = [];
  for (const part of inside?.split('/') ?? ['..']) {
    if (part === '..' && parts.pop() === undefined) throw outside(path, top);
    if (part !== '' && part !== '.' && part !== '..') parts.push(part);
  }
  // Git takes "." for everything; an empty path would be an error.
  return parts.join('/') || '.';
}

function withoutTop(path: string, top: string | undefined): string | undefined {
  if (top === undefined) return undefined;
  if (path === top) return '';
  return path.startsWith(`${top}/`) ? path.slice(top.length + 1) : undefined;
}

const outside = (path: string, top: string | undefined): BotError =>
  new BotError('usage', `the path ${JSON.stringify(path)} lies outside the repository`, {
    hint: top === undefined ? 'Name paths from its top' : `The repository's top is ${top}`,
  });
