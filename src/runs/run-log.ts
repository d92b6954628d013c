import type { SurveyedHunk } from '../checks/survey.js';
import type { Line } from '../core/change.js';
import type { HunkState, LedgerItem } from '../core/ledger.js';
import type { Clock } from '../platform/clock.js';
import type { Progress } from '../platform/progress.js';

/** What a run saves for its audit besides its outcome. */
export interface AuditFacts {
  /** The command line. */
  readonly asked: string;
  readonly stages: readonly StageTime[];
  /** All hunks, up to a limit. */
  readonly hunks: readonly AuditHunk[];
  readonly hosts: readonly HostUse[];
  /** The hunks with findings, if no commit has them. */
  readonly texts: readonly DiffHunk[];
}

export interface StageTime {
  readonly title: string;
  readonly atMs: number;
  readonly durationMs: number;
}

/** A host that was contacted, and how often. */
export interface HostUse {
  readonly host: string;
  readonly times: number;
}

/** One hunk on the map of the change. */
export interface AuditHunk {
  readonly path: string;
  readonly hunk: number;
  /** Its first line on the new side. */
  readonly line: number;
  readonly added: number;
  readonly removed: number;
  readonly state: HunkState;
  readonly reason: string;
  /** The question it was part of; null if none. */
  readonly chunk: number | null;
  readonly tokens: number;
}

/** A piece of a diff with its text, secrets masked. */
export interface DiffHunk {
  readonly path: string;
  readonly hunk: number;
  readonly section: string;
  readonly lines: readonly Line[];
}

/** Nobody reads a map of a larger change; its ledger has the counts. */
const MAX_HUNKS = 3000;

/** Events of a run, in memory until somebody saves them. */
export class RunLog {
  readonly #stages: StageTime[] = [];
  readonly #hosts = new Map<string, number>();
  #hunks: () => readonly AuditHunk[] = () => [];

  addStage(stage: StageTime): void {
    this.#stages.push(stage);
  }

  addContact(host: string): void {
    this.#hosts.set(host, (this.#hosts.get(host) ?? 0) + 1);
  }

  /**
   * Called once everything is decided; the list is built only when saved, because a hook has no
   * time.
   */
  setHunks(hunks: () => readonly AuditHunk[]): void {
    this.#hunks = hunks;
  }

  facts(asked: string, texts: readonly DiffHunk[]): AuditFacts {
    return {
      asked,
      stages: this.#stages,
      hunks: this.#hunks(),
      hosts: [...this.#hosts].map(([host, times]) => ({ host, times })),
      texts,
    };
  }
}

/** The map of a change: what the survey saw, what was planned, and the result. */
export function auditHunks(
  hunks: readonly SurveyedHunk[],
  plan: ReadonlyArray<{ readonly chunk: number | null; readonly tokens: number }>,
  states: readonly LedgerItem[],
): AuditHunk[] {
  return states.slice(0, MAX_HUNKS).map(({ path, hunk, state, reason }, at) => {
    const { newStart: line = 0, added = 0, removed = 0 } = hunks[at] ?? {};
    const { chunk = null, tokens = 0 } = plan[at] ?? {};
    return { path, hunk, line, added, removed, state, reason, chunk, tokens };
  });
}

/** Progress that also logs the time of each stage. */
export const timedProgress = (
  progress: Progress,
  runLog: RunLog,
  clock: Pick<Clock, 'now'>,
): Progress => ({
  ...progress,
  stage: async (title, work) => {
    const atMs = clock.now();
    try {
      return await progress.stage(title, work);
    } finally {
      runLog.addStage({ title, atMs, durationMs: clock.now() - atMs });
    }
  },
});
