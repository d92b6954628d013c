import { formatDuration } from '../core/deadline.js';
import { type HunkState, isComplete, type Ledger, LedgerBuilder } from '../core/ledger.js';
import type { ChangeSummary, DescriptionOutcome } from '../core/outcome.js';
import type { ModelFacts, ModelTotals } from '../model/model.js';
import type { Clock } from '../platform/clock.js';
import { count } from '../report/style.js';
import type { PartResult } from '../review/chunk.js';

/** What the stages before have left, as far as the report needs it. */
export interface DescriptionParts {
  readonly run: string;
  readonly startedAt: number;
  readonly deadlineMs: number;
  readonly change: ChangeSummary;
  readonly hunks: ReadonlyArray<{
    readonly path: string;
    readonly number: number;
    readonly skip: string | undefined;
    readonly broken: string | undefined;
  }>;
  readonly files: ReadonlyArray<{
    readonly path: string;
    readonly added: number;
    readonly removed: number;
  }>;
  readonly isCut: boolean;
  readonly notices: readonly string[];
  readonly draft: {
    readonly title: string;
    readonly text: readonly string[];
    readonly parts: readonly PartResult[];
    readonly notices: readonly string[];
    readonly repairs: number;
    readonly refusals: number;
    readonly protocol: string;
  };
  readonly model: { readonly facts: ModelFacts; usage(): ModelTotals };
}

export function concludeDescription(parts: DescriptionParts, clock: Clock): DescriptionOutcome {
  const { draft, model } = parts;
  const { facts } = model;
  const ledger = account(parts);
  return {
    version: 1,
    run: parts.run,
    task: 'describe',
    startedAt: clock.stamp(parts.startedAt),
    durationMs: clock.now() - parts.startedAt,
    change: parts.change,
    description: { title: draft.title, body: bodyOf(parts) },
    ledger,
    model: {
      available: true,
      name: facts.name,
      baseUrl: facts.baseUrl,
      contextWindow: facts.contextWindow,
      ...(draft.protocol === '' ? {} : { protocol: draft.protocol }),
      ...model.usage(),
      repairs: draft.repairs,
      refusals: draft.refusals,
    },
    limits: [
      {
        limit: 'deadline',
        value: formatDuration(parts.deadlineMs),
        hit: parts.isCut || ledger.outOfTime > 0,
      },
    ],
    notices: [
      ...parts.notices,
      ...(parts.isCut ? ['the change was not read to its end'] : []),
      ...draft.notices,
    ],
    complete: !parts.isCut && isComplete(ledger, false),
  };
}

/** More files than this are counted, not listed. */
const MOST_LISTED = 30;

/** What the model said, then what code knows: the files with their counts. */
function bodyOf({ draft, files, change }: DescriptionParts): string {
  const rows = files
    .slice(0, MOST_LISTED)
    .map(file => `- ${file.path} (+${file.added} -${file.removed})`);
  const rest = files.length - rows.length;
  const head = `${count(change.files, 'file')} changed, +${change.added} -${change.removed}:`;
  const list =
    rows.length === 0 ? [] : [[head, ...rows, ...(rest > 0 ? [`- and ${rest} more`] : [])]];
  return [...draft.text, ...list.map(lines => lines.join('\n'))].join('\n\n');
}

/** The worst thing that happened to any part of a hunk is what happened to the hunk. */
const WORST_FIRST: readonly HunkState[] = ['failed', 'refused', 'outOfTime', 'reviewed'];

function account({ hunks, draft }: DescriptionParts): Ledger {
  const byHunk = new Map<string, PartResult>();
  for (const result of draft.parts) {
    const key = `${result.part.path}\0${result.part.hunk}`;
    const known = byHunk.get(key);
    if (known === undefined || rank(result) < rank(known)) byHunk.set(key, result);
  }
  const book = new LedgerBuilder();
  for (const { path, number: hunk, skip, broken } of hunks) {
    const result = byHunk.get(`${path}\0${hunk}`);
    if (broken !== undefined) book.add({ path, hunk, state: 'failed', reason: broken });
    else if (skip !== undefined) book.add({ path, hunk, state: 'skipped', reason: skip });
    else if (result === undefined) book.add({ path, hunk, state: 'skipped', reason: 'no text' });
    else book.add({ path, hunk, state: result.state, reason: result.reason });
  }
  return book.close();
}

const rank = ({ state }: PartResult): number => WORST_FIRST.indexOf(state);
