import type { BitePart } from '../core/bite.js';
import { showPart } from '../core/show-part.js';
import type { Judge } from './judge.js';
import { converse } from './loop.js';
import { registry } from './registry.js';
import { MOST_REFUSALS, type Proposal, type ReviewSetup } from './review-bite.js';
import { REFUTE_SYSTEM, refuteOpening } from './review-prompt.js';
import { finish } from './tools/finish.js';

export type Refutation = 'wrong' | 'holds' | 'unclear';

/** A second look that tries to prove a finding false. Only a clear word counts against it. */
export async function refute(
  proposal: Proposal,
  part: BitePart,
  setup: ReviewSetup,
): Promise<Refutation> {
  const { answer, end } = await converse({
    ...setup,
    task: { system: REFUTE_SYSTEM, opening: refuteOpening(showPart(part), proposal) },
    tools: registry([finish]),
    judge: saysSo,
    mostRefusals: MOST_REFUSALS,
  });
  return end.reason === 'finished' ? verdictIn(answer ?? '') : 'unclear';
}

const saysSo: Judge = ({ answer }) =>
  answer !== undefined && verdictIn(answer) !== 'unclear'
    ? undefined
    : 'the answer must begin with "wrong" or with "holds"';

function verdictIn(answer: string): Refutation {
  const [word = ''] = /[a-z]+/.exec(answer.toLowerCase()) ?? [];
  if (['wrong', 'false', 'incorrect', 'refuted'].includes(word)) return 'wrong';
  return ['holds', 'true', 'correct', 'yes'].includes(word) ? 'holds' : 'unclear';
}
