import type { Diary } from '../../core/diary.js';
import type { Clock, Progress } from '../../world.js';

/** The same progress, with the time of each stage put into the diary. */
export const timedProgress = (
  progress: Progress,
  diary: Diary,
  clock: Pick<Clock, 'now'>,
): Progress => ({
  stage: async (title, work) => {
    const atMs = clock.now();
    try {
      return await progress.stage(title, work);
    } finally {
      diary.addStage({ title, atMs, durationMs: clock.now() - atMs });
    }
  },
});
