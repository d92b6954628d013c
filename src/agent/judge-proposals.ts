import type { Bite, BitePart } from '../core/bite.js';
import type { Claim } from '../core/finding.js';
import type { RejectedClaim } from '../core/review-draft.js';
import { redact } from '../core/secrets/redact.js';
import { categoryOf } from './category.js';
import { refute, type SecondLook } from './refute.js';
import type { AskedBite } from './review.js';
import type { Proposal, ReviewSetup } from './review-bite.js';
import type { End } from './setup.js';

/** How sure we are: it was refuted, nobody has tried to, nobody could, it was confirmed. */
const CONFIDENCE = { wrong: 0, unseen: 0.2, unclear: 0.4, holds: 0.7 };

export interface JudgedProposals {
  readonly claims: readonly Claim[];
  readonly rejected: readonly RejectedClaim[];
  /** Why the second look could not be taken at all of them; what was not looked at again is kept. */
  readonly unfinished: End | undefined;
}

/** Proposals → claims: those a majority made and a second look could not refute. */
export async function judgeProposals(
  bite: Bite,
  asked: readonly AskedBite[],
  setup: ReviewSetup & { readonly votes: number },
): Promise<JudgedProposals> {
  const claims: Claim[] = [];
  const rejected: RejectedClaim[] = [];
  let unfinished: End | undefined;
  for (const { rule, tries } of asked) {
    for (const { reason, ...proposal } of tries.flatMap(each => each.refused)) {
      rejected.push({ reason, claim: toClaim(proposal, rule, 0, '') });
    }
    const votes = rule === undefined ? setup.votes : 1;
    const made = tries.map(each => each.proposals);
    for (const { proposal, share } of tally(made, votes)) {
      const part = bite.parts.find(each => holds(each, proposal));
      const text = part === undefined ? '' : lineText(part, proposal.line);
      const draft = toClaim(proposal, rule, share, text);
      if (share <= 0.5) {
        rejected.push({ reason: 'outvoted', claim: draft });
        continue;
      }
      const look = part === undefined ? UNSEEN : await refute(proposal, part, setup);
      if (look.verdict === 'wrong') rejected.push({ reason: 'refuted', claim: draft });
      else claims.push(weighed(draft, look, share));
      unfinished ??= look.unfinished;
    }
  }
  return { claims, rejected, unfinished };
}

/**
 * Without a second look a claim is one sentence of a small model, told because it may be right. It
 * must not stop a commit or fail a build, which go on for what the time did not allow; its hunk is
 * in the ledger as not done, and the next run says how grave it is.
 */
function weighed(draft: Claim, { verdict, unfinished }: SecondLook, share: number): Claim {
  const confidence = CONFIDENCE[unfinished === undefined ? verdict : 'unseen'] * share;
  return { ...draft, confidence, ...(unfinished !== undefined && { severity: 'info' as const }) };
}

const UNSEEN: SecondLook = { verdict: 'unclear', unfinished: undefined };

/** The same line named in several tries counts once, with the share of tries that named it. */
function tally(
  tries: ReadonlyArray<readonly Proposal[]>,
  votes: number,
): Array<{ proposal: Proposal; share: number }> {
  const byLine = new Map<string, { proposal: Proposal; tries: Set<number> }>();
  tries.forEach((proposals, at) => {
    for (const proposal of proposals) {
      const key = `${proposal.path}\0${proposal.line}`;
      const known = byLine.get(key) ?? { proposal, tries: new Set<number>() };
      known.tries.add(at);
      byLine.set(key, known);
    }
  });
  return [...byLine.values()].map(({ proposal, tries: made }) => ({
    proposal,
    share: made.size / Math.max(1, Math.min(votes, tries.length)),
  }));
}

const holds = (part: BitePart, { path, line }: Proposal): boolean =>
  part.path === path && part.lines.some(each => each.kind === 'added' && each.newLine === line);

const lineText = (part: BitePart, line: number): string =>
  part.lines.find(each => each.kind === 'added' && each.newLine === line)?.text ?? '';

function toClaim(
  proposal: Proposal,
  rule: AskedBite['rule'],
  confidence: number,
  text: string,
): Claim {
  const column = text.indexOf(proposal.quote.trim()) + 1;
  return {
    path: proposal.path,
    line: proposal.line,
    endLine: proposal.line,
    ...(column > 0 && { column, endColumn: column + proposal.quote.trim().length }),
    side: 'new',
    severity: rule?.severity ?? proposal.severity,
    rule: rule === undefined ? categoryOf(proposal.message) : `rule/${rule.name}`,
    message: redact(proposal.message),
    source: rule === undefined ? 'model' : 'rule',
    confidence,
    evidence: redact(text === '' ? proposal.quote : text),
  };
}
