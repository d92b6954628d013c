import { type StandInOptions, startStandIn } from '../../../fixtures/apfel/stand-in.js';
import type { FixOutcome } from '../../../src/core/outcome.js';

import { fixJson } from '../lint-project.js';
import { BAD_MODELS, badModel } from './bad-model.js';
import { type CaseProject, type ProjectFile, withCases } from './case-project.js';
import type { LintCase } from './cases.js';
import { type Known, rightModel } from './right-model.js';
import { type Score, score } from './score.js';

export interface Scored extends Score {
  readonly outcome: FixOutcome;
  readonly seconds: number;
}

type Trouble = Omit<StandInOptions, 'policy'>;

/** One run of the command on all files, with a model that knows the right edits and does not always get them across. */
export async function runRight(
  files: ReadonlyArray<ProjectFile & Known>,
  trouble: Trouble,
  args: readonly string[] = [],
): Promise<Scored> {
  const policy = rightModel(new Map(files.map(each => [each.path, each])));
  let scored: Scored | undefined;
  await withCases(files, async project => {
    const done = await run(project, { ...trouble, policy }, args);
    scored = { ...(await score(project.repo, files, done.outcome)), ...done };
  });
  return whole(scored);
}

interface BadRun {
  readonly name: string;
  readonly outcome: FixOutcome;
  readonly seconds: number;
  /** Edits of the model that are on the branch. */
  readonly kept: readonly string[];
}

/** One run for each kind of bad model. */
export async function runBad(cases: readonly LintCase[]): Promise<BadRun[]> {
  const runs: BadRun[] = [];
  await withCases(cases, async project => {
    for (const [name, spoils] of Object.entries(BAD_MODELS)) {
      const done = await run(project, { policy: badModel(cases, spoils) }, []);
      const kept = done.outcome.edits.filter(
        ({ status, by }) => status === 'kept' && by === 'model',
      );
      runs.push({ name, ...done, kept: kept.map(({ path }) => path) });
    }
  });
  return runs;
}

async function run(
  { repo }: CaseProject,
  options: StandInOptions,
  args: readonly string[],
): Promise<{ outcome: FixOutcome; seconds: number }> {
  const server = await startStandIn(options);
  const started = performance.now();
  try {
    const request = ['--base-url', server.baseUrl, '--deadline', '1h', ...args];
    const { outcome } = await fixJson(repo, request);
    return { outcome, seconds: (performance.now() - started) / 1000 };
  } finally {
    await server.close();
  }
}

function whole(scored: Scored | undefined): Scored {
  if (scored === undefined) throw new Error('the run did not end');
  return scored;
}
