export interface AnswerSource {
  readonly path: string;
  readonly line: number;
}

/** What a tool showed, as its details tell it. */
export interface ShownPart {
  readonly path: string;
  readonly start: number;
}

export interface CheckedAnswer {
  readonly sources: readonly AnswerSource[];
  /** Places that the answer names and that are not there. */
  readonly missing: readonly string[];
}

/** Enough to look things up, few enough to read. */
const MOST_SOURCES = 10;
const PLACE = /(?<![\w/.-])([\w@][\w@./-]{0,200}\.[A-Za-z]\w{0,9})(?::(\d{1,7}))?/g;

/** The places an answer rests on, each checked to exist: those it names, then those it was shown. */
export async function checkSources(
  answer: string,
  shown: readonly ShownPart[],
  lineCount: (path: string) => Promise<number | undefined>,
): Promise<CheckedAnswer> {
  const sources = new Map<string, AnswerSource>();
  const missing: string[] = [];
  for (const { path, line } of named(answer)) {
    const lines = await lineCount(path);
    const isThere = lines !== undefined && (line ?? 1) <= Math.max(1, lines);
    if (isThere) sources.set(`${path}:${line ?? 1}`, { path, line: line ?? 1 });
    // A bare word with a dot may be anything; with a line number it claims to be a place.
    else if (line !== undefined || path.includes('/'))
      missing.push(line ? `${path}:${line}` : path);
  }
  const paths = new Set([...sources.values()].map(source => source.path));
  for (const { path, start } of shown) {
    if (paths.has(path) || (await lineCount(path)) === undefined) continue;
    sources.set(`${path}:${start}`, { path, line: start });
    paths.add(path);
  }
  return { sources: [...sources.values()].slice(0, MOST_SOURCES), missing };
}

const named = (answer: string): Array<{ path: string; line: number | undefined }> =>
  [...answer.matchAll(PLACE)].flatMap(([, path, line]) =>
    path === undefined ? [] : [{ path, line: line === undefined ? undefined : Number(line) }],
  );
