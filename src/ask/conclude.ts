import type { Conversation } from '../agent/converse.js';
import type { Grounding } from '../agent/grounding.js';
import type { AnswerOutcome } from '../core/outcome.js';
import type { Model } from '../model/model.js';
import type { Clock } from '../platform/clock.js';
import { concludeRun } from '../report/conclude.js';

export function concludeAnswer(
  parts: {
    readonly run: string;
    readonly startedAt: number;
    readonly deadlineMs: number;
    readonly model: Model;
    readonly conversation: Conversation;
    readonly text: string;
    readonly checked: CheckedAnswer;
    readonly grounding: Grounding;
    /** How many replies of an earlier run were used again. */
    readonly resumed: number;
    /** Where the whole conversation can be read. */
    readonly transcript: string;
  },
  clock: Clock,
): AnswerOutcome {
  const { run, startedAt, model, conversation, text, checked, resumed, grounding } = parts;
  const { end } = conversation;
  const isFinished = end.reason === 'finished';
  return concludeRun(
    {
      task: 'ask',
      run,
      startedAt,
      model,
      conversations: conversation,
      deadline: { ms: parts.deadlineMs, isHit: end.reason === 'deadline' },
      notices: [
        ...(isFinished ? [] : [`the conversation ended early: ${end.message}`, parts.transcript]),
        ...(resumed > 0 ? [`continued an interrupted run (${resumed} replies used again)`] : []),
        ...(isFinished ? unprovenNotices(grounding) : []),
        ...(isFinished ? checked.missing : []).map(
          place => `the answer names ${place}, which is not in the repository`,
        ),
      ],
      // A statement that stands nowhere may be right, but nobody has seen it.
      complete:
        isFinished &&
        grounding.proven.length > 0 &&
        grounding.unproven.length === 0 &&
        checked.missing.length === 0,
    },
    {
      // Text that was not accepted isn't an answer; it is in the transcript.
      answer: isFinished
        ? { text, sources: checked.sources }
        : { text: 'No answer could be confirmed.', sources: [] },
    },
    clock,
  );
}

const MOST_NAMED = 3;

function unprovenNotices({ proven, unproven }: Grounding): string[] {
  if (unproven.length > 0) {
    const named = unproven.slice(0, MOST_NAMED).join(', ');
    const more = unproven.length > MOST_NAMED ? ` and ${unproven.length - MOST_NAMED} more` : '';
    return [`unproven: ${named}${more} stands in nothing that the model was shown`];
  }
  return proven.length > 0 ? [] : ['unproven: the answer names nothing that the model was shown'];
}

interface AnswerSource {
  readonly path: string;
  readonly line: number;
}

/** What a tool showed, taken from the details of its result. */
export interface ShownPart {
  readonly path: string;
  readonly start: number;
}

interface CheckedAnswer {
  readonly sources: readonly AnswerSource[];
  /** Places the answer names that don't exist. */
  readonly missing: readonly string[];
}

const MOST_SOURCES = 10;
const PLACE = /(?<![\w/.-])([\w@][\w@./-]{0,200}\.[A-Za-z]\w{0,9})(?::(\d{1,7}))?/g;

/** The places an answer is based on, each checked to exist: those it names, then those it was shown. */
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
