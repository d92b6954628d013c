import { mkdirSync, readFileSync, rmdirSync, unlinkSync, writeFileSync } from 'node:fs';
import { dirname, isAbsolute, join } from 'node:path';
import type { HookFacts } from '../../hooks/hook-facts.js';
import { realOf } from './hook-path.js';

/** Nobody nests hooks deeper, and the file may come from anybody. */
const MOST_FOLDERS = 50;

/** Folders that install had to make, so that uninstall takes away those and no others. */
export function rememberFolders({ commonDir }: HookFacts, made: readonly string[]): void {
  if (made.length === 0) return;
  const file = placeIn(commonDir);
  try {
    mkdirSync(dirname(file), { recursive: true });
    const all = [...new Set([...readFolders(file), ...made])].slice(0, MOST_FOLDERS);
    writeFileSync(file, `${JSON.stringify(all)}\n`);
  } catch {
    // Then an empty folder is left behind one day; the hooks themselves are in place.
  }
}

/** Takes away those that are empty now; gives their paths. */
export function removeMadeFolders(facts: HookFacts): string[] {
  const file = placeIn(facts.commonDir);
  // The deepest first.
  const made = readFolders(file).sort((one, other) => other.length - one.length);
  const removed = made.filter(path => isOurs(path, facts) && attempt(() => rmdirSync(path)));
  if (made.length > 0) attempt(() => unlinkSync(file));
  // Where we remember other things as well it is not empty, and stays.
  if (made.length > 0) attempt(() => rmdirSync(dirname(file)));
  return removed;
}

const placeIn = (commonDir: string): string => join(commonDir, 'apfel-bot', 'hook-folders.json');

function readFolders(file: string): string[] {
  try {
    const read: unknown = JSON.parse(readFileSync(file, 'utf8'));
    const paths = Array.isArray(read) ? read : [];
    return paths.filter(path => typeof path === 'string').slice(0, MOST_FOLDERS);
  } catch {
    // Nothing was made, or nobody can tell any more.
    return [];
  }
}

/** In this repository, whatever the file says. */
const isOurs = (path: string, { top, commonDir }: HookFacts): boolean =>
  isAbsolute(path) &&
  [top, commonDir].some(root => root !== undefined && realOf(path).startsWith(`${realOf(root)}/`));

function attempt(act: () => void): boolean {
  try {
    act();
    return true;
  } catch {
    return false;
  }
}
