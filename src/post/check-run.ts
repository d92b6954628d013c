import { atLeast, type Severity } from '../core/finding.js';
import { fingerprint } from '../core/fingerprint.js';
import { type ForgeCheck, MOST_ANNOTATIONS } from '../core/forge.js';
import { forRelay } from '../core/neutralise-markdown.js';
import { redact } from '../core/secrets/redact.js';
import { cutText } from './cut-text.js';
import type { ReviewOutcome } from './trust.js';

export const CHECK_NAME = 'apfel-bot';

export interface CheckWish {
  readonly outcome: ReviewOutcome;
  /** Without those that people asked to be left alone about. */
  readonly findings: ReviewOutcome['findings'];
  readonly verdict: string;
  readonly summary: string;
  readonly failOn: Severity | 'never';
}

type Annotation = ForgeCheck['annotations'][number];

export interface CheckPlan {
  readonly check: Omit<ForgeCheck, 'annotations'>;
  readonly annotations: readonly Annotation[];
}

/** Four requests; whoever has more to read than this reads the summary. */
const MOST_IN_ALL = 4 * MOST_ANNOTATIONS;
/** GitHub's own limits: 255 for a title, 64 kB for a message and 65,535 for the summary. */
const MOST_TITLE = 200;
const MOST_MESSAGE = 4000;
const MOST_SUMMARY = 65_000;

export function checkRun(wish: CheckWish): CheckPlan {
  const { outcome, findings, verdict } = wish;
  const annotations = findings
    .filter(({ side }) => side === 'new')
    .slice(0, MOST_IN_ALL)
    .map(
      ({ path, line, endLine, severity, rule, message }): Annotation => ({
        path,
        startLine: line,
        endLine: Math.max(line, endLine),
        level: LEVELS[severity],
        title: cutText(forRelay(rule), MOST_TITLE),
        message: cutText(forRelay(redact(message)), MOST_MESSAGE) || rule,
      }),
    );
  const content = {
    name: CHECK_NAME,
    commit: outcome.change.head,
    conclusion: conclusionOf(wish),
    title: cutText(verdict, MOST_TITLE),
  };
  const digest = fingerprint(JSON.stringify([content, stable(wish.summary), annotations]));
  const summary = cutText(wish.summary, MOST_SUMMARY);
  return { check: { ...content, digest, summary }, annotations };
}

/** Without the last line, which tells of the run and not of the code. */
const stable = (summary: string): string => summary.replace(/\n<sub>.*<\/sub>\s*$/, '');

const LEVELS: Readonly<Record<Severity, Annotation['level']>> = {
  error: 'failure',
  warning: 'warning',
  info: 'notice',
};

/** An incomplete review is never green, and one that found something is red all the same. */
function conclusionOf({ outcome, findings, failOn }: CheckWish): ForgeCheck['conclusion'] {
  const fails = failOn !== 'never' && findings.some(({ severity }) => atLeast(severity, failOn));
  if (fails) return 'failure';
  return outcome.complete ? 'success' : 'neutral';
}
