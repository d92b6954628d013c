import { OWN_NAME, runOfMessage } from '../core/commit-plan.js';
import { BotError } from '../core/failure.js';
import { edited, type FixedBranch } from './fixed-outcome.js';
import type { BundleCommit, OpenBundle } from './room.js';

const OURS = `${OWN_NAME.name} <${OWN_NAME.email}>`;

/** What the bundle holds must be what the outcome says, made by us in that run. */
export function vetBundle(opened: OpenBundle, branch: FixedBranch, run: string): void {
  if (opened.branch !== branch.name) {
    throw edited(`its bundle holds ${opened.branch}, and it speaks of ${branch.name}`);
  }
  if (opened.tip !== branch.commit) {
    throw edited(`its bundle ends at ${opened.tip}, and it speaks of ${branch.commit}`);
  }
  for (const commit of opened.commits) {
    const problem = problemOf(commit, run);
    if (problem === undefined) continue;
    throw new BotError('not-permitted', `the bundle is refused: commit ${commit.id} ${problem}`, {
      hint: 'Make it again with: apfel-bot fix-lint --out FILE',
    });
  }
}

/** Merging a commit closes issues, names co-authors and skips checks, by words in its message. */
const OBEYED: ReadonlyArray<readonly [pattern: RegExp, what: string]> = [
  [
    /\b(?:close[sd]?|fix(?:e[sd])?|resolve[sd]?):?\s{1,10}(?:\S{0,200}#\d|gh-\d|https?:\/\/\S{0,300}\/(?:issues|pull)\/\d)/i,
    'would close an issue',
  ],
  [
    /\[(?:(?:skip|no) ci|ci skip|skip actions|actions skip)\]|^skip-checks:/im,
    'would skip the checks',
  ],
  [/^(?:co-authored-by|signed-off-by|reviewed-by|acked-by):/im, 'speaks for somebody'],
];

/** Ours list fifty places, of a line each, for each of three hands. */
const MOST_MESSAGE = 64 * 1024;

function problemOf({ author, committer, message }: BundleCommit, run: string): string | undefined {
  if (author !== OURS || committer !== OURS) return `is by ${author}, not by ${OURS}`;
  if (message.length > MOST_MESSAGE) return 'says more than any of ours';
  if (runOfMessage(message) !== run) return 'is not of the run of this outcome';
  return OBEYED.find(([pattern]) => pattern.test(message))?.[1];
}
