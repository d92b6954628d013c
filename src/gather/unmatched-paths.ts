import type { DiffEvent } from '../core/change.js';

/** So many are named; the others are counted. */
const MOST_NAMED = 5;

/**
 * Passes the events on. Once all have passed, the paths that no changed file lies under are told:
 * a slip in a path must not look like a clean change.
 */
export async function* noticeUnmatched(
  events: AsyncIterable<readonly DiffEvent[]>,
  paths: readonly string[],
  notices: string[],
): AsyncGenerator<readonly DiffEvent[]> {
  const left = new Set(paths.filter(path => path !== '.'));
  let isWhole = true;
  for await (const batch of events) {
    for (const event of batch) {
      if (event.type === 'broken') isWhole = false;
      if (event.type !== 'file' || left.size === 0) continue;
      for (const path of foldersOf(event.file.path)) left.delete(path);
      for (const path of foldersOf(event.file.oldPath ?? '')) left.delete(path);
    }
    yield batch;
  }
  // Of a diff that breaks off nobody knows what would have come.
  if (left.size > 0 && isWhole) notices.push(words([...left]));
}

/** The path itself and everything above it. */
function* foldersOf(path: string): Generator<string> {
  yield path;
  for (let at = path.lastIndexOf('/'); at > 0; at = path.lastIndexOf('/', at - 1)) {
    yield path.slice(0, at);
  }
}

function words(paths: readonly string[]): string {
  const named = paths.slice(0, MOST_NAMED).join(', ');
  const more = paths.length - MOST_NAMED;
  return `no changed file matches ${named}${more > 0 ? ` and ${more} more` : ''}`;
}
