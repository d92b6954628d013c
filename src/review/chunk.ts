import type { Line } from '../core/change.js';
import type { Claim } from '../core/finding.js';
import type { HunkState } from '../core/ledger.js';
import type { ModelFacts, ModelTotals } from '../model/model.js';
import { reveal } from '../platform/safe-text.js';
import { redact } from '../secrets/redact.js';

/** A hunk, or a part of one that is too large for one question. */
export interface ChunkPart {
  readonly path: string;
  readonly hunk: number;
  readonly section: string;
  readonly lines: readonly Line[];
}

/** What the model is shown at once: parts that fill its window well. */
export interface Chunk {
  readonly number: number;
  readonly parts: readonly ChunkPart[];
  readonly tokens: number;
  /** Higher goes first. */
  readonly risk: number;
}

/** A part as the model sees it. The marks are what it must name a line by. */
export interface ShownPart {
  readonly path: string;
  readonly text: string;
  /** Added lines by number, exactly as in the file. */
  readonly added: ReadonlyMap<number, string>;
}

/** Longer lines are cut: no reviewer reads them, and one could fill the window. */
const MOST_CHARACTERS = 400;

/** A part as text: secrets masked, hidden characters made visible, added lines numbered and marked. */
export function showPart({ path, section, lines }: ChunkPart): ShownPart {
  const added = new Map<number, string>();
  const rows = lines.map(line => {
    if (line.kind === 'added') added.set(line.newLine, line.text);
    return showOne(line);
  });
  // A name may hold line ends and worse; it must not look like a line of the change.
  const name = reveal(path);
  const head = section === '' ? `file ${name}` : `file ${name}, in: ${clean(section)}`;
  return { path, text: redact([head, ...rows].join('\n')), added };
}

function showOne(line: Line): string {
  const text = clean(line.text);
  if (line.kind === 'removed') return `-| ${text}`;
  // The mark is derived from the line in the file, not from what is shown of it.
  const number =
    line.kind === 'added' ? `+${lineMark(line.newLine, line.text)}` : ` ${line.newLine}`;
  return `${number}| ${text}`;
}

const clean = (text: string): string => {
  const whole = reveal(text.replace(/\r$/, ''), '\t');
  return whole.length > MOST_CHARACTERS ? `${whole.slice(0, MOST_CHARACTERS)}…` : whole;
};

/** Names a line so that a wrong number is noticed: `12#k7`, two characters derived from its text. */
export const lineMark = (line: number, text: string): string => `${line}#${checkOf(text)}`;

export interface LineMark {
  readonly line: number;
  /** Undefined when only the number was given. */
  readonly check: string | undefined;
}

/** Reads a mark as models write it: `12#k7`, `+12#k7| text`, `line 12`. */
export function parseMark(said: string): LineMark | undefined {
  const found = MARK.exec(said.slice(0, LONGEST_MARK).trim());
  if (found === null) return undefined;
  const line = Number(found[1]);
  return line === 0 ? undefined : { line, check: found[2]?.toLowerCase() };
}

/** A bare number says nothing about the text, so it never fits by itself. */
export const fitsMark = (mark: LineMark, text: string): boolean => mark.check === checkOf(text);

const MARK = /^(?:line |l)?[+]?(\d{1,7})(?:#([a-z0-9]{2,4}))?(?![a-z0-9#])/i;
/** A mark is at most `line +9999999#abcd|`; what follows is the line's text. */
const LONGEST_MARK = 32;

/** No vowels, so that no word appears, and nothing that reads like another sign. */
const ALPHABET = 'bcdfghjkmnpqrstvwxz23456789';

/** FNV-1a over the text without the white space at its end, which editors and models drop. */
function checkOf(text: string): string {
  let hash = 0x811c9dc5;
  for (const char of text.trimEnd()) {
    hash = Math.imul(hash ^ (char.codePointAt(0) ?? 0), 0x01000193) >>> 0;
  }
  const mixed = (hash ^ (hash >>> 15)) >>> 0;
  const size = ALPHABET.length;
  return ALPHABET.charAt(mixed % size) + ALPHABET.charAt(Math.floor(mixed / size) % size);
}

/** What became of one part of a hunk, and what is claimed about it. */
export interface PartResult {
  readonly part: ChunkPart;
  readonly state: HunkState;
  readonly reason: string;
  readonly claims: readonly Claim[];
}

export interface RejectedClaim {
  readonly reason: string;
  readonly claim: Claim;
}

/** The limits of a conversation besides its time. */
export type Bound = 'turns' | 'requests' | 'tokens';

/** The results of the model's part of a review. */
export interface ReviewDraft {
  readonly parts: readonly PartResult[];
  readonly rejected: readonly RejectedClaim[];
  readonly repairs: number;
  readonly refusals: number;
  readonly protocol: string;
  /** The limits that a conversation hit, apart from time. */
  readonly limits: readonly Bound[];
  /** For people: what was cut or left out on the way. */
  readonly notices?: readonly string[];
}

/** The model's part of a review, as the flow sees it; loaded only when there is a model to ask. */
export interface ReviewAgent {
  readonly facts: ModelFacts;
  /** How far the server counts tokens above our estimates, where that was measured; else 1. */
  readonly tokenScale: number;
  /** Names the questions put to a part, so that their answers can be found again. */
  questionsFor(part: ChunkPart): string;
  review(chunks: readonly Chunk[], events: ReviewEvents): Promise<ReviewDraft>;
  /** Asks for a better text of the file around a finding. */
  fixFinding(options: FindingFixRequest): Promise<FixedFinding>;
  usage(): ModelTotals;
  close(): Promise<void>;
}

/** Called while a review runs. */
export interface ReviewEvents {
  /** How far it is. */
  tell(text: string): void;
  /** What became of some parts, as soon as it is known and final. */
  settled(parts: readonly PartResult[]): void;
}

export interface FindingFixRequest {
  readonly finding: Claim;
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
