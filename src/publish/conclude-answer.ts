import { formatDuration } from '../core/duration.js';
import type { Model } from '../core/model.js';
import type { AnswerOutcome } from '../core/outcome.js';
import type { Clock } from '../world.js';

/** What a conversation has left, as far as the report needs it. */
export interface AnswerParts {
  readonly run: string;
  readonly startedAt: number;
  readonly text: string;
  readonly resumed: number;
  /** Where the whole conversation can be read. */
  readonly kept: string;
  readonly checked: {
    readonly sources: ReadonlyArray<{ readonly path: string; readonly line: number }>;
    readonly missing: readonly string[];
  };
  readonly talk: {
    readonly end: { readonly reason: string; readonly message: string };
    readonly protocol: string;
    readonly counts: {
      readonly repairs: Readonly<Record<string, number>>;
      readonly retries: number;
      readonly refusals: number;
      readonly protocolFalls: number;
    };
  };
  readonly question: { readonly model: Model; readonly deadlineMs: number };
}

const NOTHING_CONFIRMED = 'No answer could be confirmed.';

export function concludeAnswer(parts: AnswerParts, clock: Clock): AnswerOutcome {
  const { talk, question, checked } = parts;
  const { facts } = question.model;
  const totals = question.model.usage();
  const isFinished = talk.end.reason === 'finished';
  return {
    version: 1,
    run: parts.run,
    task: 'ask',
    startedAt: clock.stamp(parts.startedAt),
    durationMs: clock.now() - parts.startedAt,
    // What was not accepted is no answer; it is kept in the transcript.
    answer: isFinished
      ? { text: parts.text, sources: checked.sources }
      : { text: NOTHING_CONFIRMED, sources: [] },
    model: {
      available: true,
      name: facts.name,
      baseUrl: facts.baseUrl,
      contextWindow: facts.contextWindow,
      protocol: talk.protocol,
      requests: totals.requests,
      promptTokens: totals.promptTokens,
      completionTokens: totals.completionTokens,
      repairs: Object.values(talk.counts.repairs).reduce((sum, count) => sum + count, 0),
      retries: totals.retries + talk.counts.retries,
      refusals: talk.counts.refusals,
    },
    limits: [
      {
        limit: 'deadline',
        value: formatDuration(question.deadlineMs),
        hit: talk.end.reason === 'deadline',
      },
    ],
    notices: [
      ...(isFinished ? [] : [`the conversation ended early: ${talk.end.message}`, parts.kept]),
      ...(parts.resumed > 0
        ? [`taken up where an earlier run broke off (${parts.resumed} replies)`]
        : []),
      ...(talk.counts.protocolFalls > 0 ? [`the protocol was changed to ${talk.protocol}`] : []),
      ...(isFinished ? checked.missing : []).map(
        place => `the answer names ${place}, which is not in the repository`,
      ),
    ],
    complete: isFinished,
  };
}
