import type { BitePart } from '../core/bite.js';
import type { Severity } from '../core/finding.js';
import { textOf } from '../core/message.js';
import type { Model } from '../core/model.js';
import type { PartResult } from '../core/review-draft.js';
import { showPart } from '../core/show-part.js';
import type { Counts } from './counts.js';
import { converse } from './loop.js';
import type { ProtocolName } from './protocol.js';
import { registry } from './registry.js';
import { type AskedRule, NOTHING, OPEN_SYSTEM, ruleSystem, showParts } from './review-prompt.js';
import type { End, Setup } from './setup.js';
import { finishWith } from './tools/finish.js';
import { type RefusedFinding, reportFinding } from './tools/report-finding.js';
import type { Entry } from './transcript.js';

/** What conversations about one change share. */
export type ReviewSetup = Pick<
  Setup,
  'model' | 'protocol' | 'preferred' | 'tokenScale' | 'limits' | 'clock' | 'signal' | 'onEntry'
> & {
  /** Told before each bite how many are done. */
  readonly onBite?: (done: number) => void;
  readonly onSettled?: (parts: readonly PartResult[]) => void;
};

/** One question: the open one, or a rule of the user's own, about some parts of the change. */
export interface Question {
  readonly parts: readonly BitePart[];
  readonly rule: AskedRule | undefined;
  readonly seed: number;
  /** Marks of lines that were reported already, when the question is put once more. */
  readonly noted: readonly string[];
}

/** A problem as the model reported it, on a line that was shown and with a quote that is there. */
export interface Proposal {
  readonly path: string;
  readonly line: number;
  readonly quote: string;
  readonly severity: Severity;
  readonly message: string;
}

export interface BiteTalk {
  readonly end: End;
  readonly proposals: readonly Proposal[];
  /** Reports that did not fit what was shown; the model was told why. */
  readonly refused: readonly RefusedFinding[];
  /** Of what was asked not everything was read, because it did not fit. */
  readonly isTooLong: boolean;
  /** There was no room or no turn left to report more. */
  readonly isFull: boolean;
  /** What the largest request cost that the server would not take, as estimated. */
  readonly overflowedAt: number | undefined;
  readonly counts: Readonly<Counts>;
  readonly protocol: ProtocolName;
}

/** A block is met with other words once; then the hunk is accounted for as refused. */
export const MOST_REFUSALS = 2;
/** Other words than the agreed one are asked about once; then the hunk is accounted for as failed. */
const MOST_ENDINGS = 2;

export async function reviewBite(question: Question, setup: ReviewSetup): Promise<BiteTalk> {
  const proposals: Proposal[] = [];
  const refused: RefusedFinding[] = [];
  const asked = questionFor(question, {
    found: finding => proposals.push(finding),
    refused: finding => refused.push(finding),
  });
  const watch = watchWhole(asked.task.opening, setup);
  const { end, counts, protocol, transcript } = await converse({
    ...setup,
    ...asked,
    seed: question.seed,
    model: watch.model,
    signal: watch.signal,
    mostRefusals: MOST_REFUSALS,
    ending: { word: NOTHING, tries: MOST_ENDINGS },
  });
  const isTooLong =
    watch.trouble() === 'too long' ||
    end.reason === 'overflow' ||
    (end.reason === 'requests' && counts.overflows > 0);
  const isFull = watch.trouble() === 'full' || (end.reason === 'turns' && proposals.length > 0);
  const overflowedAt = counts.overflows > 0 ? largestRequest(transcript) : undefined;
  return { end, proposals, refused, isTooLong, isFull, overflowedAt, counts, protocol };
}

type Ears = Pick<Parameters<typeof reportFinding>[0], 'found' | 'refused'>;

/** Instructions, text and tools of a question; also what tells how long it will be. */
export function questionFor(
  { parts, rule, noted }: Omit<Question, 'seed'>,
  ears: Ears = { found: () => undefined },
): Pick<Setup, 'task' | 'tools'> {
  const shown = parts.map(showPart);
  const report = reportFinding({
    shown: shown.map(({ path, added }) => ({ path, lines: added })),
    ...ears,
  });
  const system = rule === undefined ? OPEN_SYSTEM : ruleSystem(rule);
  return {
    task: { system, opening: [showParts(shown), ...notedLine(noted)].join('\n') },
    tools: registry([report, finishWith(NOTHING)]),
  };
}

const notedLine = (noted: readonly string[]): string[] =>
  noted.length === 0 ? [] : [`Already reported: ${noted.join(', ')}. Report other lines only.`];

interface Watch {
  readonly model: Model;
  readonly signal: AbortSignal;
  readonly trouble: () => 'too long' | 'full' | undefined;
}

/**
 * A conversation makes do with less when it gets too long. A review may not: what is cut away is not
 * read. So it is stopped before the change is cut, and when the server refuses its length at once.
 */
function watchWhole(opening: string, { model, signal }: ReviewSetup): Watch {
  const stop = new AbortController();
  let trouble: ReturnType<Watch['trouble']>;
  let hasAnswered = false;
  const stopFor = (reason: 'too long' | 'full'): void => {
    trouble = reason;
    stop.abort();
  };
  const ask: Model['ask'] = async (request, until) => {
    const [first] = request.messages;
    if (first === undefined || !textOf(first).includes(opening)) {
      stopFor(hasAnswered ? 'full' : 'too long');
    }
    stop.signal.throwIfAborted();
    const reply = await model.ask(request, until);
    if (reply.kind === 'answer' || reply.kind === 'tool-calls') hasAnswered = true;
    if (reply.kind === 'overflow' && !hasAnswered) stopFor('too long');
    return reply;
  };
  return {
    model: {
      get facts() {
        return model.facts;
      },
      ask,
      usage: () => model.usage(),
      close: () => model.close(),
    },
    signal: AbortSignal.any([signal, stop.signal]),
    trouble: () => trouble,
  };
}

const largestRequest = (transcript: readonly Entry[]): number =>
  Math.max(...transcript.map(entry => (entry.type === 'request' ? entry.estimatedTokens : 0)));
