import { forTerminal } from './safe-text.js';
import { whenErasing } from './terminal.js';

export interface Progress {
  /** Lists these stages while the work runs: what is done, what is running, what is still to come. */
  list<Value>(titles: readonly string[], work: () => Promise<Value>): Promise<Value>;
  /** Shows the title while the work runs; returns its value or throws its error unchanged. */
  stage<Value>(title: string, work: (row: Row) => Promise<Value>): Promise<Value>;
}

type State = string | (() => string);

const wordsOf = (state: State): string => (typeof state === 'string' ? state : state());

/** What work can report while it runs. */
export interface Row {
  /** The current state; replaces the last one. A function is called again every second. */
  update(state: State): void;
  /** A finished part of the work; a row under this one, as long as this one is shown. */
  part(text: string): void;
  /** Something that happened; stays on the screen. */
  line(text: string): void;
}

/** Work that finishes earlier isn't shown. */
const SILENT_MS = 400;
/** A log gets a line only for work that takes long. */
const LOG_AFTER_MS = 1000;
const LOG_EVERY_MS = 15_000;
/** A clock in a state must keep ticking while a question takes its time. */
const TICK_MS = 1000;

/** Rows by listr2 on a terminal, plain lines elsewhere; nothing at all for quick work. */
export function openProgress({
  isTerminal,
  isQuiet,
  say,
}: {
  readonly isTerminal: boolean;
  readonly isQuiet: boolean;
  readonly say: (line: string) => void;
}): Progress {
  if (isQuiet) return { list: (_titles, work) => work(), stage: (_title, work) => work(SILENT) };
  return isTerminal ? terminalProgress(say) : logProgress(say);
}

const SILENT: Row = { update: () => undefined, part: () => undefined, line: () => undefined };

/**
 * In a log: the title once the work takes long, every line at once, and the state from time to
 * time.
 */
const logProgress = (say: (line: string) => void): Progress => ({
  list: (_titles, work) => work(),
  async stage(title, work) {
    let state: State = '';
    let timer = setTimeout(() => {
      say(`${title}…`);
      timer = setInterval(
        () => say(`${title}: ${wordsOf(state) || 'still running'}`),
        LOG_EVERY_MS,
      );
    }, LOG_AFTER_MS);
    const update = (now: State): void => {
      state = now;
    };
    try {
      return await work({ ...SILENT, update, line: say });
    } finally {
      clearTimeout(timer);
    }
  },
});

function terminalProgress(say: (line: string) => void): Progress {
  let open: StageList | undefined;
  const list: Progress['list'] = async (titles, work) => {
    const stages = new StageList(titles);
    open = stages;
    const timer = setTimeout(() => stages.show(), SILENT_MS);
    try {
      return await work();
    } finally {
      clearTimeout(timer);
      open = undefined;
      // The rows are removed before anything else is printed; the lines stay.
      for (const line of await stages.close()) say(line);
    }
  };
  const stage: Progress['stage'] = (title, work) =>
    open === undefined ? list([title], () => stage(title, work)) : open.run(title, work);
  return { list, stage };
}

/** The rows of a run, in the order of its stages. */
class StageList {
  readonly #rows: readonly StageRow[];
  readonly #lines: string[] = [];
  #shown: Promise<unknown> = Promise.resolve();
  #isClosed = false;

  constructor(titles: readonly string[]) {
    this.#rows = titles.map(title => new StageRow(title));
  }

  async run<Value>(title: string, work: (row: Row) => Promise<Value>): Promise<Value> {
    const at = this.#rows.findIndex(row => row.title === title);
    for (const earlier of this.#rows.slice(0, Math.max(0, at))) earlier.leave();
    const row = this.#rows[at] ?? new StageRow(title);
    row.begin();
    try {
      return await work({
        update: state => row.update(state),
        part: text => row.add(forTerminal(text)),
        line: text => {
          this.#lines.push(text);
          row.add(text);
        },
      });
    } finally {
      row.end();
    }
  }

  show(): void {
    // Whatever happens to the rows, the work goes on.
    this.#shown = this.#render().catch(() => undefined);
  }

  async #render(): Promise<void> {
    const { DefaultRenderer, Listr, ListrLogger, ProcessOutput } = await import('listr2');
    if (this.#isClosed) return;
    // Standard output is for the result.
    const { stderr } = process;
    const processOutput = new ProcessOutput(stderr, stderr, { leaveEmptyLine: false });
    // listr2 asks whether standard output is a terminal. If not, it would write its rows into the result.
    class Renderer extends DefaultRenderer {
      static override nonTTY = true;

      override async render(): Promise<void> {
        await super.render();
        whenErasing(() => this.end());
      }

      override end(): void {
        whenErasing(() => undefined);
        super.end();
      }
    }
    await new Listr(
      this.#rows.map(row => ({
        title: row.title,
        task: (_context: unknown, shown: ShownRow) => row.show(shown),
        rendererOptions: { outputBar: PARTS_SHOWN },
      })),
      {
        renderer: Renderer,
        registerSignalListeners: false,
        rendererOptions: { clearOutput: true, logger: new ListrLogger({ processOutput }) },
      },
    ).run();
  }

  /** Removes the rows; returns the lines that stay. */
  async close(): Promise<readonly string[]> {
    this.#isClosed = true;
    for (const row of this.#rows) row.leave();
    await this.#shown;
    return this.#lines;
  }
}

const PARTS_SHOWN = 6;

/** What listr2 passes to a task. */
interface ShownRow {
  title: string;
  output: string;
  readonly task: { state$: string };
}

class StageRow {
  #phase: 'SKIPPED' | 'STARTED' | 'COMPLETED' = 'SKIPPED';
  #state: State = '';
  readonly #parts: string[] = [];
  #shown: ShownRow | undefined;
  #leave: () => void = () => undefined;
  readonly #left = new Promise<void>(resolve => {
    this.#leave = resolve;
  });

  constructor(readonly title: string) {}

  begin(): void {
    this.#phase = 'STARTED';
  }

  update(state: State): void {
    this.#state = state;
    this.#draw();
  }

  /** listr2 keeps everything it was given, and shows the last of it. */
  add(part: string): void {
    if (this.#shown === undefined) this.#parts.push(part);
    else if (this.#phase !== 'COMPLETED') this.#shown.output = part;
  }

  end(): void {
    this.#phase = 'COMPLETED';
    if (this.#shown !== undefined) this.#shown.task.state$ = this.#phase;
  }

  /** Lets listr2 begin the next row, which shows as running from then on. */
  leave(): void {
    this.#leave();
  }

  async show(shown: ShownRow): Promise<void> {
    this.#shown = shown;
    this.#draw();
    // listr2 can't take the parts of a finished row, and doesn't show them.
    if (this.#phase === 'COMPLETED') shown.task.state$ = this.#phase;
    else if (this.#parts.length > 0) shown.output = this.#parts.join('\n');
    const timer = setInterval(() => this.#draw(), TICK_MS);
    await this.#left;
    clearInterval(timer);
    shown.task.state$ = this.#phase;
  }

  #draw(): void {
    if (this.#shown === undefined || this.#state === '') return;
    this.#shown.title = `${this.title}: ${wordsOf(this.#state)}`;
  }
}
