import { fingerprint, isFailing, type Severity } from '../core/finding.js';
import type { Outcome } from '../core/outcome.js';
import { type GithubCheck, MAX_ANNOTATIONS } from '../github/checks.js';
import type { Github } from '../github/github.js';
import { forRelay } from '../platform/safe-markdown.js';
import { redact } from '../secrets/redact.js';
import { cutText } from './comment-body.js';
import { type Pause, retryUntilStable } from './conversation.js';

/** One round per batch of annotations, and some for lost answers. */
const MAX_ROUNDS = 12;

/** Sets the check, batch by batch, unless there is already one with this content. */
export async function postCheck(
  githubApi: Pick<Github, 'checks' | 'createCheck' | 'updateCheck'>,
  { check, annotations }: CheckPlan,
  pause: Pause,
): Promise<'set' | 'unchanged'> {
  let hasWritten = false;
  const batch = (from: number) => annotations.slice(from, from + MAX_ANNOTATIONS);
  const round = async (): Promise<boolean> => {
    const [newest] = await githubApi.checks(check.commit, check.name);
    if (newest?.digest !== check.digest) {
      hasWritten = true;
      await githubApi.createCheck({ ...check, annotations: batch(0) });
      // A newer check replaces earlier ones of the same name, so a race does no harm.
      return annotations.length <= MAX_ANNOTATIONS;
    }
    if (newest.annotations >= annotations.length) return true;
    hasWritten = true;
    await githubApi.updateCheck(newest.id, { ...check, annotations: batch(newest.annotations) });
    return newest.annotations + MAX_ANNOTATIONS >= annotations.length;
  };
  await retryUntilStable(round, pause, MAX_ROUNDS);
  return hasWritten ? 'set' : 'unchanged';
}

const CHECK_NAME = 'apfel-bot';

interface CheckOptions {
  readonly outcome: Outcome;
  /** Without the ignored ones. */
  readonly findings: Outcome['findings'];
  readonly verdict: string;
  readonly summary: string;
  readonly failOn: Severity | 'never';
}

type Annotation = GithubCheck['annotations'][number];

interface CheckPlan {
  readonly check: Omit<GithubCheck, 'annotations'>;
  readonly annotations: readonly Annotation[];
}

/** Four requests; the summary has the rest. */
const MAX_TOTAL_ANNOTATIONS = 4 * MAX_ANNOTATIONS;
/** GitHub's own limits: 255 for a title, 64 kB for a message and 65,535 for the summary. */
const MAX_TITLE = 200;
const MAX_MESSAGE = 4000;
const MAX_SUMMARY = 65_000;

export function checkRun(options: CheckOptions): CheckPlan {
  const { outcome, findings, verdict } = options;
  const annotations = findings
    .filter(({ side }) => side === 'new')
    .slice(0, MAX_TOTAL_ANNOTATIONS)
    .map(
      ({ path, line, endLine, severity, rule, message }): Annotation => ({
        path,
        start_line: line,
        end_line: Math.max(line, endLine),
        annotation_level: LEVELS[severity],
        title: cutText(forRelay(rule), MAX_TITLE),
        message: cutText(forRelay(redact(message)), MAX_MESSAGE) || rule,
      }),
    );
  const content = {
    name: CHECK_NAME,
    commit: outcome.change.head,
    conclusion: conclusionOf(options),
    title: cutText(verdict, MAX_TITLE),
  };
  const digest = fingerprint(JSON.stringify([content, stable(options.summary), annotations]));
  const summary = cutText(options.summary, MAX_SUMMARY);
  return { check: { ...content, digest, summary }, annotations };
}

/** Without the footer, which is about the run and not the code. */
const stable = (summary: string): string => summary.replace(/\n<sub>.*<\/sub>\s*$/, '');

const LEVELS: Readonly<Record<Severity, Annotation['annotation_level']>> = {
  error: 'failure',
  warning: 'warning',
  info: 'notice',
};

/** An incomplete review is never green, but can be red. */
function conclusionOf({ outcome, findings, failOn }: CheckOptions): GithubCheck['conclusion'] {
  if (findings.some(finding => isFailing(finding, failOn))) return 'failure';
  return outcome.complete ? 'success' : 'neutral';
}
