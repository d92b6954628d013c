import type { Ending } from '../core/bot-error.js';

export type Status = 'ok' | 'attention' | 'problem';

/** What stands in the way when a check is a problem, and so which exit code it gives. */
export type Area = 'git' | 'config' | 'model' | 'machine';

export interface Check {
  readonly id: string;
  readonly area: Area;
  readonly status: Status;
  readonly message: string;
  /** The command or step that mends it; undefined when there is nothing to mend. */
  readonly fix: string | undefined;
}

export interface DoctorReport {
  readonly checks: readonly Check[];
  /** `done` only when a review with the model would work. */
  readonly ending: Extract<Ending, 'done' | 'findings' | 'git' | 'config' | 'model-required'>;
}

/** In the order in which they stand in the way: without git nothing else matters. */
const ENDINGS = [
  ['git', 'git'],
  ['config', 'config'],
  ['model', 'model-required'],
  ['machine', 'findings'],
] as const;

export function endingOf(checks: readonly Check[]): DoctorReport['ending'] {
  const problems = new Set(
    checks.filter(({ status }) => status === 'problem').map(({ area }) => area),
  );
  return ENDINGS.find(([area]) => problems.has(area))?.[1] ?? 'done';
}

/** Checks of one area, each in one line. */
export const checksOf = (area: Area) => ({
  ok: (id: string, message: string): Check => check(area, { id, status: 'ok', message }),
  attention: (id: string, message: string, fix?: string): Check =>
    check(area, { id, status: 'attention', message, fix }),
  problem: (id: string, message: string, fix?: string): Check =>
    check(area, { id, status: 'problem', message, fix }),
});

const check = (
  area: Area,
  { id, status, message, fix }: Omit<Check, 'area' | 'fix'> & { fix?: string | undefined },
): Check => ({ id, area, status, message, fix });
