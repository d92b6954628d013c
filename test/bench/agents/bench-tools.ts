import {
  integerOf,
  stringOf,
  succeeded,
  type Tool,
  type ToolInput,
} from '../../../src/agent/tool.js';
import { editFile, type Overlay } from '../../../src/agent/tools/edit-file.js';
import { readFile } from '../../../src/agent/tools/read-file.js';
import { searchCode } from '../../../src/agent/tools/reading.js';
import { readSource } from '../../../src/agent/tools/source.js';
import type { Source } from '../../../src/git/source.js';
import { DEFAULT_LIMITS } from '../../agent/default-limits.js';
import { overlaySource } from '../../agent/overlay-source.js';
import type { SimulatedTask } from '../../agent/simulation/tasks.js';
import { memorySource } from '../../agent/tools/memory-source.js';

export interface BenchToolsOptions {
  readonly overlay: Overlay;
  /** True for a read_file as most people write it: the whole file. */
  readonly readsWhole: boolean;
  readonly spend: (milliseconds: number) => void;
}

/** The tools of one task, the same objects for every contender; their time is nobody's overhead. */
export function benchTools(task: SimulatedTask, options: BenchToolsOptions): readonly Tool[] {
  const { overlay, readsWhole, spend } = options;
  const source = overlaySource(memorySource(task.files), overlay);
  const paging = readFile(source, { isNumbered: false });
  const tools = [
    readsWhole ? wholeFile(paging, source) : paging,
    searchCode(source),
    ...(task.kind.endsWith('edit') ? [editFile({ source, overlay })] : []),
  ];
  return tools.map(tool => ({ ...tool, run: timed(tool.run, spend) }));
}

const timed =
  (run: Tool['run'], spend: (milliseconds: number) => void): Tool['run'] =>
  async (input, context) => {
    const started = performance.now();
    try {
      return await run(input, context);
    } finally {
      spend(performance.now() - started);
    }
  };

const wholeFile = (paging: Tool, source: Source): Tool => ({
  ...paging,
  description: 'Read a tracked text file, whole or from startLine to endLine.',
  run: async input => {
    const file = await readSource(source, stringOf(input, 'path'));
    if (!file.ok) return file.outcome;
    const start = integerOf(input, 'startLine') ?? 1;
    return succeeded(
      file.text
        .split('\n')
        .slice(start - 1, integerOf(input, 'endLine'))
        .join('\n'),
    );
  },
});

/** What the other packages are handed: words in, words out. */
export interface PlainTool {
  readonly name: string;
  readonly description: string;
  readonly parameters: Tool['parameters'];
  run(input: unknown): Promise<string>;
}

export const plainTool = ({ name, description, parameters, run }: Tool): PlainTool => ({
  name,
  description,
  parameters,
  run: async input => {
    const context = { maxTokens: DEFAULT_LIMITS.resultTokens, signal: NEVER };
    return (await run(asInput(input), context)).text;
  },
});

const NEVER = new AbortController().signal;

const asInput = (input: unknown): ToolInput =>
  typeof input === 'object' && input !== null ? { ...input } : {};
