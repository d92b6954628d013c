import { lstatSync, readlinkSync, realpathSync, type Stats, statSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';

/** With all links followed; of a path that is not there yet, as far as it is. */
export function realOf(path: string, hops = MOST_HOPS): string {
  try {
    return realpathSync(path);
  } catch {
    const parent = dirname(path);
    if (parent === path || hops === 0) return path;
    const isLink = lstatOf(path)?.isSymbolicLink() === true;
    if (isLink) return realOf(resolve(parent, readlinkSync(path)), hops - 1);
    return join(realOf(parent, hops), basename(path));
  }
}

/** As many links in a row as Linux follows; a circle has no end. */
const MOST_HOPS = 40;

/** Of the link itself; undefined when there is nothing, or it cannot be seen. */
export const lstatOf = (path: string): Stats | undefined => attempt(() => lstatSync(path));

/** Of what a link leads to, which may be nothing. */
export const statOf = (path: string): Stats | undefined => attempt(() => statSync(path));

function attempt(look: () => Stats): Stats | undefined {
  try {
    return look();
  } catch {
    return undefined;
  }
}
