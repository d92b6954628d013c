import type { Bite } from '../core/bite.js';
import { halveParts } from '../core/halve-parts.js';
import type { HunkState } from '../core/ledger.js';
import type { PartResult } from '../core/review-draft.js';
import { showPart } from '../core/show-part.js';
import { estimateTokens } from '../core/tokens.js';
import { cutLine } from './cut-text.js';
import {
  JOIN_SYSTEM,
  notesOpening,
  partsOpening,
  SUMMARY_SYSTEM,
  TITLE_SYSTEM,
  titleOpening,
} from './describe-prompt.js';
import { type DescribeSetup, DescribeTalks, type Said } from './describe-talks.js';
import { type ChangedFile, plainSummary, plainTitle, tidyTitle } from './describe-words.js';

export interface DescribeWork {
  readonly bites: readonly Bite[];
  /** Every file of the change, those not shown to the model included. */
  readonly files: readonly ChangedFile[];
  /** Tokens of text that one question can hold. */
  readonly capacity: number;
}

export interface DescribeDraft {
  readonly title: string;
  /** Paragraphs. */
  readonly text: readonly string[];
  readonly parts: readonly PartResult[];
  readonly notices: readonly string[];
  readonly repairs: number;
  readonly refusals: number;
  readonly protocol: string;
}

/** Of the time, so much is for looking at the change; the rest is for saying it in short. */
const LOOKING_SHARE = 0.75;

/**
 * Bites → title and paragraphs: a note about each bite, the notes made into one text, the text made
 * into a title. Whatever the model does not say, or says of files that did not change, code says.
 */
export async function describe(work: DescribeWork, setup: DescribeSetup): Promise<DescribeDraft> {
  const paths = work.files.map(file => file.path);
  const talks = new DescribeTalks(setup, paths);
  const { notes, parts, unsaid } = await takeNotes(work, talks);
  const text = await join(notes, work.capacity, talks);
  const title = text.length === 0 ? undefined : await titleOf(text.join(' '), work, talks);
  const isPlain = title === undefined && paths.length > 0;
  return {
    title: title ?? plainTitle(work.files),
    text: unsaid.length === 0 ? text : [...text, plainSummary(unsaid)],
    parts,
    notices: [
      ...(unsaid.length > 0 ? [`${named(unsaid)}: described by code, not by the model`] : []),
      ...(isPlain ? ['the title was made by code, not by the model'] : []),
      ...talks.notices(),
    ],
    ...talks.counts(),
  };
}

interface Notes {
  readonly notes: readonly string[];
  readonly parts: readonly PartResult[];
  /** Files of bites that the model said nothing of. */
  readonly unsaid: readonly ChangedFile[];
}

async function takeNotes(work: DescribeWork, talks: DescribeTalks): Promise<Notes> {
  const notes: string[] = [];
  const parts: PartResult[] = [];
  const unsaid = new Set<string>();
  const queue: Array<Pick<Bite, 'parts'>> = [...work.bites];
  for (let bite = queue.shift(); bite !== undefined; bite = queue.shift()) {
    const said = await talks.ask(
      { system: SUMMARY_SYSTEM, opening: partsOpening(bite.parts.map(showPart)) },
      LOOKING_SHARE,
    );
    const halves = said.reason === 'overflow' ? halveParts(bite.parts) : undefined;
    if (halves !== undefined) {
      queue.unshift(...halves.map(parts => ({ parts })));
      continue;
    }
    const state = stateOf(said);
    const reason = state === 'reviewed' || state === 'cached' ? '' : said.message;
    parts.push(...bite.parts.map(part => ({ part, state, reason, claims: [] })));
    if (said.text !== '')
      notes.push(cutLine(said.text, Math.floor(work.capacity / NOTES_AT_LEAST)));
    else for (const part of bite.parts) unsaid.add(part.path);
  }
  return { notes, parts, unsaid: work.files.filter(file => unsaid.has(file.path)) };
}

/** So many notes fit one question, whatever the window: each round leaves fewer of them. */
const NOTES_AT_LEAST = 4;
/** More paragraphs than this nobody reads; they are counted instead. */
const MOST_PARAGRAPHS = 12;

/** Notes → one paragraph, in as many rounds as it takes; the notes themselves when the model fails. */
async function join(
  notes: readonly string[],
  capacity: number,
  talks: DescribeTalks,
): Promise<string[]> {
  let level = [...notes];
  while (level.length > 1) {
    const next: string[] = [];
    for (const group of groups(level, capacity)) {
      const said =
        group.length === 1
          ? { text: group[0] ?? '' }
          : await talks.ask({ system: JOIN_SYSTEM, opening: notesOpening(group) }, 1);
      if (said.text === '') return shortened(level);
      next.push(cutLine(said.text, Math.floor(capacity / NOTES_AT_LEAST)));
    }
    level = next;
  }
  return level;
}

function groups(notes: readonly string[], capacity: number): string[][] {
  const found: string[][] = [[]];
  let room = capacity;
  for (const note of notes) {
    const tokens = estimateTokens(note) + 2;
    const last = found.at(-1) ?? [];
    if (tokens > room && last.length >= 2) {
      found.push([note]);
      room = capacity - tokens;
    } else {
      last.push(note);
      room -= tokens;
    }
  }
  return found;
}

function shortened(notes: readonly string[]): string[] {
  const shown = notes.slice(0, MOST_PARAGRAPHS);
  const rest = notes.length - shown.length;
  return rest === 0 ? shown : [...shown, `And ${rest} more notes of this kind.`];
}

async function titleOf(
  text: string,
  { files, capacity }: DescribeWork,
  talks: DescribeTalks,
): Promise<string | undefined> {
  const opening = titleOpening(cutLine(text, capacity), named(files));
  const said = await talks.ask({ system: TITLE_SYSTEM, opening }, 1);
  return tidyTitle(said.text) || undefined;
}

function named(files: readonly ChangedFile[]): string {
  const [only, second] = files;
  return only !== undefined && second === undefined ? only.path : `${files.length} files`;
}

/** What the end of a conversation means for the hunks it was about. */
function stateOf({ reason, text, isRemembered }: Said): HunkState {
  if (isRemembered === true && text !== '') return 'cached';
  if (reason === 'finished') return text === '' ? 'failed' : 'reviewed';
  if (reason === 'refused' || reason === 'blocked') return 'refused';
  return reason === 'deadline' || reason === 'aborted' ? 'outOfTime' : 'failed';
}
