/** One change to the disk. Each can be undone until all are done. */
export type FileStep =
  | { readonly kind: 'move'; readonly from: string; readonly to: string }
  /** `replaces` is what must stand there still; undefined when nothing may. */
  | { readonly kind: 'remove'; readonly path: string; readonly replaces: string }
  | {
      readonly kind: 'write';
      readonly path: string;
      readonly text: string;
      readonly replaces: string | undefined;
      /** To be made so; a file that is replaced keeps its mode otherwise. */
      readonly isExecutable: boolean;
    };

/** What to do and what to tell: nothing of it has happened yet. */
export interface InstallPlan {
  /** To be said before anything is written. */
  readonly notices: readonly string[];
  readonly steps: readonly FileStep[];
  /** To be said once all steps are done. */
  readonly messages: readonly string[];
  /** For standard output: what is left to the user to add. */
  readonly printed: readonly string[];
}

export const NOTHING: InstallPlan = { notices: [], steps: [], messages: [], printed: [] };

export function joinPlans(plans: readonly InstallPlan[]): InstallPlan {
  return {
    // Two hooks in one folder give the same notice.
    notices: [...new Set(plans.flatMap(plan => plan.notices))],
    steps: plans.flatMap(plan => plan.steps),
    messages: plans.flatMap(plan => plan.messages),
    printed: plans.flatMap(plan => plan.printed),
  };
}
