import { join } from 'node:path';
import { isTrue, type Scope } from './expression.js';
import { fillIn, fillInAll, functionsIn, mayRun, type Status } from './fill-in.js';
import { type JobFacts, KNOWN_ACTIONS } from './known-actions.js';
import { type Job, readAction, type Step } from './read-workflow.js';
import { type Place, runStep, type StepEnd } from './run-step.js';

export type Result = 'success' | 'failure' | 'skipped' | 'cancelled';

export interface JobRun {
  readonly result: Result;
  readonly outputs: Readonly<Record<string, string>>;
  /** Everything that was printed. */
  readonly log: string;
  readonly summary: string;
  /** The environment of each `run:` step, in their order. */
  readonly seen: ReadonlyArray<Readonly<Record<string, string>>>;
}

interface JobOptions {
  readonly job: Job;
  readonly place: Place;
  readonly facts: JobFacts;
  /** The contexts: github, needs, vars and so on. */
  readonly names: Scope['names'];
}

interface Steps {
  readonly ends: Record<string, { outputs: Readonly<Record<string, string>>; outcome: Result }>;
  readonly seen: Array<Readonly<Record<string, string>>>;
  log: string;
  summary: string;
  hasFailed: boolean;
}

/** Every step of one job on one machine. */
export async function runJob({ job, place, facts, names }: JobOptions): Promise<JobRun> {
  const steps: Steps = { ends: {}, seen: [], log: '', summary: '', hasFailed: false };
  const runner = { temp: place.temp, os: place.env['RUNNER_OS'] };
  const functions = functionsIn(place.workspace);
  const scope: Scope = { names: { ...names, runner, steps: steps.ends }, functions };
  await runSteps(job.steps, { steps, place, facts, scope });
  return {
    result: steps.hasFailed ? 'failure' : 'success',
    outputs: fillInAll(job.outputs, scope),
    log: steps.log,
    summary: steps.summary,
    seen: steps.seen,
  };
}

interface Running {
  readonly steps: Steps;
  readonly place: Place;
  readonly facts: JobFacts;
  readonly scope: Scope;
}

async function runSteps(list: readonly Step[], running: Running): Promise<void> {
  const { steps, scope } = running;
  for (const step of list) {
    if (!mayRun(step.if, statusOf(steps), scope)) continue;
    const title = step.name ?? step.uses ?? '';
    steps.log += `## ${title}\n`;
    const outputs = await runOne(step, running);
    if (step.id === undefined) continue;
    steps.ends[step.id] = { outputs, outcome: steps.hasFailed ? 'failure' : 'success' };
  }
}

const statusOf = ({ hasFailed }: Steps): Status => ({
  isSuccess: !hasFailed,
  isFailure: hasFailed,
  isCancelled: false,
});

async function runOne(step: Step, running: Running): Promise<StepEnd['outputs']> {
  const { steps, place, scope } = running;
  if (step.uses !== undefined) {
    await useAction(step, running);
    return {};
  }
  const end = await runStep(step, place, scope);
  steps.log += end.log;
  steps.summary += end.summary;
  steps.seen.push(end.env);
  if (end.code !== 0) {
    steps.hasFailed = true;
    steps.log += `## exit ${end.code}\n`;
  }
  return end.outputs;
}

async function useAction(step: Step, running: Running): Promise<void> {
  const { steps, place, facts, scope } = running;
  const inputs = fillInAll(step.with, scope);
  const [name = '', pin = ''] = (step.uses ?? '').split('@');
  if (step.uses === 'OWNER/apfel-bot@COMMIT') return useOurs(inputs, running);
  const action = KNOWN_ACTIONS[name];
  if (action === undefined || !/^[0-9a-f]{40}$/.test(pin)) {
    throw new Error(`the runner does not know ${step.uses}`);
  }
  try {
    await action({ inputs, place, job: facts });
  } catch (thrown) {
    steps.hasFailed = true;
    steps.log += `## ${name}: ${thrown instanceof Error ? thrown.message : String(thrown)}\n`;
  }
}

/** The action of this repository. */
async function useOurs(given: Readonly<Record<string, string>>, running: Running): Promise<void> {
  const { place, facts } = running;
  const action = readAction(join(facts.action, 'action.yml'));
  const strange = Object.keys(given).find(name => !Object.hasOwn(action.inputs, name));
  if (strange !== undefined) throw new Error(`the action has no input ${strange}`);
  const inputs = Object.fromEntries(
    Object.entries(action.inputs).map(([name, input]) => {
      if (isTrue(input.required) && given[name] === undefined)
        throw new Error(`${name} is missing`);
      return [name, given[name] ?? fillIn(input.default, running.scope)];
    }),
  );
  const scope = { ...running.scope, names: { ...running.scope.names, inputs } };
  const env = { ...place.env, GITHUB_ACTION_PATH: facts.action };
  await runSteps(action.runs.steps, { ...running, scope, place: { ...place, env } });
}
