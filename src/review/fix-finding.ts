import type { Judge } from '../agent/judge.js';
import { converse } from '../agent/loop.js';
import { failed, registry, succeeded, type Tool } from '../agent/tool.js';
import { editFile, Overlay } from '../agent/tools/edit-file.js';
import { finish } from '../agent/tools/reading.js';
import type { Claim } from '../core/finding.js';
import type { Source } from '../git/source.js';
import { redact } from '../secrets/redact.js';
import { MOST_REFUSALS, type ReviewSetup } from './ask-chunk.js';
import { type FindingFixRequest, type FixedFinding, showPart } from './chunk.js';
import { FIX_SYSTEM, fixOpening } from './questions.js';

/** A suggestion is optional: after two tries the finding goes without one. */
const MOST_TRIES = 2;
const MOST_REQUESTS = 6;
/** Lines before and after the finding that are shown. */
const AROUND = 12;

interface Tried {
  after: string | undefined;
  rejected: number;
}

/** One short conversation: the model edits the lines around a finding, and code judges the edit. */
export async function fixFinding(
  options: FindingFixRequest,
  setup: ReviewSetup,
): Promise<FixedFinding> {
  const tried: Tried = { after: undefined, rejected: 0 };
  const isOver: Judge = ({ answer }) =>
    tried.after !== undefined || tried.rejected >= MOST_TRIES || answer !== undefined
      ? undefined
      : 'nothing was edited yet';
  const { end } = await converse({
    ...setup,
    limits: { ...setup.limits, requests: Math.min(setup.limits.requests, MOST_REQUESTS) },
    task: { system: FIX_SYSTEM, opening: openingOf(options) },
    tools: registry([checkedEdit(options, tried), finish]),
    judge: isOver,
    endsWhenDone: true,
    mostRefusals: MOST_REFUSALS,
  });
  const isStopped = ['deadline', 'aborted', 'model-gone'].includes(end.reason);
  return { ...tried, isAnswered: !isStopped };
}

function openingOf({ finding, part }: FindingFixRequest): string {
  const at = part.lines.findIndex(each => each.kind === 'added' && each.newLine === finding.line);
  const lines = part.lines.slice(Math.max(0, at - AROUND), at + AROUND + 1);
  return fixOpening(showPart({ ...part, lines }), finding);
}

/** The usual edit tool, with the judge's verdict as its result. */
function checkedEdit({ finding, text, judge }: FindingFixRequest, tried: Tried): Tool {
  const source = onlyFile(finding, text);
  const forbids = (asked: string): string | undefined =>
    asked === finding.path ? undefined : `the problem is in ${finding.path}`;
  const toolOn = (overlay: Overlay): Tool => editFile({ source, overlay, forbids });
  return {
    ...toolOn(new Overlay()),
    run: async (input, context) => {
      const overlay = new Overlay();
      const made = await toolOn(overlay).run(input, context);
      const [change] = overlay.changes();
      if (made.isError || change === undefined) return { ...made, text: redact(made.text) };
      const after = new TextDecoder('utf-8', { ignoreBOM: true }).decode(change.after);
      const objection = await judge(after);
      if (objection === undefined) {
        tried.after = after;
        return succeeded(made.text, made.details);
      }
      tried.rejected += 1;
      return failed(redact(`the edit was not kept: ${objection}`), made.details);
    },
  };
}

/** Nothing but the file in question, as it was reviewed. */
const onlyFile = ({ path }: Claim, text: string): Source => ({
  list: async () => [],
  read: async asked =>
    asked === path ? { kind: 'file', bytes: new TextEncoder().encode(text) } : { kind: 'absent' },
  search: async () => ({ matches: [], isTruncated: false }),
  diff: async () => undefined,
  history: async () => [],
});
