import { BotError } from '../../core/failure.js';
import type { Blob, BlobWish } from '../../world.js';
import { converseWithGit, type GitSpot } from './git-spawn.js';

const NEWLINE = 10;

/** Reads objects through one `cat-file --batch` that starts at once and stays for the run. */
export function openBlobs(spot: GitSpot): (wishes: readonly BlobWish[]) => AsyncGenerator<Blob> {
  const talk = converseWithGit(spot, ['cat-file', '--batch']);
  talk.await(false);
  const reader = new ByteReader(talk.output[Symbol.asyncIterator]());
  return async function* read(wishes) {
    if (wishes.length === 0) return;
    talk.await(true);
    try {
      talk.ask(`${wishes.map(wish => wish.id).join('\n')}\n`);
      for (const wish of wishes) yield* readOne(reader, wish);
    } finally {
      talk.await(false);
    }
  };
}

async function* readOne(reader: ByteReader, wish: BlobWish): AsyncGenerator<Blob> {
  const header = await reader.line();
  // A name that was asked for comes back whole, spaces included.
  if (header.endsWith(' missing')) return;
  const [, type, size] = header.split(' ');
  if (size === undefined || !/^\d+$/.test(size)) {
    throw new BotError('git', `git cat-file answered ${JSON.stringify(header)}`);
  }
  const bytes = await reader.take(Number(size), wish.keep);
  await reader.take(1, 0);
  // A folder has the name that was a file's before: there is no such file.
  if (type === 'blob') yield { id: wish.id, size: Number(size), bytes };
}

/** Takes lines and counted bytes from a stream of chunks. */
class ByteReader {
  readonly #chunks: AsyncIterator<Uint8Array>;
  #rest: Uint8Array = new Uint8Array(0);

  constructor(chunks: AsyncIterator<Uint8Array>) {
    this.#chunks = chunks;
  }

  async line(): Promise<string> {
    let text = '';
    for (;;) {
      const end = this.#rest.indexOf(NEWLINE);
      text += Buffer.from(end < 0 ? this.#rest : this.#rest.subarray(0, end)).toString('latin1');
      this.#rest = end < 0 ? new Uint8Array(0) : this.#rest.subarray(end + 1);
      if (end >= 0) return text;
      await this.#more();
    }
  }

  /** Reads past `count` bytes and gives the first `keep` of them. */
  async take(count: number, keep: number): Promise<Uint8Array> {
    const kept: Uint8Array[] = [];
    let wanted = Math.min(count, keep);
    for (let left = count; left > 0; ) {
      if (this.#rest.length === 0) await this.#more();
      const piece = this.#rest.subarray(0, left);
      if (wanted > 0) kept.push(piece.subarray(0, wanted));
      wanted -= Math.min(wanted, piece.length);
      left -= piece.length;
      this.#rest = this.#rest.subarray(piece.length);
    }
    return kept.length === 1 && kept[0] !== undefined ? kept[0] : Buffer.concat(kept);
  }

  async #more(): Promise<void> {
    const next = await this.#chunks.next();
    if (next.done) throw new BotError('git', 'git cat-file ended in the middle of an object');
    this.#rest = next.value;
  }
}
