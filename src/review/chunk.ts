import type { Bound } from '../agent/question.js';
import type { Line } from '../core/change.js';
import type { FindingWithoutId } from '../core/finding.js';
import type { HunkState } from '../core/ledger.js';
import type { UsedProtocol } from '../core/outcome.js';
import type { Source } from '../git/source.js';
import type { ModelFacts, ModelTotals } from '../model/model.js';
import { reveal } from '../platform/safe-text.js';
import { redact } from '../secrets/redact.js';

/** A hunk, or a part of one that is too large for one question. */
export interface ChunkPart {
  readonly path: string;
  readonly hunk: number;
  /** The functions and types around it, the outermost first. */
  readonly enclosing: readonly string[];
  readonly lines: readonly Line[];
  /** Where nothing was added: the nearest lines that are still there, at which a finding can stand. */
  readonly survivors: ReadonlyMap<number, string>;
}

/** What the model is shown at once: parts of one file that fill its window well. */
export interface Chunk {
  readonly number: number;
  readonly parts: readonly ChunkPart[];
  readonly tokens: number;
  /** Higher goes first. */
  readonly risk: number;
}

/** Longer lines are cut: no reviewer reads them, and one could fill the window. */
const MOST_CHARACTERS = 400;

/** A part as text: secrets masked, hidden characters made visible, new lines numbered and marked. */
export const showPart = ({ lines }: Pick<ChunkPart, 'lines'>): string =>
  redact(lines.map(showLine).join('\n'));

/** What `describe` shows: a chunk may have parts of several files there. */
export const showNamedPart = (part: Pick<ChunkPart, 'path' | 'lines'>): string =>
  `file ${shownPath(part)}\n${showPart(part)}`;

/** A name may hold line ends and worse; it must not look like a line of the change. */
export const shownPath = ({ path }: Pick<ChunkPart, 'path'>): string => redact(reveal(path));

function showLine(line: Line): string {
  const text = shownText(line.text);
  if (line.kind === 'removed') return `-| ${text}`;
  return `${line.kind === 'added' ? '+' : ' '}${line.newLine}| ${text}`;
}

export const shownText = (text: string): string => {
  const whole = reveal(text.replace(/\r$/, ''), '\t');
  return whole.length > MOST_CHARACTERS ? `${whole.slice(0, MOST_CHARACTERS)}…` : whole;
};

/** The lines of a part at which a finding can stand: the added ones, else what survived around it. */
export function anchorLines({ lines, survivors }: ChunkPart): ReadonlyMap<number, string> {
  const added = new Map<number, string>();
  for (const line of lines) if (line.kind === 'added') added.set(line.newLine, line.text);
  return added.size > 0 ? added : survivors;
}

export const onlyRemoves = ({ lines }: Pick<ChunkPart, 'lines'>): boolean =>
  lines.every(line => line.kind !== 'added');

/** What became of one part of a hunk, and what is claimed about it. */
export interface PartResult {
  readonly part: ChunkPart;
  readonly state: HunkState;
  readonly reason: string;
  readonly candidates: readonly FindingWithoutId[];
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
  /** For people: what was cut or left out on the way. */
  readonly notices?: readonly string[];
}

/** What cached answers are found by. */
export interface ModelIdentity {
  readonly facts: ModelFacts;
  /** How far the server counts tokens above our estimates, where that was measured; else 1. */
  readonly tokenScale: number;
  /** Names the questions put to a part, so that their answers can be found again. */
  questionsFor(part: ChunkPart): string;
}

/** The model's part of a review, as the flow sees it; loaded only when there is a model to ask. */
export interface ReviewAgent extends ModelIdentity {
  review(
    chunks: readonly Chunk[],
    about: ReviewedChange,
    events: ReviewEvents,
  ): Promise<ReviewDraft>;
  /** Asks for a better text of the file around a finding. */
  fixFinding(options: FindingFixRequest): Promise<FixedFinding>;
  usage(): ModelTotals;
  close(): Promise<void>;
}

/** What is known of a change besides its lines. */
export interface ReviewedChange {
  /** The commit's subject, where the change is one commit. */
  readonly subject: string | undefined;
  /** The reviewed files, for definitions; undefined without a repository. */
  readonly source: Source | undefined;
}

/** Called while a review runs. */
interface ReviewEvents {
  /** How far it is. */
  update(text: string | (() => string)): void;
  /** What became of some parts, as soon as it is known and final. */
  settled(parts: readonly PartResult[]): void;
}

export interface FindingFixRequest {
  readonly finding: FindingWithoutId;
  /** The part that the finding is in. */
  readonly part: ChunkPart;
  /** The file as reviewed. */
  readonly text: string;
  /** Undefined when the text is fine; else what is wrong with it, in words a model can act on. */
  judge(after: string): Promise<string | undefined>;
}

export interface FixedFinding {
  /** The whole file; undefined when nothing was proposed that the judge let pass. */
  readonly after: string | undefined;
  /** Proposals that the judge rejected. */
  readonly rejected: number;
  /** Whether the model was asked to the end, so that asking again would bring nothing new. */
  readonly isAnswered: boolean;
}

/** Where a proposed text is tried: the files as reviewed, and linters that may be run on them. */
export interface SuggestionSandbox {
  /** The file as reviewed; undefined when no linter could judge another text of it. */
  text(path: string): Promise<string | undefined>;
  /** Undefined when the linters report nothing new; else what they report. */
  judge(path: string, after: string): Promise<string | undefined>;
  close(): Promise<void>;
}

export interface SandboxOptions {
  readonly base: string | null;
  readonly head: string;
  readonly paths: readonly string[];
  /** How long it may be used. */
  readonly forMs: number;
}

/** There is no sandbox where no linter is configured for the files, or none may run; see the notices. */
export interface FoundSandbox {
  readonly sandbox: SuggestionSandbox | undefined;
  readonly notices: readonly string[];
}

export type OpenSuggestionSandbox = (options: SandboxOptions) => Promise<FoundSandbox>;

export type FoundAgent =
  | { readonly available: true; readonly agent: ReviewAgent }
  | { readonly available: false; readonly reason: string };
