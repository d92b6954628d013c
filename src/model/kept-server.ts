import { mkdir, open, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseJson } from '../core/json-fields.js';
import { cacheFolder } from '../platform/cache-folder.js';
import { sinceMs } from '../platform/clock.js';
import type { Environment } from '../platform/processes.js';
import { textIn } from './address.js';
import type { Timing } from './client.js';
import type { Endpoint } from './connection.js';

/** Starting takes less; an older lock belongs to a run that died. */
const LOCK_MS = 30_000;

/**
 * The one server that stays after the run that started it, for `model.keepAlive`. It ends by itself
 * at the time in `untilFile`, which each run that uses it postpones.
 */
export class KeptServer {
  readonly untilFile: string;
  readonly #folder: string;
  readonly #record: string;
  readonly #lock: string;

  constructor(environment: Environment) {
    this.#folder = join(cacheFolder(environment, process.platform), 'apfel-bot');
    this.#record = join(this.#folder, 'server.json');
    this.#lock = join(this.#folder, 'server.lock');
    this.untilFile = join(this.#folder, 'server.until');
  }

  /** Where it should be; it may have died. */
  async find(): Promise<Endpoint | undefined> {
    if ((await this.#until()) <= Date.now()) return undefined;
    const record = parseJson(await readFile(this.#record, 'utf8').catch(() => ''));
    const [baseUrl, apiKey] = [textIn(record, 'baseUrl'), textIn(record, 'apiKey')];
    return baseUrl === undefined || apiKey === undefined ? undefined : { baseUrl, apiKey };
  }

  /** False when another run is starting one: there are never two. */
  async lock(): Promise<boolean> {
    try {
      await mkdir(this.#folder, { recursive: true, mode: 0o700 });
      const made = await stat(this.#lock).catch(() => undefined);
      if (made !== undefined && sinceMs(made.mtimeMs) > LOCK_MS) await rm(this.#lock);
      await (await open(this.#lock, 'wx')).close();
      return true;
    } catch {
      // Locked, or a home folder that can't be written to: then it isn't kept.
      return false;
    }
  }

  unlock(): Promise<void> {
    return rm(this.#lock, { force: true });
  }

  /** Only this user may read the token. */
  async record(endpoint: Endpoint): Promise<void> {
    await rm(this.#record, { force: true });
    await writeFile(this.#record, JSON.stringify(endpoint), { mode: 0o600, flag: 'wx' });
  }

  /** First for the whole run, in case it dies, and then for as long as the user wants. */
  async keepFor(milliseconds: number): Promise<void> {
    const until = Math.ceil((Date.now() + milliseconds) / 1000);
    await writeFile(this.untilFile, `${until}\n`, { mode: 0o600 });
  }

  /** For a run that uses it without keeping it. */
  async useFor(pace: Timing): Promise<void> {
    const milliseconds = Math.min(LONGEST_RUN_MS, pace.remainingMs());
    if ((await this.#until()) < Date.now() + milliseconds) await this.keepFor(milliseconds);
  }

  async #until(): Promise<number> {
    return 1000 * (Number(await readFile(this.untilFile, 'utf8').catch(() => '')) || 0);
  }
}

/** However long the deadline is: a killed run must not keep it for hours. */
const LONGEST_RUN_MS = 600_000;
