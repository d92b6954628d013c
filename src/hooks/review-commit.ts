import { basename } from 'node:path';
import { workOptions } from '../config/options.js';
import { count } from '../core/count.js';
import type { Outcome } from '../core/outcome.js';
import type { NoteRecord } from '../generated/shapes.js';
import type { Git } from '../git/git.js';
import { finishedOf, noteOf, saysNothing } from '../notes/record.js';
import { notesPlace, readPages, writeRecords } from '../notes/store.js';
import { printedBy } from '../platform/run-program.js';

import { reviewChange } from '../review/review.js';
import { openWork } from '../review/work.js';
import { addNews } from '../runs/background-state.js';
import { keepRun } from '../runs/save.js';
import type { HookCall } from './call.js';

interface ReviewCommitOptions {
  readonly commit: string;
  readonly deadlineMs: number;
  /** Whether `hooks.background` can turn this review off. */
  readonly isBackground: boolean;
}

/**
 * Reviews a commit and adds its findings to the note. False when it ran out of time; answers so far
 * are cached for the next try.
 */
export async function reviewCommit(call: HookCall, request: ReviewCommitOptions): Promise<boolean> {
  // Git processes live as long as their signal; each review ends its own.
  const own = new AbortController();
  const signal = AbortSignal.any([call.session.signal, own.signal]);
  try {
    return await review({ ...call, session: { ...call.session, signal } }, request);
  } finally {
    own.abort();
  }
}

async function review(
  { session, parsed }: HookCall,
  request: ReviewCommitOptions,
): Promise<boolean> {
  const options = {
    ...workOptions(parsed),
    selector: { kind: 'commit', revision: request.commit } as const,
    paths: [],
    isQuiet: true,
    deadlineMs: Math.max(1, request.deadlineMs),
  };
  const opened = await openWork(options, session);
  const { git, task, config, context } = opened;
  if (git === undefined) return true;
  if (request.isBackground && !config.hooks.background) return true;
  const outcome = await reviewChange(task, context, config);
  await keepRun(outcome, { opened, command: 'hook', parsed });
  // The record is written even if the time is up.
  const { signal } = new AbortController();
  const place = notesPlace({ repository: git.repository, env: session.env, signal });
  const [page] = await readPages(place, [request.commit], 'own');
  if (page === undefined) return true;
  if (isNews(outcome, page.record)) {
    await writeRecords(place, [noteOf(finishedOf(outcome), page)]);
    const known = new Set(page.record?.findings.map(({ id }) => id));
    const fresh = outcome.findings.filter(({ id }) => !known.has(id));
    if (request.isBackground && fresh.length > 0) {
      await addNews(git.repository.commonDir, request.commit, fresh.length);
      if (config.hooks.notify) await notify(request.commit, fresh.length, session);
    }
  }
  return outcome.ledger.outOfTime === 0;
}

/** A notification must not hold up the next review. */
const MAX_NOTIFY_MS = 5_000;

/** A macOS notification. The text is an argument of the script, so that nothing in it is run. */
async function notify(
  commit: string,
  findings: number,
  { env, cwd }: HookCall['session'],
): Promise<void> {
  const text = `${count(findings, 'problem')} in ${commit.slice(0, 7)} of ${basename(cwd)}`;
  const script = [
    'on run argv',
    'display notification (item 1 of argv) with title "apfel-bot"',
    'end run',
  ];
  await printedBy('osascript', [...script.flatMap(line => ['-e', line]), text], {
    env: { PATH: env['PATH'] ?? '' },
    bound: { ms: MAX_NOTIFY_MS, signal: new AbortController().signal },
  });
}

/** Whether the outcome adds anything to the note. */
function isNews({ ledger, model }: Outcome, record: NoteRecord | undefined): boolean {
  if (record === undefined || saysNothing(record) || ledger.total > record.ledger.total)
    return true;
  // After the checks have run once, a run without a model adds nothing, nor does one that got less
  // far.
  return model.available && ledger.outOfTime <= record.ledger.outOfTime;
}

/** Larger files are skipped. */
const MAX_BYTES = 8 * 1024 * 1024;

/** Files of a commit as text, through one process; missing and very large ones are left out. */
export async function textsAt(
  git: Git,
  commit: string,
  paths: readonly string[],
): Promise<Map<string, string>> {
  const texts = new Map<string, string>();
  const keep = (path: string, bytes: Uint8Array | undefined): void => {
    if (bytes === undefined || bytes.length > MAX_BYTES) return;
    texts.set(path, new TextDecoder().decode(bytes));
  };
  const all = new Set(paths);
  const named = new Map([...all].filter(canBeRequested).map(path => [`${commit}:${path}`, path]));
  const requests = [...named.keys()].map(id => ({ id, keep: MAX_BYTES + 1 }));
  for await (const { id, bytes } of git.blobs(requests)) keep(named.get(id) ?? '', bytes);
  for (const path of all) if (!canBeRequested(path)) keep(path, await git.readFile(commit, path));
  return texts;
}

/** A newline would end the request, and bytes that aren't UTF-8 can't be requested by name. */
const canBeRequested = (path: string): boolean => !/[\n\udc80-\udcff]/u.test(path);
