import { createHash } from 'node:crypto';
import { closeSync, constants, lstatSync, openSync, readFileSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import { readRegular, writeFailure, writeText } from '../platform/files.js';
import { makeOwnFolder, ownPlace, PRIVATE } from '../platform/own-files.js';

/**
 * Which lines of notes this clone wrote itself. Anybody who can push notes can write a clean record
 * for a commit, so a hook trusts no other. Kept in the git directory and never pushed.
 */
const fileIn = (commonDir: string): string => ownPlace(commonDir, 'own-notes');

/**
 * A line has 44 characters, so this is sixty thousand commits. Beyond it the older half is dropped.
 */
const MAX_BYTES = 2_700_000;

export async function rememberOwn(commonDir: string, lines: readonly string[]): Promise<void> {
  const file = fileIn(commonDir);
  try {
    makeOwnFolder(dirname(file));
    // A pipe or a link in its place is an error, and must not block.
    const { O_APPEND, O_CREAT, O_NOFOLLOW, O_NONBLOCK, O_WRONLY } = constants;
    const how = O_APPEND | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_WRONLY;
    const handle = openSync(file, how, PRIVATE);
    try {
      // In one write, so that two processes don't mix their lines.
      writeSync(handle, lines.map(line => `${digestOf(line)}\n`).join(''));
    } finally {
      closeSync(handle);
    }
    const { size } = lstatSync(file);
    if (size > MAX_BYTES)
      await writeText(file, readFileSync(file, 'latin1').slice(size / 2), PRIVATE);
  } catch (thrown) {
    throw writeFailure(`can't write ${file}`, thrown);
  }
}

/** Whether this clone wrote the line. If the file is a link or unreadable, it didn't. */
export function ownLines(commonDir: string): (line: string) => boolean {
  const file = fileIn(commonDir);
  try {
    if (lstatSync(file).isSymbolicLink()) return () => false;
    const known = new Set(readRegular(file, 2 * MAX_BYTES, 'latin1').split('\n'));
    return line => known.has(digestOf(line));
  } catch {
    return () => false;
  }
}

const digestOf = (line: string): string => createHash('sha256').update(line).digest('base64url');
