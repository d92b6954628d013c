import { appendFileSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Entry } from '../../agent/transcript.js';
import type { ModelReply, ModelRequest } from '../../core/model.js';
import { isWorthKeeping, type Recorded, requestKey } from '../../core/replay.js';

/** The newest are kept; a conversation seldom takes more than a few hundred kilobytes. */
const MOST_TRANSCRIPTS = 50;
const MOST_BYTES = 4 * 1024 * 1024;

export interface Transcripts {
  /** What an earlier run of the same work was answered before it broke off. */
  recorded(work: string): Recorded;
  /** The file that holds a run's record. */
  place(run: string): string;
  /** Starts a record; each entry is on disk before the next request is made. */
  open(run: string, work: string): (entry: Entry) => void;
}

/** Exactly what was sent and received, a line each, under the git directory. */
export function openTranscripts(gitDir: string): Transcripts {
  const folder = join(gitDir, 'apfel-bot', 'transcripts');
  return {
    recorded: work => readBrokenOff(folder, work),
    place: run => join(folder, `${run}.jsonl`),
    open: (run, work) => {
      mkdirSync(folder, { recursive: true });
      removeOldest(folder);
      const file = join(folder, `${run}.jsonl`);
      let bytes = 0;
      const write = (line: unknown): void => {
        const text = `${JSON.stringify(line)}\n`;
        bytes += text.length;
        if (bytes - text.length > MOST_BYTES) return;
        const isOver = bytes > MOST_BYTES;
        appendFileSync(file, isOver ? '{"type":"cut"}\n' : text, { mode: 0o600 });
      };
      write({ type: 'work', run, work });
      return write;
    },
  };
}

type Line =
  | { readonly type: 'work'; readonly work: string }
  | { readonly type: 'request'; readonly number: number; readonly request: ModelRequest }
  | { readonly type: 'reply'; readonly number: number; readonly reply: ModelReply }
  | { readonly type: 'end'; readonly reason: string };

/** The newest record of this work, unless it came to its end. */
function readBrokenOff(folder: string, work: string): Recorded {
  for (const name of names(folder).reverse()) {
    const lines = readLines(join(folder, name));
    const [head] = lines;
    if (head?.type !== 'work' || head.work !== work) continue;
    const isFinished = lines.some(line => line.type === 'end' && line.reason === 'finished');
    return isFinished ? new Map() : repliesIn(lines);
  }
  return new Map();
}

function repliesIn(lines: readonly Line[]): Recorded {
  const keys = new Map<number, string>();
  const replies = new Map<string, ModelReply>();
  for (const line of lines) {
    if (line.type === 'request') keys.set(line.number, requestKey(line.request));
    if (line.type !== 'reply' || !isWorthKeeping(line.reply)) continue;
    const key = keys.get(line.number);
    if (key !== undefined) replies.set(key, line.reply);
  }
  return replies;
}

/** A line that a crash cut in two is left out; what came before it stands. */
function readLines(file: string): Line[] {
  return readFileSync(file, 'utf8')
    .split('\n')
    .flatMap(text => {
      try {
        return text === '' ? [] : [JSON.parse(text) as Line];
      } catch {
        return [];
      }
    });
}

/** Names begin with the time, so their order is that of the runs. */
function names(folder: string): string[] {
  try {
    return readdirSync(folder)
      .filter(name => name.endsWith('.jsonl'))
      .filter(name => statSync(join(folder, name)).isFile())
      .sort();
  } catch {
    return [];
  }
}

function removeOldest(folder: string): void {
  const all = names(folder);
  for (const name of all.slice(0, Math.max(0, all.length - MOST_TRANSCRIPTS + 1))) {
    rmSync(join(folder, name), { force: true });
  }
}
