import { openGit } from '../adapters/git/git.js';
import type { Parsed } from '../trigger/parse-argv.js';
import type { Desk } from './desk.js';
import { readHookConfig } from './hook-settings.js';

/** Whether what the deadline cut off is wanted later, in the background. */
export async function goesOnLater(parsed: Parsed, desk: Desk): Promise<boolean> {
  const git = await openGit({ ...desk, expectsStaged: false });
  return (await readHookConfig(parsed, git)).settings.background;
}
