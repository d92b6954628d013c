import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { TokenOptions } from '../../fixtures/github/actor.js';
import type { GithubStandIn } from '../../fixtures/github/start-github.js';
import { fillIn, functionsIn, mayRun, type Status } from './fill-in.js';
import { machineFor } from './machine.js';
import type { WorkflowEvent } from './made-event.js';
import { type Job, needsOf, readWorkflow, type Workflow } from './read-workflow.js';
import { type JobRun, type Result, runJob } from './run-job.js';

/** Everything around a run: GitHub, the machines, and where their files are. */
export interface Surroundings {
  readonly folder: string;
  /** `owner/name` */
  readonly repository: string;
  readonly hub: GithubStandIn;
  /** The stand-in's own list, to which the token of every job is added. */
  readonly tokens: TokenOptions[];
  /** Where the commit of our own action is unpacked. */
  readonly action: string;
  /** Every job starts as if it had used the action before, which saves the build. */
  readonly isBuilt: boolean;
  /** Comes first on the PATH of every machine. */
  readonly programs: string;
  /** What only the Mac has. */
  readonly mac: Readonly<Record<string, string>>;
  readonly vars?: Readonly<Record<string, string>>;
  /** Machines that go away before they have done anything. */
  readonly isLost?: (job: string, index: number) => boolean;
  /** What happens elsewhere right before a job starts. */
  readonly meanwhile?: (job: string) => Promise<void>;
}

export interface WorkflowRun {
  /** By name; one for each entry of a matrix. None when the event does not start the workflow. */
  readonly jobs: Readonly<Record<string, readonly JobRun[]>>;
  /** As GitHub sums a job up. */
  readonly results: Readonly<Record<string, Result>>;
  readonly tokens: readonly string[];
  readonly artifacts: string;
}

let runs = 0;

/** Runs a workflow file for an event: all jobs in their order, against the stand-ins. */
export async function runWorkflow(
  file: string,
  event: WorkflowEvent,
  around: Surroundings,
): Promise<WorkflowRun> {
  const workflow = readWorkflow(file);
  runs += 1;
  const folder = join(around.folder, `run-${runs}`);
  const artifacts = join(folder, 'artifacts');
  await mkdir(artifacts, { recursive: true });
  const eventFile = join(folder, 'event.json');
  await writeFile(eventFile, JSON.stringify(event.payload));
  const jobs: Record<string, JobRun[]> = {};
  const files = { folder, artifacts, eventFile };
  const run: Run = { number: runs, workflow, event, around, ...files, jobs, tokens: [] };
  if (isStarted(workflow, event)) {
    for (const name of inOrder(workflow)) jobs[name] = await runNamed(name, run);
  }
  const results = Object.fromEntries(Object.entries(jobs).map(([name, all]) => [name, sum(all)]));
  return { jobs, results, tokens: run.tokens, artifacts };
}

/** One run of one workflow, as its jobs see it. */
export interface Run {
  readonly number: number;
  readonly workflow: Workflow;
  readonly event: WorkflowEvent;
  readonly around: Surroundings;
  readonly folder: string;
  readonly artifacts: string;
  readonly eventFile: string;
  readonly jobs: Record<string, JobRun[]>;
  readonly tokens: string[];
}

/** GitHub's own choice of actions where a workflow names none. */
const USUAL = ['opened', 'synchronize', 'reopened'];

function isStarted({ on }: Workflow, { name, action, ref }: WorkflowEvent): boolean {
  if (!Object.hasOwn(on, name)) return false;
  const { types, branches } = on[name] ?? {};
  if (branches !== undefined) return branches.includes(ref.replace('refs/heads/', ''));
  if (action === undefined) return true;
  return (types ?? (name === 'pull_request' ? USUAL : [action])).includes(action);
}

function inOrder({ jobs }: Workflow): string[] {
  const done: string[] = [];
  const visit = (name: string): void => {
    const job = jobs[name];
    if (job === undefined) throw new Error(`there is no job ${name}`);
    for (const need of needsOf(job)) if (!done.includes(need)) visit(need);
    if (!done.includes(name)) done.push(name);
  };
  for (const name of Object.keys(jobs)) visit(name);
  return done;
}

async function runNamed(name: string, run: Run): Promise<JobRun[]> {
  const job = run.workflow.jobs[name];
  if (job === undefined) throw new Error(`there is no job ${name}`);
  const names = contexts(job, run);
  const scope = { names, functions: functionsIn(run.folder) };
  if (!mayRun(job.if, statusBefore(name, run), scope)) return [SKIPPED];
  const rows = matrixOf(fillIn(job.strategy?.matrix, scope));
  const all: JobRun[] = [];
  for (const [index, matrix] of rows.entries()) {
    if (run.around.isLost?.(name, index) === true) {
      all.push({ ...SKIPPED, result: 'failure', log: 'the machine was lost' });
      continue;
    }
    await run.around.meanwhile?.(name);
    const { place, facts } = await machineFor(job, run, `${name}-${index}`);
    const github = { ...names.github, token: facts.token, workspace: place.workspace };
    const strategy = { 'job-index': index, 'job-total': rows.length };
    all.push(await runJob({ job, place, facts, names: { ...names, github, matrix, strategy } }));
  }
  return all;
}

const SKIPPED: JobRun = { result: 'skipped', outputs: {}, log: '', summary: '', seen: [] };

function contexts(job: Job, { number, event, around, jobs }: Run) {
  const needs = Object.fromEntries(
    needsOf(job).map(name => {
      const all = jobs[name] ?? [];
      return [name, { result: sum(all), outputs: all[0]?.outputs ?? {} }];
    }),
  );
  const { name, payload, ref, sha } = event;
  const { repository } = around;
  const github = { event: payload, event_name: name, ref, sha, repository, run_id: number };
  return { github, needs, vars: around.vars ?? {} };
}

/** All that a job needs, and what that needs in turn. */
function statusBefore(name: string, { workflow, jobs }: Run): Status {
  const results = new Map<string, Result>();
  const visit = (each: string): void => {
    const job = workflow.jobs[each];
    for (const need of job === undefined ? [] : needsOf(job)) {
      results.set(need, sum(jobs[need] ?? []));
      visit(need);
    }
  };
  visit(name);
  const all = [...results.values()];
  const isFailure = all.includes('failure');
  return { isSuccess: all.every(each => each === 'success'), isFailure, isCancelled: false };
}

function matrixOf(matrix: unknown): ReadonlyArray<Readonly<Record<string, unknown>>> {
  if (matrix === undefined) return [{}];
  const { include } = Object(matrix);
  if (!Array.isArray(include)) throw new Error('the runner knows matrices with include only');
  return include;
}

const sum = (all: readonly JobRun[]): Result =>
  all.find(each => each.result === 'failure')?.result ?? all[0]?.result ?? 'skipped';
