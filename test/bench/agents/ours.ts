import { converse } from '../../../src/agent/loop.js';
import type { ProtocolName } from '../../../src/agent/protocol.js';
import { registry } from '../../../src/agent/tool.js';
import { finish } from '../../../src/agent/tools/reading.js';
import { DEFAULT_LIMITS } from '../../agent/default-limits.js';
import { editIsMade } from '../../agent/edit-is-made.js';
import { hasLooked } from '../../agent/has-looked.js';
import { modelAt } from '../../agent/simulation/simulate.js';
import type { Assignment, Contender } from './contender.js';

/** Our own loop, set up as `ask` and `fix-lint` do it, through the real adapter. */
export const ours = (name: string, protocol: ProtocolName | 'auto'): Contender => ({
  name,
  solve: async assignment => {
    const model = modelAt(assignment.baseUrl, { contextWindow: assignment.window });
    try {
      const { end, answer } = await converse({
        task: { system: assignment.system, opening: assignment.opening },
        tools: registry([...assignment.ownTools, finish]),
        model,
        protocol,
        limits: { ...DEFAULT_LIMITS, requests: assignment.mostRequests },
        clock: { now: () => performance.now() },
        signal: new AbortController().signal,
        judge: judgeFor(assignment),
      });
      if (end.reason !== 'finished') throw new Error(end.reason);
      return answer;
    } finally {
      await model.close();
    }
  },
});

const judgeFor = ({ ownTools }: Assignment) =>
  ownTools.some(tool => tool.name === 'edit_file') ? editIsMade : hasLooked;
