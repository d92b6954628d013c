import { type StandInOptions, startStandIn } from '../../../fixtures/apfel/stand-in.js';
import { type Conversation, converse } from '../../../src/agent/converse.js';
import { finish, readFile, searchCode } from '../../../src/agent/reading.js';
import { registry } from '../../../src/agent/tool.js';
import type { ProtocolName } from '../../../src/model/calibration.js';
import { openModel } from '../../../src/model/client.js';
import type { Model } from '../../../src/model/model.js';
import { DEFAULT_LIMITS } from '../default-limits.js';
import { memorySource } from '../tools/memory-source.js';
import { perfectModel } from './perfect-model.js';
import { type SimulatedTask, simulatedTask } from './tasks.js';

export interface Simulation {
  readonly tasks: number;
  readonly completed: number;
  readonly falselyClaimed: number;
  readonly overflows: number;
  readonly requestRatio: number;
  readonly ends: Readonly<Record<string, number>>;
  readonly failures: readonly { readonly seed: number; readonly conversation: Conversation }[];
}

export interface SimulationOptions {
  readonly tasks: number;
  readonly firstSeed?: number;
  readonly protocol?: ProtocolName | 'auto';
  readonly standIn: StandInOptions;
  /** Laid over the model, for troubles that the stand-in does not know. */
  readonly wrap?: (model: Model) => Model;
  /** Narrowed for a question about one kind. */
  readonly taskAt?: (seed: number) => SimulatedTask;
}

/** Questions through the real adapter against the stand-in, judged by the value that was asked for. */
export async function simulate(options: SimulationOptions): Promise<Simulation> {
  const standIn = await startStandIn({ policy: perfectModel, ...options.standIn });
  const direct = modelAt(standIn.baseUrl, options.standIn);
  const model = options.wrap?.(direct) ?? direct;
  const ends: Record<string, number> = {};
  const failures: Array<{ seed: number; conversation: Conversation }> = [];
  const sums = { completed: 0, falselyClaimed: 0, overflows: 0, requests: 0, minimal: 0 };
  try {
    for (let at = 0; at < options.tasks; at += 1) {
      const seed = (options.firstSeed ?? 1) + at;
      const task = (options.taskAt ?? simulatedTask)(seed);
      const { conversation, isRight } = await runTask(task, model, options);
      const { end } = conversation;
      ends[end.reason] = (ends[end.reason] ?? 0) + 1;
      sums.requests += conversation.requests;
      sums.minimal += task.minimalRequests;
      sums.overflows += conversation.overflows;
      if (isRight && end.reason === 'finished') sums.completed += 1;
      else failures.push({ seed, conversation });
      if (!isRight && end.reason === 'finished') sums.falselyClaimed += 1;
    }
  } finally {
    await model.close();
    await standIn.close();
  }
  const { requests, minimal, ...counted } = sums;
  return { tasks: options.tasks, ...counted, requestRatio: requests / minimal, ends, failures };
}

async function runTask(
  task: SimulatedTask,
  model: Model,
  options: SimulationOptions,
): Promise<{ conversation: Conversation; isRight: boolean }> {
  const source = memorySource(task.files);
  const conversation = await converse({
    task: { system: 'You work on a source repository.', opening: task.opening },
    tools: registry([readFile(source), searchCode(source), finish]),
    model,
    protocol: options.protocol ?? 'auto',
    limits: DEFAULT_LIMITS,
    clock: { now: () => 0 },
    signal: new AbortController().signal,
    judge: answer =>
      /\d/.test(answer)
        ? undefined
        : { problem: 'the answer has no value', message: 'the answer has no value' },
  });
  return { conversation, isRight: conversation.answer?.includes(task.value) ?? false };
}

export const modelAt = (baseUrl: string, { contextWindow, version }: StandInOptions): Model =>
  openModel({
    facts: {
      name: 'apple-foundationmodel',
      baseUrl,
      isApfel: true,
      version: version ?? '1.8.4',
      contextWindow: contextWindow ?? 4096,
      isOwn: true,
    },
    apiKey: undefined,
    allowRemote: false,
    requestTimeoutMs: 10_000,
    pace: {
      remainingMs: () => Number.POSITIVE_INFINITY,
      sleep: async () => undefined,
      random: () => 0.5,
    },
  });

/** One line for the log: what was reached. */
export const figures = (name: string, simulation: Simulation): string => {
  const { tasks, completed, falselyClaimed, requestRatio, overflows, ends } = simulation;
  const rate = ((100 * completed) / tasks).toFixed(1);
  return `${name}: ${completed}/${tasks} completed (${rate} %), ${falselyClaimed} falsely claimed, ${requestRatio.toFixed(2)} x minimal requests, ${overflows} overflows, ends ${JSON.stringify(ends)}`;
};
