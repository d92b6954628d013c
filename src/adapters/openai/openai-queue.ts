/** Lets so many through at a time, in the order they came. Serial when `width` is 1. */
export class Queue {
  readonly #waiting: Array<() => void> = [];
  #free: number;

  constructor(width: number) {
    this.#free = Math.max(1, width);
  }

  /** Resolves with the way out, to be called once; rejects as soon as the signal is aborted. */
  async enter(signal: AbortSignal): Promise<() => void> {
    signal.throwIfAborted();
    if (this.#free > 0) {
      this.#free -= 1;
      return () => this.#leave();
    }
    return new Promise((resolve, reject) => {
      const admit = (): void => {
        signal.removeEventListener('abort', giveUp);
        resolve(() => this.#leave());
      };
      const giveUp = (): void => {
        this.#waiting.splice(this.#waiting.indexOf(admit), 1);
        reject(signal.reason);
      };
      signal.addEventListener('abort', giveUp, { once: true });
      this.#waiting.push(admit);
    });
  }

  #leave(): void {
    const next = this.#waiting.shift();
    if (next === undefined) this.#free += 1;
    else next();
  }
}
