import { openGithub } from '../adapters/github/github.js';
import { githubPlace } from '../adapters/github/github-place.js';
import { addStepSummary } from '../adapters/github/step-summary.js';
import { temporaryFolder } from '../adapters/linter/linter-environment.js';
import { nodeClock } from '../adapters/node-clock.js';
import { nodeFiles } from '../adapters/node-files.js';
import { openPause } from '../adapters/pause.js';
import { picomatchGlobs } from '../adapters/picomatch-globs.js';
import { pushAddress } from '../adapters/push/push-address.js';
import { openDoor } from '../adapters/push/push-door.js';
import { originOf } from '../adapters/push/push-origin.js';
import { openRoom } from '../adapters/push/push-room.js';
import { knownRules } from '../checks/rules.js';
import type { Config } from '../config.js';
import { BotError, isBotError } from '../core/failure.js';
import type { Forge } from '../core/forge.js';
import { forTerminalLines } from '../core/neutralise.js';
import { protectedPath } from '../core/protected-path.js';
import type { AnyOutcome } from '../post/trust.js';
import { type PushJob, type PushReport, type PushSettings, push as pushTo } from '../push.js';
import { failedRunUrl } from '../respond/failed-run-url.js';
import { configFrom, findConfig } from '../trigger/find-config.js';
import { type Parsed, usage } from '../trigger/parse-argv.js';
import { type WorkOptions, workOptions } from '../trigger/work-options.js';
import type { CommandEnd, Desk } from './desk.js';
import { readOutcomeFile } from './outcome-file.js';

/** Contract: ten minutes where nothing else is said. */
const LONGEST_MS = 600_000;

/** `push FILE`: holds the token, so it never talks to a model and runs nothing of the change. */
export async function push(parsed: Parsed, desk: Desk): Promise<CommandEnd> {
  const [file, stray] = [...parsed.words, ...parsed.paths];
  if (file === undefined) throw usage('push needs an outcome: apfel-bot push outcome.json');
  if (stray !== undefined) throw usage(`unexpected argument ${JSON.stringify(stray)}`);
  const options = workOptions({ ...parsed, paths: [] });
  desk.endAfter(options.deadlineMs ?? LONGEST_MS);
  try {
    const outcome = fixed(await readOutcomeFile(file));
    const asked = { parsed, options, desk, file };
    const pull = options.pull?.number ?? outcome.change.pull ?? undefined;
    const { lines, text } = await pushThere(outcome, pull, asked);
    if (text !== '') await addStepSummary(desk.env, text);
    return { text: told(lines, options), ending: 'done' };
  } catch (thrown) {
    throw withPath(thrown, { file, desk });
  }
}

function fixed(outcome: AnyOutcome): PushJob['outcome'] {
  if (outcome.task === 'fix-lint') return { ...outcome, task: outcome.task };
  throw usage(`push takes an outcome of fix-lint; one of ${outcome.task} is published with post`);
}

const told = (lines: readonly string[], { isQuiet, isDryRun }: WorkOptions): string =>
  isQuiet && !isDryRun ? '' : `${forTerminalLines(lines.join('\n'))}\n`;

interface Asked {
  readonly parsed: Parsed;
  readonly options: WorkOptions;
  readonly desk: Desk;
  readonly file: string;
}

async function pushThere(
  outcome: PushJob['outcome'],
  pull: number | undefined,
  { parsed, options, desk, file }: Asked,
): Promise<PushReport> {
  const { signal, version } = desk;
  const env = { ...desk.env, GITHUB_REPOSITORY: await repositoryOf(desk) };
  const place = githubPlace(env);
  const deadlineAt = nodeClock.now() + (options.deadlineMs ?? LONGEST_MS);
  const forge = await openGithub(place, { signal, deadlineAt, version });
  const door = openDoor({ address: pushAddress(place, env), token: place.token, env, signal });
  const temp = temporaryFolder();
  const room = await openRoom({ door, outcome: file, temp, signal });
  try {
    const job: PushJob = {
      outcome,
      pull,
      isDryRun: options.isDryRun,
      isBranchOnly: parsed.switches.has('branch-only'),
      isAnswer: parsed.switches.has('answer'),
      runUrl: failedRunUrl(env),
      pause: openPause(signal),
      settingsAt: async commit => settingsOf(await configAt(forge, commit, options.config)),
    };
    return await pushTo(job, { forge, room });
  } finally {
    await room.remove();
  }
}

/** At a desk the clone says it. */
const repositoryOf = async (desk: Desk): Promise<string | undefined> =>
  desk.env['GITHUB_REPOSITORY'] || (await originOf(desk));

/** The job that publishes has no checkout: what the base says is asked of GitHub. */
async function configAt(forge: Forge, commit: string, file: string | undefined): Promise<Config> {
  if (file !== undefined) {
    const place = { file, base: undefined, git: undefined, files: nodeFiles };
    return findConfig({ ...place, knownRules: knownRules() });
  }
  const read = async (name: string): Promise<string | undefined> => {
    const found = await forge.fileAt(commit, name);
    if (found.state === 'there') return found.text;
    if (found.state === 'absent') return undefined;
    // It may protect paths, so without it nothing is pushed.
    throw new BotError('publish-failed', `${name} of ${commit.slice(0, 12)} cannot be read`, {
      hint: 'The job needs permissions: contents: write; run it again, or name it with --config',
    });
  };
  return configFrom(read, knownRules());
}

async function settingsOf({ branch, publish }: Config): Promise<PushSettings> {
  const isProtected = await picomatchGlobs.matcher(branch.protect);
  return {
    prefix: branch.prefix,
    mayEdit: path => protectedPath(path) === undefined && !isProtected(path),
    author: publish.author,
  };
}

/** A failure to publish loses nothing, and says where it is. */
function withPath(
  thrown: unknown,
  { file, desk }: { readonly file: string; readonly desk: Desk },
): unknown {
  if (!isBotError(thrown)) {
    if (!desk.signal.aborted) return thrown;
    return new BotError('publish-failed', 'the time was up before all was pushed', {
      hint: `Run it again, with more time: --deadline 20m\n  The outcome is kept: ${file}`,
      cause: thrown,
    });
  }
  if (thrown.code !== 'publish-failed' && thrown.code !== 'not-permitted') return thrown;
  const kept = `The outcome is kept: ${file}`;
  const hint = thrown.hint === undefined ? kept : `${thrown.hint}\n  ${kept}`;
  return new BotError(thrown.code, thrown.message, { hint, cause: thrown.cause });
}
