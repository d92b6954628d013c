import { readFileSync } from 'node:fs';
import { parse } from 'yaml';

export interface Step {
  readonly id?: string;
  readonly name?: string;
  readonly if?: unknown;
  readonly uses?: string;
  readonly with?: Readonly<Record<string, unknown>>;
  readonly run?: string;
  readonly env?: Readonly<Record<string, unknown>>;
  readonly shell?: string;
  readonly 'working-directory'?: string;
}

export interface Job {
  readonly needs?: string | readonly string[];
  readonly if?: unknown;
  readonly 'runs-on': string | readonly string[];
  readonly 'timeout-minutes': number;
  readonly permissions?: Readonly<Record<string, string>>;
  readonly concurrency?: unknown;
  readonly outputs?: Readonly<Record<string, string>>;
  readonly strategy?: { readonly 'fail-fast'?: boolean; readonly matrix: unknown };
  readonly steps: readonly Step[];
}

export interface Workflow {
  readonly name: string;
  readonly on: Readonly<Record<string, Readonly<Record<string, readonly string[]>> | null>>;
  readonly permissions: Readonly<Record<string, string>>;
  readonly concurrency?: unknown;
  readonly jobs: Readonly<Record<string, Job>>;
}

interface Action {
  readonly inputs: Readonly<
    Record<string, { readonly default?: unknown; readonly required?: boolean }>
  >;
  readonly runs: { readonly using: string; readonly steps: readonly Step[] };
}

const WORKFLOW = 'name on permissions concurrency jobs'.split(' ');
const JOB = 'needs if runs-on timeout-minutes permissions concurrency outputs strategy steps'.split(
  ' ',
);
const STEP = 'id name if uses with run env shell working-directory'.split(' ');

/** A workflow from its file. What the runner does not know it refuses, so that nothing goes untried. */
export function readWorkflow(file: string): Workflow {
  const workflow: Workflow = parse(readFileSync(file, 'utf8'));
  mustKnow(workflow, WORKFLOW, file);
  for (const [name, job] of Object.entries(workflow.jobs)) {
    mustKnow(job, JOB, `${file}: ${name}`);
    for (const step of job.steps) mustKnow(step, STEP, `${file}: ${name}`);
  }
  return workflow;
}

export function readAction(file: string): Action {
  const action: Action = parse(readFileSync(file, 'utf8'));
  if (action.runs.using !== 'composite') throw new Error(`${file} is no composite action`);
  for (const step of action.runs.steps) mustKnow(step, STEP, file);
  return action;
}

export const needsOf = ({ needs = [] }: Job): readonly string[] =>
  typeof needs === 'string' ? [needs] : needs;

function mustKnow(part: object, known: readonly string[], place: string): void {
  const strange = Object.keys(part).find(key => !known.includes(key));
  if (strange !== undefined) throw new Error(`${place}: the runner does not know ${strange}`);
}
