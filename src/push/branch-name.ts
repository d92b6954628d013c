import { isPlainBranch } from '../core/commit-plan.js';
import { BotError } from '../core/failure.js';
import type { FixedBranch } from './fixed-outcome.js';

/**
 * The name to begin with at the remote. It follows from the prefix and the commit; the file's own
 * may only differ by the number of a second try, which belongs to the repository it was made in.
 */
export function branchName({ name, base }: FixedBranch, prefix: string): string {
  const own = `${prefix}/fix-lint-${base.slice(0, 12)}`;
  const rest = name.startsWith(own) ? name.slice(own.length) : undefined;
  if (rest !== undefined && /^(?:-\d{1,3})?$/.test(rest) && isPlainBranch(own)) return own;
  throw new BotError(
    'not-permitted',
    `${JSON.stringify(name.slice(0, 200))} is no branch of ours`,
    {
      hint: `Here they are called ${own}; branch.prefix counts as the base has it, or as --config says`,
    },
  );
}
