import { isAtLeast } from '../../doctor/is-at-least.js';
import type { CommitStage } from '../../hooks/hook-facts.js';
import { printedBy } from '../doctor/doctor-facts-bounded.js';
import type { Environment } from '../git/git-flags.js';

/** The first release that knows the name of the git hook; from 4.0 on the other one is warned about. */
const RENAMED_IN = '3.2';
/** Python starts in a quarter of a second; on a busy machine it takes its time. */
const MOST_MS = 5_000;

interface Place {
  readonly env: Environment;
  readonly signal: AbortSignal;
}

/** What the pre-commit framework on this machine calls the stage of a commit. */
export async function commitStage({ env, signal }: Place): Promise<CommitStage> {
  const printed = await printedBy('pre-commit', ['--version'], {
    env: { PATH: env['PATH'] ?? '' },
    bound: { ms: MOST_MS, signal },
  });
  const [version] = /\d{1,6}\.\d{1,6}/.exec((printed ?? '').slice(0, 1000)) ?? [];
  // The old name is understood by all of them.
  return version !== undefined && isAtLeast(version, RENAMED_IN) ? 'pre-commit' : 'commit';
}
