import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type FindModelOptions, findModel } from '../../src/model/find.js';
import type { FoundModel } from '../../src/model/model.js';
import { listen, never, realPace } from './openai-harness.js';

export interface Machine {
  /** Where a fake `apfel` goes; first on the PATH. */
  readonly bin: string;
  readonly environment: { readonly PATH: string; readonly APFEL_PORT: string };
  /** Looks with settings under which nothing answers and apfel may be started. */
  find(changes?: Partial<FindModelOptions> & { defaultPort?: string }): Promise<FoundModel>;
}

/** A PATH of its own, and nobody on the default port; what was found is closed afterwards. */
export async function withMachine(body: (machine: Machine) => Promise<void>): Promise<void> {
  const bin = await mkdtemp(join(tmpdir(), 'apfel-bot-bin-'));
  const environment = {
    PATH: `${bin}:/usr/bin:/bin`,
    HOME: bin,
    HOMEBREW_PREFIX: bin,
    APFEL_PORT: String(await unusedPort()),
  };
  const found: FoundModel[] = [];
  const find: Machine['find'] = async ({ defaultPort, ...changes } = {}) => {
    const model = await findModel({
      baseUrl: undefined,
      modelName: undefined,
      apiKey: undefined,
      allowRemote: false,
      start: true,
      contextWindow: undefined,
      requestTimeoutMs: 5000,
      environment: { ...environment, ...(defaultPort && { APFEL_PORT: defaultPort }) },
      pace: realPace(10_000),
      signal: never,
      ...changes,
    });
    found.push(model);
    return model;
  };
  try {
    await body({ bin, environment, find });
  } finally {
    for (const one of found) if (one.available) await one.model.close();
    await rm(bin, { recursive: true, force: true });
  }
}

export async function unusedPort(): Promise<number> {
  const server = createServer();
  const port = await listen(server);
  await new Promise(resolve => server.close(resolve));
  return port;
}

export const reasonOf = (found: FoundModel): string => (found.available ? '' : found.reason);

/** The command lines of all processes that mention the text. */
export async function processesWith(text: string): Promise<string[]> {
  const { stdout } = await promisify(execFile)('ps', ['-A', '-ww', '-o', 'pid=,args=']);
  return stdout.split('\n').filter(line => line.includes(text) && !line.includes('ps -A'));
}

/** Looks until it holds, some minutes at most; true when it held. */
export async function eventually(holds: () => Promise<boolean>): Promise<boolean> {
  for (let looks = 0; looks < 2000; looks += 1) {
    if (await holds()) return true;
    await new Promise(resolve => setTimeout(resolve, 25));
  }
  return false;
}
