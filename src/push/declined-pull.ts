import { isBotError } from '../core/failure.js';
import type { Forge, ForgePull } from '../core/forge.js';

/**
 * The pull request from this branch that somebody closed without merging it, unless another one is
 * open. That was an answer, whoever had opened it.
 */
export async function declinedPull(
  forge: Pick<Forge, 'pullsFrom'>,
  { branch, home }: { readonly branch: string; readonly home: string },
): Promise<ForgePull | undefined> {
  const all = await pullsFrom(forge, branch);
  const here = all.filter(({ base }) => base.ref === home);
  if (here.some(({ isOpen }) => isOpen)) return undefined;
  return [...here].sort((one, other) => other.number - one.number)[0];
}

/** A token that may push but not look is told so where the pull request is opened. */
async function pullsFrom(
  forge: Pick<Forge, 'pullsFrom'>,
  branch: string,
): Promise<readonly ForgePull[]> {
  try {
    return await forge.pullsFrom(branch);
  } catch (thrown) {
    if (isBotError(thrown) && thrown.code === 'not-permitted') return [];
    throw thrown;
  }
}
