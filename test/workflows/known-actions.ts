import { execFile } from 'node:child_process';
import { cp, mkdir, readdir, stat } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import type { Place } from './run-step.js';

const exec = promisify(execFile);

interface ActionCall {
  readonly inputs: Readonly<Record<string, string>>;
  readonly place: Place;
  readonly job: JobFacts;
}

/** What an action knows of the job besides its inputs. */
export interface JobFacts {
  /** Where the clone comes from. */
  readonly gitUrl: string;
  readonly token: string;
  readonly ref: string;
  readonly sha: string;
  /** A folder with a folder for each artifact of the run. */
  readonly artifacts: string;
  /** Where the commit of our own action is unpacked. */
  readonly action: string;
}

type KnownAction = (call: ActionCall) => Promise<void>;

/** Stand-ins for the actions that our workflows use; any other name is refused. */
export const KNOWN_ACTIONS: Readonly<Record<string, KnownAction>> = {
  'actions/checkout': checkout,
  'actions/setup-node': async ({ inputs }) => mustHaveOnly(inputs, ['node-version']),
  'actions/upload-artifact': upload,
  'actions/download-artifact': download,
};

/** As v4 does it with `fetch-depth: 0`: every branch and tag, and the token only on request. */
async function checkout({ inputs, place, job }: ActionCall): Promise<void> {
  mustHaveOnly(inputs, ['ref', 'fetch-depth', 'persist-credentials']);
  if (inputs['fetch-depth'] !== '0') throw new Error('the runner makes full clones only');
  const git = (...args: string[]) =>
    exec('git', args, { cwd: place.workspace, env: { ...place.env }, maxBuffer: 1e8 });
  const key = `http.${new URL(job.gitUrl).origin}/.extraheader`;
  const basic = Buffer.from(`x-access-token:${job.token}`).toString('base64');
  const header = `AUTHORIZATION: basic ${basic}`;
  const isPull = job.ref.startsWith('refs/pull/');
  await git('init', '--quiet');
  await git('remote', 'add', 'origin', job.gitUrl);
  await git(
    ...['-c', `${key}=${header}`, 'fetch', '--quiet', '--prune', 'origin'],
    ...['+refs/heads/*:refs/remotes/origin/*', '+refs/tags/*:refs/tags/*'],
    ...(isPull ? [`+${job.ref}:${job.ref.replace('refs/', 'refs/remotes/')}`] : []),
  );
  await git('checkout', '--quiet', '--detach', inputs['ref'] || job.sha);
  if (inputs['persist-credentials'] !== 'false') await git('config', '--local', key, header);
}

/** A name is taken once in a run, and cannot hold what a file name cannot. */
async function upload({ inputs, place, job }: ActionCall): Promise<void> {
  mustHaveOnly(inputs, ['name', 'path', 'if-no-files-found', 'retention-days']);
  const { name = '', path = '' } = inputs;
  if (!/^[\w.-]+$/.test(name)) throw new Error(`${name} is no name for an artifact`);
  const from = resolve(place.workspace, path);
  const found = await stat(from).catch(() => undefined);
  const isEmpty =
    found === undefined || (found.isDirectory() && (await readdir(from)).length === 0);
  if (isEmpty && inputs['if-no-files-found'] === 'error') throw new Error(`no file at ${path}`);
  if (isEmpty) return;
  const into = join(job.artifacts, name);
  // Fails where there is one already.
  await mkdir(into);
  await cp(from, found.isDirectory() ? into : join(into, basename(from)), { recursive: true });
}

async function download({ inputs, place, job }: ActionCall): Promise<void> {
  mustHaveOnly(inputs, ['name', 'pattern', 'path']);
  const { name, pattern, path = '.' } = inputs;
  const into = resolve(place.workspace, path);
  const all = await readdir(job.artifacts);
  if (name !== undefined) {
    if (!all.includes(name)) throw new Error(`there is no artifact ${name}`);
    await cp(join(job.artifacts, name), into, { recursive: true });
    return;
  }
  const start = (pattern ?? '*').replace(/\*$/, '');
  await mkdir(into, { recursive: true });
  for (const each of all.filter(one => one.startsWith(start))) {
    await cp(join(job.artifacts, each), join(into, each), { recursive: true });
  }
}

function mustHaveOnly(inputs: Readonly<Record<string, string>>, known: readonly string[]): void {
  const strange = Object.keys(inputs).find(name => !known.includes(name));
  if (strange !== undefined) throw new Error(`the runner does not know the input ${strange}`);
}
