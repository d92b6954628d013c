import { join } from 'node:path';
import { pathFromBytes } from '../../core/path-bytes.js';
import { protectedPath } from '../../core/protected-path.js';
import type { Workshop } from '../../fix/workshop.js';
import type { LinterSpec } from '../../lint/linter-spec.js';
import { findLinters } from '../../lint/linters.js';
import type { LintRun } from '../../lint/read-run.js';
import type { Globs } from '../../world.js';
import { askGit } from '../commit/git-commit-ask.js';
import { whyNotCommittable } from '../commit/git-commit-blobs.js';
import { listTree } from '../commit/git-commit-tree.js';
import type { Environment } from '../git/git-flags.js';
import type { ScratchRepository } from '../scratch/scratch.js';
import { usableFiles } from '../scratch/scratch-clashes.js';
import { linterEnvironment } from './linter-environment.js';
import { linterFiles } from './linter-files.js';
import { type LintRoom, linterSession } from './linter-session.js';
import { runLinter } from './run-linter.js';

/** The slowest linters take a minute on a large project. */
const LINTER_MS = 180_000;
/** A test suite of the project's may take longer. */
const VERIFY_MS = 600_000;

export interface WorkshopWish {
  readonly scratch: ScratchRepository;
  readonly env: Environment;
  readonly globs: Globs;
  readonly signal: AbortSignal;
  readonly entries: Parameters<typeof findLinters>[1];
  readonly protect: readonly string[];
  /** Whether a path belongs to the task at all. */
  readonly isInTask: (path: string) => boolean;
  readonly say: (notice: string) => void;
}

/** The linters that the commit configures, in a copy of the commit. */
export async function openWorkshop(wish: WorkshopWish): Promise<Workshop> {
  const { scratch, protect } = wish;
  const tree = await listTree(scratch.spot, scratch.commit);
  const tracked = usableFiles(tree, scratch.clashing);
  const run = runnerIn(wish);
  const read = (path: string): Promise<string | undefined> => readText(scratch, path);
  const room: LintRoom = {
    root: scratch.dir,
    aliases: [scratch.givenDir],
    tracked: new Set(tracked),
    run: (argv, folder) => run(argv, folder, LINTER_MS),
    read,
  };
  const isProtected = await wish.globs.matcher(protect);
  return {
    commit: scratch.commit,
    linters: await openLinters(await specsFor(wish, tracked), { wish, tracked, room }),
    isWhole: ![...scratch.clashing.keys()].some(wish.isInTask),
    read,
    write: (path, text) => scratch.writeFile(path, Buffer.from(text, 'utf8')),
    reset: path => scratch.reset(path),
    // Links and submodules are none of ours, whatever a linter did to them.
    changed: async () => (await changedFiles(scratch)).filter(path => room.tracked.has(path)),
    forbidden: async paths => {
      const reasons = new Map(await whyNotCommittable(scratch.spot, tree, paths));
      for (const path of paths) {
        const ground = protectedPath(path) ?? (isProtected(path) ? 'branch.protect' : undefined);
        if (ground !== undefined) reasons.set(path, `it is protected (${ground})`);
      }
      return reasons;
    },
    verify: async command => verdictOf(command, await run(command, '', VERIFY_MS)),
  };
}

type Runner = (argv: readonly string[], folder: string, timeoutMs: number) => Promise<LintRun>;

const runnerIn =
  ({ scratch, env, signal }: WorkshopWish): Runner =>
  (argv, folder, timeoutMs) => {
    const bins = [...new Set([folder, ''])].map(each =>
      join(scratch.dir, each, 'node_modules', '.bin'),
    );
    const clean = linterEnvironment(env, bins);
    return runLinter({ argv, root: scratch.dir, folder, env: clean, timeoutMs, signal });
  };

const MANIFEST = /(?:^|\/)(?:package\.json|pyproject\.toml|Gemfile\.lock)$/;

async function specsFor(wish: WorkshopWish, tracked: readonly string[]): Promise<LinterSpec[]> {
  const manifests = new Map<string, string>();
  for (const path of tracked.filter(each => MANIFEST.test(each))) {
    manifests.set(path, (await readText(wish.scratch, path)) ?? '');
  }
  const found = findLinters({ paths: tracked, manifests }, wish.entries);
  if (found.length === 0) wish.say('no linter is configured in this commit');
  return found;
}

async function openLinters(
  specs: readonly LinterSpec[],
  { wish, tracked, room }: { wish: WorkshopWish; tracked: readonly string[]; room: LintRoom },
): Promise<Workshop['linters']> {
  const inTask = tracked.filter(wish.isInTask);
  const linters: Array<Workshop['linters'][number]> = [];
  for (const spec of specs) {
    const files = await linterFiles(spec, inTask, wish);
    const where = spec.folder === '' ? '' : ` in ${spec.folder}`;
    if (files.length > 0) linters.push(linterSession(spec, files, room));
    else
      wish.say(`${spec.title}${where}: none of the ${inTask.length} files in question is for it`);
  }
  return linters;
}

async function readText(scratch: ScratchRepository, path: string): Promise<string | undefined> {
  const bytes = await scratch.readFile(path);
  if (bytes === undefined) return undefined;
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    // Some other encoding: read wrong it would be written wrong.
    return undefined;
  }
}

async function changedFiles({ spot }: ScratchRepository): Promise<string[]> {
  const asked = ['diff-files', '--name-only', '-z', '--ignore-submodules=all'];
  const listing = await askGit(spot, asked);
  const paths: string[] = [];
  for (let from = 0; from < listing.length; ) {
    const end = listing.indexOf(0, from);
    paths.push(pathFromBytes(listing.subarray(from, end)));
    from = end + 1;
  }
  return paths;
}

function verdictOf(
  command: readonly string[],
  { end, stdout, stderr }: LintRun,
): string | undefined {
  const name = command.join(' ').slice(0, 100);
  if (end.kind === 'missing') return `${name} cannot be started`;
  if (end.kind === 'time-up') return `${name} does not finish within ${end.afterMs / 1000} s`;
  if (end.kind === 'signal') return `${name} is stopped by ${end.signal}`;
  if (end.code === 0) return undefined;
  const last = `${stdout}\n${stderr}`.trim().split('\n').at(-1)?.trim().slice(0, 200) ?? '';
  return `${name} ends with exit code ${end.code}${last === '' ? '' : ` (${last})`}`;
}
