import { isTimeUp } from '../core/deadline.js';
import type {
  Message,
  Model,
  ModelReply,
  ToolCallBlock,
  ToolResultMessage,
  Usage,
} from '../model/model.js';
import type { Clock } from '../platform/clock.js';
import { cutLine } from './cut-text.js';
import { type Exchange, userMessage } from './fit-conversation.js';
import type { Judge } from './judge.js';
import { endOf, Ladder, type Trouble, type TroubleEnd } from './ladder.js';
import { type LimitName, type Limits, reachedLimit } from './limits.js';
import { type Prepared, prepareRequest, streamedTo, TokenMeter } from './prepare-request.js';
import type { ProtocolName } from './protocol.js';
import { chooseProtocols } from './protocols.js';
import { REPAIR_TYPES, type RepairType } from './repair.js';
import type { Registry, ToolOutcome } from './tool.js';
import { type Entry, Transcript } from './transcript.js';

/** The state of one conversation: what was said, what it cost, and what the next request will be. */
export class ConversationState {
  readonly counts = noCounts();
  readonly transcript: Transcript;
  readonly ladder: Ladder;
  /** What the calls that succeeded have shown. */
  readonly shown: string[] = [];
  /** What the model last gave for an answer, accepted or not. */
  said: string | undefined;
  readonly #startedAt: number;
  readonly #meter: TokenMeter;
  readonly #exchanges: Exchange[] = [];
  /** The id of each call by its tool and arguments, so that a repeated one gets an error. */
  readonly #repeated = new Map<string, string>();
  #calls = 0;
  #calledAt = 0;
  #usage: Usage = { promptTokens: 0, completionTokens: 0 };
  #nudge = '';
  #replyTokens: number;
  #sent = { estimatedTokens: 0, availableTokens: 0, wholeFrom: 0 };

  constructor(readonly setup: Setup) {
    this.#startedAt = setup.clock.now();
    this.#meter = new TokenMeter(setup.tokenScale);
    this.#replyTokens = setup.limits.replyTokens;
    this.transcript = new Transcript(setup.onEntry);
    const protocols = chooseProtocols(setup.protocol, setup.model.facts, setup.preferred);
    this.ladder = new Ladder(protocols, setup.limits.badReplies);
  }

  reachedLimit(): End | undefined {
    const { signal, limits, clock } = this.setup;
    if (signal.aborted) return this.#stopped();
    const { turns, requests, promptTokens, completionTokens } = this.counts;
    const tokens = promptTokens + completionTokens;
    return reachedLimit({ startedAt: this.#startedAt, turns, requests, tokens }, limits, clock);
  }

  /** Sends the next request. An end instead of a reply: the task does not fit, or it was stopped. */
  async ask(): Promise<ModelReply | End> {
    const { model, clock, signal, onText } = this.setup;
    const prepared = this.#prepare();
    if (prepared === undefined) {
      return { reason: 'overflow', message: 'the task does not fit the window of the model' };
    }
    const startedAt = clock.now();
    const number = this.#record(prepared, startedAt);
    try {
      const reply = await model.ask(streamedTo(onText, prepared.request), signal);
      this.#account(reply, prepared);
      this.transcript.append({ type: 'reply', number, durationMs: clock.now() - startedAt, reply });
      return reply;
    } catch (thrown) {
      if (signal.aborted) return this.#stopped();
      throw thrown;
    }
  }

  /** One step up the ladder; an end when there is no next one. */
  climb(trouble: Trouble, message: string, nudge = ''): End | undefined {
    const rung = this.ladder.failed(trouble);
    this.transcript.append({ type: 'rung', rung, trouble, message });
    if (trouble === 'refused' || trouble === 'blocked') this.counts.refusals += 1;
    if (trouble === 'cut') this.#replyTokens = this.setup.limits.replyTokens * 2;
    if (trouble === 'bad-call') this.counts.badCalls += 1;
    if (rung === 'stop') return { reason: endOf(trouble), message };
    this.counts.retries += 1;
    if (rung === 'nudge') this.counts.nudges += 1;
    if (rung === 'reword') this.counts.rewordings += 1;
    if (rung === 'fall') this.counts.protocolFalls += 1;
    this.#nudge = nudge;
    return undefined;
  }

  /** The server refused the request as too long: believe it, and send less. */
  compactHarder(): undefined {
    this.#meter.overflowed(this.#sent.estimatedTokens, this.#sent.availableTokens);
    this.counts.overflows += 1;
    this.counts.retries += 1;
    const message = 'the server counts more tokens than were estimated';
    this.transcript.append({ type: 'rung', rung: 'compact', trouble: 'overflow', message });
  }

  /** Ours, because the server's own repeat from turn to turn. */
  nextCallId(): string {
    this.#calls += 1;
    return `call_${this.#calls}`;
  }

  noteCall({ id, name, input }: ToolCallBlock, repairs: readonly RepairType[]): void {
    for (const repair of repairs) this.counts.repairs[repair] += 1;
    this.#calledAt = this.setup.clock.now();
    this.transcript.append({ type: 'call', id, name, input, repairs });
  }

  append(answered: readonly Answered[]): void {
    const exchange = exchangeOf(answered, {
      model: this.setup.model.facts.name,
      usage: this.#usage,
    });
    const durationMs = this.setup.clock.now() - this.#calledAt;
    for (const message of exchange.results) {
      this.transcript.append({ type: 'result', durationMs, message });
    }
    this.#exchanges.push(exchange);
    this.#nudge = '';
  }

  /** A call that was carried out: the ladder starts from its foot again. */
  settle({ call, outcome }: Answered): void {
    this.counts.turns += 1;
    this.ladder.succeeded();
    this.#replyTokens = this.setup.limits.replyTokens;
    if (!outcome.isError) this.shown.push(outcome.text);
    this.#repeated.set(keyOf(call), call.id);
  }

  /** The same call before, with its whole result in the last request. */
  hasJustSeen(call: ToolCallBlock): boolean {
    const earlier = this.#repeated.get(keyOf(call));
    return this.#exchanges
      .slice(this.#sent.wholeFrom)
      .some(exchange => exchange.results.some(result => result.toolCallId === earlier));
  }

  messages(): Message[] {
    const said = this.#exchanges.flatMap(exchange => [exchange.assistant, ...exchange.results]);
    return [userMessage(this.setup.task.opening), ...said];
  }

  #prepare(): Prepared | undefined {
    const { task, tools, model, limits } = this.setup;
    return prepareRequest({
      task,
      tools,
      exchanges: this.#exchanges,
      protocol: this.ladder.protocol,
      facts: model.facts,
      meter: this.#meter,
      replyTokens: this.#replyTokens,
      nudge: this.#nudge,
      isLastTurn: this.counts.turns + 1 >= limits.turns,
      wording: this.ladder.wording,
      failures: this.ladder.failures,
      streak: this.ladder.streak,
      seed: FIRST_SEED + this.ladder.failures,
    });
  }

  #record(prepared: Prepared, atMs: number): number {
    const { request, estimatedTokens, compaction } = prepared;
    this.#sent = prepared;
    this.counts.requests += 1;
    if (compaction !== 'none') this.counts.compactions += 1;
    const number = this.counts.requests;
    const protocol = this.ladder.protocol.name;
    const sent = { protocol, estimatedTokens, compaction, request };
    this.transcript.append({ type: 'request', number, atMs, ...sent });
    return number;
  }

  #account(reply: ModelReply, { request, estimatedTokens }: Prepared): void {
    if (reply.kind !== 'answer' && reply.kind !== 'tool-calls') return;
    this.#usage = reply.usage;
    this.counts.promptTokens += reply.usage.promptTokens;
    this.counts.completionTokens += reply.usage.completionTokens;
    this.#meter.learn(request, estimatedTokens, reply.usage.promptTokens);
  }

  #stopped(): End {
    const { clock, limits, signal } = this.setup;
    return isTimeUp(signal) || clock.now() - this.#startedAt >= limits.deadlineMs
      ? { reason: 'deadline', message: 'the time was up before the reply came' }
      : { reason: 'aborted', message: 'the conversation was stopped from outside' };
  }
}

/** Any number will do; 42 is known to end in a refusal for some harmless prompts. */
const FIRST_SEED = 7;

/** What one conversation is given. */
export interface Setup {
  readonly task: { readonly system: string; readonly opening: string };
  readonly tools: Registry;
  readonly model: Model;
  readonly protocol: ProtocolName | 'auto';
  /** What `auto` tries first. */
  readonly preferred?: ProtocolName | undefined;
  /** How far this server's counts are above our estimates, where that was measured. */
  readonly tokenScale?: number;
  readonly limits: Limits;
  readonly clock: Pick<Clock, 'now'>;
  readonly signal: AbortSignal;
  /** Says what is missing; without one the model's word is taken. */
  readonly judge?: Judge;
  readonly onEntry?: (entry: Entry) => void;
  /** Words of a reply as they come, for people who wait; only where nothing but words is asked for. */
  readonly onText?: (delta: string) => void;
}

/** Why it is over, for the ledger and for people. */
export interface End {
  readonly reason: 'finished' | 'aborted' | 'overflow' | LimitName | TroubleEnd;
  readonly message: string;
}

/** What a conversation took, rung by rung. */
export interface Counts {
  requests: number;
  /** Calls that were carried out. */
  turns: number;
  promptTokens: number;
  completionTokens: number;
  readonly repairs: Record<RepairType, number>;
  /** Requests made again for any reason. */
  retries: number;
  /** Guardrail blocks, refusals, and apologies in plain text. */
  refusals: number;
  nudges: number;
  rewordings: number;
  protocolFalls: number;
  /** Requests in which something older was shortened, folded or cut. */
  compactions: number;
  /** Requests that the server refused as too long. */
  overflows: number;
  badCalls: number;
  repeatedCalls: number;
  /** Calls beside the first one of a reply. */
  extraCalls: number;
}

const noCounts = (): Counts => ({
  requests: 0,
  turns: 0,
  promptTokens: 0,
  completionTokens: 0,
  // Object.fromEntries forgets which keys there were.
  repairs: Object.fromEntries(REPAIR_TYPES.map(type => [type, 0])) as Record<RepairType, number>,
  retries: 0,
  refusals: 0,
  nudges: 0,
  rewordings: 0,
  protocolFalls: 0,
  compactions: 0,
  overflows: 0,
  badCalls: 0,
  repeatedCalls: 0,
  extraCalls: 0,
});

export const totalRepairs = (counts: Counts): number =>
  Object.values(counts.repairs).reduce((sum, count) => sum + count, 0);

const keyOf = (call: { readonly name: string; readonly input: unknown }): string =>
  `${call.name} ${JSON.stringify(call.input, sortedKeys)}`;

const sortedKeys = (_: string, value: unknown): unknown =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1)))
    : value;

/** A call and what came of it. */
export interface Answered {
  readonly call: ToolCallBlock;
  readonly outcome: ToolOutcome;
}

/** The messages of one turn: what the model asked for, and an answer to each of its calls. */
export function exchangeOf(
  answered: readonly Answered[],
  { model, usage }: { model: string; usage: Usage },
): Exchange {
  return {
    assistant: {
      role: 'assistant',
      content: answered.map(({ call }) => call),
      stopReason: 'toolUse',
      model,
      usage,
    },
    results: answered.map(resultOf),
    brief: answered.map(briefOf).join('; '),
  };
}

const resultOf = ({ call, outcome }: Answered): ToolResultMessage => ({
  role: 'toolResult',
  toolCallId: call.id,
  toolName: call.name,
  isError: outcome.isError,
  content: [{ type: 'text', text: outcome.text }],
  details: outcome.details,
});

/** `read_file src/a.ts: src/a.ts, lines 1-80 of 300` */
function briefOf({ call, outcome }: Answered): string {
  const [first = ''] = outcome.text.split('\n', 1);
  const about = Object.values(Object(call.input)).find(value => typeof value === 'string');
  return cutLine(`${call.name} ${String(about ?? '').slice(0, 60)}: ${first}`, 40);
}
