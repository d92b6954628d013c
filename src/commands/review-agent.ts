import { openTranscripts } from '../adapters/transcripts.js';
import { type ReviewRule, review } from '../agent/review.js';
import type { Entry } from '../agent/transcript.js';
import type { BitePart } from '../core/bite.js';
import type { FoundAgent } from '../core/review-draft.js';
import type { RuleFile } from '../core/rule-file.js';
import { entryLine } from '../publish/entry-text.js';
import type { AgentWish } from './desk.js';
import { openModelFor, preferredProtocol } from './open-model.js';
import { openRules } from './open-rules.js';

/** The model's part of a review: found, questioned and closed here. */
export async function openReviewAgent(wish: AgentWish): Promise<FoundAgent> {
  const { options, config, world, deadlineMs, desk } = wish;
  const deadlineAt = world.clock.now() + deadlineMs;
  // Before a server is started: a rule that cannot be read ends the run.
  const rulesFor = await openRulesFor(wish);
  const found = await openModelFor(options.model, { config, desk, deadlineAt });
  if (!found.available) return found;
  const { model } = found;
  const votes = options.votes ?? config.model.votes;
  const onEntry = recorder(wish);
  const preferred = await preferredProtocol(model, desk);
  return {
    available: true,
    agent: {
      get facts() {
        return model.facts;
      },
      questionsFor: part =>
        JSON.stringify(['open', votes, rulesFor(part).map(rule => rule.digest)]),
      review: (bites, tell) =>
        review(
          { bites, votes, rulesFor: bite => distinct(bite.parts.flatMap(rulesFor)) },
          {
            model,
            protocol: options.model.protocol ?? config.model.protocol,
            preferred,
            limits: { ...config.limits, deadlineMs: deadlineAt - world.clock.now() },
            clock: world.clock,
            signal: world.signal,
            onEntry,
            onBite: done => {
              const { promptTokens, completionTokens } = model.usage();
              const left = Math.max(0, Math.round((deadlineAt - world.clock.now()) / 1000));
              const spent = promptTokens + completionTokens;
              tell(`${done} of ${bites.length} questions, ${spent} tokens, ${left} s left`);
            },
          },
        ),
      usage: () => model.usage(),
      close: () => model.close(),
    },
  };
}

/** Everything that is said goes to the transcript; with --verbose also to the screen. */
function recorder({ git, world, options, desk }: AgentWish): (entry: Entry) => void {
  const record =
    git && openTranscripts(git.repository.commonDir).open(world.clock.runId(), 'review');
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
  return part => opened.rules.filter(rule => opened.appliesTo(rule, part.path, addedIn(part)));
}

const addedIn = ({ lines }: BitePart): string[] =>
  lines.filter(line => line.kind === 'added').map(line => line.text);

const distinct = (rules: readonly ReviewRule[]): ReviewRule[] => [...new Set(rules)];
