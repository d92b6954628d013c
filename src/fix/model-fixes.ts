import { askForFix, type PreviousFix } from '../agent/fix-question.js';
import { Questioner, type QuestionSetup } from '../agent/question.js';
import { cutLine } from '../agent/tokens.js';
import type { WorkOptions } from '../config/options.js';
import { count } from '../core/count.js';
import type { Diagnostic } from '../core/diagnostic.js';
import type { ProtocolName } from '../model/calibration.js';
import { recorder } from '../review/agent.js';
import { calibrated } from '../review/model.js';
import type { Opened } from '../review/work.js';
import type { Session } from '../session.js';
import { untried } from './edit-session.js';
import type { FixJob, TimeEstimate } from './fix-lint.js';
import { conversations } from './order.js';
import { type Fixing, tryEdit } from './try-edit.js';

/** How one conversation ended. */
export interface FixAttempt {
  readonly isKept: boolean;
  /** Why nothing was kept. */
  readonly reason: string;
  /**
   * An edit was proposed and judged, or the model gave up; a failure, a block or junk isn't a try.
   */
  readonly isTried: boolean;
  /** The model can't be reached any more. */
  readonly isOver: boolean;
  readonly hasServerFailed: boolean;
  /** Tries are left, and it ended with a block, junk or giving up, which may differ next time. */
  readonly isWorthRetrying: boolean;
  /** Why edits were rejected, in this and in earlier conversations about the same. */
  readonly rejections: readonly string[];
  /** In this and in earlier conversations about the same. */
  readonly requests: number;
}

interface ModelFixing extends Fixing {
  readonly wanted: () => readonly Diagnostic[];
  readonly hasTime: () => boolean;
  readonly update: (text: string) => void;
  /** Shows the result for one group. */
  readonly part: (text: string) => void;
  /** Starts measuring the speed. */
  readonly pace: () => TimeEstimate;
  /**
   * A conversation about a group; `attempt` checks an edit and returns why it was not kept.
   * `before` describes earlier conversations.
   */
  readonly converse: (
    group: readonly Diagnostic[],
    attempt: (after: string) => Promise<string | undefined>,
    before: EarlierRounds,
  ) => Promise<FixAttempt>;
}

export interface ModelEnd {
  /** Groups that were not tried. */
  readonly untried: number;
  readonly reason: string | undefined;
}

/** After this many server failures in a row, it isn't asked any more. */
const MAX_FAILED = 2;
/** After this many groups in a row without an edit, each of the rest gets one conversation. */
const MAX_IN_VAIN = 2;

/** Asks the model about the rest, one diagnostic or a small group at a time. */
export async function modelFixes(fixing: ModelFixing): Promise<ModelEnd> {
  const { editSession, hasTime, update, part } = fixing;
  const tried = new Set<string>();
  const pace = fixing.pace();
  let [skipped, failedInARow, inVain] = [0, 0, 0];
  let whyUntried: string | undefined;
  for (;;) {
    const keys = untried(fixing.wanted(), tried);
    const groups = conversations(keys.keys());
    const [group] = groups;
    if (group === undefined) return { untried: skipped, reason: whyUntried };
    if (!hasTime()) return { untried: skipped + groups.length, reason: 'the deadline was near' };
    update(
      [
        `${editSession.fixed} fixed`,
        `${count(groups.length, 'place')} left`,
        ...pace.left(groups.length),
      ].join(', '),
    );
    const done = await askAbout(group, fixing, inVain);
    // A fixed diagnostic is gone, and its key may have passed to an equal one.
    if (!done.isKept) for (const each of group) tried.add(keys.get(each) ?? '');
    pace.step();
    for (const { path, line = 1, rule, tool } of group) {
      part(`${path}:${line} ${rule ?? tool}: ${done.isKept ? 'fixed' : 'left'}`);
    }
    if (done.isTried) {
      inVain = 0;
    } else {
      inVain += 1;
      skipped += 1;
      whyUntried = done.reason;
    }
    failedInARow = done.hasServerFailed ? failedInARow + 1 : 0;
    if (done.isOver || failedInARow === MAX_FAILED) {
      return { untried: skipped + groups.length - 1, reason: done.reason };
    }
  }
}

async function askAbout(
  group: readonly Diagnostic[],
  fixing: ModelFixing,
  inVain: number,
): Promise<FixAttempt> {
  const { editSession } = fixing;
  const max = inVain < MAX_IN_VAIN ? ROUNDS.length : 1;
  const path = group[0]?.path ?? '';
  const attempt = async (after: string): Promise<string | undefined> => {
    const verdict = await tryEdit({ path, after, by: 'model', diagnostics: group }, fixing);
    return verdict.ok ? undefined : verdict.reason;
  };
  let done = await fixing.converse(group, attempt, FIRST_ROUND);
  let { isWorthRetrying, rejections, requests } = done;
  for (let rounds = 1; isWorthRetrying && rounds < max && fixing.hasTime(); rounds += 1) {
    const next = await fixing.converse(group, attempt, { rounds, requests, rejections });
    const { isOver, hasServerFailed } = next;
    done = done.isTried && !next.isTried ? { ...done, isOver, hasServerFailed } : next;
    isWorthRetrying = next.isWorthRetrying && !hasServerFailed;
    ({ rejections, requests } = next);
  }
  if (!done.isKept) editSession.reject(group, 'model', done.reason);
  return done;
}

/** The conversations of a run: each is recorded, and printed with --verbose. */
export function fixConversation(
  options: WorkOptions,
  opened: Opened,
  session: Session,
): FixJob['conversation'] {
  const { git, config, context } = opened;
  // Opened for the first question: a transcript without an outcome would look like a run that broke off.
  let record: ReturnType<typeof recorder> | undefined;
  let preferred: ReturnType<typeof calibrated> | undefined;
  return async (model, { deadlineMs, ...request }) => {
    preferred ??= calibrated(model, session);
    record ??= recorder('fix-lint', { git, context, options, session });
    return fixDiagnostic(request, {
      model,
      protocol: options.model.protocol ?? config.model.protocol,
      preferred: (await preferred).preferred,
      limits: { ...config.limits, deadlineMs },
      clock: context.clock,
      signal: context.signal,
      onEntry: record,
    });
  };
}

export interface DiagnosticRequest {
  /** From one linter, about neighbouring lines of one file. */
  readonly diagnostics: readonly Diagnostic[];
  /** The current file. */
  readonly text: string;
  /** Checks an edit of that file and keeps it, or returns why not. */
  readonly tryEdit: (after: string) => Promise<string | undefined>;
  readonly before: EarlierRounds;
}

/** Earlier conversations about the same diagnostics, and why their edits, which count as tries, were rejected. */
export interface EarlierRounds {
  readonly rounds: number;
  readonly requests: number;
  readonly rejections: readonly string[];
}

/** Proposed edits for one diagnostic. More rarely help. */
export const MAX_TRIES = 3;
/**
 * For one diagnostic, in all conversations together, with replies that hold no usable edit;
 * `limits.requests` may be lower.
 */
const MAX_REQUESTS = 9;
export const FIRST_ROUND: EarlierRounds = { rounds: 0, requests: 0, rejections: [] };
/**
 * Lines shown before and after the diagnostic in each conversation: usually the function around it, then
 * more, then nothing but the lines to be replaced.
 */
const ROUNDS = [8, 16, 0] as const;
/** Of a longer diagnostic, only this many lines are shown. */
const MAX_OWN = 8;
const MESSAGE_TOKENS = 80;

/** One question about a diagnostic, repeated until an edit is kept or three were rejected. */
export async function fixDiagnostic(
  { diagnostics, text, tryEdit: attempt, before }: DiagnosticRequest,
  setup: QuestionSetup,
): Promise<FixAnswer> {
  const requests = Math.min(setup.limits.requests, MAX_REQUESTS) - before.requests;
  const questioner = new Questioner({ ...setup, limits: { ...setup.limits, requests } });
  const tried = await askForFix(
    {
      path: diagnostics[0]?.path ?? '',
      text,
      first: Math.min(...diagnostics.map(each => each.line ?? 1)),
      last: Math.max(
        ...diagnostics.map(({ line = 1, endLine = line }) => Math.min(endLine, line + MAX_OWN)),
      ),
      around: ROUNDS[before.rounds] ?? 0,
      problem: diagnostics.flatMap(complaint),
      tries: MAX_TRIES - before.rejections.length,
      round: before.rounds,
      tryEdit: attempt,
    },
    questioner,
  );
  questioner.close(tried.end);
  const { refusals, repairs, protocol } = questioner;
  const isLast = questioner.requests >= requests;
  return {
    ...tried,
    counts: { refusals, repairs },
    requests: before.requests + questioner.requests,
    isLast,
    protocol,
  };
}

/** How the model was asked, and the result. */
export interface FixAnswer extends PreviousFix {
  readonly counts: { readonly refusals: number; readonly repairs: number };
  /** In this and in earlier conversations about the same diagnostics. */
  readonly requests: number;
  /** No request is left for another conversation about them. */
  readonly isLast: boolean;
  readonly protocol: ProtocolName;
}

function complaint({ tool, rule, line, message, docs }: Diagnostic): string[] {
  const name = rule === null ? tool : `${tool} ${rule}`;
  return [
    `line ${line ?? 1}, ${cutLine(name, 30)}: ${cutLine(message, MESSAGE_TOKENS)}`,
    ...(docs === undefined ? [] : [`(the rule: ${cutLine(docs, MESSAGE_TOKENS)})`]),
  ];
}
