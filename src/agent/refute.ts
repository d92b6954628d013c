import type { BitePart } from '../core/bite.js';
import { showPart } from '../core/show-part.js';
import type { Judge } from './judge.js';
import { type Conversation, converse } from './loop.js';
import { registry } from './registry.js';
import { MOST_REFUSALS, type Proposal, type ReviewSetup } from './review-bite.js';
import { REFUTE_SYSTEM, refuteOpening } from './review-prompt.js';
import type { End } from './setup.js';
import { finish } from './tools/finish.js';

export interface SecondLook {
  readonly verdict: 'wrong' | 'holds' | 'unclear';
  /** Set when there was no look because the time or the model was at its end. */
  readonly unfinished: End | undefined;
}

/** Lines before and after the one in question, where the whole part is too long to be shown again. */
const AROUND = 12;

/** A second look that tries to prove a finding false. Only a clear word counts against it. */
export async function refute(
  proposal: Proposal,
  part: BitePart,
  setup: ReviewSetup,
): Promise<SecondLook> {
  const whole = await look(proposal, part, setup);
  const isWhole = !wasCut(whole) || part.lines.length <= 2 * AROUND;
  const { answer, end } = isWhole ? whole : await look(proposal, near(part, proposal.line), setup);
  if (end.reason === 'finished') {
    return { verdict: verdictIn(answer ?? ''), unfinished: undefined };
  }
  const isOver = ['deadline', 'aborted', 'model-gone'].includes(end.reason);
  return { verdict: 'unclear', unfinished: isOver ? end : undefined };
}

const look = (proposal: Proposal, part: BitePart, setup: ReviewSetup): Promise<Conversation> =>
  converse({
    ...setup,
    task: { system: REFUTE_SYSTEM, opening: refuteOpening(showPart(part), proposal) },
    tools: registry([finish]),
    judge: saysSo,
    mostRefusals: MOST_REFUSALS,
  });

/** A verdict about something that was not shown is none. */
const wasCut = ({ end, transcript }: Conversation): boolean =>
  end.reason === 'overflow' ||
  transcript.some(entry => entry.type === 'request' && entry.compaction === 'cut');

function near(part: BitePart, line: number): BitePart {
  const at = part.lines.findIndex(each => each.kind === 'added' && each.newLine === line);
  return { ...part, lines: part.lines.slice(Math.max(0, at - AROUND), at + AROUND + 1) };
}

const saysSo: Judge = ({ answer }) =>
  answer !== undefined && verdictIn(answer) !== 'unclear'
    ? undefined
    : 'the answer must begin with "wrong" or with "holds"';

function verdictIn(answer: string): SecondLook['verdict'] {
  const [word = ''] = /[a-z]+/.exec(answer.toLowerCase()) ?? [];
  if (['wrong', 'false', 'incorrect', 'refuted'].includes(word)) return 'wrong';
  return ['holds', 'true', 'correct', 'yes'].includes(word) ? 'holds' : 'unclear';
}
