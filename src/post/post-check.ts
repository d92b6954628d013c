import { type Forge, MOST_ANNOTATIONS } from '../core/forge.js';
import type { CheckPlan } from './check-run.js';
import { converge, type Pause } from './converge.js';

/** A round for each portion of annotations, and some for answers that get lost. */
const MOST_ROUNDS = 12;

/** Sets the check, portion by portion. One that is there with this content is not set again. */
export async function postCheck(
  forge: Pick<Forge, 'checks' | 'createCheck' | 'updateCheck'>,
  { check, annotations }: CheckPlan,
  pause: Pause,
): Promise<'set' | 'unchanged'> {
  let hasWritten = false;
  const portion = (from: number) => annotations.slice(from, from + MOST_ANNOTATIONS);
  const round = async (): Promise<boolean> => {
    const [newest] = await forge.checks(check.commit, check.name);
    if (newest?.digest !== check.digest) {
      hasWritten = true;
      await forge.createCheck({ ...check, annotations: portion(0) });
      // A newer one of the same name takes the place of those before, so a race does no harm.
      return annotations.length <= MOST_ANNOTATIONS;
    }
    if (newest.annotations >= annotations.length) return true;
    hasWritten = true;
    await forge.updateCheck(newest.id, { ...check, annotations: portion(newest.annotations) });
    return newest.annotations + MOST_ANNOTATIONS >= annotations.length;
  };
  await converge(round, pause, MOST_ROUNDS);
  return hasWritten ? 'set' : 'unchanged';
}
