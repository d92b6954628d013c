import { lstatSync, readdirSync } from 'node:fs';

/** Not through a link; one that cannot be looked at is none to us. */
export function isFolder(path: string): boolean {
  try {
    return lstatSync(path).isDirectory();
  } catch {
    return false;
  }
}

/** What is in a folder, if it is there. */
export function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
