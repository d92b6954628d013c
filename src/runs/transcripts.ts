import { createHash } from 'node:crypto';
import { appendFileSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Entry } from '../agent/question.js';
import { countOf, field } from '../core/json-fields.js';
import type { Model, ModelReply, ModelRequest } from '../model/model.js';
import { sinceMs } from '../platform/clock.js';
import { PRIVATE } from '../platform/own-files.js';
import { redactValue } from '../secrets/redact.js';

/** The newest are kept; a conversation rarely takes more than a few hundred kilobytes. */
const MAX_TRANSCRIPTS = 50;
/** A thousand requests that fill a window of 4096 tokens. */
const MAX_BYTES = 16 * 1024 * 1024;
const MAX_BYTES_TOGETHER = 64 * 1024 * 1024;

interface Transcripts {
  /** The replies to an earlier run of the same work that was interrupted. */
  recorded(work: string): Recorded;
  /** The file of a run's transcript. */
  place(run: string): string;
  /** Starts a transcript; each entry is on disk before the next request is made. */
  open(run: string, work: string): (entry: Entry) => void;
  /** Runs with a transcript, newest first. */
  runs(): string[];
  /** Whether the process that writes the transcript is still running. */
  isRunning(run: string): boolean;
  /** The lines of a transcript, not yet validated; empty if there is none. */
  read(run: string): unknown[];
}

/** What was sent and received, one line each and without secrets, in the git directory. */
export function openTranscripts(gitDir: string): Transcripts {
  const folder = join(gitDir, 'apfel-bot', 'transcripts');
  const place = (run: string): string => join(folder, `${run}.jsonl`);
  return {
    recorded: work => readBrokenOff(folder, work),
    place,
    open: (run, work) => {
      mkdirSync(folder, { recursive: true });
      removeOldest(folder);
      const file = place(run);
      let bytes = 0;
      const write = (line: unknown): void => {
        if (bytes > MAX_BYTES) return;
        const text = `${JSON.stringify(redactValue(line))}\n`;
        bytes += text.length;
        const isOver = bytes > MAX_BYTES;
        appendFileSync(file, isOver ? '{"type":"cut"}\n' : text, { mode: PRIVATE });
      };
      write({ type: 'work', run, work, pid: process.pid });
      return write;
    },
    runs: () =>
      names(folder)
        .map(name => name.slice(0, -'.jsonl'.length))
        .reverse(),
    isRunning: run => isWriting(place(run)),
    read: run => readAll(place(run)),
  };
}

type Line =
  | { readonly type: 'work'; readonly work: string }
  | { readonly type: 'request'; readonly number: number; readonly request: ModelRequest }
  | { readonly type: 'reply'; readonly number: number; readonly reply: ModelReply }
  | { readonly type: 'end'; readonly reason: string };

/** Ends that don't cast doubt on earlier replies; after any other end the model is asked again. */
const BROKEN_OFF = new Set(['deadline', 'aborted', 'model-gone', 'server-failed']);

/** The newest transcript of this work, unless it is complete. */
function readBrokenOff(folder: string, work: string): Recorded {
  const wanted = redactValue(work);
  for (const name of names(folder).reverse()) {
    const lines = readLines(join(folder, name)) as Line[];
    const [head] = lines;
    if (head?.type !== 'work' || head.work !== wanted) continue;
    const hasEnded = lines.some(line => line.type === 'end' && !BROKEN_OFF.has(line.reason));
    return hasEnded ? new Map() : repliesIn(lines);
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

/** A larger file wasn't written by us. */
function readAll(file: string): unknown[] {
  const facts = statSync(file, { throwIfNoEntry: false });
  return facts?.isFile() && facts.size <= 2 * MAX_BYTES ? readLines(file) : [];
}

/** A line that a crash cut off is left out; the lines before it count. */
function readLines(file: string): unknown[] {
  return readFileSync(file, 'utf8')
    .split('\n')
    .flatMap(text => {
      try {
        return text === '' ? [] : [JSON.parse(text)];
      } catch {
        return [];
      }
    });
}

/** Names begin with the time, so they sort by time. */
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

/** Makes room for one more. */
/** No run takes longer; until then its process id is unlikely to be reused. */
const MAX_RUN_MS = 20 * 60_000;

function isWriting(file: string): boolean {
  const changedAt = statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0;
  if (sinceMs(changedAt) > MAX_RUN_MS) return false;
  const pid = countOf(field(readAll(file)[0], 'pid')) ?? 0;
  try {
    return pid > 0 && process.kill(pid, 0);
  } catch {
    return false;
  }
}

function removeOldest(folder: string): void {
  let left = MAX_BYTES_TOGETHER;
  for (const [at, name] of names(folder).reverse().entries()) {
    left -= statSync(join(folder, name), { throwIfNoEntry: false })?.size ?? 0;
    if (at >= MAX_TRANSCRIPTS - 1 || left < 0) rmSync(join(folder, name), { force: true });
  }
}

/** Replies of an earlier run, by the request they answered. */
export type Recorded = ReadonlyMap<string, ModelReply>;

/** Two requests are the same if the model would see the same. */
const requestKey = (request: ModelRequest): string =>
  createHash('sha256').update(JSON.stringify(request)).digest('hex');

/**
 * A model that doesn't ask again what was already answered: an interrupted conversation resumes
 * where it stopped, because code does the same with the same replies.
 */
export function replaying(model: Model, recorded: Recorded): Model {
  if (recorded.size === 0) return model;
  return {
    get facts() {
      return model.facts;
    },
    ask: async (request, signal) => recorded.get(requestKey(request)) ?? model.ask(request, signal),
    usage: () => model.usage(),
    close: () => model.close(),
  };
}

/** Only the model's own replies are kept; a server failure may be temporary. */
const isWorthKeeping = (reply: ModelReply): boolean =>
  reply.kind === 'answer' || reply.kind === 'tool-calls';
