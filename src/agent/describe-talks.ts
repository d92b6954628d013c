import { redact } from '../core/secrets/redact.js';
import { type Counts, totalRepairs } from './counts.js';
import { keepTrueMentions } from './describe-mentions.js';
import { converse } from './loop.js';
import { registry } from './registry.js';
import type { End, Setup } from './setup.js';
import { finish } from './tools/finish.js';

/** What conversations about one change share. */
export type DescribeSetup = Pick<
  Setup,
  'model' | 'protocol' | 'preferred' | 'tokenScale' | 'limits' | 'clock' | 'signal' | 'onEntry'
> & {
  /** What was answered in earlier runs, by what was asked. */
  readonly memory?: {
    recall(task: Setup['task']): string | undefined;
    keep(task: Setup['task'], answer: string): void;
  };
};

/** What one conversation brought; the text is empty when nothing of it could be used. */
export interface Said {
  readonly text: string;
  readonly reason: End['reason'];
  readonly message: string;
  /** Nobody was asked: it was answered before. */
  readonly isRemembered?: boolean;
}

/** Asks one question after the other, keeps what is true of the files, and counts the rest. */
export class DescribeTalks {
  readonly #startedAt: number;
  #dropped = 0;
  #repairs = 0;
  #refusals = 0;
  #protocol = '';
  #gone: Said | undefined;

  constructor(
    readonly setup: DescribeSetup,
    readonly changed: readonly string[],
  ) {
    this.#startedAt = setup.clock.now();
  }

  /** `share` of the whole time may have passed when the question is put. */
  async ask(task: Setup['task'], share: number): Promise<Said> {
    const known = this.setup.memory?.recall(task);
    if (known !== undefined) return { ...this.#keep(known), isRemembered: true };
    if (this.#gone !== undefined) return this.#gone;
    const { limits, clock } = this.setup;
    const left = limits.deadlineMs * share - (clock.now() - this.#startedAt);
    if (left <= 0)
      return { text: '', reason: 'deadline', message: 'there was no time left for it' };
    const { end, answer, counts, protocol } = await converse({
      ...this.setup,
      limits: { ...limits, deadlineMs: left },
      task,
      tools: registry([finish]),
      judge: work => (work.answer?.trim() ? undefined : 'there is no answer yet'),
    });
    this.#repairs += totalRepairs(counts);
    this.#refusals += counts.refusals;
    this.#protocol = protocol;
    const said = end.reason === 'finished' ? this.#keep(answer ?? '') : unsaid(end, counts);
    if (said.text !== '') this.setup.memory?.keep(task, redact(answer ?? ''));
    if (end.reason === 'model-gone') this.#gone = said;
    return said;
  }

  notices(): string[] {
    if (this.#dropped === 0) return [];
    const [what, verb] = this.#dropped === 1 ? ['sentence', 'was'] : ['sentences', 'were'];
    return [
      `${this.#dropped} ${what} of the model's ${verb} dropped: about files that did not change`,
    ];
  }

  counts(): { repairs: number; refusals: number; protocol: string } {
    return { repairs: this.#repairs, refusals: this.#refusals, protocol: this.#protocol };
  }

  #keep(answer: string): Said {
    const { text, dropped } = keepTrueMentions(redact(answer), this.changed);
    this.#dropped += dropped;
    const message = text === '' ? 'the model spoke only of files that did not change' : '';
    return { text, reason: 'finished', message };
  }
}

/** A server that counts differently refuses until the requests are used up: it was too long. */
const unsaid = ({ reason, message }: End, { overflows }: Pick<Counts, 'overflows'>): Said => ({
  text: '',
  reason: reason === 'requests' && overflows > 0 ? 'overflow' : reason,
  message,
});
