import { notesPlace, readPages } from '../adapters/notes/note-book.js';
import type { AuditRun } from '../audit/audit-run.js';
import { BotError, isBotError } from '../core/failure.js';
import { outcomeOf } from '../publish/to-note-text.js';
import { usage } from '../trigger/parse-argv.js';
import type { Git } from '../world.js';
import { type CatalogEntry, catalog, type ShowPlace } from './show-catalog.js';
import { headOf, loadOutcome, loadRun } from './show-load.js';

/** The name of a run or its beginning; a branch may look like that, but seldom does. */
const looksLikeRun = (word: string): boolean => /^[0-7][0-9A-HJKMNP-TV-Z]{3,25}$/.test(word);

/** The run whose name begins with the word; undefined when the word means a commit instead. */
export async function findRunNamed(word: string, place: ShowPlace): Promise<AuditRun | undefined> {
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
  throw new BotError('usage', `no run is recorded whose name begins with ${word}`, {
    hint: SEE_LIST,
  });
}

const SEE_LIST = 'See what there is with: apfel-bot show --list';

export async function findNewestRun(place: ShowPlace): Promise<AuditRun> {
  const [newest] = await catalog(place);
  if (newest !== undefined) return loadRun(newest, place.git);
  throw new BotError('usage', 'no run is recorded here yet', {
    hint: 'Make one with: apfel-bot review',
  });
}

/** What is recorded of a commit: the run its note names, or the newest that looked at it. */
export async function findRunOf(word: string, place: ShowPlace): Promise<AuditRun> {
  const { git, desk } = place;
  const commit = await resolved(word, git);
  const entries = await catalog(place);
  const [page] = await readPages(notesPlace({ ...desk, repository: git.repository }), [commit]);
  const record = page?.record;
  const isIts = ({ run, origin }: CatalogEntry): boolean =>
    record === undefined ? headOf(run, git) === commit : origin === 'run' && run === record.run;
  const kept = entries.find(isIts);
  if (kept !== undefined) return loadRun(kept, git);
  if (record !== undefined) {
    return loadOutcome({ outcome: outcomeOf(record), origin: 'note', facts: undefined }, git);
  }
  throw new BotError('usage', `nothing is recorded of ${word} (${commit.slice(0, 12)})`, {
    hint: `Review it with: apfel-bot review --commit ${commit.slice(0, 12)}`,
  });
}

async function resolved(word: string, git: Git): Promise<string> {
  try {
    return await git.resolve(word);
  } catch (thrown) {
    if (!isBotError(thrown) || thrown.code !== 'git') throw thrown;
    throw new BotError('git', `${thrown.message}, and no run by that name`, { hint: SEE_LIST });
  }
}
