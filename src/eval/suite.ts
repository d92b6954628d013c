import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { BotError } from '../core/bot-error.js';
import { field } from '../model/address.js';
import type { UserCache } from '../platform/user-cache.js';
import { type CaseResult, COUNTS } from './score.js';

/** A change with known bugs, or none. */
export interface EvalCase {
  readonly name: string;
  readonly diff: string;
  readonly bugs: readonly PlantedBug[];
}

/** One bug, in one place or several. A finding on any of its lines counts. */
export type PlantedBug = readonly BugLocation[];

export interface BugLocation {
  readonly path: string;
  readonly lines: readonly number[];
}

type ReadCase = EvalCase | { readonly name: string; readonly problem: string };

/**
 * A `.diff` with its answer in front: `# bug PATH:LINE words` or `# bug PATH:FROM-TO words`, one
 * per bug, or `# clean`. Git and patch ignore these lines.
 */
export function readDiffCase(name: string, text: string): ReadCase {
  const start = /^(?:diff --git |--- )/m.exec(text)?.index;
  if (start === undefined) return { name, problem: 'it has no diff' };
  const head = text.slice(0, start).split('\n');
  const bugs = head.flatMap(line => {
    const bug = bugIn(line);
    return bug === undefined ? [] : [bug];
  });
  const isClean = head.some(line => line.trim() === '# clean');
  if (isClean === bugs.length > 0) {
    return { name, problem: 'it must begin with "# clean" or with "# bug PATH:LINE"' };
  }
  return { name, diff: text.slice(start), bugs };
}

function bugIn(line: string): PlantedBug | undefined {
  const [, path, from, to = from] = /^# bug (\S+):(\d+)(?:-(\d+))?(?:\s|$)/.exec(line) ?? [];
  if (path === undefined) return undefined;
  return [{ path, lines: range(Number(from), Number(to)) }];
}

/** More lines than a finding could point at. */
const MAX_LINES = 1000;

const range = (from: number, to: number): number[] =>
  Array.from({ length: Math.min(MAX_LINES, Math.max(1, to - from + 1)) }, (_, at) => from + at);

/**
 * A line of a `.jsonl` in the format of BugsJS: `id`, the bug-introducing diff, and the lines it
 * adds. A review of new lines can't see a change that adds nothing, so that is a problem.
 */
export function readJsonCase(line: string, at: number): ReadCase {
  const name = `line ${at}`;
  try {
    const value: unknown = JSON.parse(line);
    if (!isIntroduced(value)) return { name, problem: 'it has no id, introducing and files' };
    const places = value.files
      .filter(file => file.added.length > 0)
      .map(({ path, added }) => ({ path, lines: added }));
    if (places.length === 0) return { name: value.id, problem: 'it only removes lines' };
    return { name: value.id, diff: value.introducing, bugs: [places] };
  } catch {
    return { name, problem: "it isn't JSON" };
  }
}

interface Introduced {
  readonly id: string;
  readonly introducing: string;
  readonly files: ReadonlyArray<{ readonly path: string; readonly added: readonly number[] }>;
}

function isIntroduced(value: unknown): value is Introduced {
  if (typeof value !== 'object' || value === null) return false;
  const { id, introducing, files }: Partial<Record<keyof Introduced, unknown>> = value;
  return typeof id === 'string' && typeof introducing === 'string' && Array.isArray(files);
}

export interface EvalSuite {
  readonly cases: readonly EvalCase[];
  readonly unusable: ReadonlyArray<{ readonly name: string; readonly problem: string }>;
}

/** Every `.diff` of a folder, and every line of its `.jsonl` files, sorted by name. */
export async function readSuite(folder: string): Promise<EvalSuite> {
  const names = await readdir(folder).catch((thrown: NodeJS.ErrnoException) => {
    throw new BotError('usage', `the suite ${folder} can't be read: ${thrown.code}`, {
      hint: 'Name a folder of .diff files: apfel-bot eval --suite DIR',
    });
  });
  const read: ReadCase[] = [];
  for (const name of names.toSorted()) {
    if (!/\.(diff|jsonl)$/.test(name)) continue;
    const text = await readFile(join(folder, name), 'utf8');
    if (name.endsWith('.diff')) read.push(readDiffCase(name.slice(0, -'.diff'.length), text));
    else read.push(...text.split('\n').filter(Boolean).map(readJsonCase));
  }
  const cases = read.flatMap(each => ('diff' in each ? [each] : []));
  const unusable = read.flatMap(each => ('problem' in each ? [each] : []));
  if (cases.length > 0) return { cases, unusable };
  const why = unusable[0] === undefined ? '' : ` (${unusable[0].name}: ${unusable[0].problem})`;
  throw new BotError('usage', `there is no case in ${folder}${why}`, {
    hint: 'A case is a .diff that begins with "# clean" or "# bug PATH:LINE what"',
  });
}

const FILE = 'evaluation.json';

/**
 * The results so far of an interrupted evaluation. Another suite, model, number of votes or version
 * starts over.
 */
export async function openEvalMemory(
  cache: UserCache,
  cases: readonly EvalCase[],
  about: readonly unknown[],
) {
  const key = createHash('sha256')
    .update(JSON.stringify([cases, about]))
    .digest('hex');
  const held = await cache.read(FILE);
  const results = field(held, 'key') === key ? field(held, 'results') : undefined;
  const known = Array.isArray(results) ? results.filter(isResult) : [];
  return {
    done: new Map(known.map(result => [result.name, result])),
    keep: async (all: readonly CaseResult[]): Promise<void> =>
      void (await cache.write(FILE, { version: 1, key, results: all })),
    /** The next run starts over. */
    forget: async (): Promise<void> => void (await cache.write(FILE, { version: 1 })),
  };
}

const isResult = (value: unknown): value is CaseResult =>
  typeof field(value, 'name') === 'string' &&
  COUNTS.every(name => Number.isFinite(field(value, name)));
