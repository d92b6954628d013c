import { lstatSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';

/** Everything below a folder: names, modes, links and bytes. */
export function photograph(dir: string): string[] {
  return readdirSync(dir, { recursive: true, encoding: 'utf8' })
    .sort()
    .map(name => {
      const path = join(dir, name);
      const stats = lstatSync(path);
      if (stats.isDirectory()) return `${name}/`;
      const content = stats.isSymbolicLink() ? readlinkSync(path) : readFileSync(path, 'hex');
      return `${name} ${stats.mode.toString(8)} ${content}`;
    });
}
