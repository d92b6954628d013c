import { lstat, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { BotError } from '../../core/failure.js';
import { writeFailure } from '../scratch/scratch-failure.js';

export type OwnFolder = 'runs' | 'rooms';

/** A folder of ours in the git directory, made if need be. */
export async function ownFolder(commonDir: string, name: OwnFolder): Promise<string> {
  const folder = join(commonDir, 'apfel-bot', name);
  try {
    // One by one: made in one go, a read-only disk is reported as a missing folder.
    for (const path of [join(commonDir, 'apfel-bot'), folder]) await makeFolder(path);
  } catch (thrown) {
    throw writeFailure(`cannot write in the git directory ${commonDir}`, thrown);
  }
  if (await isOwn(commonDir, name)) return folder;
  throw new BotError('git', `${join(commonDir, 'apfel-bot')} leads somewhere else`, {
    hint: 'Remove the link; apfel-bot keeps its records there',
  });
}

/** A git directory may come from somebody else: a link in our place would lead us astray. */
export async function isOwn(commonDir: string, name: OwnFolder): Promise<boolean> {
  for (const path of [join(commonDir, 'apfel-bot'), join(commonDir, 'apfel-bot', name)]) {
    const found = await lstat(path).catch(() => undefined);
    if (!found?.isDirectory()) return false;
  }
  return true;
}

const makeFolder = (path: string): Promise<void> =>
  mkdir(path).catch(thrown => {
    if (thrown.code !== 'EEXIST') throw thrown;
  });
