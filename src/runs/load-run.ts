import { BotError, isBotError } from '../core/bot-error.js';
import { objectOf, parseJson } from '../core/json-fields.js';
import { orHint } from '../core/nearest.js';
import type { SavedOutcome } from '../core/outcome.js';
import { schemaProblems } from '../core/schema-problem.js';
import { validateOutcome } from '../generated/validate-outcome.js';
import type { Git } from '../git/git.js';
import { nodeClock } from '../platform/clock.js';
import { readText } from '../platform/files.js';
import { type AuditRun, brokenOff, type Origin, readFacts } from './audit-run.js';
import type { CatalogEntry } from './find-run.js';
import { readConversations } from './read-conversations.js';
import type { DiffHunk } from './run-log.js';
import { diffHunks, linesOf, readSavedRun, savedRunNames } from './save.js';
import { openTranscripts } from './transcripts.js';

const OUT_FILE = 'Write one with: apfel-bot review --out FILE.json';
const SEE_LIST = 'See what there is with: apfel-bot show --list';

/** A run of the catalog with everything that still exists of it. */
export async function loadRun(entry: CatalogEntry, git: Git): Promise<AuditRun> {
  const { run, diff } = entry;
  const { outcome: known, origin } = knownOutcome(entry, git);
  const { facts } = savedRun(run, git);
  const hasOutcome = origin !== 'transcript' && origin !== 'running';
  const outcome = hasOutcome ? checked(known) : startOf(run, git);
  if (outcome !== undefined && typeof outcome !== 'string') {
    return loadOutcome({ outcome, origin, facts, diff }, git);
  }
  throw new BotError(
    'usage',
    `the record of run ${run} cannot be used: ${outcome ?? 'it is empty'}`,
    {
      hint: SEE_LIST,
    },
  );
}

/** The outcome of a run and where it was found; without one, the start of its transcript. */
export function knownOutcome(
  { run, origin, outcome }: CatalogEntry,
  git: Git,
): { readonly outcome: unknown; readonly origin: CatalogEntry['origin'] } {
  const known = outcome ?? savedRun(run, git)['outcome'];
  if (known !== undefined) return { outcome: known, origin };
  const isRunning = openTranscripts(git.repository.commonDir).isRunning(run);
  return { outcome: startOf(run, git), origin: isRunning ? 'running' : 'transcript' };
}

/** What is known about an interrupted run. */
const startOf = (run: string, { repository }: Git): SavedOutcome | undefined =>
  brokenOff(run, readConversations(openTranscripts(repository.commonDir).read(run)), stampOf);

/** The largest time that a Date can hold; a transcript may contain any number. */
const LAST_MS = 8_640_000_000_000_000;
const stampOf = (atMs: number): string => nodeClock.stamp(Math.min(atMs, LAST_MS));

const savedRun = (run: string, { repository }: Git): Readonly<Record<string, unknown>> =>
  objectOf(readSavedRun(repository.commonDir, run));

/** Reads only the start of a saved run. */
export const headOf = (run: string, git: Git): unknown =>
  objectOf(objectOf(savedRun(run, git)['outcome'])['change'])['head'];

/** An outcome file, wherever it comes from. */
export async function loadFile(name: string, git: Git | undefined): Promise<AuditRun> {
  const text = await orHint(readText(name), OUT_FILE);
  const outcome = text === undefined ? "it doesn't exist" : checked(parseJson(text));
  if (typeof outcome === 'string') {
    throw new BotError('usage', `${name} isn't an outcome: ${outcome}`, {
      hint: OUT_FILE,
    });
  }
  const facts = git && savedRun(outcome.run, git)['facts'];
  return loadOutcome({ outcome, origin: 'file', facts }, git);
}

interface Found {
  readonly outcome: SavedOutcome;
  readonly origin: Origin;
  readonly facts: unknown;
  readonly diff?: CatalogEntry['diff'] | undefined;
}

/** Adds what this repository has: the transcript and the diffs. */
export async function loadOutcome(found: Found, git: Git | undefined): Promise<AuditRun> {
  const { outcome, origin } = found;
  const facts = readFacts(found.facts);
  const lines = git && openTranscripts(git.repository.commonDir).read(outcome.run);
  const { conversations, isCut } = readConversations(lines ?? []);
  const hunks = facts.texts.length > 0 ? facts.texts : await findingHunks(found, git);
  const edits = await editHunks(outcome, git);
  return { outcome, origin, facts, conversations, isCut, hunks, edits };
}

/** The outcome, or what is wrong with it. */
function checked(value: unknown): SavedOutcome | string {
  const [problem] = schemaProblems(validateOutcome(value));
  // The schema has just validated the shape.
  return problem ?? (value as SavedOutcome);
}

async function findingHunks(found: Found, git: Git | undefined): Promise<readonly DiffHunk[]> {
  const lines = linesOf(found.outcome);
  if (git === undefined || lines.size === 0) return [];
  try {
    const ends = found.diff ?? (await endsOf(found.outcome, git));
    return ends === undefined ? [] : await diffHunks(git, { ...ends, lines });
  } catch {
    // The commits aren't here, or no longer: the findings are shown without their diff.
    return [];
  }
}

/** A note doesn't name the commit's parent; the commit does. */
async function endsOf({ change }: SavedOutcome, git: Git): Promise<CatalogEntry['diff']> {
  if (change === undefined || change.head === 'index' || change.head === 'stdin') return undefined;
  const [parent] = change.base === null ? await git.parents(change.head) : [change.base];
  return { from: parent ?? git.repository.emptyTree, to: change.head };
}

async function editHunks(
  { branch }: SavedOutcome,
  git: Git | undefined,
): Promise<readonly DiffHunk[]> {
  if (git === undefined || branch === undefined) return [];
  const options = { from: branch.base, to: branch.commit, lines: undefined };
  // The branch may have been deleted and garbage-collected since.
  return diffHunks(git, options).catch(() => []);
}

/** The newest saved run of this clone for each commit. */
export async function keptRuns(
  commits: readonly string[],
  git: Git,
): Promise<Map<string, AuditRun>> {
  const found = new Map<string, AuditRun>();
  const wanted = new Set<unknown>(commits);
  for (const run of savedRunNames(git.repository.commonDir)) {
    // Reading a run takes a file each.
    if (found.size === wanted.size) break;
    const head = headOf(run, git);
    if (typeof head !== 'string' || !wanted.has(head) || found.has(head)) continue;
    const kept = await usable(run, git);
    if (kept !== undefined) found.set(head, kept);
  }
  return found;
}

/** A broken file is skipped for an older run. `show RUN` reports what is wrong with it. */
async function usable(run: string, git: Git): Promise<AuditRun | undefined> {
  try {
    return await loadRun({ run, origin: 'run' }, git);
  } catch (thrown) {
    if (isBotError(thrown) && thrown.code === 'usage') return undefined;
    throw thrown;
  }
}
