import { defaultConfig } from '../config/config.js';
import { rejectPositionals, type WorkOptions, workOptions } from '../config/options.js';
import { BotError, isBotError } from '../core/bot-error.js';
import { INTERRUPTED, isTimeUp } from '../core/deadline.js';
import { type ParsedArguments, usage } from '../core/task.js';
import { nodeClock } from '../platform/clock.js';
import { openProgress } from '../platform/progress.js';
import { openModelFor } from '../review/model.js';
import type { CommandEnd, Session } from '../session.js';
import {
  type DemoFolder,
  type DemoRunner,
  findEslint,
  makeDemoFolder,
  openRunner,
} from './runner.js';
import { SCRIPTED_MODEL, startDemoServer } from './server.js';
import { prepareProject, STEPS } from './steps.js';
import { closing, introduction, labelOf, stepHeading } from './text.js';

/** It takes a few seconds; a machine that needs longer than this is stuck. */
const SCRIPTED_MS = 180_000;
/** A model takes a second or two per answer, and is asked a few dozen times. */
const LIVE_MS = 600_000;

/** `demo`: every feature, in a temporary folder. Nothing of the user's is read or changed. */
export async function demo(parsed: ParsedArguments, session: Session): Promise<CommandEnd> {
  rejectPositionals(parsed);
  const options = workOptions(parsed);
  const isLive = parsed.switches.has('live');
  mustMatchModel(options, isLive);
  const startedAt = nodeClock.now();
  const deadlineMs = options.deadlineMs ?? (isLive ? LIVE_MS : SCRIPTED_MS);
  session.endAfter(deadlineMs);
  const live = isLive ? await liveModel(options, session, startedAt + deadlineMs) : undefined;
  const eslint = await findEslint(session.cwd);
  const setup = { isLive, model: live ?? SCRIPTED_MODEL, eslint: eslint?.version };
  const server = isLive ? undefined : await startDemoServer();
  try {
    const folder = makeDemoFolder();
    const runner = openRunner({
      setup,
      folder,
      env: { ...session.env, ...liveEnvironment(options) },
      baseUrl: server?.baseUrl,
      color: session.color,
      columns: session.columns,
      signal: session.signal,
    });
    await withCleanUp(runner, session, async () => {
      await folder.fill(eslint);
      runner.printLines(introduction(setup));
      await runSteps(runner, session, options);
    });
    const seconds = ((nodeClock.now() - startedAt) / 1000).toFixed(0);
    return { text: `\n${closing(folder.path, seconds).join('\n')}\n`, ending: 'done' };
  } finally {
    await server?.close();
  }
}

/** On Ctrl-C the running command ends and the folder is removed. */
async function withCleanUp(
  runner: DemoRunner,
  session: Session,
  body: () => Promise<void>,
): Promise<void> {
  const onAbort = (): void => {
    runner.stop();
    if (session.signal.reason === INTERRUPTED) removeFolder(runner.folder, session);
  };
  session.signal.addEventListener('abort', onAbort);
  try {
    await body();
  } finally {
    session.signal.removeEventListener('abort', onAbort);
  }
}

function mustMatchModel({ model }: WorkOptions, isLive: boolean): void {
  const given = (['baseUrl', 'name', 'protocol'] as const).find(key => model[key] !== undefined);
  if (isLive || given === undefined) return;
  throw usage('without --live the model is scripted, so there is no model to choose');
}

/** The name of the model that the steps will find. */
async function liveModel(
  options: WorkOptions,
  session: Session,
  deadlineAt: number,
): Promise<string> {
  const place = { config: defaultConfig(), session, deadlineAt };
  const found = await openModelFor(options.model, place);
  if (!found.available) {
    throw new BotError('model-required', `no model for --live: ${found.reason}`, {
      hint: 'Without --live the demo uses a scripted model: apfel-bot demo',
    });
  }
  // Each step finds it again, as it would in a project.
  await found.model.close();
  return found.model.facts.name;
}

const liveEnvironment = ({ model }: WorkOptions): Record<string, string> => ({
  ...(model.baseUrl !== undefined && { APFEL_BOT_BASE_URL: model.baseUrl }),
  ...(model.name !== undefined && { APFEL_BOT_MODEL: model.name }),
});

/** The process ends right after this. */
function removeFolder(folder: DemoFolder, session: Session): void {
  const isGone = folder.remove();
  session.printError(
    isGone
      ? 'apfel-bot: the demo was interrupted, and its folder was removed'
      : `apfel-bot: the demo was interrupted; its files are in ${folder.path}`,
  );
}

/**
 * On a terminal the steps are listed under the heading until the output of the current one is
 * printed.
 */
async function runSteps(
  runner: DemoRunner,
  session: Session,
  { isQuiet, model: { protocol } }: WorkOptions,
): Promise<void> {
  const { setup, colors, columns } = runner;
  const titles = STEPS.map(({ title }) => title);
  const progress = openProgress({
    isTerminal: true,
    isQuiet: isQuiet || !session.isWatched,
    say: text => session.printError(text),
  });
  for (const [at, { title, run }] of STEPS.entries()) {
    const heading = `${at + 1} of ${STEPS.length} · ${title}`;
    runner.print(stepHeading(heading, { label: labelOf(setup), columns, colors }));
    runner.flush();
    try {
      await progress.list(titles, async () => {
        for (const done of titles.slice(0, at)) await progress.stage(done, async () => undefined);
        await progress.stage(title, async row => {
          runner.row = row;
          if (at === 0) await prepareProject(runner, protocol);
          await run(runner);
        });
      });
    } catch (thrown) {
      throw stepFailure(thrown, `step ${at + 1} (${title})`, runner, session);
    } finally {
      runner.flush();
    }
  }
}

/** Names the step, and where to look. */
function stepFailure(
  thrown: unknown,
  step: string,
  { folder, setup: { eslint } }: DemoRunner,
  { signal }: Session,
): BotError {
  const files = `The files so far are in ${folder.path}`;
  if (isTimeUp(signal)) {
    const hint = `Give it more time: --deadline 10m\n  ${files}`;
    return new BotError('usage', `out of time in ${step}`, { hint });
  }
  const code = isBotError(thrown) ? thrown.code : 'bug';
  const why = thrown instanceof Error ? thrown.message : String(thrown);
  const other =
    eslint === undefined ? '' : `To try it without ESLint ${eslint}, run it in another folder\n  `;
  return new BotError(code, `${step} failed: ${why}`, { hint: `${other}${files}`, cause: thrown });
}
