import { atLeast, fingerprint, type Severity } from '../core/finding.js';
import type { Github } from '../github/github.js';
import { type GithubCheck, MOST_ANNOTATIONS } from '../github/types.js';
import { forRelay } from '../platform/safe-markdown.js';
import { redact } from '../secrets/redact.js';
import { cutText, type Pause, retryUntilStable } from './comment-body.js';
import type { ReviewOutcome } from './outcome-file.js';

/** A round for each portion of annotations, and some for answers that get lost. */
const MOST_ROUNDS = 12;

/** Sets the check, portion by portion. One that is there with this content is not set again. */
export async function postCheck(
  githubApi: Pick<Github, 'checks' | 'createCheck' | 'updateCheck'>,
  { check, annotations }: CheckPlan,
  pause: Pause,
): Promise<'set' | 'unchanged'> {
  let hasWritten = false;
  const portion = (from: number) => annotations.slice(from, from + MOST_ANNOTATIONS);
  const round = async (): Promise<boolean> => {
    const [newest] = await githubApi.checks(check.commit, check.name);
    if (newest?.digest !== check.digest) {
      hasWritten = true;
      await githubApi.createCheck({ ...check, annotations: portion(0) });
      // A newer one of the same name takes the place of those before, so a race does no harm.
      return annotations.length <= MOST_ANNOTATIONS;
    }
    if (newest.annotations >= annotations.length) return true;
    hasWritten = true;
    await githubApi.updateCheck(newest.id, { ...check, annotations: portion(newest.annotations) });
    return newest.annotations + MOST_ANNOTATIONS >= annotations.length;
  };
  await retryUntilStable(round, pause, MOST_ROUNDS);
  return hasWritten ? 'set' : 'unchanged';
}

export const CHECK_NAME = 'apfel-bot';

export interface CheckOptions {
  readonly outcome: ReviewOutcome;
  /** Without those that people asked to be left alone about. */
  readonly findings: ReviewOutcome['findings'];
  readonly verdict: string;
  readonly summary: string;
  readonly failOn: Severity | 'never';
}

type Annotation = GithubCheck['annotations'][number];

export interface CheckPlan {
  readonly check: Omit<GithubCheck, 'annotations'>;
  readonly annotations: readonly Annotation[];
}

/** Four requests; whoever has more to read than this reads the summary. */
const MOST_IN_ALL = 4 * MOST_ANNOTATIONS;
/** GitHub's own limits: 255 for a title, 64 kB for a message and 65,535 for the summary. */
const MOST_TITLE = 200;
const MOST_MESSAGE = 4000;
const MOST_SUMMARY = 65_000;

export function checkRun(options: CheckOptions): CheckPlan {
  const { outcome, findings, verdict } = options;
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
    conclusion: conclusionOf(options),
    title: cutText(verdict, MOST_TITLE),
  };
  const digest = fingerprint(JSON.stringify([content, stable(options.summary), annotations]));
  const summary = cutText(options.summary, MOST_SUMMARY);
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
function conclusionOf({ outcome, findings, failOn }: CheckOptions): GithubCheck['conclusion'] {
  const fails = failOn !== 'never' && findings.some(({ severity }) => atLeast(severity, failOn));
  if (fails) return 'failure';
  return outcome.complete ? 'success' : 'neutral';
}
