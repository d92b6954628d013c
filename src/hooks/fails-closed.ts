import { saysFailClosed } from '../config/find.js';
import { openGit } from '../git/git.js';
import { nodeFiles } from '../platform/files.js';
import type { HookCall } from './call.js';

/** For a failure that came before the configuration was understood: it may be faulty elsewhere. */
export async function failsClosed({ parsed, session }: HookCall): Promise<boolean> {
  try {
    const git = await openGit({ ...session, expectsStaged: false });
    const file = parsed.values.get('config');
    return await saysFailClosed({ file, base: undefined, git, files: nodeFiles });
  } catch {
    // Without a repository there is no configuration; the time may be up as well.
    return false;
  }
}
