import type { DiffEvent, FileChange } from '../core/change.js';

/** The files of a diff that lie under one of the paths; git does this itself where it is asked. */
export async function* onlyUnder(
  events: AsyncIterable<readonly DiffEvent[]>,
  paths: readonly string[],
  notices: string[],
): AsyncGenerator<readonly DiffEvent[]> {
  let isKept = false;
  for await (const batch of events) {
    const kept: DiffEvent[] = [];
    for (const event of batch) {
      if (event.type === 'file') isKept = isUnder(event.file, paths);
      if (isKept) kept.push(event);
      // What was to come after it may have been asked for.
      else if (event.type === 'broken') notices.push(event.reason);
    }
    yield kept;
  }
}

const isUnder = ({ path, oldPath }: FileChange, wanted: readonly string[]): boolean =>
  wanted.some(each =>
    [path, oldPath].some(
      name => each === '.' || name === each || name?.startsWith(`${each}/`) === true,
    ),
  );
