import type { Bite, ShownPart } from '../core/bite.js';
import type { Severity } from '../core/finding.js';
import { showPart } from '../core/show-part.js';
import { type Conversation, converse } from './loop.js';
import { registry } from './registry.js';
import { type AskedRule, OPEN_SYSTEM, ruleSystem, showParts } from './review-prompt.js';
import type { Setup } from './setup.js';
import { finish } from './tools/finish.js';
import { type RefusedFinding, reportFinding } from './tools/report-finding.js';

/** What conversations about one change share. */
export type ReviewSetup = Pick<
  Setup,
  'model' | 'protocol' | 'preferred' | 'tokenScale' | 'limits' | 'clock' | 'signal' | 'onEntry'
> & {
  /** Told before each bite how many are done. */
  readonly onBite?: (done: number) => void;
};

/** A problem as the model reported it, on a line that was shown and with a quote that is there. */
export interface Proposal {
  readonly path: string;
  readonly line: number;
  readonly quote: string;
  readonly severity: Severity;
  readonly message: string;
}

export interface BiteTalk {
  readonly talk: Conversation;
  readonly proposals: readonly Proposal[];
  /** Reports that did not fit what was shown; the model was told why. */
  readonly refused: readonly RefusedFinding[];
}

/** A block is met with other words once; then the hunk is accounted for as refused. */
export const MOST_REFUSALS = 2;

/** One question about one bite: the open one, or a rule of the user's own. */
export async function reviewBite(
  bite: Bite,
  rule: AskedRule | undefined,
  setup: ReviewSetup & { readonly seed?: number },
): Promise<BiteTalk> {
  const shown = shownIn(bite);
  const proposals: Proposal[] = [];
  const refused: RefusedFinding[] = [];
  const report = reportFinding({
    shown: shown.map(({ path, added }) => ({ path, lines: added })),
    found: finding => proposals.push(finding),
    refused: finding => refused.push(finding),
  });
  const talk = await converse({
    ...setup,
    task: {
      system: rule === undefined ? OPEN_SYSTEM : ruleSystem(rule),
      opening: showParts(shown),
    },
    tools: registry([report, finish]),
    mostRefusals: MOST_REFUSALS,
  });
  return { talk, proposals, refused };
}

const shownIn = (bite: Bite): ShownPart[] => bite.parts.map(showPart);
