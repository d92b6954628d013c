import { mkdir, symlink } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import { gitEnv } from '../support/with-repo.js';
import type { JobFacts } from './known-actions.js';
import type { Job } from './read-workflow.js';
import type { Place } from './run-step.js';
import type { Run } from './run-workflow.js';

interface Machine {
  readonly place: Place;
  readonly facts: JobFacts;
}

/** An empty machine by the job's labels, and a token with the job's permissions. */
export async function machineFor(job: Job, run: Run, id: string): Promise<Machine> {
  const { event, around, folder, artifacts } = run;
  const [workspace, temp] = [join(folder, id, 'work'), join(folder, id, 'temp')];
  for (const each of [workspace, temp]) await mkdir(each, { recursive: true });
  if (around.isBuilt) await putBuilt(join(temp, `apfel-bot-${basename(around.action)}`));
  const token = `ghs_${run.number}x${run.tokens.length}x${'a'.repeat(30)}`;
  run.tokens.push(token);
  around.tokens.push({ token, permissions: permissionsOf(job, run) });
  const env = { ...environment(run, join(folder, id)), ...ownEnvironment(job, run) };
  return {
    place: { workspace, temp, env: { ...env, GITHUB_WORKSPACE: workspace, RUNNER_TEMP: temp } },
    facts: {
      gitUrl: around.hub.gitHttpUrl,
      token,
      ref: event.ref,
      sha: event.sha,
      artifacts,
      action: around.action,
    },
  };
}

/** What the action leaves behind after its first use in a job. */
async function putBuilt(home: string): Promise<void> {
  await mkdir(join(home, 'bin'), { recursive: true });
  await symlink(resolve('dist/cli.cjs'), join(home, 'bin', 'apfel-bot'));
}

/** A job's own permissions replace the workflow's; a fork's event takes away every right to write. */
function permissionsOf(job: Job, { workflow, event }: Run): Record<string, 'read' | 'write'> {
  const asked = Object.entries(job.permissions ?? workflow.permissions);
  return Object.fromEntries(
    asked.map(([name, level]) => [
      name.replaceAll('-', '_'),
      level === 'write' && !event.isFromFork ? 'write' : 'read',
    ]),
  );
}

/** No token among these: GitHub puts none into the environment either. */
function environment({ number, around, event, eventFile }: Run, home: string) {
  const base = gitEnv(home);
  return {
    ...base,
    PATH: `${around.programs}:${base['PATH']}`,
    CI: 'true',
    GITHUB_ACTIONS: 'true',
    GITHUB_EVENT_NAME: event.name,
    GITHUB_EVENT_PATH: eventFile,
    GITHUB_REF: event.ref,
    GITHUB_SHA: event.sha,
    GITHUB_REPOSITORY: around.repository,
    GITHUB_API_URL: around.hub.url,
    GITHUB_SERVER_URL: around.hub.url,
    GITHUB_RUN_ID: String(number),
  };
}

function ownEnvironment(job: Job, { around }: Run): Record<string, string> {
  const labels = [job['runs-on']].flat().join(' ');
  if (labels === 'self-hosted macOS') return { RUNNER_OS: 'macOS', ...around.mac };
  if (labels === 'ubuntu-latest') return { RUNNER_OS: 'Linux' };
  throw new Error(`the runner has no machine with the labels ${labels}`);
}
