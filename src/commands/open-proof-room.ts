import { endingAfter } from '../adapters/ending-after.js';
import { temporaryFolder } from '../adapters/linter/linter-environment.js';
import { type StdinLinter, stdinLinter } from '../adapters/linter/linter-stdin.js';
import { nodeFiles } from '../adapters/node-files.js';
import { startRun } from '../adapters/records/run-records.js';
import { sweepRuns } from '../adapters/records/run-records-sweep.js';
import { openScratch, type ScratchRepository } from '../adapters/scratch/scratch.js';
import { knownRules } from '../checks/rules.js';
import { isBotError } from '../core/failure.js';
import { protectedPath } from '../core/protected-path.js';
import type { FoundProofRoom, ProofRoom, ProofWish } from '../core/review-draft.js';
import type { LinterSpec } from '../lint/linter-spec.js';
import { findLinters } from '../lint/linters.js';
import { findConfig } from '../trigger/find-config.js';
import type { Git } from '../world.js';
import type { Desk, Opened } from './desk.js';
import { proveText } from './prove-text.js';
import { trustedCommit } from './trusted-commit.js';

export interface ProofPlace {
  readonly desk: Desk;
  readonly opened: Opened;
}

const NOTHING: FoundProofRoom = { room: undefined, notices: [] };

/**
 * A copy of a commit of the default branch, and its linters. All that a linter runs or reads is that
 * commit's; the reviewed text reaches it on its standard input.
 */
export async function openProofRoom(wish: ProofWish, place: ProofPlace): Promise<FoundProofRoom> {
  const { git } = place.opened;
  const { base } = wish;
  const paths = wish.paths.filter(path => protectedPath(path) === undefined);
  if (git === undefined || base === null || paths.length === 0) return NOTHING;
  try {
    const trusted = await trustedCommit(base, place);
    if (trusted.commit === undefined) return without(trusted.why);
    const { commit } = trusted;
    const { usable, others } = await lintersFor(paths, commit, place);
    const notices = others.map(title => notAsked(title));
    if (usable.length === 0) return { room: undefined, notices };
    const texts = await reviewedTexts(git, wish.head, paths);
    const opening = { commit, texts, specs: usable, git, forMs: wish.forMs };
    return { room: await open(opening, place), notices };
  } catch (thrown) {
    // No room, no suggestions: the review stands without them.
    if (isBotError(thrown) || place.desk.signal.aborted) return NOTHING;
    throw thrown;
  }
}

const without = (why: string | undefined): FoundProofRoom => ({
  room: undefined,
  notices: why === undefined ? [] : [`no linter was asked about suggestions: ${why}`],
});

const notAsked = (title: string): string =>
  `${title} was not asked about suggestions: a review hands the text over on standard input, which it is not known to read (see lint[].stdin)`;

interface Linters {
  readonly usable: readonly LinterSpec[];
  /** The names of those that cannot be asked. */
  readonly others: readonly string[];
}

/** As the commit names them, in its settings and by its files; known without copying anything. */
async function lintersFor(
  paths: readonly string[],
  commit: string,
  { opened }: ProofPlace,
): Promise<Linters> {
  const { git, world } = opened;
  const rules = knownRules();
  const place = { file: undefined, base: commit, git, files: nodeFiles, knownRules: rules };
  const { lint } = await findConfig(place);
  const tracked = (await git?.listPaths(commit)) ?? [];
  const manifests = new Map<string, string>();
  for (const path of tracked.filter(each => MANIFEST.test(each)).slice(0, MOST_MANIFESTS)) {
    const bytes = await git?.readFile(commit, path);
    manifests.set(path, new TextDecoder().decode(bytes));
  }
  const usable: LinterSpec[] = [];
  const others = new Set<string>();
  for (const spec of findLinters({ paths: tracked, manifests }, lint)) {
    const isFor = await world.globs.matcher(spec.files);
    if (!paths.some(path => isFor(path))) continue;
    if (spec.stdin === undefined) others.add(spec.title);
    else usable.push(spec);
  }
  return { usable, others: [...others] };
}

const MANIFEST = /(?:^|\/)(?:package\.json|pyproject\.toml|Gemfile\.lock)$/;
/** Each is a question to git. */
const MOST_MANIFESTS = 50;

async function reviewedTexts(
  git: Git,
  head: string,
  paths: readonly string[],
): Promise<Map<string, string>> {
  const texts = new Map<string, string>();
  for (const path of paths) {
    const bytes = await git.readFile(head, path);
    const text = bytes && Buffer.from(bytes).toString('utf8');
    // Some other encoding would be suggested wrong.
    if (text !== undefined && Buffer.from(text).equals(bytes ?? Buffer.alloc(0))) {
      texts.set(path, text);
    }
  }
  return texts;
}

interface Opening {
  readonly commit: string;
  readonly texts: ReadonlyMap<string, string>;
  readonly specs: readonly LinterSpec[];
  readonly git: Git;
  readonly forMs: number;
}

async function open(
  { commit, texts, specs, git, forMs }: Opening,
  { desk, opened: { world } }: ProofPlace,
): Promise<ProofRoom> {
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
    scratch = await openScratch({ repository, env, signal, commit, temp, announce });
    const linters: StdinLinter[] = [];
    for (const spec of specs) {
      const linter = await stdinLinter(spec, { dir: scratch.dir, env, globs: world.globs, signal });
      if (linter !== undefined) linters.push(linter);
    }
    return { ...proveText({ linters, texts, syntax: world.syntax, signal }), close };
  } catch (thrown) {
    await close();
    throw thrown;
  }
}
