import { lstatSync } from 'node:fs';
import { join } from 'node:path';
import { namesIn } from '../look-in-folder.js';

/** A note is written in a fraction of a second; a room this old is nobody's. */
const OLD_MS = 60 * 60_000;

/** Clears away what runs that died have left, a lock on the notes for example. */
export async function sweepNotes(commonDir: string): Promise<void> {
  // Hardly ever needed, and git waits for every byte that is loaded.
  const { sweepRuns } = await import('../records/run-records-sweep.js');
  await sweepRuns(commonDir, Date.now());
}

/** The same where a look at one folder, almost always empty, says that there is something. */
export async function sweepOldRooms(commonDir: string): Promise<void> {
  const folder = join(commonDir, 'apfel-bot', 'rooms');
  if (namesIn(folder).some(name => isOld(join(folder, name)))) await sweepNotes(commonDir);
}

function isOld(path: string): boolean {
  const facts = lstatSync(path, { throwIfNoEntry: false });
  return facts !== undefined && Date.now() - facts.mtimeMs >= OLD_MS;
}
