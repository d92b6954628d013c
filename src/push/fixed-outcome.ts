import { BotError } from '../core/failure.js';
import type { Outcome } from '../core/outcome.js';

export interface FixedEdit {
  readonly path: string;
  readonly diagnostic: { readonly rule: string; readonly line: number };
  readonly status: 'kept' | 'rejected';
  readonly reason?: string;
  readonly by: 'linter' | 'suggestion' | 'model';
}

/** As the schema lets it through: of what `fix-lint` writes anything may be missing. */
export interface FixedOutcome extends Outcome {
  readonly edits?: readonly FixedEdit[];
  readonly branch?: FixedBranch;
  readonly diagnostics?: FixedCounts;
}

export interface FixedBranch {
  readonly name: string;
  readonly commit: string;
  readonly base: string;
  readonly bundle: string | null;
}

export interface FixedCounts {
  readonly before: number;
  readonly after: number;
  readonly fixed: number;
  readonly introduced: number;
}

/** The branch of the outcome with its bundle; undefined when nothing was fixed. */
export function branchOf(
  outcome: FixedOutcome,
): (FixedBranch & { readonly bundle: string }) | undefined {
  const { branch, change } = outcome;
  if (branch === undefined) return undefined;
  const { base, bundle } = branch;
  if (base !== change.head) {
    throw edited(
      `its branch starts from ${base.slice(0, 12)}, not from the commit that was linted`,
    );
  }
  if (bundle === null) {
    throw new BotError('publish-failed', 'the outcome has a branch, but no bundle of its commits', {
      hint: 'Make it again with: apfel-bot fix-lint --out FILE',
    });
  }
  // The file beside the outcome and nothing else, whatever the name leads to.
  if (!/^[^/\\:]+$/.test(bundle) || bundle === '.' || bundle === '..') {
    throw edited(
      `its bundle is ${JSON.stringify(bundle.slice(0, 100))}, which is no file beside it`,
    );
  }
  return { ...branch, bundle };
}

export const edited = (why: string): BotError =>
  new BotError('not-permitted', `the outcome was edited: ${why}`, {
    hint: 'Push the file that fix-lint wrote, or run it again',
  });
