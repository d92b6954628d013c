import { askForFix } from '../agent/fix-question.js';
import { Questioner } from '../agent/question.js';
import type { ReviewSetup } from './ask-chunk.js';
import type { FindingFixRequest, FixedFinding } from './chunk.js';

/** A suggestion is optional: after two tries the finding goes without one. */
const MOST_TRIES = 2;
/** Lines before and after the finding that are shown. */
const AROUND = 12;

/** Asks for a better text of the lines around a finding; code judges each proposal. */
export async function fixFinding(
  { finding, text, judge }: FindingFixRequest,
  setup: ReviewSetup,
): Promise<FixedFinding> {
  let kept: string | undefined;
  const questioner = new Questioner(setup);
  const { rejections, end } = await askForFix(
    {
      path: finding.path,
      text,
      first: finding.line,
      last: finding.line,
      around: AROUND,
      problem: [`The problem in line ${finding.line}: ${finding.message.slice(0, 400)}`],
      tries: MOST_TRIES,
      tryEdit: async after => {
        const objection = await judge(after);
        if (objection === undefined) kept = after;
        return objection;
      },
    },
    questioner,
  );
  questioner.close(end);
  const isStopped = ['deadline', 'aborted', 'model-gone', 'server-failed'].includes(end.reason);
  return { after: kept, rejected: rejections.length, isAnswered: !isStopped };
}
