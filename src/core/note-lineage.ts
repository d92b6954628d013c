/** A commit as far as its place and content go. */
export interface Lineage {
  readonly commit: string;
  readonly tree: string;
  readonly parents: readonly string[];
}

/** What a commit was made of, oldest first; undefined where that one is not here any more. */
export type Sources = ReadonlyArray<Lineage | undefined>;

/**
 * Whether a commit is its sources, one after another, and not a line more. Only what can be proved
 * counts: a fixup that moved over other commits may have been put together by hand.
 */
export function isSumOf(
  sources: Sources,
  to: Lineage,
  patches: ReadonlyMap<string, string>,
): boolean {
  const known = sources.flatMap(source => source ?? []);
  const [first] = known;
  const last = known.at(-1);
  if (first === undefined || last === undefined || known.length < sources.length) return false;
  // The same lines, wherever they stand now.
  const patch = patches.get(first.commit);
  if (known.length === 1 && patch !== undefined && patch === patches.get(to.commit)) return true;
  const isChain = known.every(
    (each, at) => at === 0 || areSame(each.parents, [known[at - 1]?.commit]),
  );
  return isChain && last.tree === to.tree && isInPlaceOf(first, to);
}

/** Whether a commit stands where the other one stood. */
export const isInPlaceOf = (
  one: Pick<Lineage, 'parents'>,
  other: Pick<Lineage, 'parents'>,
): boolean => areSame(one.parents, other.parents);

const areSame = (some: readonly string[], others: ReadonlyArray<string | undefined>): boolean =>
  some.length === others.length && some.every((each, at) => each === others[at]);
