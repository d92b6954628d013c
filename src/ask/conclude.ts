import { formatDuration } from '../core/deadline.js';
import type { AnswerOutcome } from '../core/outcome.js';
import type { Model } from '../model/model.js';
import type { Clock } from '../platform/clock.js';

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
  readonly conversation: {
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
  const { conversation, question, checked } = parts;
  const { facts } = question.model;
  const totals = question.model.usage();
  const isFinished = conversation.end.reason === 'finished';
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
      protocol: conversation.protocol,
      requests: totals.requests,
      promptTokens: totals.promptTokens,
      completionTokens: totals.completionTokens,
      repairs: Object.values(conversation.counts.repairs).reduce((sum, count) => sum + count, 0),
      retries: totals.retries + conversation.counts.retries,
      refusals: conversation.counts.refusals,
    },
    limits: [
      {
        limit: 'deadline',
        value: formatDuration(question.deadlineMs),
        hit: conversation.end.reason === 'deadline',
      },
    ],
    notices: [
      ...(isFinished
        ? []
        : [`the conversation ended early: ${conversation.end.message}`, parts.kept]),
      ...(parts.resumed > 0
        ? [`taken up where an earlier run broke off (${parts.resumed} replies)`]
        : []),
      ...(conversation.counts.protocolFalls > 0
        ? [`the protocol was changed to ${conversation.protocol}`]
        : []),
      ...(isFinished ? checked.missing : []).map(
        place => `the answer names ${place}, which is not in the repository`,
      ),
    ],
    complete: isFinished,
  };
}

export interface AnswerSource {
  readonly path: string;
  readonly line: number;
}

/** What a tool showed, as its details tell it. */
export interface ShownPart {
  readonly path: string;
  readonly start: number;
}

export interface CheckedAnswer {
  readonly sources: readonly AnswerSource[];
  /** Places that the answer names and that are not there. */
  readonly missing: readonly string[];
}

/** Enough to look things up, few enough to read. */
const MOST_SOURCES = 10;
const PLACE = /(?<![\w/.-])([\w@][\w@./-]{0,200}\.[A-Za-z]\w{0,9})(?::(\d{1,7}))?/g;

/** The places an answer rests on, each checked to exist: those it names, then those it was shown. */
export async function checkSources(
  answer: string,
  shown: readonly ShownPart[],
  lineCount: (path: string) => Promise<number | undefined>,
): Promise<CheckedAnswer> {
  const sources = new Map<string, AnswerSource>();
  const missing: string[] = [];
  for (const { path, line } of named(answer)) {
    const lines = await lineCount(path);
    const isThere = lines !== undefined && (line ?? 1) <= Math.max(1, lines);
    if (isThere) sources.set(`${path}:${line ?? 1}`, { path, line: line ?? 1 });
    // A bare word with a dot may be anything; with a line number it claims to be a place.
    else if (line !== undefined || path.includes('/'))
      missing.push(line ? `${path}:${line}` : path);
  }
  const paths = new Set([...sources.values()].map(source => source.path));
  for (const { path, start } of shown) {
    if (paths.has(path) || (await lineCount(path)) === undefined) continue;
    sources.set(`${path}:${start}`, { path, line: start });
    paths.add(path);
  }
  return { sources: [...sources.values()].slice(0, MOST_SOURCES), missing };
}

const named = (answer: string): Array<{ path: string; line: number | undefined }> =>
  [...answer.matchAll(PLACE)].flatMap(([, path, line]) =>
    path === undefined ? [] : [{ path, line: line === undefined ? undefined : Number(line) }],
  );
