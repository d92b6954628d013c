import { join } from 'node:path';
import { namesIn } from '../look-in-folder.js';
import { ownPlace, removeOwnFile } from '../own-file.js';
import { isAlive } from './run-records-process.js';

/** As `nodeFiles.write` calls what is not whole yet. */
const UNFINISHED = /\.([0-9]{1,10})\.tmp$/;

/**
 * Takes away files of ours that a killed process was writing. Whose process lives is left alone;
 * so is one whose number somebody else has by now, until the next time.
 */
export async function removeUnfinishedFiles(gitDir: string): Promise<void> {
  const places = [ownPlace(gitDir), ownPlace(gitDir, 'queue')];
  await Promise.all(places.map(removeIn));
}

async function removeIn(folder: string): Promise<void> {
  for (const name of namesIn(folder)) {
    const [, pid] = UNFINISHED.exec(name) ?? [];
    if (pid === undefined || (await isAlive(Number(pid), undefined))) continue;
    await removeOwnFile(join(folder, name));
  }
}
