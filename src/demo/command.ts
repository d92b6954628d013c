import { defaultConfig } from '../config/config.js';
import { mustHaveNoWords, type WorkOptions, workOptions } from '../config/options.js';
import { BotError, isBotError } from '../core/bot-error.js';
import { INTERRUPTED, isTimeUp } from '../core/deadline.js';
import { type Parsed, usage } from '../core/task.js';
import { nodeClock } from '../platform/clock.js';
import { paint } from '../report/style.js';
import { openModelFor } from '../review/model.js';
import type { CommandEnd, Session } from '../session.js';
import { type DemoFolder, type FoundEslint, findEslint, makeDemoFolder } from './project.js';
import {
  auditPage,
  fixedLint,
  installHooks,
  passingCommit,
  prepareProject,
  reviewedPull,
  stoppedCommit,
} from './scenes.js';
import { SCRIPTED_MODEL, startDemoServer } from './server.js';
import { openShell } from './shell.js';
import { type DemoStage, openDemoScreen, openStage } from './stage.js';
import { type Cast, CHAPTERS, chapterLine, epilogue, labelOf, prologue } from './story.js';

/** It takes some seconds; a machine that needs longer than this is stuck. */
const SCRIPTED_MS = 180_000;
/** A model takes a second or two for each answer, and is asked some dozen times. */
const LIVE_MS = 600_000;

const SCENES: ReadonlyArray<(stage: DemoStage) => Promise<void>> = [
  installHooks,
  stoppedCommit,
  passingCommit,
  fixedLint,
  reviewedPull,
  auditPage,
];

/** `demo`: the whole story in a folder of its own. Nothing of the user's is read or written. */
export async function demo(parsed: Parsed, session: Session): Promise<CommandEnd> {
  mustHaveNoWords(parsed);
  const options = workOptions(parsed);
  const isLive = parsed.switches.has('live');
  mustFit(options, isLive);
  const startedAt = nodeClock.now();
  const deadlineMs = options.deadlineMs ?? (isLive ? LIVE_MS : SCRIPTED_MS);
  session.endAfter(deadlineMs);
  const live = isLive ? await liveModel(options, session, startedAt + deadlineMs) : undefined;
  const eslint = await findEslint(session.cwd);
  const cast = { isLive, model: live ?? SCRIPTED_MODEL, eslint: eslint?.version };
  const isHurried = options.isQuiet || parsed.switches.has('fast');
  const server = isLive ? undefined : await startDemoServer();
  try {
    const { baseUrl } = server ?? {};
    const folder = await perform({ cast, eslint, baseUrl, options, isHurried, session });
    const seconds = ((nodeClock.now() - startedAt) / 1000).toFixed(0);
    return { text: `\n${epilogue({ folder, seconds }).join('\n')}\n`, ending: 'done' };
  } finally {
    await server?.close();
  }
}

interface Bill {
  readonly cast: Cast;
  readonly eslint: FoundEslint | undefined;
  readonly baseUrl: string | undefined;
  readonly options: WorkOptions;
  readonly isHurried: boolean;
  readonly session: Session;
}

/** The name of the folder that it leaves behind. */
async function perform(bill: Bill): Promise<string> {
  const { cast, eslint, baseUrl, options, isHurried, session } = bill;
  const folder = makeDemoFolder();
  const screen = openDemoScreen({ isHurried, signal: session.signal });
  const env = { ...session.env, ...liveEnvironment(options) };
  const shell = openShell({ ...session, folder, env, baseUrl });
  const colors = paint(session.color);
  const stage = openStage({ cast, folder, shell, screen, colors, columns: session.columns });
  const leave = (): void => {
    shell.stop();
    if (session.signal.reason === INTERRUPTED) clearAway(folder, session);
  };
  session.signal.addEventListener('abort', leave);
  try {
    await folder.furnish(eslint);
    stage.tell(prologue(cast));
    await play(stage, { session, rest: screen.rest, protocol: options.model.protocol });
    return folder.path;
  } finally {
    session.signal.removeEventListener('abort', leave);
  }
}

function mustFit({ model }: WorkOptions, isLive: boolean): void {
  const given = (['baseUrl', 'name', 'protocol'] as const).find(key => model[key] !== undefined);
  if (isLive || given === undefined) return;
  throw usage('without --live the model is scripted, and there is nothing to choose about it');
}

/** The name of the model that the steps will find; without one there is nothing live to show. */
async function liveModel(
  options: WorkOptions,
  session: Session,
  deadlineAt: number,
): Promise<string> {
  const place = { config: defaultConfig(), session, deadlineAt };
  const found = await openModelFor(options.model, place);
  if (!found.available) {
    throw new BotError('model-required', `no model for --live: ${found.reason}`, {
      hint: 'Without --live the demo plays one from a script: apfel-bot demo',
    });
  }
  // Each step finds it anew, as it would in a project.
  await found.model.close();
  return found.model.facts.name;
}

const liveEnvironment = ({ model }: WorkOptions): Record<string, string> => ({
  ...(model.baseUrl !== undefined && { APFEL_BOT_BASE_URL: model.baseUrl }),
  ...(model.name !== undefined && { APFEL_BOT_MODEL: model.name }),
});

/** The process leaves right after this. */
function clearAway(folder: DemoFolder, session: Session): void {
  const isGone = folder.remove();
  session.say(
    isGone
      ? 'apfel-bot: the demo was broken off, and its folder is removed'
      : `apfel-bot: what is left of the demo is in ${folder.path}`,
  );
}

interface Playing {
  readonly session: Session;
  readonly rest: () => Promise<void>;
  readonly protocol: string | undefined;
}

async function play(stage: DemoStage, { session, rest, protocol }: Playing): Promise<void> {
  const { cast, print, colors, columns } = stage;
  for (const [at, scene] of SCENES.entries()) {
    const chapter = { number: at + 1, title: CHAPTERS[at] ?? '' };
    print(chapterLine(chapter, { label: labelOf(cast), columns, colors }));
    try {
      if (at === 0) await prepareProject(stage, protocol);
      await scene(stage);
    } catch (thrown) {
      throw brokenOff(thrown, `step ${chapter.number} (${chapter.title})`, { stage, session });
    }
    if (chapter.number < SCENES.length) await rest();
  }
}

/** Says in which step, and where to look. */
function brokenOff(
  thrown: unknown,
  step: string,
  { stage, session }: { readonly stage: DemoStage; readonly session: Session },
): BotError {
  const kept = `What there is by then is kept: ${stage.folder.path}`;
  if (isTimeUp(session.signal)) {
    const hint = `Give it more: --deadline 10m\n  ${kept}`;
    return new BotError('usage', `the time was up in ${step}`, { hint });
  }
  const code = isBotError(thrown) ? thrown.code : 'bug';
  const why = thrown instanceof Error ? thrown.message : String(thrown);
  const { eslint } = stage.cast;
  const other =
    eslint === undefined ? '' : `Without ESLint ${eslint}: run it in another folder\n  `;
  const hint = `${other}${kept}`;
  return new BotError(code, `${step} did not go as told: ${why}`, { hint, cause: thrown });
}
