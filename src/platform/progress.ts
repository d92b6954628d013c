export interface Progress {
  /** Shows the title while the work runs; returns its value or throws its error unchanged. */
  stage<Value>(title: string, work: (row: Row) => Promise<Value>): Promise<Value>;
}

/** What work can report while it runs. */
export interface Row {
  /** The current state; replaces the last one. */
  update(text: string): void;
  /** Something that happened. */
  line(text: string): void;
}

/** Work that is done before this isn't shown. */
const SILENT_MS = 400;
/** A log gets a line only for what takes long. */
const LOG_AFTER_MS = 1000;
const LOG_EVERY_MS = 15_000;

interface ProgressOptions {
  readonly isTerminal: boolean;
  readonly isQuiet: boolean;
  readonly say: (line: string) => void;
}

/** Rows by listr2 on a terminal, plain lines elsewhere; nothing at all for quick work. */
export function openProgress(options: ProgressOptions): Progress {
  if (options.isQuiet) return { stage: (_title, work) => work(SILENT) };
  return {
    async stage(title, work) {
      const stage = (options.isTerminal ? terminalStage : logStage)(title, options.say);
      const running = work(stage.row);
      const timer = setTimeout(
        () => void stage.show(ended(running)),
        options.isTerminal ? SILENT_MS : LOG_AFTER_MS,
      );
      try {
        return await running;
      } finally {
        clearTimeout(timer);
        await stage.close();
      }
    },
  };
}

const SILENT: Row = { update: () => undefined, line: () => undefined };

interface Stage {
  readonly row: Row;
  show(running: Promise<void>): Promise<void>;
  close(): Promise<void>;
}

/** In a log: the title once it takes long, every line at once, and the state from time to time. */
function logStage(title: string, say: (line: string) => void): Stage {
  let state = '';
  let timer: NodeJS.Timeout | undefined;
  return {
    row: {
      update: text => {
        state = text;
      },
      line: say,
    },
    show: async () => {
      say(`${title}…`);
      timer = setInterval(() => say(`${title}: ${state || 'still running'}`), LOG_EVERY_MS);
    },
    close: async () => clearInterval(timer),
  };
}

/** On a terminal: a row with a spinner, the state after its title and lines below it. */
function terminalStage(title: string, say: (line: string) => void): Stage {
  const lines: string[] = [];
  let state = '';
  let task: { title: string; output: string } | undefined;
  let shown: Promise<unknown> = Promise.resolve();
  const update = (): void => {
    if (task !== undefined && state !== '') task.title = `${title}: ${state}`;
  };
  return {
    row: {
      update: text => {
        state = text;
        update();
      },
      line: text => {
        lines.push(text);
        if (task !== undefined) task.output = text;
      },
    },
    show: running => {
      shown = showRow(title, running, opened => {
        task = opened;
        update();
        if (lines.length > 0) opened.output = lines.join('\n');
      });
      return shown.then(() => undefined);
    },
    // The row is removed before anything else is printed; the lines stay.
    close: async () => {
      await shown;
      for (const line of lines) say(line);
    },
  };
}

async function showRow(
  title: string,
  running: Promise<void>,
  opened: (task: { title: string; output: string }) => void,
): Promise<void> {
  const { Listr, ListrLogger, ProcessOutput } = await import('listr2');
  // Standard output is for the result.
  const { stderr } = process;
  const processOutput = new ProcessOutput(stderr, stderr, { leaveEmptyLine: false });
  const row = {
    title,
    task: (_context: unknown, task: { title: string; output: string }) => {
      opened(task);
      return running;
    },
    rendererOptions: { outputBar: LINES_SHOWN },
  };
  await new Listr([row], {
    fallbackRendererCondition: false,
    registerSignalListeners: false,
    rendererOptions: { clearOutput: true, logger: new ListrLogger({ processOutput }) },
  }).run();
}

const LINES_SHOWN = 6;

/** Ignores the error: the caller of `stage` gets it. */
const ended = (running: Promise<unknown>): Promise<void> =>
  running.then(
    () => undefined,
    () => undefined,
  );
