import type { Parsed } from '../core/task.js';
import { openGit } from '../git/git.js';
import type { Session } from '../session.js';
import { readHookConfig } from './call.js';

/** Whether what the deadline cut off is wanted later, in the background. */
export async function goesOnLater(parsed: Parsed, session: Session): Promise<boolean> {
  const git = await openGit({ ...session, expectsStaged: false });
  return (await readHookConfig(parsed, git)).settings.background;
}
