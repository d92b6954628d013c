import { spawn } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { asText, type Scope } from './expression.js';
import { fillIn, fillInAll } from './fill-in.js';
import type { Step } from './read-workflow.js';

/** Where a job runs. */
export interface Place {
  readonly workspace: string;
  /** RUNNER_TEMP. */
  readonly temp: string;
  /** What the machine itself and GitHub give to every step. */
  readonly env: Readonly<Record<string, string>>;
}

export interface StepEnd {
  readonly code: number;
  readonly log: string;
  readonly summary: string;
  readonly outputs: Readonly<Record<string, string>>;
  /** What the step's process saw. */
  readonly env: Readonly<Record<string, string>>;
}

/** A step that takes longer hangs. */
const MAX_MS = 120_000;
let count = 0;

/** A `run:` step, by the shell that GitHub would take. */
export async function runStep(step: Step, place: Place, scope: Scope): Promise<StepEnd> {
  count += 1;
  const [script, output, summary] = ['script', 'output', 'summary'].map(name =>
    join(place.temp, '..', `${name}-${count}`),
  ) as [string, string, string];
  await writeFile(script, asText(fillIn(step.run, scope)));
  for (const file of [output, summary]) await writeFile(file, '');
  // One file for the whole job: what a step adds is on the PATH of those after it.
  const paths = join(place.temp, '..', 'paths');
  const added = (await readFile(paths, 'utf8').catch(() => '')).split('\n').filter(Boolean);
  const env = {
    ...place.env,
    PATH: [...added.reverse(), place.env['PATH']].join(':'),
    ...fillInAll(step.env, scope),
    GITHUB_OUTPUT: output,
    GITHUB_STEP_SUMMARY: summary,
    GITHUB_PATH: paths,
  };
  const cwd = resolve(place.workspace, asText(fillIn(step['working-directory'] ?? '.', scope)));
  const flags = SHELLS[step.shell ?? 'default'];
  if (flags === undefined) throw new Error(`the runner has no shell ${step.shell}`);
  const { code, log } = await shell([...flags, script], { cwd, env });
  const outputs = outputsIn(await readFile(output, 'utf8'));
  return { code, log, summary: await readFile(summary, 'utf8'), outputs, env };
}

const SHELLS: Readonly<Record<string, readonly string[]>> = {
  default: ['-e'],
  bash: ['--noprofile', '--norc', '-eo', 'pipefail'],
};

function shell(
  args: readonly string[],
  options: { readonly cwd: string; readonly env: Record<string, string> },
): Promise<{ code: number; log: string }> {
  return new Promise((done, reject) => {
    const child = spawn('bash', args, {
      ...options,
      stdio: ['ignore', 'pipe', 'pipe'],
      timeout: MAX_MS,
      killSignal: 'SIGKILL',
    });
    let log = '';
    child.stdout.setEncoding('utf8').on('data', text => (log += text));
    child.stderr.setEncoding('utf8').on('data', text => (log += text));
    child.on('error', reject);
    child.on('close', code => done({ code: code ?? 1, log }));
  });
}

function outputsIn(text: string): Record<string, string> {
  const rows = text.split('\n').filter(row => row !== '');
  return Object.fromEntries(
    rows.map(row => {
      const [, name = '', value = ''] = /^([\w-]+)=(.*)$/.exec(row) ?? [];
      if (name === '') throw new Error(`GITHUB_OUTPUT holds ${row}`);
      return [name, value];
    }),
  );
}
