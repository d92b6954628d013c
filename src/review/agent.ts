import { askForFix } from '../agent/fix-question.js';
import { type Entry, Questioner } from '../agent/question.js';
import type { RuleFile } from '../config/rules.js';
import type { Finding } from '../core/finding.js';
import type { TaskName } from '../core/outcome.js';
import { entryLine } from '../report/transcript-lines.js';
import { openTranscripts } from '../runs/transcripts.js';
import type { ReviewSetup } from './ask-chunk.js';
import { review } from './ask-chunks.js';
import type {
  Chunk,
  ChunkPart,
  ModelIdentity,
  PartResult,
  ReviewDraft,
  ReviewedChange,
} from './chunk.js';
import { calibrated, spentAndLeft } from './model.js';
import type { ReviewAgentOptions, ReviewContext } from './work.js';

/** What would be asked, and which model; sends nothing. */
export async function openQuestions(request: ReviewAgentOptions): Promise<
  ModelIdentity & {
    readonly rulesFor: RulesFor;
    readonly votes: number;
    readonly measured: Awaited<ReturnType<typeof calibrated>>;
  }
> {
  const { model, options, config, session } = request;
  const rulesFor = await openRulesFor(request);
  const measured = await calibrated(model, session);
  const votes = options.votes ?? config.model.votes;
  return {
    get facts() {
      return model.facts;
    },
    tokenScale: measured.tokenScale,
    questionsFor: part => JSON.stringify(['open', votes, rulesFor(part).map(rule => rule.digest)]),
    rulesFor,
    votes,
    measured,
  };
}

export type ReviewAgent = Awaited<ReturnType<typeof openReviewAgent>>;

export type FoundAgent =
  | { readonly available: true; readonly agent: ReviewAgent }
  | { readonly available: false; readonly reason: string };

/** The model's part of a review: rules, questions and transcript. */
export async function openReviewAgent(request: ReviewAgentOptions) {
  const { model, options, config, context, deadlineAt } = request;
  const asked = await openQuestions(request);
  const { rulesFor, votes, measured } = asked;
  const onEntry = recorder('review', request);
  const setup = (about: ReviewedChange): ReviewSetup => ({
    about,
    model,
    protocol: options.model.protocol ?? config.model.protocol,
    ...measured,
    limits: { ...config.limits, deadlineMs: deadlineAt - context.clock.now() },
    clock: context.clock,
    signal: context.signal,
    onEntry,
  });
  return Object.assign(asked, {
    review: (
      chunks: readonly Chunk[],
      about: ReviewedChange,
      events: {
        update(text: () => string): void;
        /** The final result of some parts, as soon as it is known. */
        settled(parts: readonly PartResult[]): void;
      },
    ): Promise<ReviewDraft> =>
      review(
        { chunks, votes, rulesFor },
        {
          ...setup(about),
          onChunk: done =>
            events.update(
              () =>
                `question ${done + 1} of ${chunks.length}, ${spentAndLeft(model, deadlineAt, context.clock)}`,
            ),
          onSettled: events.settled,
        },
      ),
    fixFinding: (wanted: Parameters<typeof fixFinding>[0]) =>
      fixFinding(wanted, setup({ subject: undefined, source: undefined })),
    usage: () => model.usage(),
    close: () => model.close(),
  });
}

/** Writes all requests and replies to the transcript; with --verbose also to the screen. */
export function recorder(
  task: TaskName,
  {
    git,
    context,
    options,
    session,
  }: Pick<ReviewAgentOptions, 'git' | 'options' | 'session'> & {
    context: Pick<ReviewContext, 'clock'>;
  },
): (entry: Entry) => void {
  const record =
    git && !options.isDryRun
      ? openTranscripts(git.repository.commonDir).open(context.clock.runId(), task)
      : undefined;
  return entry => {
    record?.(entry);
    if (options.isVerbose) session.printError(entryLine(entry));
  };
}

type RulesFor = (part: ChunkPart) => readonly RuleFile[];

async function openRulesFor({ context }: ReviewAgentOptions): Promise<RulesFor> {
  const opened = await context.rules();
  const known = new WeakMap<ChunkPart, readonly RuleFile[]>();
  return part => {
    const rules =
      known.get(part) ??
      opened.rules.filter(rule => opened.appliesTo(rule, part.path, addedIn(part)));
    known.set(part, rules);
    return rules;
  };
}

const addedIn = ({ lines }: ChunkPart): string[] =>
  lines.filter(line => line.kind === 'added').map(line => line.text);

/** A suggestion is optional: after two tries the finding is reported without one. */
const MAX_TRIES = 2;
/** Lines shown before and after the finding. */
const AROUND = 12;

/** Asks for a better version of the lines around a finding until `judge` has no objection. */
async function fixFinding(
  wanted: {
    readonly finding: Pick<Finding, 'path' | 'line' | 'message'>;
    /** The file as reviewed. */
    readonly text: string;
    /** What is wrong with a new text, in words a model can act on. */
    readonly judge: (after: string) => Promise<string | undefined>;
  },
  setup: ReviewSetup,
): Promise<{ readonly rejected: number; readonly isAnswered: boolean }> {
  const { finding, text, judge } = wanted;
  const questioner = new Questioner(setup);
  const { rejections, end } = await askForFix(
    {
      path: finding.path,
      text,
      first: finding.line,
      last: finding.line,
      around: AROUND,
      problem: [`The problem in line ${finding.line}: ${finding.message.slice(0, 400)}`],
      tries: MAX_TRIES,
      tryEdit: judge,
    },
    questioner,
  );
  questioner.close(end);
  // Otherwise the model gave its final answer, so that asking again is pointless.
  const isStopped = ['deadline', 'aborted', 'model-gone', 'server-failed'].includes(end.reason);
  return { rejected: rejections.length, isAnswered: !isStopped };
}
