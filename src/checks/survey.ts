import type { Config } from '../config/config.js';
import type { DiffEvent, FileChange, Line } from '../core/change.js';
import { isTimeUp } from '../core/deadline.js';
import type { FindingWithoutId } from '../core/finding.js';
import type { ChangeSummary } from '../core/outcome.js';
import { isStillChecked, readAttributes, type Select } from '../diff/select-files.js';
import type { Git } from '../git/git.js';
import type { Clock } from '../platform/clock.js';
import { type BlobChecks, blobChecks, type ReadBlobs } from './blobs.js';
import { FileSurvey, type Raised, type SurveyOptions } from './file-survey.js';
import { activeChecks } from './rules.js';
import { isIgnoredBy } from './whitespace.js';

/** A hunk with its text, for the model. */
export interface HunkText {
  readonly path: string;
  readonly number: number;
  /** The enclosing function's header, if git shows one. */
  readonly section: string;
  readonly lines: readonly Line[];
  /** The id of the new file, if the diff gives it. */
  readonly blob: string | undefined;
}

/** What the pass over the diff recorded about a hunk. */
export interface SurveyedHunk {
  readonly path: string;
  readonly number: number;
  readonly newStart: number;
  readonly newLines: number;
  readonly added: number;
  readonly removed: number;
  /** Estimated size of its text; 0 if no model is used. */
  readonly tokens: number;
  /** Why only the guards checked it. */
  readonly skip: string | undefined;
  /** Why it couldn't be read to the end. */
  readonly broken: string | undefined;
}

/** The `apfel-bot-ignore` comments of one file: line number → rules. */
export type Ignores = ReadonlyMap<number, readonly string[]>;

/** What the checks found, and what there is to review. */
export interface Survey {
  readonly change: ChangeSummary;
  readonly hunks: readonly SurveyedHunk[];
  readonly candidates: readonly FindingWithoutId[];
  readonly ignores: ReadonlyMap<string, Ignores>;
  readonly notices: readonly string[];
  /** Hunks with their text, for the model; empty if none is used. */
  readonly kept: readonly HunkText[];
  /** Time ran out before the whole diff was read. */
  readonly isCut: boolean;
}

/** What the checks use from the session: git for blobs, parsers, and the clock for Ctrl-C. */
export interface SurveyContext {
  readonly git: Git | undefined;
  readonly clock: Clock;
  readonly signal: AbortSignal;
}

/** The part of a change that the checks need. */
interface Surveyable {
  readonly base: string | null;
  readonly head: string;
  readonly events: AsyncIterable<readonly DiffEvent[]>;
  readonly notices: readonly string[];
}

interface ChangeSurveyOptions {
  readonly config: Config;
  readonly measure: SurveyOptions['measure'];
  /** Whether to keep the text of the hunks for a model. */
  readonly keepsText: boolean;
  /** Returns a function that says why only the guards check a file. */
  readonly select: (attributeFiles: ReadBlobs['attributeFiles']) => Promise<Select>;
  /** Called with the hunks for the model once they are known, before the checks of whole files. */
  readonly onKept?: (kept: readonly HunkText[]) => void;
}

/** More text than this isn't reviewed in one run; hunks beyond it are reported, not dropped. */
const MAX_KEPT_CHARACTERS = 32 * 1024 * 1024;

/**
 * Runs every deterministic check: one pass over the diff, then the checks that need whole files.
 * Doesn't use a model.
 */
export async function survey(
  change: Surveyable,
  context: SurveyContext,
  request: ChangeSurveyOptions,
): Promise<Survey> {
  const options: SurveyOptions = {
    checks: activeChecks(request.config),
    measure: request.measure,
    budget: { characters: request.keepsText ? MAX_KEPT_CHARACTERS : 0 },
  };
  const read = await readEvents(change.events, options, context);
  const skips = new Map<FileSurvey, ReturnType<Select>>();
  let kept: HunkText[] = [];
  let attributesOf: Awaited<ReturnType<typeof readAttributes>> = () => undefined;
  const blobs = await blobChecks(read.files, change.head, context, async known => {
    const select = await request.select(known.attributeFiles);
    attributesOf = await readAttributes(known.attributeFiles);
    for (const seen of read.files) {
      await context.clock.yieldToEventLoop();
      skips.set(seen, select(seen.file, factsOf(seen, known)));
    }
    kept = read.files.filter(seen => skips.get(seen) === undefined).flatMap(keptOf);
    request.onKept?.(kept);
  });
  const hunks: SurveyedHunk[] = [];
  const candidates: FindingWithoutId[] = [];
  for (const seen of read.files) {
    await context.clock.yieldToEventLoop();
    const skip = skips.get(seen);
    hunks.push(...seen.hunks.map(notes => toHunk(seen.file, notes, skip)));
    const isIgnored = ({ rule, path, message }: FindingWithoutId): boolean =>
      rule === 'whitespace' && isIgnoredBy(attributesOf(path, rule), message);
    candidates.push(...candidatesOf(seen, blobs, skip).filter(each => !isIgnored(each)));
  }
  const sum = (value: (hunk: SurveyedHunk) => number) =>
    hunks.reduce((total, hunk) => total + value(hunk), 0);
  return {
    change: {
      base: change.base,
      head: change.head,
      repository: null,
      pull: null,
      files: read.files.length,
      hunks: hunks.length,
      added: sum(hunk => hunk.added),
      removed: sum(hunk => hunk.removed),
    },
    hunks,
    candidates,
    kept,
    ignores: new Map(read.files.map((seen): [string, Ignores] => [seen.file.path, seen.ignores])),
    notices: [...change.notices, ...read.notices, ...blobs.notices, ...ignoreNotices(read.files)],
    isCut: read.isCut,
  };
}

/** More than this are only counted. */
const MAX_IGNORE_NOTICES = 5;

function ignoreNotices(files: readonly FileSurvey[]): string[] {
  const notes = files.flatMap(seen => seen.ignoreNotes);
  const others = notes.length - MAX_IGNORE_NOTICES;
  if (others <= 0) return notes;
  return [...notes.slice(0, MAX_IGNORE_NOTICES), `${others} more ignores have the same problems`];
}

interface ReadEvents {
  readonly files: FileSurvey[];
  readonly notices: string[];
  isCut: boolean;
}

async function readEvents(
  events: AsyncIterable<readonly DiffEvent[]>,
  options: SurveyOptions,
  { signal, clock }: SurveyContext,
): Promise<ReadEvents> {
  const read: ReadEvents = { files: [], notices: [], isCut: false };
  let cutLines = 0;
  try {
    for await (const batch of events) {
      for (const event of batch) {
        if (event.type === 'cut-line') cutLines += 1;
        take(event, read, options);
        if (event.type === 'file') await clock.yieldToEventLoop();
      }
    }
  } catch (thrown) {
    // Time is up: what was read so far counts. Ctrl-C and failures are passed on.
    if (!isTimeUp(signal)) throw thrown;
    read.isCut = true;
  }
  if (!read.isCut) read.files.at(-1)?.finish();
  if (cutLines > 0) {
    const lines = cutLines === 1 ? '1 line was' : `${cutLines} lines were`;
    read.notices.push(`${lines} too long, so only the start was checked`);
  }
  return read;
}

function take(event: DiffEvent, read: ReadEvents, options: SurveyOptions): void {
  const current = read.files.at(-1);
  if (event.type === 'file') {
    current?.finish();
    read.files.push(new FileSurvey(event.file, options));
    return;
  }
  if (event.type === 'hunk') current?.startHunk(event.hunk);
  else if (event.type === 'lines') current?.read(event.lines);
  else if (event.type === 'cut-line') current?.readCutLine(event.bytes);
  else if (event.type === 'broken') {
    const notes = current?.hunks.at(-1);
    if (notes !== undefined) notes.broken = event.reason;
    read.notices.push(event.reason);
  }
}

function factsOf(seen: FileSurvey, { openings }: ReadBlobs): Parameters<Select>[1] {
  const { longestLine, changedBytes } = seen;
  const last = seen.hunks.at(-1);
  const lines = last === undefined ? 0 : last.newStart + last.newLines;
  return { opening: openings.get(seen) ?? seen.opening, longestLine, changedBytes, lines };
}

function candidatesOf(
  seen: FileSurvey,
  blobs: BlobChecks,
  skip: string | undefined,
): FindingWithoutId[] {
  if (skip === 'ignored by config') return [];
  const raised = [...seen.candidates, ...(blobs.candidates.get(seen) ?? [])];
  const counts = ({ candidate, guards }: Raised): boolean =>
    guards ||
    isStillChecked(skip) ||
    (skip === 'lockfile' && candidate.rule.startsWith('invalid/'));
  return raised.filter(counts).map(({ candidate }) => candidate);
}

const keptOf = ({ file, hunks }: FileSurvey): HunkText[] =>
  hunks.flatMap(({ number, section, lines, broken }) =>
    lines === undefined || broken !== undefined
      ? []
      : [{ path: file.path, number, section, lines, blob: file.newBlob }],
  );

const toHunk = (
  file: FileChange,
  notes: FileSurvey['hunks'][number],
  skip: string | undefined,
): SurveyedHunk => ({
  path: file.path,
  number: notes.number,
  newStart: notes.newStart,
  newLines: notes.newLines,
  added: notes.added,
  removed: notes.removed,
  tokens: notes.tokens,
  skip,
  broken: notes.broken,
});
