import { savedRunNames } from '../adapters/records/saved-runs.js';
import type { AuditRun } from '../audit/audit-run.js';
import { isBotError } from '../core/failure.js';
import type { Git } from '../world.js';
import { headOf, loadRun } from './show-load.js';

/** Of each commit the newest run of this clone that ended in it, as far as one is kept. */
export async function keptRuns(
  commits: readonly string[],
  git: Git,
): Promise<Map<string, AuditRun>> {
  const found = new Map<string, AuditRun>();
  const wanted = new Set<unknown>(commits);
  for (const run of savedRunNames(git.repository.commonDir)) {
    // Every run is a file to be read.
    if (found.size === wanted.size) break;
    const head = headOf(run, git);
    if (typeof head !== 'string' || !wanted.has(head) || found.has(head)) continue;
    const kept = await usable(run, git);
    if (kept !== undefined) found.set(head, kept);
  }
  return found;
}

/** A broken file says nothing; an older run may. `show RUN` tells what is wrong with it. */
async function usable(run: string, git: Git): Promise<AuditRun | undefined> {
  try {
    return await loadRun({ run, origin: 'run' }, git);
  } catch (thrown) {
    if (isBotError(thrown) && thrown.code === 'usage') return undefined;
    throw thrown;
  }
}
