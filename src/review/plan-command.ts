import { mustHaveNoWords, workOptions } from '../config/options.js';
import { explainRules } from '../config/rules.js';
import { count } from '../core/count.js';
import type { ChangeSummary } from '../core/outcome.js';
import type { ParsedArguments } from '../core/task.js';
import type { Clock } from '../platform/clock.js';
import { forTerminal, guardLineStart } from '../platform/safe-text.js';
import { joinPieces, jsonTextPieces } from '../report/json.js';

import { redactValue } from '../secrets/redact.js';
import type { CommandEnd, Session } from '../session.js';
import { preview } from './review.js';
import { parseShardCount, shardMatrix } from './shard.js';
import { openWork } from './work.js';

export async function plan(parsed: ParsedArguments, session: Session): Promise<CommandEnd> {
  mustHaveNoWords(parsed);
  const shards = parsed.values.get('shards');
  if (shards !== undefined) {
    return { text: `${JSON.stringify(shardMatrix(parseShardCount(shards)))}\n`, ending: 'done' };
  }
  const options = workOptions(parsed);
  const { task, config, context } = await openWork(options, session);
  const path = parsed.values.get('explain');
  if (path !== undefined) {
    return { text: explainRules(await context.rules(), path), ending: 'done' };
  }
  const planned = redactValue(await preview(task, context, config));
  await context.clock.yieldToEventLoop();
  const isJson = options.format === 'json';
  const text = isJson ? await planJson(planned, context.clock) : planText(planned);
  return { text, ending: 'done' };
}

interface PrintedPlan {
  readonly change: ChangeSummary;
  readonly items: ReadonlyArray<{
    readonly path: string;
    readonly hunk: number;
    readonly state: string;
    readonly reason: string;
    readonly chunk: number | null;
    readonly tokens: number;
  }>;
  readonly notices: readonly string[];
}

/** `plan` for people: a line for each hunk, then the sums. */
function planText({ items, notices, change }: PrintedPlan): string {
  const rows = items.map(item => {
    const where = item.chunk === null ? `${item.state}: ${item.reason}` : `question ${item.chunk}`;
    return `${forTerminal(item.path)} hunk ${item.hunk}: ${forTerminal(where)}, about ${item.tokens} tokens`;
  });
  const questions = new Set(items.map(item => item.chunk).filter(chunk => chunk !== null)).size;
  const skipped = items.filter(item => item.chunk === null).length;
  const last = `${count(change.hunks, 'hunk')} in ${count(change.files, 'file')}: ${count(questions, 'question')} for the model, ${count(skipped, 'hunk')} left out`;
  return guardLineStart(
    [...rows, ...notices.map(notice => forTerminal(notice)), last, ''].join('\n'),
  );
}

/** `plan --format json`. */
const planJson = (
  { change, items }: PrintedPlan,
  { yieldToEventLoop }: Pick<Clock, 'yieldToEventLoop'>,
): Promise<string> => joinPieces(jsonTextPieces({ change, items }), yieldToEventLoop);
