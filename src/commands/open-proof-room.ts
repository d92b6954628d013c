import { endingAfter } from '../adapters/ending-after.js';
import { temporaryFolder } from '../adapters/linter/linter-environment.js';
import { openWorkshop } from '../adapters/linter/linter-workshop.js';
import { startRun } from '../adapters/records/run-records.js';
import { sweepRuns } from '../adapters/records/run-records-sweep.js';
import { openScratch, type ScratchRepository } from '../adapters/scratch/scratch.js';
import { scratchOverlay } from '../adapters/scratch/scratch-overlay.js';
import { isBotError } from '../core/failure.js';
import { protectedPath } from '../core/protected-path.js';
import type { ProofRoom, ProofWish } from '../core/review-draft.js';
import type { Workshop } from '../fix/workshop.js';
import { findLinters } from '../lint/linters.js';
import type { Git } from '../world.js';
import type { Desk, Opened } from './desk.js';
import { mayRunLinters } from './may-run-linters.js';
import { proveText } from './prove-text.js';

export interface ProofPlace {
  readonly desk: Desk;
  readonly opened: Opened;
}

/**
 * The base of the change with the reviewed files laid over it, and the project's linters. Everything
 * that a linter runs is the base's; of the change it only reads the files in question.
 */
export async function openProofRoom(
  wish: ProofWish,
  place: ProofPlace,
): Promise<ProofRoom | undefined> {
  const { git } = place.opened;
  const { base } = wish;
  const paths = wish.paths.filter(path => protectedPath(path) === undefined);
  if (git === undefined || base === null || paths.length === 0) return undefined;
  if (!(await mayRunLinters(base, place))) return undefined;
  if (!(await hasLinterFor(paths, base, place))) return undefined;
  const files = await reviewedFiles(git, wish.head, paths);
  if (files.size === 0) return undefined;
  try {
    return await open({ base, files, git, forMs: wish.forMs }, place);
  } catch (thrown) {
    // No room, no suggestions: the review stands without them.
    if (isBotError(thrown) || place.desk.signal.aborted) return undefined;
    throw thrown;
  }
}

/** Known without copying anything. */
async function hasLinterFor(
  paths: readonly string[],
  base: string,
  { opened }: ProofPlace,
): Promise<boolean> {
  const { git, config, world } = opened;
  const tracked = (await git?.listPaths(base)) ?? [];
  const manifests = new Map<string, string>();
  for (const path of tracked.filter(each => MANIFEST.test(each)).slice(0, MOST_MANIFESTS)) {
    const bytes = await git?.readFile(base, path);
    manifests.set(path, new TextDecoder().decode(bytes));
  }
  for (const { files } of findLinters({ paths: tracked, manifests }, config.lint)) {
    const isFor = await world.globs.matcher(files);
    if (paths.some(path => isFor(path))) return true;
  }
  return false;
}

const MANIFEST = /(?:^|\/)(?:package\.json|pyproject\.toml|Gemfile\.lock)$/;
/** Each is a question to git. */
const MOST_MANIFESTS = 50;

async function reviewedFiles(
  git: Git,
  head: string,
  paths: readonly string[],
): Promise<Map<string, Uint8Array>> {
  const files = new Map<string, Uint8Array>();
  for (const path of paths) {
    const bytes = await git.readFile(head, path);
    if (bytes !== undefined) files.set(path, bytes);
  }
  return files;
}

interface Opening {
  readonly base: string;
  readonly files: ReadonlyMap<string, Uint8Array>;
  readonly git: Git;
  readonly forMs: number;
}

async function open(
  { base, files, git, forMs }: Opening,
  { desk, opened }: ProofPlace,
): Promise<ProofRoom> {
  const { config, world } = opened;
  const { repository } = git;
  const { env } = desk;
  const signal = endingAfter(desk.signal, forMs);
  await sweepRuns(repository.commonDir, world.clock.now());
  const record = await startRun(repository.commonDir, world.clock.runId());
  let scratch: ScratchRepository | undefined;
  const close = async (): Promise<void> => {
    await scratch?.remove();
    await record.end();
  };
  try {
    const [temp, announce] = [temporaryFolder(), record.addScratch];
    scratch = await openScratch({ repository, env, signal, commit: base, temp, announce });
    const shop: Workshop = await openWorkshop({
      scratch: await scratchOverlay(scratch, files),
      env,
      globs: world.globs,
      signal,
      entries: config.lint,
      protect: config.branch.protect,
      isInTask: path => files.has(path),
      say: () => undefined,
    });
    return { ...proveText(shop, { syntax: world.syntax, signal }), close };
  } catch (thrown) {
    await close();
    throw thrown;
  }
}
