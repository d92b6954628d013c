import { accessSync, constants, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { BotError } from '../core/bot-error.js';
import { isDevicePath } from './files.js';

/** Fails before the work, not after it, if `--out FILE` can't be written. */
export function mustBeWritable(file: string | undefined): void {
  if (file === undefined) return;
  const problem = problemWith(file);
  if (problem === undefined) return;
  throw new BotError('usage', `cannot write ${file}: ${problem}`, {
    hint: 'Name a file in an existing folder that you can write to',
  });
}

function problemWith(file: string): string | undefined {
  if (isDevicePath(file)) return undefined;
  const there = kindOf(file);
  if (there?.isDirectory()) return `${file} is a folder`;
  // Opening a pipe that nobody reads would hang, even on Ctrl-C.
  if (there !== undefined && !there.isFile()) return `${file} is a pipe or a device`;
  const folder = dirname(file);
  const kind = kindOf(folder);
  if (kind === undefined) return `there is no folder ${folder}`;
  if (!kind.isDirectory()) return `${folder} is not a folder`;
  try {
    accessSync(folder, constants.W_OK);
    return undefined;
  } catch {
    return `${folder} is not writable`;
  }
}

function kindOf(path: string): ReturnType<typeof statSync> {
  try {
    return statSync(path);
  } catch {
    return undefined;
  }
}
