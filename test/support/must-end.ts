import { createContext, Script } from 'node:vm';

/** Reading 250 kB once takes a tenth of a second at most; again from each character, half a minute. */
export const MAX_CPU_MS = 5000;

const script = new Script('work()');
const place: { work?: () => unknown } = createContext({});

/**
 * Runs `work`, which leaves nothing behind, and gives its result; throws when it takes as much as
 * only work beyond linear does. Counts the processor's time, so other work on the machine does not
 * matter. Stops a regular expression that backtracks, too.
 */
export function mustEnd<T>(work: () => T, mostCpuMs = MAX_CPU_MS): T {
  place.work = work;
  for (let timeout = 2 * mostCpuMs; ; timeout *= 2) {
    const before = process.cpuUsage();
    try {
      return script.runInContext(place, { timeout });
    } catch (thrown) {
      if (Object(thrown).code !== 'ERR_SCRIPT_EXECUTION_TIMEOUT') throw thrown;
      const { user, system } = process.cpuUsage(before);
      if (user + system > mostCpuMs * 1000) throw new Error(`does not come to an end: ${work}`);
      // Others had the processor; again with more patience.
    }
  }
}
