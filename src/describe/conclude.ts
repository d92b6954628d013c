import { isComplete, type LedgerItem } from '../core/ledger.js';
import type { ChangeSummary, DescriptionOutcome } from '../core/outcome.js';
import type { Task } from '../core/task.js';
import type { Model } from '../model/model.js';
import type { Clock } from '../platform/clock.js';
import { concludeRun } from '../report/conclude.js';
import { count } from '../report/style.js';
import { ledgerOf } from '../review/conclude.js';
import type { WorkPlan } from '../review/plan.js';
import type { DescribeDraft } from './summarise.js';
import type { ChangedFile } from './words.js';

export function concludeDescription(
  parts: {
    readonly task: Task;
    readonly run: string;
    readonly startedAt: number;
    readonly work: WorkPlan;
    readonly states: readonly LedgerItem[];
    readonly files: readonly ChangedFile[];
    readonly draft: DescribeDraft;
    readonly model: Model;
  },
  clock: Clock,
): DescriptionOutcome {
  const { task, run, startedAt, work, draft, model } = parts;
  const ledger = ledgerOf(parts.states);
  const change = { ...work.change, repository: task.repository, pull: task.pull };
  return concludeRun(
    {
      task: 'describe',
      run,
      startedAt,
      model,
      conversations: draft,
      deadline: { ms: task.deadlineMs, isHit: work.isCut || ledger.outOfTime > 0 },
      notices: [
        ...work.notices,
        ...(work.isCut ? ['the change was not read to its end'] : []),
        ...draft.notices,
      ],
      complete: isComplete(ledger, false),
    },
    {
      change,
      description: { title: draft.title, body: bodyOf(draft, parts.files, change) },
      ledger,
    },
    clock,
  );
}

/** More files than this are counted, not listed. */
const MOST_LISTED = 30;

/** What the model wrote, then what code knows: the files with their counts. */
function bodyOf(
  { text }: DescribeDraft,
  files: readonly ChangedFile[],
  change: ChangeSummary,
): string {
  const rows = files
    .slice(0, MOST_LISTED)
    .map(file => `- ${file.path} (+${file.added} -${file.removed})`);
  const rest = files.length - rows.length;
  const head = `${count(change.files, 'file')} changed, +${change.added} -${change.removed}:`;
  const list =
    rows.length === 0 ? [] : [[head, ...rows, ...(rest > 0 ? [`- and ${rest} more`] : [])]];
  return [...text, ...list.map(lines => lines.join('\n'))].join('\n\n');
}
