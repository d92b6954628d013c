import type { Forge } from '../core/forge.js';
import { readSticky, type Sticky, type StickySubject, writeSticky } from '../core/sticky.js';
import type { OwnSticky } from './own-comments.js';

export interface SummaryWish {
  readonly wanted: Sticky & { readonly subject: StickySubject };
  readonly text: string;
  /** Whether it is read once more when it is written. */
  readonly looksAfter: boolean;
}

/**
 * Replaces the summary. GitHub has no way to say "only if it is as I read it", and `/apfel ignore`
 * writes there as well: so it is read right before, and after. False when it was undone meanwhile.
 */
export async function updateSummary(
  forge: Pick<Forge, 'comment' | 'updateComment'>,
  { comment, sticky }: OwnSticky,
  { wanted, text, looksAfter }: SummaryWish,
): Promise<boolean> {
  const read = async () => {
    const found = await forge.comment(comment);
    return found && readSticky(found.body);
  };
  // Somebody may have asked to be left alone since it was read.
  const fresh = (await read()) ?? sticky;
  const ignored = [...wanted.ignored, ...fresh.ignored];
  await forge.updateComment(comment, writeSticky({ ...wanted, ignored }, text));
  if (!looksAfter || isSame(fresh.subject, wanted.subject)) return true;
  const after = await read();
  return after === undefined || !isSame(after.subject, fresh.subject);
}

const isSame = (one: StickySubject | null, other: StickySubject | null): boolean =>
  one?.run === other?.run && one?.head === other?.head && one?.task === other?.task;
