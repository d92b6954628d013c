import { writingSpot } from '../adapters/commit/git-commit-spot.js';
import { openGit } from '../adapters/git/git.js';
import { patchIds } from '../adapters/git/patch-ids.js';
import { startBackground } from '../adapters/hooks/background.js';
import { openQueue } from '../adapters/hooks/background-queue.js';
import { nodeClock } from '../adapters/node-clock.js';
import {
  type NotedPage,
  notesPlace,
  readPages,
  writeRecords,
} from '../adapters/notes/note-book.js';
import type { NoteRecord } from '../core/note.js';
import { rewriteRecord } from '../core/note-rewrite.js';
import type { Git } from '../world.js';
import type { CommandEnd } from './desk.js';
import { type HookCall, inputLines, NOTHING } from './hook-call.js';
import { readHookConfig } from './hook-settings.js';
import { textsAt } from './texts-at.js';

/** A rebase of more commits than this keeps the records of the last ones. */
const MOST_PAIRS = 1000;

type Pair = readonly [from: string, to: string];

/** Brings over what is still true of the rewritten commits, without asking anything anew. */
export async function postRewrite({ parsed, desk }: HookCall): Promise<CommandEnd> {
  const pairs = pairsIn(await inputLines(desk)).slice(-MOST_PAIRS);
  if (pairs.length === 0) return NOTHING;
  const git = await openGit({ ...desk, expectsStaged: false });
  const { repository } = git;
  const place = notesPlace({ ...desk, repository });
  const pages = await readPages(place, [...new Set(pairs.flat())]);
  const pageOf = new Map(pages.map(page => [page.commit, page]));
  const known = pairs.filter(([from]) => pageOf.get(from)?.record !== undefined);
  const patches = await patchIds(writingSpot({ ...desk, repository }), [...new Set(known.flat())]);
  const carried = new Map<string, NoteRecord>();
  for (const [from, to] of known) {
    const record = await carry(git, {
      old: pageOf.get(from),
      page: pageOf.get(to),
      own: carried.get(to) ?? pageOf.get(to)?.record,
      isSameChange: patches.has(from) && patches.get(from) === patches.get(to),
    });
    if (record !== undefined) carried.set(to, record);
  }
  // What was never reviewed has become a part of these: of the whole, too little is known.
  const partly = new Set(pairs.filter(pair => !known.includes(pair)).map(([, to]) => to));
  const records = [...carried.values()].map(record =>
    partly.has(record.commit) ? { ...record, complete: false } : record,
  );
  await writeRecords(place, records);
  const queue = openQueue(repository.commonDir);
  for (const [from, to] of pairs) {
    await queue.remove(from);
    const record = carried.get(to) ?? pageOf.get(to)?.record;
    const isUnknown = record === undefined && !known.some(([, each]) => each === to);
    const isWhole = record !== undefined && isSettled(record) && !partly.has(to);
    // A commit that nobody had looked at is not looked at just because it was moved.
    if (isUnknown || isWhole) await queue.remove(to);
    else await queue.add(to);
  }
  const isWaiting = !(await queue.isEmpty());
  if (isWaiting && (await readHookConfig(parsed, git)).settings.background) {
    startBackground(repository, desk.env);
  }
  return NOTHING;
}

const pairsIn = (lines: readonly string[]): Pair[] =>
  lines.flatMap(line => {
    const [from = '', to = ''] = line.split(' ');
    const areIds = [from, to].every(id => /^([0-9a-f]{40}|[0-9a-f]{64})$/.test(id));
    return areIds && from !== to ? [[from, to] as const] : [];
  });

interface Carrying {
  readonly old: NotedPage | undefined;
  readonly page: NotedPage | undefined;
  readonly own: NoteRecord | undefined;
  readonly isSameChange: boolean;
}

async function carry(git: Git, carrying: Carrying): Promise<NoteRecord | undefined> {
  const { old, page, own, isSameChange } = carrying;
  if (old?.record === undefined || page === undefined) return undefined;
  const isSameTree = old.tree === page.tree;
  const paths = isSameTree ? [] : old.record.findings.map(({ path }) => path);
  const texts = await textsAt(git, page.commit, paths);
  return rewriteRecord(old.record, {
    commit: page.commit,
    tree: page.tree,
    isSameChange,
    textOf: path => texts.get(path),
    own,
    run: nodeClock.runId(),
    startedAt: nodeClock.stamp(nodeClock.now()),
  });
}

const isSettled = ({ ledger, complete }: NoteRecord): boolean =>
  complete || (ledger.outOfTime === 0 && ledger.total > 0);
