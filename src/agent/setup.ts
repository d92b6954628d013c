import type { Model } from '../core/model.js';
import type { Clock } from '../world.js';
import type { Judge } from './judge.js';
import type { TroubleEnd } from './ladder.js';
import type { LimitName, Limits } from './limits.js';
import type { ProtocolName } from './protocol.js';
import type { Registry } from './registry.js';
import type { Entry } from './transcript.js';

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
  /** Ends as soon as the judge is content, without asking the model whether it is. */
  readonly endsWhenDone?: boolean;
  /** So many refusals or blocks in a row end it; without a number it goes on to the request limit. */
  readonly mostRefusals?: number;
  /** The one answer that ends it, by `finish` or in plain words; after so many others it has failed. */
  readonly ending?: { readonly word: string; readonly tries: number };
  readonly seed?: number;
  readonly onEntry?: (entry: Entry) => void;
  /** Words of a reply as they come, for people who wait; only where nothing but words is asked for. */
  readonly onText?: (delta: string) => void;
}

/** Why it is over, for the ledger and for people. */
export interface End {
  readonly reason: 'finished' | 'aborted' | 'overflow' | LimitName | TroubleEnd;
  readonly message: string;
}
