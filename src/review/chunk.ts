import type { Bound } from '../agent/question.js';
import type { Line } from '../core/change.js';
import type { FindingWithoutId } from '../core/finding.js';
import type { HunkState } from '../core/ledger.js';
import type { UsedProtocol } from '../core/outcome.js';
import type { Source } from '../git/source.js';
import type { ModelFacts } from '../model/model.js';
import { reveal } from '../platform/safe-text.js';
import { redact } from '../secrets/redact.js';

/** A hunk, or a part of one that is too large for one question. */
export interface ChunkPart {
  readonly path: string;
  readonly hunk: number;
  /** The functions and types around it, outermost first. */
  readonly enclosing: readonly string[];
  readonly lines: readonly Line[];
  /** Where nothing was added: the nearest remaining lines, on which a finding can be placed. */
  readonly survivors: ReadonlyMap<number, string>;
}

/** What the model is shown at once: parts of one file that fill its window. */
export interface Chunk {
  readonly number: number;
  readonly parts: readonly ChunkPart[];
  readonly tokens: number;
  /** Higher goes first. */
  readonly risk: number;
}

/** Longer lines are cut: nobody reviews them, and one could fill the window. */
const MAX_CHARACTERS = 400;

/** A part as text: secrets masked, hidden characters made visible, new lines numbered and marked. */
export const showPart = ({ lines }: Pick<ChunkPart, 'lines'>): string =>
  redact(lines.map(showLine).join('\n'));

/** What `describe` shows: a chunk may have parts of several files there. */
export const showNamedPart = (part: Pick<ChunkPart, 'path' | 'lines'>): string =>
  `file ${shownPath(part)}\n${showPart(part)}`;

/** A name may contain newlines and worse; it must not look like a line of the change. */
export const shownPath = ({ path }: Pick<ChunkPart, 'path'>): string => redact(reveal(path));

/** The file extension; empty if there is none. */
export function endingOf(path: string): string {
  const name = path.slice(path.lastIndexOf('/') + 1);
  return name.includes('.') ? name.slice(name.lastIndexOf('.') + 1) : '';
}

function showLine(line: Line): string {
  const text = shownText(line.text);
  if (line.kind === 'removed') return `-| ${text}`;
  return `${line.kind === 'added' ? '+' : ' '}${line.newLine}| ${text}`;
}

export const shownText = (text: string): string => {
  const whole = reveal(text.replace(/\r$/, ''), '\t');
  return whole.length > MAX_CHARACTERS ? `${whole.slice(0, MAX_CHARACTERS)}…` : whole;
};

/**
 * The lines on which a finding can be placed: the added ones, or else the nearest remaining ones.
 */
export function anchorLines({ lines, survivors }: ChunkPart): ReadonlyMap<number, string> {
  const added = new Map<number, string>();
  for (const line of lines) if (line.kind === 'added') added.set(line.newLine, line.text);
  return added.size > 0 ? added : survivors;
}

export const onlyRemoves = ({ lines }: Pick<ChunkPart, 'lines'>): boolean =>
  lines.every(line => line.kind !== 'added');

/** What became of one part of a hunk, and the findings in it. */
export interface PartResult {
  readonly part: ChunkPart;
  readonly state: HunkState;
  readonly reason: string;
  readonly candidates: readonly FindingWithoutId[];
  /** The second look gave no ruling on one of them, so the next run asks again. */
  readonly isUnconfirmed?: boolean;
  /** What was left out of its questions or of their answers. */
  readonly leftOut?: readonly string[];
}

export interface RejectedFinding {
  readonly reason: string;
  readonly candidate: FindingWithoutId;
}

/** The results of the model's part of a review. */
export interface ReviewDraft {
  readonly parts: readonly PartResult[];
  readonly rejected: readonly RejectedFinding[];
  readonly repairs: number;
  readonly refusals: number;
  readonly protocol: UsedProtocol;
  /** The limits that a conversation hit, apart from time. */
  readonly limits: readonly Bound[];
  /** For the user: what was cut or left out on the way. */
  readonly notices?: readonly string[];
}

/** What cached answers are looked up by. */
export interface ModelIdentity {
  readonly facts: ModelFacts;
  /** The ratio of the server's token counts to our estimates if measured, else 1. */
  readonly tokenScale: number;
  /** Identifies the questions about a part, so that cached answers can be found. */
  questionsFor(part: ChunkPart): string;
}

/** What is known about a change besides its lines. */
export interface ReviewedChange {
  /** The commit's subject, where the change is one commit. */
  readonly subject: string | undefined;
  /** The reviewed files, for definitions; undefined without a repository. */
  readonly source: Source | undefined;
}
