import type { Progress } from '../world.js';

/** Work that is done before this needs no words. */
const SILENT_MS = 400;
/** In a log a line is worth it only for what takes long. */
const LOG_AFTER_MS = 1000;

export interface ProgressOptions {
  readonly isTerminal: boolean;
  readonly isQuiet: boolean;
  readonly say: (line: string) => void;
}

/** Rows by listr2 on a terminal, plain lines elsewhere; nothing at all for quick work. */
export function openProgress(options: ProgressOptions): Progress {
  if (options.isQuiet) return { stage: (_title, work) => work() };
  return {
    async stage(title, work) {
      const running = work();
      const show: Show = options.isTerminal ? showRow : showLine;
      const timer = setTimeout(
        () => void show(title, running, options.say),
        options.isTerminal ? SILENT_MS : LOG_AFTER_MS,
      );
      try {
        return await running;
      } finally {
        clearTimeout(timer);
      }
    },
  };
}

type Show = (title: string, running: Promise<unknown>, say: (line: string) => void) => unknown;

const showLine: Show = async (title, running, say) => {
  say(`${title}…`);
  await settled(running);
};

const showRow: Show = async (title, running) => {
  const { Listr, ListrLogger, ProcessOutput } = await import('listr2');
  // Standard output belongs to the result.
  const processOutput = new ProcessOutput(process.stderr, process.stderr, {
    leaveEmptyLine: false,
  });
  const rows = new Listr([{ title, task: () => settled(running) }], {
    fallbackRendererCondition: false,
    registerSignalListeners: false,
    rendererOptions: { clearOutput: true, logger: new ListrLogger({ processOutput }) },
  });
  await rows.run();
};

/** Progress only watches: the error goes to whoever called `stage`. */
const settled = (running: Promise<unknown>): Promise<void> =>
  running.then(
    () => undefined,
    () => undefined,
  );
