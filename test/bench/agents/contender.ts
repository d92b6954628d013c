import { pathToFileURL } from 'node:url';
import type { Tool } from '../../../src/agent/tool.js';
import type { PlainTool } from './bench-tools.js';
import { ours } from './ours.js';

/** One task as every loop gets it. */
export interface Assignment {
  readonly baseUrl: string;
  readonly model: string;
  readonly window: number;
  readonly system: string;
  readonly opening: string;
  readonly tools: readonly PlainTool[];
  readonly ownTools: readonly Tool[];
  readonly mostRequests: number;
}

export interface Contender {
  readonly name: string;
  /** Resolves with the last words; rejects when the loop itself says that it did not get there. */
  solve(assignment: Assignment): Promise<unknown>;
}

/** What a file beside this one says about the packages that it needs. */
export interface ContenderFile extends Contender {
  readonly packages: readonly string[];
  readonly imports: readonly string[];
}

/** The sources, not what is compiled from them: the packages are installed beside the sources. */
export const FOLDER = 'test/bench/agents';

export const OURS = ['apfel-bot', 'apfel-bot, native calls only'] as const;
export const OTHERS = ['openai-run-tools', 'ai-sdk', 'openai-agents', 'langchain', 'pi', 'naive'];

export async function contenderOf(id: string): Promise<Contender> {
  if (id === OURS[0]) return ours(id, 'auto');
  if (id === OURS[1]) return ours(id, 'native');
  return contenderFile(id);
}

export const contenderFile = async (id: string): Promise<ContenderFile> =>
  await import(pathToFileURL(`${FOLDER}/${id}.mjs`).href);
