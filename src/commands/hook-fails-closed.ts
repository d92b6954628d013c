import { openGit } from '../adapters/git/git.js';
import { nodeFiles } from '../adapters/node-files.js';
import { saysFailClosed } from '../trigger/find-config.js';
import type { HookCall } from './hook-call.js';

/** For a failure that came before the configuration was understood: it may be faulty elsewhere. */
export async function failsClosed({ parsed, desk }: HookCall): Promise<boolean> {
  try {
    const git = await openGit({ ...desk, expectsStaged: false });
    const file = parsed.values.get('config');
    return await saysFailClosed({ file, base: undefined, git, files: nodeFiles });
  } catch {
    // Without a repository there is no configuration; the time may be up as well.
    return false;
  }
}
