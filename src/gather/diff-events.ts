import type { DiffEvent, FileChange, Hunk, Line } from '../core/change.js';

const SIDES = { removed: 'old', added: 'new', context: 'both' } as const;

/** The events of a parser in the making: lines are gathered until something else is to be said. */
export class DiffEvents {
  #events: DiffEvent[] = [];
  #lines: Line[] = [];
  #lastLine: Line | undefined;

  file(file: FileChange): void {
    this.#say({ type: 'file', file });
  }

  hunk(hunk: Hunk): void {
    this.#say({ type: 'hunk', hunk });
    this.#lastLine = undefined;
  }

  /** To be appended to: the lines of the hunk since the last event. */
  get lines(): Line[] {
    return this.#lines;
  }

  /** The last line given has no newline at its end. Said once, and only if there was a line. */
  noNewline(): void {
    const line = this.#lines.at(-1) ?? this.#lastLine;
    if (line !== undefined) this.#say({ type: 'no-newline', side: SIDES[line.kind] });
    this.#lastLine = undefined;
  }

  /** The last line given is only the beginning of one with so many bytes of text. */
  cutLine(bytes: number): void {
    const line = this.#lines.at(-1);
    if (line === undefined) return;
    this.#say({ type: 'cut-line', newLine: 'newLine' in line ? line.newLine : undefined, bytes });
  }

  broken(reason: string): void {
    this.#say({ type: 'broken', reason });
  }

  take(): DiffEvent[] {
    this.flush();
    const events = this.#events;
    this.#events = [];
    return events;
  }

  flush(): void {
    if (this.#lines.length === 0) return;
    this.#events.push({ type: 'lines', lines: this.#lines });
    this.#lastLine = this.#lines.at(-1);
    this.#lines = [];
  }

  #say(event: DiffEvent): void {
    this.flush();
    this.#events.push(event);
  }
}
