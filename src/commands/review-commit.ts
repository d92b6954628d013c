import { notesPlace, readPages, writeRecords } from '../adapters/notes/note-book.js';
import { finishedOf, type NoteRecord, noteOf, saysNothing } from '../core/note.js';
import type { Outcome } from '../core/outcome.js';
import { run } from '../run.js';
import { workOptions } from '../trigger/work-options.js';
import { openWork } from './desk.js';
import type { HookCall } from './hook-call.js';
import { hookSettings } from './hook-settings.js';
import { keepRun } from './keep-run.js';

export interface CommitWish {
  readonly commit: string;
  readonly deadlineMs: number;
  /** Whether this is the run that `hooks.background` can forbid. */
  readonly isBackground: boolean;
}

/**
 * Reviews a commit and adds what it found to its note. False when time ran out before all was seen;
 * what was answered is remembered for the next try.
 */
export async function reviewCommit(call: HookCall, wish: CommitWish): Promise<boolean> {
  // Git processes stay for a run; of many reviews in one, each takes its own with it.
  const own = new AbortController();
  const signal = AbortSignal.any([call.desk.signal, own.signal]);
  try {
    return await review({ ...call, desk: { ...call.desk, signal } }, wish);
  } finally {
    own.abort();
  }
}

async function review({ desk, parsed }: HookCall, wish: CommitWish): Promise<boolean> {
  const options = {
    ...workOptions(parsed),
    selector: { kind: 'commit', revision: wish.commit } as const,
    paths: [],
    isQuiet: true,
    deadlineMs: Math.max(1, wish.deadlineMs),
  };
  const opened = await openWork(options, desk);
  const { git, task, config, world } = opened;
  if (git === undefined) return true;
  if (wish.isBackground && !hookSettings(config).background) return true;
  const outcome = await run(task, world, config);
  await keepRun(outcome, { opened, command: 'hook', parsed });
  // The record is written even if the time is up by now.
  const { signal } = new AbortController();
  const place = notesPlace({ repository: git.repository, env: desk.env, signal });
  const [page] = await readPages(place, [wish.commit]);
  if (page === undefined) return true;
  if (isNews(outcome, page.record)) {
    await writeRecords(place, [noteOf(finishedOf(outcome), page)]);
  }
  return outcome.ledger.outOfTime === 0;
}

/** Whether the outcome says more of the commit than what is noted of it. */
function isNews({ ledger, model }: Outcome, record: NoteRecord | undefined): boolean {
  if (record === undefined || saysNothing(record) || ledger.total > record.ledger.total)
    return true;
  // Where checks were made of all of it before, without a model there is nothing new to say, nor
  // where time was up earlier than the last time.
  return model.available && ledger.outOfTime <= record.ledger.outOfTime;
}
