import { openTranscripts } from '../adapters/records/transcripts.js';
import { review } from '../agent/review.js';
import type { ReviewSetup } from '../agent/review-bite.js';
import { reviewMend } from '../agent/review-mend.js';
import type { Entry } from '../agent/transcript.js';
import type { BitePart } from '../core/bite.js';
import type { ReviewAgent } from '../core/review-draft.js';
import type { RuleFile } from '../core/rule-file.js';
import { entryLine } from '../publish/entry-text.js';
import type { AgentWish } from './desk.js';
import { calibrated } from './open-model.js';
import { openRules } from './open-rules.js';

/** The model's part of a review: its rules, its questions and its record. */
export async function openReviewAgent(wish: AgentWish): Promise<ReviewAgent> {
  const { model, options, config, world, deadlineAt, desk } = wish;
  const rulesFor = await openRulesFor(wish);
  const measured = await calibrated(model, desk);
  const votes = options.votes ?? config.model.votes;
  const onEntry = recorder(wish);
  const setup = (): ReviewSetup => ({
    model,
    protocol: options.model.protocol ?? config.model.protocol,
    ...measured,
    limits: { ...config.limits, deadlineMs: deadlineAt - world.clock.now() },
    clock: world.clock,
    signal: world.signal,
    onEntry,
  });
  return {
    get facts() {
      return model.facts;
    },
    tokenScale: measured.tokenScale,
    questionsFor: part => JSON.stringify(['open', votes, rulesFor(part).map(rule => rule.digest)]),
    review: (bites, ears) =>
      review(
        { bites, votes, rulesFor },
        {
          ...setup(),
          onBite: done => ears.tell(progress(done, bites.length, wish)),
          onSettled: ears.settled,
        },
      ),
    mend: wanted => reviewMend(wanted, setup()),
    usage: () => model.usage(),
    close: () => model.close(),
  };
}

function progress(done: number, total: number, { model, deadlineAt, world }: AgentWish): string {
  const { promptTokens, completionTokens } = model.usage();
  const left = Math.max(0, Math.round((deadlineAt - world.clock.now()) / 1000));
  return `${done} of ${total} questions, ${promptTokens + completionTokens} tokens, ${left} s left`;
}

/** Everything that is said goes to the transcript; with --verbose also to the screen. */
function recorder({ git, world, options, desk }: AgentWish): (entry: Entry) => void {
  const record =
    git && !options.isDryRun
      ? openTranscripts(git.repository.commonDir).open(world.clock.runId(), 'review')
      : undefined;
  return entry => {
    record?.(entry);
    if (options.isVerbose) desk.say(entryLine(entry));
  };
}

type RulesFor = (part: BitePart) => readonly RuleFile[];

async function openRulesFor({ git, world, config, configBase }: AgentWish): Promise<RulesFor> {
  const { files, globs } = world;
  const opened = await openRules({
    git,
    files,
    globs,
    base: configBase,
    more: config.review.rules,
  });
  const known = new WeakMap<BitePart, readonly RuleFile[]>();
  return part => {
    const rules =
      known.get(part) ??
      opened.rules.filter(rule => opened.appliesTo(rule, part.path, addedIn(part)));
    known.set(part, rules);
    return rules;
  };
}

const addedIn = ({ lines }: BitePart): string[] =>
  lines.filter(line => line.kind === 'added').map(line => line.text);
