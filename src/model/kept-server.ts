import { randomUUID } from 'node:crypto';
import { mkdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseJson } from '../core/json-fields.js';
import { cacheFolder } from '../platform/cache-folder.js';
import { sinceMs } from '../platform/clock.js';
import { type Environment, isAlive } from '../platform/processes.js';
import { openUserCache } from '../platform/user-cache.js';
import { textIn } from './address.js';
import type { Endpoint } from './attempt.js';
import type { Timing } from './client.js';
import { type FoundModel, type Model, type ModelFacts, NOTHING_USED } from './model.js';
import type { Health } from './probe.js';
import type { StartOptions } from './start.js';

/** Starting takes less; an older lock belongs to a run that died. */
const LOCK_MS = 30_000;
const POLL_MS = 100;
/** How long a run that is killed keeps it at most. */
const HOLD_MS = 30_000;
const POSTPONE_MS = 1000;
/** The watcher needs half as long to end a server. */
const MAX_END_MS = 3000;

/**
 * The one server that stays after the run that started it, for `model.keepAlive`. It ends by itself
 * at the time in a file, which every run postpones while it uses it. The file also names the server,
 * so that one that was lost, such as by a run that was killed, ends when another is started.
 */
export class KeptServer {
  readonly #untilFile: string;
  readonly #folder: string;
  readonly #record: string;
  readonly #lock: string;
  #id = '';
  #timer: NodeJS.Timeout | undefined;

  constructor(environment: Environment) {
    this.#folder = join(cacheFolder(environment, process.platform), 'apfel-bot');
    this.#record = join(this.#folder, 'server.json');
    this.#lock = join(this.#folder, 'server.lock');
    this.#untilFile = join(this.#folder, 'server.until');
  }

  /** Where it should be; it may have died. */
  async find(): Promise<Endpoint | undefined> {
    const record = parseJson(await readFile(this.#record, 'utf8').catch(() => ''));
    const [baseUrl, apiKey] = [textIn(record, 'baseUrl'), textIn(record, 'apiKey')];
    this.#id = textIn(record, 'id') ?? '';
    const isOver = (await this.#leftMs()) <= 0;
    return isOver || baseUrl === undefined || apiKey === undefined
      ? undefined
      : { baseUrl, apiKey };
  }

  /**
   * Waits while another run starts one: there are never two. False if there is no time for that, or
   * the home folder can't be written to.
   */
  async lock({ remainingMs, sleep }: Timing, signal: AbortSignal): Promise<boolean> {
    while (remainingMs() > 0) {
      try {
        await mkdir(this.#folder, { recursive: true, mode: 0o700 });
        await writeFile(this.#lock, String(process.pid), { flag: 'wx' });
        return true;
      } catch (thrown) {
        if (textIn(thrown, 'code') !== 'EEXIST') return false;
      }
      if (await this.#isLockDead()) await this.unlock();
      else await sleep(POLL_MS, signal);
    }
    return false;
  }

  async #isLockDead(): Promise<boolean> {
    const made = await stat(this.#lock).catch(() => undefined);
    if (made === undefined) return false;
    const pid = Number(await readFile(this.#lock, 'utf8').catch(() => ''));
    return sinceMs(made.mtimeMs) > LOCK_MS || (pid > 0 && !(await isAlive(pid, undefined)));
  }

  unlock(): Promise<void> {
    return rm(this.#lock, { force: true });
  }

  /** Only this user may read the token. */
  async record(endpoint: Endpoint): Promise<void> {
    await rm(this.#record, { force: true });
    const record = JSON.stringify({ ...endpoint, id: this.#id });
    await writeFile(this.#record, record, { mode: 0o600, flag: 'wx' });
  }

  /** What the watcher of a new server looks at. The server before has ended then. */
  async begin(
    keepForMs: number,
    pace: Timing,
    signal: AbortSignal,
  ): Promise<Pick<StartOptions, 'until'>> {
    const [, before] = await this.#until();
    this.#id = randomUUID();
    await this.#keepFor(keepForMs);
    if (before !== undefined && /^[\w-]+$/.test(before)) {
      await this.#waitForEnd(`${this.#untilFile}.${before}`, pace, signal);
    }
    return { until: { file: this.#untilFile, id: this.#id } };
  }

  /** Its watcher looks once a second, and leaves its process id in this file until the end. */
  async #waitForEnd(file: string, pace: Timing, signal: AbortSignal): Promise<void> {
    const endAt = pace.remainingMs() - MAX_END_MS;
    while (pace.remainingMs() > Math.max(0, endAt)) {
      const pid = Number(await readFile(file, 'utf8').catch(() => ''));
      if (!(pid > 0) || !(await isAlive(pid, undefined))) break;
      await pace.sleep(POLL_MS, signal);
    }
    await rm(file, { force: true });
  }

  async #keepFor(milliseconds: number): Promise<void> {
    const until = Math.ceil((Date.now() + milliseconds) / 1000);
    // Renamed, because the server ends when it reads half of it.
    const beside = `${this.#untilFile}.${randomUUID()}`;
    await writeFile(beside, `${until} ${this.#id}\n`);
    await rename(beside, this.#untilFile);
  }

  /** Until it is released, the server doesn't end, even if another run is done with it. */
  async hold(): Promise<void> {
    await this.#postpone();
    // A full disk only costs a restart.
    this.#timer = setInterval(() => void this.#postpone().catch(() => undefined), POSTPONE_MS);
    this.#timer.unref();
  }

  async release(keepForMs: number | undefined): Promise<void> {
    clearInterval(this.#timer);
    if (keepForMs !== undefined && (await this.#leftMs()) > 0) await this.#keepFor(keepForMs);
  }

  async #postpone(): Promise<void> {
    const leftMs = await this.#leftMs();
    if (leftMs > 0 && leftMs < HOLD_MS / 2) await this.#keepFor(HOLD_MS);
  }

  /** 0 if another server has taken its place. */
  async #leftMs(): Promise<number> {
    const [until, id] = await this.#until();
    return id === this.#id ? 1000 * Number(until) - Date.now() : 0;
  }

  /** When it ends, and which server that is. */
  async #until(): Promise<string[]> {
    const text = await readFile(this.#untilFile, 'utf8').catch(() => '');
    return text.trim().split(' ');
  }
}

/**
 * What the last apfel that we started reported about its model. Its name and window decide which
 * cached answers count, and only a running server reports them; a new one reports the same unless
 * it was updated.
 */
const FILE = 'own-server.json';

export const rememberedHealth = (environment: Environment): Promise<unknown> =>
  openUserCache(environment).read(FILE);

export async function rememberHealth(health: Health, environment: Environment): Promise<void> {
  const { model, isAvailable, contextWindow, version } = health;
  const cache = openUserCache(environment);
  const value = { model, model_available: isAvailable, context_window: contextWindow, version };
  if (JSON.stringify(await cache.read(FILE)) !== JSON.stringify(value)) {
    await cache.write(FILE, value);
  }
}

/** A model whose server is started with the first question; until then it has the facts given. */
export function openStartedLater(facts: ModelFacts, start: () => Promise<FoundModel>): Model {
  let starting: Promise<FoundModel> | undefined;
  let model: Model | undefined;
  return {
    get facts() {
      return model?.facts ?? facts;
    },
    ask: async (...args) => {
      starting ??= start();
      const found = await starting;
      if (!found.available) return { kind: 'unreachable', message: found.reason };
      model = found.model;
      return model.ask(...args);
    },
    usage: () => model?.usage() ?? NOTHING_USED,
    close: async () => {
      const found = await starting?.catch(() => undefined);
      if (found?.available) await found.model.close();
    },
  };
}
