import { BotError, isBotError } from '../core/bot-error.js';
import type { SavedOutcome } from '../core/outcome.js';
import { usage } from '../core/task.js';
import { writeContext } from '../git/commit-plan.js';
import { type Git, userGitContext } from '../git/git.js';
import { askGit } from '../git/spawn.js';
import { type HandOver, readHandOver, stagedDigest } from '../notes/hand-over.js';
import { noteOf } from '../notes/record.js';
import { notesPlace, readPages } from '../notes/store.js';
import { outcomeOf } from '../notes/text.js';
import type { Session } from '../session.js';
import type { AuditRun, Origin } from './audit-run.js';
import { headOf, loadOutcome, loadRun } from './load-run.js';
import { savedRunNames } from './save.js';
import { openTranscripts } from './transcripts.js';

/** The id of a run or its beginning; a branch name can look like that, but rarely does. */
const looksLikeRun = (word: string): boolean => /^[0-7][0-9A-HJKMNP-TV-Z]{3,25}$/.test(word);

/** The run whose id begins with the word; undefined if the word means a commit instead. */
export async function findRunNamed(
  word: string,
  place: ShowContext,
): Promise<AuditRun | undefined> {
  if (!looksLikeRun(word)) return undefined;
  const found = (await catalog(place)).filter(({ run }) => run.startsWith(word));
  const [entry, ...others] = found;
  if (others.length > 0) {
    const names = found.slice(0, 5).map(({ run }) => run);
    throw usage(`${word} is the beginning of ${found.length} runs: ${names.join(', ')}`);
  }
  if (entry !== undefined) return loadRun(entry, place.git);
  const commit = await place.git.resolve(word).catch(() => undefined);
  if (commit !== undefined) return undefined;
  throw new BotError('usage', `no recorded run has an id that begins with ${word}`, {
    hint: SEE_LIST,
  });
}

const SEE_LIST = 'See what there is with: apfel-bot show --list';

export async function findNewestRun(place: ShowContext): Promise<AuditRun> {
  const [newest] = await catalog(place);
  if (newest !== undefined) return loadRun(newest, place.git);
  throw new BotError('usage', 'no runs are recorded here yet', {
    hint: 'Start one with: apfel-bot review',
  });
}

/** The record of a commit: the run its note names, or the newest that reviewed it. */
export async function findRunOf(word: string, place: ShowContext): Promise<AuditRun> {
  const { git, session } = place;
  const commit = await resolved(word, git);
  const entries = await catalog(place);
  const [page] = await readPages(
    notesPlace({ ...session, repository: git.repository }),
    [commit],
    'all',
  );
  const record = page?.record;
  const isIts = ({ run, origin }: CatalogEntry): boolean =>
    record === undefined ? headOf(run, git) === commit : origin === 'run' && run === record.run;
  const kept = entries.find(isIts);
  if (kept !== undefined) return loadRun(kept, git);
  if (record !== undefined) {
    return loadOutcome({ outcome: outcomeOf(record), origin: 'note', facts: undefined }, git);
  }
  throw new BotError('usage', `no record of ${word} (${commit.slice(0, 12)})`, {
    hint: `Review it with: apfel-bot review --commit ${commit.slice(0, 12)}`,
  });
}

async function resolved(word: string, git: Git): Promise<string> {
  try {
    return await git.resolve(word);
  } catch (thrown) {
    if (!isBotError(thrown) || thrown.code !== 'git') throw thrown;
    throw new BotError('git', `${thrown.message}, and no run has that id`, { hint: SEE_LIST });
  }
}

/** One run, and where its outcome is. */
export interface CatalogEntry {
  readonly run: string;
  readonly origin: Exclude<Origin, 'file'>;
  /** If it isn't in a separate file. */
  readonly outcome?: SavedOutcome;
  /** The range of the diff that contains its findings, if the outcome doesn't say. */
  readonly diff?: { readonly from: string; readonly to: string };
}

export interface ShowContext {
  readonly git: Git;
  readonly session: Session;
}

/** Notes of older commits are found by naming the commit. */
const MAX_COMMITS = 50;

/**
 * Every recorded run, newest first. Hooks have no time to save a run: theirs is in what pre-commit
 * hands over, and then in the commit's note.
 */
export async function catalog(place: ShowContext): Promise<CatalogEntry[]> {
  const { commonDir } = place.git.repository;
  const entries = new Map<string, CatalogEntry>();
  const add = (entry: CatalogEntry): void => {
    if (!entries.has(entry.run)) entries.set(entry.run, entry);
  };
  for (const run of savedRunNames(commonDir)) add({ run, origin: 'run' });
  for (const entry of await notedRuns(place)) add(entry);
  for (const entry of await handedOver(place)) add(entry);
  for (const run of openTranscripts(commonDir).runs()) add({ run, origin: 'transcript' });
  // Ids sort by time.
  return [...entries.values()].sort((one, other) => (one.run < other.run ? 1 : -1));
}

async function notedRuns({ git, session }: ShowContext): Promise<CatalogEntry[]> {
  const { head } = git.repository;
  if (head === undefined) return [];
  const commits = await listCommits(head, { git, session, max: MAX_COMMITS });
  const pages = await readPages(
    notesPlace({ ...session, repository: git.repository }),
    commits,
    'all',
  );
  return pages.flatMap(({ record }) =>
    record === undefined
      ? []
      : [{ run: record.run, origin: 'note' as const, outcome: outcomeOf(record) }],
  );
}

/** The hook's run can be shown as long as the same change is staged. */
async function handedOver({ git, session }: ShowContext): Promise<CatalogEntry[]> {
  const left = await readHandOver(git.repository);
  if (left === undefined) return [];
  const digest = await stagedDigest(userGitContext(session)).catch(() => undefined);
  return [
    {
      run: left.finished.run,
      origin: 'hook',
      outcome: stagedOutcome(left),
      ...(digest === left.digest && { diff: { from: left.head, to: 'index' } }),
    },
  ];
}

/** The hook's run on what is staged now, if the commit wasn't made. */
export async function findStagedRun({ git, session }: ShowContext): Promise<string | undefined> {
  const left = await readHandOver(git.repository);
  const { head = git.repository.emptyTree } = git.repository;
  if (left?.head !== head || left.finished.ledger.total === 0) return undefined;
  const digest = await stagedDigest(userGitContext(session)).catch(() => undefined);
  return digest === left.digest ? left.finished.run : undefined;
}

function stagedOutcome({ head, finished }: HandOver): SavedOutcome {
  const outcome = outcomeOf(noteOf(finished, { commit: head, tree: head }));
  return { ...outcome, change: { ...outcome.change, base: head, head: 'index' } };
}

export async function listCommits(
  range: string,
  { git, session, max }: { readonly git: Git; readonly session: Session; readonly max: number },
): Promise<string[]> {
  const context = writeContext({ ...session, repository: git.repository });
  const args = ['rev-list', `--max-count=${max}`, range, '--'];
  return (await askGit(context, args)).toString('latin1').split('\n').filter(Boolean);
}
