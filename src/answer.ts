import { ask } from './agent/ask.js';
import type { Conversation } from './agent/loop.js';
import type { ProtocolName } from './agent/protocol.js';
import type { Source } from './agent/tools/source.js';
import type { Entry } from './agent/transcript.js';
import type { Config } from './config.js';
import type { Model } from './core/model.js';
import type { AnswerOutcome } from './core/outcome.js';
import { type Recorded, replaying } from './core/replay.js';
import { concludeAnswer } from './publish/conclude-answer.js';
import { checkSources, type ShownPart } from './verify/check-sources.js';
import type { World } from './world.js';

export interface Question {
  readonly text: string;
  /** The commit whose files are shown; part of what makes two questions the same. */
  readonly at: string;
  readonly source: Source;
  readonly model: Model;
  readonly protocol: ProtocolName | 'auto';
  readonly preferred: ProtocolName | undefined;
  readonly tokenScale: number;
  readonly deadlineMs: number;
  readonly transcripts: {
    recorded(work: string): Recorded;
    /** Undefined when nothing is kept. */
    place(run: string): string | undefined;
    open(run: string, work: string): (entry: Entry) => void;
  };
  readonly onEntry: (entry: Entry) => void;
  readonly onText: (delta: string) => void;
}

/** `ask` on one page: a question, a conversation, and the places it rests on, each looked up. */
export async function answer(
  question: Question,
  world: World,
  config: Config,
): Promise<AnswerOutcome> {
  const startedAt = world.clock.now();
  const run = world.clock.runId();
  const work = ['ask', question.at, question.model.facts.name, question.text].join('\0');
  const recorded = question.transcripts.recorded(work);
  const record = question.transcripts.open(run, work);
  const talk = await ask({
    ...question,
    question: question.text,
    model: replaying(question.model, recorded),
    limits: { ...config.limits, deadlineMs: question.deadlineMs },
    clock: world.clock,
    signal: world.signal,
    onEntry: entry => {
      record(entry);
      question.onEntry(entry);
    },
  });
  const text = talk.answer ?? '';
  const checked = await checkSources(text, shownIn(talk), path => lineCount(question.source, path));
  const place = question.transcripts.place(run);
  const kept = place === undefined ? 'nothing is recorded' : `all that was said is in ${place}`;
  const parts = { run, startedAt, talk, text, checked, resumed: recorded.size, kept, question };
  return concludeAnswer(parts, world.clock);
}

/** What the reading tools showed, from their details. */
const shownIn = ({ messages }: Conversation): ShownPart[] =>
  messages.flatMap(message => {
    if (message.role !== 'toolResult' || message.isError) return [];
    const { path, start } = message.details;
    return typeof path === 'string' && typeof start === 'number' ? [{ path, start }] : [];
  });

async function lineCount(source: Source, path: string): Promise<number | undefined> {
  const read = await source.read(path);
  if (read.kind !== 'file') return undefined;
  return new TextDecoder().decode(read.bytes).replace(/\n$/, '').split('\n').length;
}
