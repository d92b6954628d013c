import { workOptions } from '../../../src/config/options.js';
import type { Outcome } from '../../../src/core/outcome.js';
import type { ModelReply, ModelRequest } from '../../../src/model/model.js';
import { reviewChange } from '../../../src/review/review.js';
import { openWork } from '../../../src/review/work.js';
import { corpus, readJsonLines } from '../../support/corpus.js';
import { fakeModel } from '../../support/fake-model.js';
import { testSession } from '../../support/session.js';
import { isSecondLook, knows, type Script, scripted } from './scripted-model.js';

export interface KnownBug {
  readonly id: string;
  readonly diff: string;
  /** The first line with text that the bug's diff adds; undefined where it only removes. */
  readonly place: { readonly path: string; readonly line: number } | undefined;
}

interface Row {
  readonly id: string;
  readonly repo: string;
  readonly introducing: string;
  readonly files: ReadonlyArray<{ readonly path: string; readonly added: readonly number[] }>;
}

/** Real bugs as the diffs that bring them in. What may not be used everywhere is left out. */
export function knownBugs(): KnownBug[] {
  return readJsonLines<Row>(corpus('bugsjs').path('bugs.jsonl'))
    .filter(({ repo }) => !repo.endsWith('/pencilblue'))
    .map(({ id, introducing, files }) => ({
      id,
      diff: introducing,
      place: placeIn(introducing, files),
    }));
}

function placeIn(diff: string, files: Row['files']): KnownBug['place'] {
  const lines = new Set(addedWithText(diff));
  const places = files.flatMap(({ path, added }) => added.map(line => ({ path, line })));
  return places.find(({ path, line }) => lines.has(`${path}:${line}`));
}

/** Read by hand, so that our own parser is not its own witness. */
function addedWithText(diff: string): string[] {
  const found: string[] = [];
  let [path, line] = ['', 0];
  for (const row of diff.split('\n')) {
    const [, start] = /^@@ -\d+(?:,\d+)? \+(\d+)/.exec(row) ?? [];
    if (start !== undefined) line = Number(start) - 1;
    else if (row.startsWith('+++ ')) path = row.slice('+++ b/'.length).replace(/\t$/, '');
    else if (row.startsWith('+') || row.startsWith(' ')) line += 1;
    if (row.startsWith('+') && !row.startsWith('+++ ') && row.slice(1).trim() !== '') {
      found.push(`${path}:${line}`);
    }
  }
  return found;
}

export interface Reviewed {
  readonly outcome: Outcome;
  readonly requests: number;
  /** Of these, second looks. */
  readonly secondLooks: number;
  /** Each request with its reply. */
  readonly exchanges: ReadonlyArray<readonly [ModelRequest, ModelReply]>;
}

/** `review --stdin` in this process, with a scripted model. */
export async function reviewDiff(diff: string, script: Script, shard?: string): Promise<Reviewed> {
  const exchanges: Array<[ModelRequest, ModelReply]> = [];
  const answer = scripted(script);
  const model = fakeModel(request => {
    const reply = answer(request);
    exchanges.push([request, reply]);
    return reply;
  });
  const session = testSession('/', {
    env: { HOME: '/nowhere' },
    stdin: once(new TextEncoder().encode(diff)),
  });
  const options = workOptions({
    values: new Map([
      ['protocol', 'guided'],
      ...(shard === undefined ? [] : [['shard', shard] as const]),
    ]),
    switches: new Set(['stdin', 'quiet']),
    positionals: [],
    paths: [],
  });
  const { task, context, config } = await openWork(options, session, () => ({
    available: true,
    model,
  }));
  const outcome = await reviewChange(task, context, config);
  const secondLooks = model.requests.filter(isSecondLook).length;
  return { outcome, requests: model.requests.length, secondLooks, exchanges };
}

async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}

/** One that knows the bug and is not talked out of it. */
export const reviewKnown = ({ diff, place }: KnownBug): Promise<Reviewed> =>
  reviewDiff(diff, {
    reports: place === undefined ? () => [] : knows(place.path, place.line),
    refutes: () => false,
  });

/** Where the model's findings are, and those that a check had said already. */
export function placesIn({ findings, rejected }: Outcome): string[] {
  const doubled = rejected.filter(({ reason }) => reason === 'duplicate');
  return [...findings, ...doubled.map(({ finding }) => finding)]
    .filter(({ source }) => source === 'model')
    .map(({ path, line }) => `${path}:${line}`);
}
