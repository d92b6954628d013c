import type { NoteRecord } from '../generated/shapes.js';
import { writeContext } from '../git/commit-plan.js';
import { type Git, openGit, userGitContext } from '../git/git.js';
import { type GitContext, runGit } from '../git/spawn.js';
import { asObjectId } from '../git/tree.js';
import { committedDigest, dropHandOver, type HandOver, readHandOver } from '../notes/hand-over.js';
import { isInPlaceOf, isSettled, isSumOf, noteOf, rewriteRecord } from '../notes/record.js';
import { type NotedPage, notesPlace, readPages, writeRecords } from '../notes/store.js';
import { nodeClock } from '../platform/clock.js';
import type { CommandEnd, Session } from '../session.js';
import { type HookCall, inputLines, NOTHING } from './call.js';
import { openQueue, startBackground } from './queue.js';
import { textsAt } from './review-commit.js';
import { readHookConfig } from './settings.js';

/** In a rebase of more commits than this, only the last ones keep their records. */
const MAX_PAIRS = 1000;

type Pair = readonly [from: string, to: string];

/** A new commit, and the old ones it was made from. */
interface Move {
  readonly from: readonly string[];
  readonly sources: ReadonlyArray<NotedPage | undefined>;
  readonly to: NotedPage;
}

/** Carries over what still holds for the rewritten commits, without a new review. */
export async function postRewrite(call: HookCall): Promise<CommandEnd> {
  const { session } = call;
  const pairs = pairsIn(await inputLines(session)).slice(-MAX_PAIRS);
  if (pairs.length === 0) return NOTHING;
  const git = await openGit({ ...session, expectsStaged: false });
  const { repository } = git;
  const place = notesPlace({ ...session, repository });
  const moves = movesIn(pairs, await readPages(place, [...new Set(pairs.flat())], 'own'));
  const left = await readHandOver(repository);
  const carried = await carryAll(moves, { git, session, left });
  await writeRecords(
    place,
    carried.flatMap(({ record }) => record ?? []),
  );
  if (pairs.some(([from]) => from === left?.head)) await dropHandOver(repository);
  const queue = openQueue(repository.commonDir);
  for (const commit of pairs.flat()) await queue.remove(commit);
  const waiting = carried.filter(({ isWaiting }) => isWaiting);
  if (waiting.length === 0 && (await queue.isEmpty())) return NOTHING;
  if (!(await readHookConfig(call, git)).hooks.background) return NOTHING;
  for (const { commit } of waiting) await queue.add(commit);
  startBackground(repository, session.env);
  return NOTHING;
}

const pairsIn = (lines: readonly string[]): Pair[] =>
  lines.flatMap(line => {
    const [from = '', to = ''] = line.split(' ');
    const areIds = [from, to].every(id => /^([0-9a-f]{40}|[0-9a-f]{64})$/.test(id));
    return areIds && from !== to ? [[from, to] as const] : [];
  });

/** Grouped by new commit: a fixup has several old ones. */
function movesIn(pairs: readonly Pair[], pages: readonly NotedPage[]): Move[] {
  const pageOf = new Map(pages.map(page => [page.commit, page]));
  const sources = new Map<string, string[]>();
  for (const [from, to] of pairs) sources.set(to, [...(sources.get(to) ?? []), from]);
  return [...sources].flatMap(([commit, from]) => {
    const to = pageOf.get(commit);
    return to === undefined ? [] : [{ from, to, sources: from.map(each => pageOf.get(each)) }];
  });
}

interface Carrying {
  readonly git: Git;
  readonly session: Session;
  readonly left: HandOver | undefined;
}

interface Carried {
  readonly commit: string;
  /** The record to write as its note. */
  readonly record: NoteRecord | undefined;
  /** It is only partly reviewed. */
  readonly isWaiting: boolean;
}

async function carryAll(moves: readonly Move[], carrying: Carrying): Promise<Carried[]> {
  const { git, session } = carrying;
  const moved = moves.filter(({ sources, to }) => sources[0]?.record && !isDone(to));
  const patches = await patchIds(
    writeContext({ ...session, repository: git.repository }),
    moved.flatMap(({ from, to }) => (from.length === 1 ? [...from, to.commit] : [])),
  );
  const carried: Carried[] = [];
  for (const move of moves) carried.push(await carry(move, patches, carrying));
  return carried;
}

/** Git reports a reword twice, after the amend and after the rebase; a finished record stays. */
const isDone = ({ record }: NotedPage): boolean => record !== undefined && isSettled(record);

async function carry(
  { sources, to }: Move,
  patches: ReadonlyMap<string, string>,
  { git, session, left }: Carrying,
): Promise<Carried> {
  const { commit, tree, record: own } = to;
  if (isDone(to)) return { commit, record: undefined, isWaiting: false };
  const added = await difference({ sources, to }, left, session);
  const records = [
    ...sources.map(source => source?.record),
    ...(added === undefined ? [] : [added]),
  ];
  // A commit without a review doesn't get one just because it was rewritten.
  if (records.every(each => each === undefined)) {
    return { commit, record: undefined, isWaiting: own !== undefined };
  }
  const before = records.flatMap(each => each ?? []).filter(each => each.tree !== tree);
  const paths = before.flatMap(({ findings }) => findings.map(({ path }) => path));
  const texts = await textsAt(git, commit, paths);
  const record = rewriteRecord(records, {
    commit,
    tree,
    isSum: added !== undefined || isSumOf(sources, to, patches),
    textOf: path => texts.get(path),
    own,
    run: nodeClock.runId(),
    startedAt: nodeClock.stamp(nodeClock.now()),
  });
  return { commit, record, isWaiting: record === undefined || !isSettled(record) };
}

/** What pre-commit saw of an amend: how the new commit differs from the one it replaces. */
async function difference(
  { sources: [old, ...others], to }: Pick<Move, 'sources' | 'to'>,
  left: HandOver | undefined,
  session: Session,
): Promise<NoteRecord | undefined> {
  if (old === undefined || others.length > 0 || old.tree === to.tree) return undefined;
  if (left === undefined || left.head !== old.commit || !isInPlaceOf(old, to)) return undefined;
  const digest = await committedDigest(userGitContext(session), old.commit, to.commit);
  return digest === left.digest ? noteOf(left.finished, to) : undefined;
}

/**
 * An id for the change that each commit makes, regardless of line numbers. Commits without one,
 * such as merges, are left out; so are all of them if the changes are too large.
 */
async function patchIds(
  context: GitContext,
  commits: readonly string[],
): Promise<Map<string, string>> {
  const ids = new Map<string, string>();
  if (commits.length === 0) return ids;
  const input = Buffer.from(`${commits.map(asObjectId).join('\n')}\n`);
  try {
    const patches = await runGit(context, ['diff-tree', '--stdin', ...PATCH], input);
    if (patches.code !== 0) return ids;
    const { stdout } = await runGit(context, ['patch-id', '--stable'], patches.stdout);
    for (const line of stdout.toString('latin1').split('\n')) {
      const [patch, commit] = line.split(' ');
      if (patch && commit) ids.set(commit, patch);
    }
  } catch {
    // Without an id, the caller treats them as different.
    context.signal.throwIfAborted();
  }
  return ids;
}

const PATCH = [
  '-r',
  '-p',
  '--root',
  '--full-index',
  '--no-color',
  '--no-ext-diff',
  '--no-textconv',
  '--no-renames',
  '--binary',
  '-O/dev/null',
];
