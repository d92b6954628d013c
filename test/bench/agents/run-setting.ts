import { subscribe } from 'node:diagnostics_channel';
import { startStandIn } from '../../../fixtures/apfel/stand-in.js';
import { Overlay } from '../../../src/agent/tools/edit-file.js';
import type { SimulatedTask } from '../../agent/simulation/tasks.js';
import { benchModel } from './bench-model.js';
import { benchTools, plainTool } from './bench-tools.js';
import { type Contender, OURS } from './contender.js';
import { type Setting, taskAt } from './settings.js';

/** What one contender did in one setting. */
export interface Score {
  readonly contender: string;
  readonly setting: string;
  readonly tasks: number;
  readonly completed: number;
  /** Not done, and the last words do not say so. */
  readonly falselyClaimed: number;
  /** Not done, but the loop returned as if it were; the above are among them. */
  readonly returnedUndone: number;
  readonly requests: number;
  readonly minimal: number;
  readonly overheadMs: number;
  /** How the loops that gave up said so, most frequent first. */
  readonly errors: readonly string[];
}

/** Names the tools: a prompt that does not is documented to be answered in words four times out of five. */
const SYSTEM =
  'You work on a source repository. Use the tools read_file, search_code and, when it is offered, edit_file. Do not guess.';
const MOST_REQUESTS = 12;
const WINDOW = 4096;
const TASK_TIMEOUT_MS = 20_000;

export async function runSetting(contender: Contender, setting: Setting): Promise<Score> {
  const standIn = await startStandIn({
    policy: benchModel,
    contextWindow: WINDOW,
    ...setting.standIn,
  });
  const sums = { completed: 0, falselyClaimed: 0, returnedUndone: 0, minimal: 0 };
  const overheads: number[] = [];
  const errors = new Map<string, number>();
  const tasks = setting.tasks[OURS.some(name => name === contender.name) ? 'ours' : 'others'];
  try {
    for (let at = 0; at < tasks; at += 1) {
      const task = taskAt(setting, at);
      const before = standIn.requests.length;
      const run = await runTask(task, { contender, setting, baseUrl: standIn.baseUrl });
      const requests = standIn.requests.length - before;
      sums.minimal += task.minimalRequests;
      overheads.push(run.overheadMs / Math.max(1, requests));
      if (run.error !== undefined) errors.set(run.error, (errors.get(run.error) ?? 0) + 1);
      if (run.isDone) sums.completed += 1;
      else if (run.text !== '') {
        sums.returnedUndone += 1;
        if (!ADMITS.test(run.text)) sums.falselyClaimed += 1;
      }
    }
    return {
      contender: contender.name,
      setting: setting.name,
      tasks,
      ...sums,
      requests: standIn.requests.length,
      overheadMs: lowerQuartile(overheads),
      errors: [...errors].toSorted((one, other) => other[1] - one[1]).map(([text]) => text),
    };
  } finally {
    await standIn.close();
  }
}

/** Other work on the machine and cold code only ever add. */
const lowerQuartile = (numbers: readonly number[]): number =>
  numbers.toSorted((one, other) => one - other)[numbers.length >> 2] ?? 0;

/** The stand-in's ways to say that it has nothing. */
const ADMITS = /\b(?:cannot|can't|no answer|sorry)\b/i;

interface Run {
  readonly isDone: boolean;
  /** Empty when the loop gave up. */
  readonly text: string;
  readonly error: string | undefined;
  readonly overheadMs: number;
}

async function runTask(
  task: SimulatedTask,
  { contender, setting, baseUrl }: { contender: Contender; setting: Setting; baseUrl: string },
): Promise<Run> {
  const overlay = new Overlay();
  let toolMs = 0;
  const spend = (milliseconds: number): void => {
    toolMs += milliseconds;
  };
  const readsWhole = setting.readsWhole ?? false;
  const ownTools = benchTools(task, { overlay, readsWhole, spend });
  const [serverBefore, started] = [serverMs, performance.now()];
  const ended = await within(
    contender.solve({
      baseUrl,
      model: 'apple-foundationmodel',
      window: WINDOW,
      system: SYSTEM,
      opening: task.opening,
      tools: ownTools.map(plainTool),
      ownTools,
      mostRequests: MOST_REQUESTS,
    }),
  );
  const overheadMs = performance.now() - started - (serverMs - serverBefore) - toolMs;
  const isDone = task.kind.endsWith('edit')
    ? isEdited(task, overlay)
    : ended.text.includes(task.value);
  return { ...ended, isDone, overheadMs };
}

async function within(work: Promise<unknown>): Promise<Pick<Run, 'text' | 'error'>> {
  const timeout = new AbortController();
  const late = new Promise<never>((_, reject) => {
    const timer = setTimeout(() => reject(new Error('took too long')), TASK_TIMEOUT_MS);
    timeout.signal.addEventListener('abort', () => clearTimeout(timer));
  });
  try {
    const said = await Promise.race([work, late]);
    return { text: typeof said === 'string' ? said.trim() : '', error: undefined };
  } catch (thrown) {
    const [line = ''] = String(thrown instanceof Error ? thrown.message : thrown).split('\n');
    return { text: '', error: line.slice(0, 100) };
  } finally {
    timeout.abort();
  }
}

/** The one change is there, and no other. */
function isEdited(task: SimulatedTask, overlay: Overlay): boolean {
  const [change, ...others] = overlay.changes();
  if (change === undefined || others.length > 0 || change.path !== task.path) return false;
  const [before, after] = [task.value, task.newValue].map(value => `${task.name} = ${value};`);
  const wanted = task.files[task.path]?.replace(before ?? '', after ?? '');
  return new TextDecoder().decode(change.after) === wanted;
}

/** From the arrival of a request to the end of its answer, however the client sent it. */
let serverMs = 0;
const arrivals = new WeakMap<object, number>();

subscribe('http.server.request.start', message => {
  // The channel's documented shape; its type is unknown.
  arrivals.set((message as { response: object }).response, performance.now());
});
subscribe('http.server.response.finish', message => {
  const now = performance.now();
  serverMs += now - (arrivals.get((message as { response: object }).response) ?? now);
});
