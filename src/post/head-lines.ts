import type { Forge } from '../core/forge.js';
import { isInDoubt, type LinesOf } from './decide-removals.js';
import { countMarked } from './finding-mark.js';
import type { PostedFinding } from './own-comments.js';
import type { PullDiff } from './pull-diff.js';

/**
 * The lines that decide whether a comment's text is gone. Mostly the pull request shows it; only a
 * text that it does not show is looked for in the file itself.
 */
export function openHeadLines(
  forge: Pick<Forge, 'fileAt'>,
  diff: PullDiff,
  head: string,
): (posted: readonly PostedFinding[], found: ReadonlySet<string>) => Promise<LinesOf> {
  const files = new Map<string, readonly string[] | undefined>();
  return async (posted, found) => {
    for (const each of posted) {
      const { path } = each;
      if (!isInDoubt(each, found) || files.has(path) || isShown(each, posted, diff)) continue;
      const file = await forge.fileAt(head, path);
      if (file.state === 'unknown') files.set(path, undefined);
      else files.set(path, file.state === 'there' ? file.text.split('\n') : []);
    }
    return each => {
      if (each.side === 'LEFT') return leftLines(each, diff);
      return files.has(each.path) ? files.get(each.path) : diff.textsOf(each.path, 'RIGHT');
    };
  };
}

/** As often as there are comments that may be about it. */
function isShown(each: PostedFinding, posted: readonly PostedFinding[], diff: PullDiff): boolean {
  if (each.side === 'LEFT') return true;
  const equal = posted.filter(
    other => other.path === each.path && other.mark.text === each.mark.text,
  );
  return countMarked(each.mark, diff.textsOf(each.path, 'RIGHT')) >= equal.length;
}

/** A removed line is nowhere but in the diff; without a patch it cannot be known. */
function leftLines({ path }: PostedFinding, diff: PullDiff): readonly string[] | undefined {
  const texts = diff.textsOf(path, 'LEFT');
  return texts.length === 0 && diff.has(path) ? undefined : texts;
}
