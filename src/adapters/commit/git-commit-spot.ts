import { devNull } from 'node:os';
import type { Repository } from '../../world.js';
import { type Environment, gitEnvironment } from '../git/git-flags.js';
import type { GitSpot } from '../git/git-spawn.js';

export interface Whereabouts {
  readonly repository: Repository;
  readonly env: Environment;
  readonly signal: AbortSignal;
}

/**
 * The user's repository for writing refs and objects of ours. Named, never discovered; no index
 * and no variable of a hook is passed on, and only the repository's own configuration is read.
 */
export const writingSpot = ({ repository, env, signal }: Whereabouts): GitSpot => ({
  cwd: repository.top ?? repository.gitDir,
  env: lonelyEnvironment(env),
  gitDir: repository.gitDir,
  signal,
});

/** No configuration or attributes but the repository's own. */
export function lonelyEnvironment(env: Environment): Record<string, string> {
  const { GIT_CONFIG_SYSTEM, ...clean } = gitEnvironment(env, 'clean');
  return {
    ...clean,
    GIT_CONFIG_GLOBAL: devNull,
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_ATTR_NOSYSTEM: '1',
  };
}
