import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { BotError } from '../../core/failure.js';
import { isFolder } from '../look-in-folder.js';
import { writeFailure } from '../scratch/scratch-failure.js';

export type OwnFolder = 'runs' | 'rooms';

/** A folder of ours in the git directory, made if need be. */
export async function ownFolder(commonDir: string, name: OwnFolder): Promise<string> {
  const folder = join(commonDir, 'apfel-bot', name);
  try {
    // One by one: made in one go, a read-only disk is reported as a missing folder.
    for (const path of [join(commonDir, 'apfel-bot'), folder]) makeFolder(path);
  } catch (thrown) {
    throw writeFailure(`cannot write in the git directory ${commonDir}`, thrown);
  }
  if (isOwn(commonDir, name)) return folder;
  throw new BotError('git', `${join(commonDir, 'apfel-bot')} leads somewhere else`, {
    hint: 'Remove the link; apfel-bot keeps its records there',
  });
}

/** A git directory may come from somebody else: a link in our place would lead us astray. */
export const isOwn = (commonDir: string, name: OwnFolder): boolean =>
  [join(commonDir, 'apfel-bot'), join(commonDir, 'apfel-bot', name)].every(isFolder);

function makeFolder(path: string): void {
  try {
    mkdirSync(path);
  } catch (thrown) {
    const isThere = thrown instanceof Error && 'code' in thrown && thrown.code === 'EEXIST';
    if (!isThere) throw thrown;
  }
}
