import type { Line } from '../core/change.js';
import { amountOf, listOf, objectOf, textOf } from '../core/json-fields.js';
import { HUNK_STATES } from '../core/ledger.js';
import type { SavedOutcome, TaskName } from '../core/outcome.js';

import type { ReadConversations } from './read-conversations.js';
import type { AuditFacts, AuditHunk, DiffHunk, HostUse, StageTime } from './run-log.js';

/** Everything about one run. All of its text is untrusted. */
export interface AuditRun {
  readonly outcome: SavedOutcome;
  readonly origin: Origin;
  readonly facts: AuditFacts;
  readonly conversations: readonly AuditConversation[];
  /** The transcript was too long to be kept in full. */
  readonly isCut: boolean;
  /** The hunks that contain findings. */
  readonly hunks: readonly DiffHunk[];
  /** What the kept edits changed. */
  readonly edits: readonly DiffHunk[];
}

/**
 * Where it was found: saved by the run, left by the pre-commit hook, in a note, in a file; or only
 * the transcript exists, because the run was interrupted.
 */
export type Origin = 'run' | 'hook' | 'note' | 'file' | 'transcript' | 'running';

/** One conversation. */
export interface AuditConversation {
  readonly number: number;
  readonly title: string;
  readonly turns: readonly Turn[];
  /** Undefined if it was interrupted. */
  readonly end: { readonly reason: string; readonly message: string } | undefined;
}

/** A request, its reply, and the result. */
export interface Turn {
  readonly conversation: number;
  readonly number: number;
  readonly atMs: number;
  readonly protocol: string;
  readonly compaction: string;
  readonly estimatedTokens: number;
  /** The token limit of the reply. */
  readonly maxTokens: number;
  readonly system: string;
  readonly messages: readonly RequestMessage[];
  /** Tools or schema as sent, the names to choose from, and the fields of an answer. */
  readonly offered: {
    readonly names: readonly string[];
    readonly fields: readonly string[];
    readonly text: string;
  };
  readonly reply: Reply | undefined;
  readonly steps: readonly Step[];
}

export interface RequestMessage {
  readonly role: string;
  readonly text: string;
}

export interface Reply {
  readonly kind: string;
  readonly durationMs: number;
  readonly text: string;
  readonly isCut: boolean;
  readonly calls: ReadonlyArray<{ readonly name: string; readonly input: string }>;
  readonly promptTokens: number;
  readonly completionTokens: number;
}

export type Step =
  | {
      readonly type: 'call';
      readonly name: string;
      readonly input: string;
      readonly repairs: readonly string[];
    }
  | ToolResult
  | {
      readonly type: 'recovery';
      readonly action: string;
      readonly problem: string;
      readonly message: string;
    };

export interface ToolResult {
  readonly type: 'result';
  readonly name: string;
  readonly isError: boolean;
  readonly text: string;
  readonly durationMs: number;
  /** For people, by name; values as text. */
  readonly details: ReadonlyMap<string, string>;
}

const TASKS: readonly TaskName[] = ['review', 'fix-lint', 'ask', 'describe'];

/** What is known about a run that left a transcript but no outcome; undefined if nothing is. */
export function brokenOff(
  run: string,
  { conversations, work }: Pick<ReadConversations, 'conversations' | 'work'>,
  stamp: (atMs: number) => string,
): SavedOutcome | undefined {
  const turns = conversations.flatMap(conversation => conversation.turns);
  const [first] = turns;
  const [name] = work.split('\0', 1);
  const task = TASKS.find(known => known === name);
  if (first === undefined && task === undefined) return undefined;
  const sum = (field: 'promptTokens' | 'completionTokens'): number =>
    turns.reduce((all, { reply }) => all + (reply?.[field] ?? 0), 0);
  const last = turns.at(-1);
  return {
    run,
    task: task ?? 'review',
    startedAt: stamp(first?.atMs ?? 0),
    durationMs: Math.max(
      0,
      (last?.atMs ?? 0) + (last?.reply?.durationMs ?? 0) - (first?.atMs ?? 0),
    ),
    model: {
      available: true,
      requests: turns.length,
      promptTokens: sum('promptTokens'),
      completionTokens: sum('completionTokens'),
      repairs: 0,
      retries: 0,
      refusals: 0,
    },
    limits: [],
    notices: ['the run was interrupted before it had an outcome'],
    complete: false,
  };
}

/** More than a run ever keeps. */
const MOST = { stages: 200, hunks: 5000, hosts: 100, texts: 2000, lines: 2000 };

/** The saved facts, as far as they can be read. A git directory may come from anybody. */
export function readFacts(value: unknown): AuditFacts {
  const facts = objectOf(value);
  return {
    asked: textOf(facts['asked']),
    stages: listOf(facts['stages']).slice(0, MOST.stages).map(readStage),
    hunks: listOf(facts['hunks']).slice(0, MOST.hunks).flatMap(readHunk),
    hosts: listOf(facts['hosts']).slice(0, MOST.hosts).map(readHost),
    texts: listOf(facts['texts']).slice(0, MOST.texts).map(readText),
  };
}

function readStage(value: unknown): StageTime {
  const { title, atMs, durationMs } = objectOf(value);
  return { title: textOf(title), atMs: amountOf(atMs), durationMs: amountOf(durationMs) };
}

function readHost(value: unknown): HostUse {
  const { host, times } = objectOf(value);
  return { host: textOf(host), times: amountOf(times) };
}

function readHunk(value: unknown): AuditHunk[] {
  const { path, hunk, line, added, removed, state, reason, chunk, tokens } = objectOf(value);
  const known = HUNK_STATES.find(each => each === state);
  if (known === undefined) return [];
  return [
    {
      path: textOf(path),
      hunk: amountOf(hunk),
      line: amountOf(line),
      added: amountOf(added),
      removed: amountOf(removed),
      state: known,
      reason: textOf(reason),
      chunk: amountOf(chunk) || null,
      tokens: amountOf(tokens),
    },
  ];
}

function readText(value: unknown): DiffHunk {
  const { path, hunk, section, lines } = objectOf(value);
  return {
    path: textOf(path),
    hunk: amountOf(hunk),
    section: textOf(section),
    lines: listOf(lines).slice(0, MOST.lines).map(readLine),
  };
}

function readLine(value: unknown): Line {
  const fields = objectOf(value);
  const text = textOf(fields['text']);
  const newLine = amountOf(fields['newLine']);
  const oldLine = amountOf(fields['oldLine']);
  if (fields['kind'] === 'added') return { kind: 'added', text, newLine };
  if (fields['kind'] === 'removed') return { kind: 'removed', text, oldLine };
  return { kind: 'context', text, newLine, oldLine };
}
