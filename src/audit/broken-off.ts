import type { TaskName } from '../core/outcome.js';
import type { ShownOutcome } from './audit-run.js';
import type { ReadTalks } from './read-talks.js';

const TASKS: readonly TaskName[] = ['review', 'fix-lint', 'ask', 'describe'];

/** What is known of a run that left a transcript and no outcome; undefined when that is nothing. */
export function brokenOff(
  run: string,
  { talks, work }: Pick<ReadTalks, 'talks' | 'work'>,
  stamp: (atMs: number) => string,
): ShownOutcome | undefined {
  const turns = talks.flatMap(talk => talk.turns);
  const [first] = turns;
  const [name] = work.split('\0', 1);
  const task = TASKS.find(known => known === name);
  if (first === undefined && task === undefined) return undefined;
  const sum = (field: 'promptTokens' | 'completionTokens'): number =>
    turns.reduce((all, { reply }) => all + (reply?.[field] ?? 0), 0);
  const last = turns.at(-1);
  return {
    run,
    task: task ?? 'review',
    startedAt: stamp(first?.atMs ?? 0),
    durationMs: Math.max(
      0,
      (last?.atMs ?? 0) + (last?.reply?.durationMs ?? 0) - (first?.atMs ?? 0),
    ),
    model: {
      available: true,
      requests: turns.length,
      promptTokens: sum('promptTokens'),
      completionTokens: sum('completionTokens'),
      repairs: 0,
      retries: 0,
      refusals: 0,
    },
    limits: [],
    notices: ['the run broke off before it had an outcome'],
    complete: false,
  };
}
