import type { Message, ToolCallBlock, Usage } from '../core/message.js';
import type { ModelReply } from '../core/model.js';
import { isTimeUp } from '../core/time-up.js';
import { chooseProtocols } from './choose-protocols.js';
import type { Exchange } from './conversation.js';
import { noCounts } from './counts.js';
import { type Answered, exchangeOf } from './exchange.js';
import type { DoneCall } from './judge.js';
import { endOf, Ladder, type Trouble } from './ladder.js';
import { reachedLimit } from './limits.js';
import { type Prepared, prepareRequest, streamedTo } from './prepare-request.js';
import { userMessage } from './prompt.js';
import type { RepairType } from './repair-type.js';
import { RepeatedCalls } from './repeated-calls.js';
import type { End, Setup } from './setup.js';
import { TokenMeter } from './token-meter.js';
import { Transcript } from './transcript.js';

/** The state of one conversation: what was said, what it cost, and what the next request will be. */
export class Talk {
  readonly counts = noCounts();
  readonly transcript: Transcript;
  readonly ladder: Ladder;
  readonly done: DoneCall[] = [];
  /** What the model last gave for an answer, accepted or not. */
  said: string | undefined;
  readonly #startedAt: number;
  readonly #meter: TokenMeter;
  readonly #exchanges: Exchange[] = [];
  readonly #repeated = new RepeatedCalls();
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
    const most = { refusals: setup.mostRefusals, earlyEnds: setup.ending?.tries };
    this.ladder = new Ladder(protocols, setup.limits.badReplies, most);
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
      this.#account(reply, prepared.estimatedTokens);
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
    this.done.push({ name: call.name, input: call.input, outcome });
    if (this.setup.tools.find(call.name)?.changesFiles === true) this.#repeated.forget();
    else this.#repeated.remember(call);
  }

  /** The same call before, with its whole result in the last request. */
  hasJustSeen(call: ToolCallBlock): boolean {
    const earlier = this.#repeated.find(call);
    return this.#exchanges
      .slice(this.#sent.wholeFrom)
      .some(exchange => exchange.results.some(result => result.toolCallId === earlier));
  }

  messages(): Message[] {
    const said = this.#exchanges.flatMap(exchange => [exchange.assistant, ...exchange.results]);
    return [userMessage(this.setup.task.opening), ...said];
  }

  #prepare(): Prepared | undefined {
    const { task, tools, model, limits, seed } = this.setup;
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
      seed: (seed ?? FIRST_SEED) + this.ladder.failures,
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

  #account(reply: ModelReply, estimatedTokens: number): void {
    if (reply.kind !== 'answer' && reply.kind !== 'tool-calls') return;
    this.#usage = reply.usage;
    this.counts.promptTokens += reply.usage.promptTokens;
    this.counts.completionTokens += reply.usage.completionTokens;
    this.#meter.learn(estimatedTokens, reply.usage.promptTokens);
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
