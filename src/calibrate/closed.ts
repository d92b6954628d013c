import { askForFix } from '../agent/fix-question.js';
import { Questioner } from '../agent/question.js';
import type { ClosedName, Trial, TrialVerdict } from '../model/calibration.js';
import { type Model, NOTHING_USED } from '../model/model.js';
import { openQuestion, secondLook } from '../review/questions.js';
import { judgeVerdict } from '../review/verdict.js';

const PATH = 'src/list.js';
/** Correct, and with a bug in the second line. */
const CODE = {
  right: 'export function lastOf(items) {\n  return items[items.length - 1];\n}',
  wrong: 'export function lastOf(items) {\n  return items[items.length];\n}',
};
const BUG_LINE = 2;
const REPORT = 'items[items.length] is one past the end, so the result is undefined';
/** Correct edits. */
const FIXED = [CODE.right, CODE.right.replace('[items.length - 1]', '.at(-1)')];
/** As in a review. */
const REPLY_TOKENS = 300;

/**
 * Asks one of the closed questions of reviews and fixes, as they do, but once, and compares the answer
 * with the right one. The code has the bug for even seeds; a fix is always about the bug.
 */
export async function askClosed(
  { protocol, prompt, seed }: Trial & { readonly prompt: ClosedName },
  { facts, ask, signal }: Pick<Model, 'facts' | 'ask'> & { readonly signal: AbortSignal },
): Promise<TrialVerdict> {
  const questioner = new Questioner({
    model: { facts, ask, usage: () => NOTHING_USED, close: async () => undefined },
    protocol,
    limits: {
      deadlineMs: Number.POSITIVE_INFINITY,
      requests: 1,
      badReplies: 1,
      tokens: Number.POSITIVE_INFINITY,
      replyTokens: REPLY_TOKENS,
    },
    clock: { now: () => 0 },
    signal,
  });
  const isRight = await ASK[prompt](questioner, seed);
  signal.throwIfAborted();
  if (questioner.refusals > 0) return 'refused';
  if (isRight === undefined) return 'no-call';
  return isRight ? 'faithful' : 'other-arguments';
}

/** Whether the answer is right; undefined if no answer passed the checks. */
const ASK: Readonly<
  Record<ClosedName, (questioner: Questioner, seed: number) => Promise<boolean | undefined>>
> = {
  review: async (questioner, seed) => {
    const { hasBug, lines, change } = shown(seed);
    const asked = { change, rule: undefined, known: [], names: [], definition: undefined };
    const judged = { lines, removed: [], survivors: new Map(), names: [] };
    const { value } = await questioner.ask(
      attempt => openQuestion({ ...asked, lines: [...lines.keys()] }, attempt),
      answer => judgeVerdict(answer, judged, () => undefined),
      { vote: seed },
    );
    if (value === undefined) return undefined;
    return value.kind === 'problem' ? hasBug && value.problem.line === BUG_LINE : !hasBug;
  },
  'second look': async (questioner, seed) => {
    const { hasBug, lines, change } = shown(seed);
    const report = { line: BUG_LINE, quote: lines.get(BUG_LINE)?.trim() ?? '', message: REPORT };
    const { value } = await questioner.ask<string>(
      attempt => secondLook(change, report, attempt),
      ({ ruling }) =>
        ruling === undefined
          ? { isGood: false, kind: 'incomplete', problem: '', message: '' }
          : { isGood: true, value: ruling },
      { vote: seed },
    );
    return value === undefined ? undefined : (value === 'real_bug') === hasBug;
  },
  fix: async questioner => {
    let isRight: boolean | undefined;
    const tryEdit = async (after: string): Promise<string | undefined> => {
      isRight = isRight === true || FIXED.includes(after);
      return isRight ? undefined : 'that is not it';
    };
    const problem = [`line ${BUG_LINE}: ${REPORT}`];
    const place = { path: PATH, text: CODE.wrong, first: BUG_LINE, last: BUG_LINE, around: 3 };
    await askForFix({ ...place, problem, tries: 1, tryEdit }, questioner);
    return isRight;
  },
};

function shown(seed: number) {
  const hasBug = seed % 2 === 0;
  const lines = (hasBug ? CODE.wrong : CODE.right).split('\n');
  return {
    hasBug,
    lines: new Map(lines.map((text, at) => [at + 1, text])),
    change: {
      path: PATH,
      subject: undefined,
      enclosing: [],
      code: lines.map((text, at) => `+${at + 1}| ${text}`).join('\n'),
      onlyRemoves: false,
    },
  };
}
