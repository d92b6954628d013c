import type { Config } from '../config/config.js';
import type { ModelOptions, WorkOptions } from '../config/options.js';
import { BotError } from '../core/bot-error.js';
import { unlessTimeUp } from '../core/deadline.js';
import { NO_MODEL_WANTED } from '../core/outcome.js';
import { serverOf } from '../model/address.js';
import { type PickedProtocol, recall, tokenScale } from '../model/calibration.js';
import { openTiming } from '../model/client.js';
import { type FindModelOptions, findModel } from '../model/find.js';
import type { FoundModel, Model } from '../model/model.js';
import type { Clock } from '../platform/clock.js';
import { openUserCache } from '../platform/user-cache.js';
import type { RunLog } from '../runs/run-log.js';
import type { Session } from '../session.js';

/** A short answer takes a second or two; a long one on a busy machine up to a minute. */
const REQUEST_MS = 60_000;

interface ModelContext {
  readonly config: Config;
  readonly session: Session;
  readonly deadlineAt: number;
  /** Records every host that is contacted. */
  readonly runLog?: RunLog;
  /** Whether all answers of this model are cached, so that nothing would be asked. */
  readonly isAnswered?: FindModelOptions['isAnswered'];
}

export const openModelFor = (options: ModelOptions, place: ModelContext): Promise<FoundModel> =>
  unlessTimeUp(
    place.session.signal,
    () => findModel(findOptions(options, place)),
    () => ({ available: false, reason: 'time ran out before one was found' }),
  );

/** Flag > environment > configuration > default. */
export const findOptions = (
  options: ModelOptions,
  { config, session, deadlineAt, runLog, isAnswered }: ModelContext,
): FindModelOptions => ({
  ...serverOf(options.baseUrl, session.env, config.model.baseUrl),
  modelName: options.name ?? given(session.env['APFEL_BOT_MODEL']) ?? config.model.name,
  allowRemote: options.allowRemote,
  start: config.model.start,
  keepAliveMs: config.model.keepAliveMs,
  contextWindow: config.model.contextWindow,
  protocol: options.protocol ?? config.model.protocol,
  requestTimeoutMs: REQUEST_MS,
  environment: session.env,
  pace: openTiming(deadlineAt),
  signal: session.signal,
  isAnswered,
  ...(runLog && { onContact: host => runLog.addContact(host) }),
});

/** What `calibrate` and `doctor` measured for this model on this machine. */
interface Calibrated {
  readonly preferred: PickedProtocol['protocol'] | undefined;
  readonly tokenScale: number;
}

export async function calibrated(model: Model, session: Session): Promise<Calibrated> {
  const cache = openUserCache(session.env);
  const known = await recall(model.facts, cache);
  return { preferred: known.picked?.protocol, tokenScale: tokenScale(known).factor };
}

/** For progress: what a run has used so far, and how much time is left. */
export function spentAndLeft(
  model: Model,
  deadlineAt: number,
  { now }: Pick<Clock, 'now'>,
): string {
  const { promptTokens, completionTokens } = model.usage();
  const left = Math.max(0, Math.round((deadlineAt - now()) / 1000));
  const spent = promptTokens + completionTokens;
  return `${spent === 0 ? '' : `${spent} tokens, `}deadline in ${left} s`;
}

/** An empty variable counts as unset. */
const given = (value: string | undefined): string | undefined => value || undefined;

/** For commands that need a model: the model, or exit 4 with the reason. */
export async function needModel(
  command: string,
  options: WorkOptions,
  place: ModelContext,
): Promise<Model> {
  const found: FoundModel = options.withoutModel
    ? { available: false, reason: NO_MODEL_WANTED }
    : await openModelFor(options.model, place);
  if (found.available) return found.model;
  throw new BotError(
    'model-required',
    `${command} needs a model, and there is none: ${found.reason}`,
    {
      hint: 'Run apfel-bot doctor to see what is missing',
    },
  );
}
