import type { Config } from '../config.js';
import type { KeptHunk } from '../core/bite.js';
import type { DiffEvent, FileChange } from '../core/change.js';
import type { Claim } from '../core/finding.js';
import type { Ignores, Survey, SurveyedHunk } from '../core/survey.js';
import { isTimeUp } from '../core/time-up.js';
import type { World } from '../world.js';
import { FileSurvey, type SurveyOptions } from './file-survey.js';
import { syntaxOf } from './invalid-syntax.js';
import { activeChecks } from './rules.js';
import { type Looks, secondLook } from './second-look.js';

/** The part of a gathered change that checks need. */
export interface Surveyable {
  readonly base: string | null;
  readonly head: string;
  readonly events: AsyncIterable<readonly DiffEvent[]>;
  readonly notices: readonly string[];
}

export interface SurveyWish {
  readonly config: Config;
  readonly measure: SurveyOptions['measure'];
  /** Whether a model will want the text of the hunks. */
  readonly keepsText: boolean;
  /** Gives a judge that says why a file is left to the guards alone. */
  readonly select: (attributeFiles: Looks['attributeFiles']) => Promise<Select>;
}

export type Select = (
  file: FileChange,
  facts: { opening: string; longestLine: number; changedBytes: number },
) => string | undefined;

/** More text than this nobody reviews in one go; what does not fit is told, not dropped. */
const MOST_KEPT_CHARACTERS = 32 * 1024 * 1024;

/**
 * ChangeSet → Survey: every deterministic check, in one pass over the diff and one second look at
 * the blobs that matter. Nothing here asks a model.
 */
export async function survey(change: Surveyable, world: World, wish: SurveyWish): Promise<Survey> {
  const options: SurveyOptions = {
    checks: activeChecks(wish.config),
    measure: wish.measure,
    wantsWhole: path => syntaxOf(path) !== undefined,
    room: { characters: wish.keepsText ? MOST_KEPT_CHARACTERS : 0 },
  };
  const read = await readEvents(change.events, options, world);
  const looks = await secondLook(read.files, change.head, world);
  const select = await wish.select(looks.attributeFiles);
  const hunks: SurveyedHunk[] = [];
  const claims: Claim[] = [];
  const kept: KeptHunk[] = [];
  for (const seen of read.files) {
    await world.clock.breathe();
    const opening = looks.openings.get(seen) ?? seen.opening;
    const { longestLine, changedBytes } = seen;
    const skip = select(seen.file, { opening, longestLine, changedBytes });
    hunks.push(...seen.hunks.map(notes => toHunk(seen.file, notes, skip)));
    claims.push(...claimsOf(seen, looks, skip));
    if (skip === undefined) kept.push(...keptOf(seen));
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
    claims,
    kept,
    ignores: new Map(read.files.map((seen): [string, Ignores] => [seen.file.path, seen.ignores])),
    notices: [...change.notices, ...read.notices, ...looks.notices],
    isCut: read.isCut,
  };
}

interface ReadEvents {
  readonly files: FileSurvey[];
  readonly notices: string[];
  isCut: boolean;
}

async function readEvents(
  events: AsyncIterable<readonly DiffEvent[]>,
  options: SurveyOptions,
  { signal, clock }: World,
): Promise<ReadEvents> {
  const read: ReadEvents = { files: [], notices: [], isCut: false };
  let cutLines = 0;
  try {
    for await (const batch of events) {
      for (const event of batch) {
        if (event.type === 'cut-line') cutLines += 1;
        else take(event, read, options);
        if (event.type === 'file') await clock.breathe();
      }
    }
  } catch (thrown) {
    // Time is up: what was read stands. Ctrl-C and failures go on up.
    if (!isTimeUp(signal)) throw thrown;
    read.isCut = true;
  }
  if (cutLines > 0) read.notices.push(`${cutLines} very long lines were judged by their beginning`);
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
  else if (event.type === 'broken') {
    const notes = current?.hunks.at(-1);
    if (notes !== undefined) notes.broken = event.reason;
    read.notices.push(event.reason);
  }
}

function claimsOf(seen: FileSurvey, looks: Looks, skip: string | undefined): Claim[] {
  if (skip === 'ignored by config') return [];
  const raised = [...seen.claims, ...(looks.claims.get(seen) ?? [])];
  return raised.filter(({ guards }) => guards || skip === undefined).map(({ claim }) => claim);
}

const keptOf = ({ file, hunks }: FileSurvey): KeptHunk[] =>
  hunks.flatMap(({ number, section, lines, broken }) =>
    lines === undefined || broken !== undefined
      ? []
      : [{ path: file.path, number, section, lines }],
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
