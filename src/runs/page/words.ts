import { SEVERITIES } from '../../core/finding.js';
import type { HunkState } from '../../core/ledger.js';
import type { SavedOutcome } from '../../core/outcome.js';
import type { AuditConversation, Turn } from '../audit-run.js';

export const count = (amount: number, noun: string): string =>
  `${numeral(amount)} ${noun}${amount === 1 ? '' : 's'}`;

/** `12,345` in any locale: the page is in English. */
export const numeral = (amount: number): string =>
  String(Math.round(amount)).replace(/\B(?=(\d{3})+$)/g, ',');

/** `840 ms`, `3.2 s`, `2 min 5 s`. */
export function duration(milliseconds: number): string {
  if (milliseconds < 1000) return `${Math.round(milliseconds)} ms`;
  const seconds = milliseconds / 1000;
  if (seconds < 59.95) return `${seconds.toFixed(1)} s`;
  const whole = Math.round(seconds);
  return `${Math.floor(whole / 60)} min ${whole % 60} s`;
}

export const shortId = (id: string): string =>
  /^[0-9a-f]{40,64}$/.test(id) ? id.slice(0, 12) : id;

export const STATES: Readonly<
  Record<HunkState, { readonly mark: string; readonly words: string }>
> = {
  reviewed: { mark: 'R', words: 'reviewed by the model' },
  cached: { mark: 'C', words: 'cached' },
  checked: { mark: 'K', words: 'checks only' },
  skipped: { mark: 'S', words: 'skipped' },
  outOfTime: { mark: 'T', words: 'out of time' },
  refused: { mark: 'X', words: 'refused by the model' },
  failed: { mark: 'F', words: 'failed' },
};

/** Why a finding was rejected, in words. */
export const REASONS: Readonly<Record<string, string>> = {
  'not-on-changed-line': 'It points at a line that is not part of the change.',
  'quote-not-found': 'The code it quotes is not on that line.',
  duplicate: 'This line already has the same finding.',
  outvoted: 'Most of the other tries did not report it.',
  refuted: 'A second check showed that it is wrong.',
  'ignored-inline': 'A comment in the code silences it.',
  'below-min-severity': 'It is less severe than review.minSeverity asks for.',
  'max-findings': 'There were more findings than review.maxFindings allows.',
};

export const turnId = ({ conversation, number }: Pick<Turn, 'conversation' | 'number'>): string =>
  `turn-${conversation}-${number}`;

/** The result of a run in a few words. */
export function verdict(outcome: SavedOutcome): string {
  const { task, diagnostics, answer, description, findings = [] } = outcome;
  if (diagnostics !== undefined) {
    const { before, fixed } = diagnostics;
    return before === 0 ? 'Nothing to fix' : `${fixed} of ${count(before, 'diagnostic')} fixed`;
  }
  if (task === 'ask') return answer === undefined ? 'No answer' : 'Answered';
  if (description !== undefined) return 'Described';
  const found = [...SEVERITIES].reverse().flatMap(severity => {
    const amount = findings.filter(finding => finding.severity === severity).length;
    if (amount === 0) return [];
    return [severity === 'info' ? `${amount} info` : count(amount, severity)];
  });
  if (found.length > 0) return found.join(', ');
  return outcome.complete ? 'Nothing found' : 'Nothing found so far';
}

/** `127.0.0.1:11434` and the like. */
export const isThisMachine = (host: string): boolean =>
  /^(localhost|127(\.\d{1,3}){3}|\[::1\])(:\d{1,5})?$/.test(host);

/** A request's tokens: as the server counted, otherwise as estimated. */
export const promptTokens = ({ reply, estimatedTokens }: Turn): number =>
  reply?.promptTokens || estimatedTokens;

/** How much of the window the largest request and its reply took. */
export function fullestRequest(
  conversations: readonly AuditConversation[],
  window: number | undefined,
): string | undefined {
  const used = conversations
    .flatMap(conversation => conversation.turns)
    .reduce(
      (max, turn) => Math.max(max, promptTokens(turn) + (turn.reply?.completionTokens ?? 0)),
      0,
    );
  if (used === 0) return undefined;
  const share = window === undefined ? '' : ` of ${numeral(window)}`;
  return `at most ${numeral(used)}${share} tokens in one request`;
}
