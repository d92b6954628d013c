import type { Diagnostic } from '../core/diagnostic.js';
import { withKeys } from './bench.js';
import type { Pace } from './pace.js';
import { type Fixing, tryEdit } from './try-edit.js';

/** How one conversation ended. */
export interface Tried {
  readonly isKept: boolean;
  /** Why nothing was kept. */
  readonly reason: string;
  /** There is no model any more. */
  readonly isOver: boolean;
  /** Chance kept it from proposing anything: a block, or replies that nobody could read. */
  readonly isUnheard: boolean;
}

export interface ModelFixing extends Fixing {
  readonly wanted: () => readonly Diagnostic[];
  readonly hasTime: () => boolean;
  readonly tell: (text: string) => void;
  /** Starts to measure how fast it goes. */
  readonly pace: () => Pace;
  /** The first, second… conversation about a group; `attempt` checks an edit and says why it was not kept. */
  readonly converse: (
    group: readonly Diagnostic[],
    attempt: (after: string) => Promise<string | undefined>,
    round: number,
  ) => Promise<Tried>;
}

export interface ModelEnd {
  /** Groups that nobody got to. */
  readonly untried: number;
  readonly reason: string | undefined;
}

/** What is left goes to the model, a diagnostic or a tight group at a time, until nothing is left to try. */
export async function modelFixes(fixing: ModelFixing): Promise<ModelEnd> {
  const { bench, craft, hasTime, tell } = fixing;
  const tried = new Set<string>();
  const pace = fixing.pace();
  for (;;) {
    const open = withKeys(fixing.wanted()).filter(({ key }) => !tried.has(key));
    const known = new Map(open.map(each => [withoutOffer(each.diagnostic), each]));
    const { model } = craft.order([...known.keys()], () => false);
    const [first] = model;
    if (first === undefined) return { untried: 0, reason: undefined };
    if (!hasTime()) return { untried: model.length, reason: 'the deadline was near' };
    const group = first.flatMap(each => known.get(each) ?? []);
    tell(
      [`${bench.fixed} fixed`, `${model.length} places left`, ...pace.left(model.length)].join(
        ', ',
      ),
    );
    const done = await askAbout(
      group.map(({ diagnostic }) => diagnostic),
      fixing,
    );
    // What was kept is gone; its key may have passed to an equal complaint.
    if (!done.isKept) for (const { key } of group) tried.add(key);
    pace.step();
    if (done.isOver) return { untried: model.length, reason: done.reason };
  }
}

async function askAbout(group: readonly Diagnostic[], fixing: ModelFixing): Promise<Tried> {
  const { bench } = fixing;
  const path = group[0]?.path ?? '';
  const attempt = async (after: string): Promise<string | undefined> => {
    const verdict = await tryEdit({ path, after, by: 'model', diagnostics: group }, fixing);
    return verdict.ok ? undefined : verdict.reason;
  };
  const first = await fixing.converse(group, attempt, 1);
  const isOnceMore = first.isUnheard && fixing.hasTime();
  const done = isOnceMore ? await fixing.converse(group, attempt, 2) : first;
  if (!done.isKept) bench.reject(group, 'model', done.reason);
  return done;
}

/** An offer that was turned down before must not keep the model from trying. */
function withoutOffer(diagnostic: Diagnostic): Diagnostic {
  const { fix: _, suggestions: __, ...bare } = diagnostic;
  return bare;
}
