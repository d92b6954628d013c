import { rejectPositionals, type WorkOptions, workOptions } from '../config/options.js';
import { count } from '../core/count.js';
import type { Outcome } from '../core/outcome.js';
import type { ParsedArguments, Task } from '../core/task.js';
import { changeName } from '../diff/selector.js';
import { userGitContext } from '../git/git.js';
import { unstagedFiles } from '../git/work-tree.js';
import { nodeClock } from '../platform/clock.js';
import { forTerminal, guardLineStart } from '../platform/safe-text.js';
import { joinPieces, jsonTextPieces } from '../report/json.js';
import { writeReport } from '../report/report.js';
import { summaryLine } from '../report/summary-line.js';
import { takeBackgroundFindings } from '../runs/background-state.js';
import { keepRun } from '../runs/save.js';
import { redactValue } from '../secrets/redact.js';
import { type CommandEnd, isInHook, type Session } from '../session.js';
import type { WorkPlan } from './plan.js';
import { preview, reviewChange } from './review.js';
import { parseShardCount, shardMatrix } from './shard.js';
import type { SuggestContext } from './suggest.js';
import { type Opened, openWork } from './work.js';

export async function review(parsed: ParsedArguments, session: Session): Promise<CommandEnd> {
  rejectPositionals(parsed, 'paths');
  const options = workOptions(parsed);
  const opened = await openWork(options, session);
  const { task, config, context } = opened;
  const openSuggestionSandbox: SuggestContext['openSuggestionSandbox'] = async request => {
    const sandbox = await import('./suggestion-sandbox.js');
    return sandbox.openSuggestionSandbox(request, { session, opened });
  };
  const unstaged = unstagedIn(opened, { options, session });
  const news =
    opened.git &&
    !options.isQuiet &&
    (await takeBackgroundFindings(opened.git.repository.commonDir));
  if (news) session.printError(news);
  const outcome = await reviewChange(task, { ...context, openSuggestionSandbox }, config);
  await keepRun(outcome, { opened, command: 'review', parsed });
  if (options.isVerbose) {
    const { base, head } = outcome.change;
    session.printError(`compared ${base ?? 'nothing'} with ${head} in ${outcome.durationMs} ms`);
  }
  // The format has no place for it.
  if (options.format === 'rdjson') session.printError(`apfel-bot: ${summaryLine(outcome)}`);
  const byDefault = isInHook(session) ? config.hooks.failOn : config.review.failOn;
  const { color, columns, version } = session;
  const about = isForPeople(options, session)
    ? await aboutChange(outcome, { task, unstaged: await unstaged, session })
    : [];
  const failOn = options.failOn ?? byDefault;
  const request = { ...options, failOn, color, columns, version, about };
  return writeReport(outcome, request, nodeClock);
}

/** Text is for people: a hook or a program doesn't need it. */
const isForPeople = (options: WorkOptions, session: Session): boolean =>
  options.format === 'text' && !options.isQuiet && !isInHook(session);

/** Counted during the review, so that it takes no extra time. */
async function unstagedIn(
  { git }: Opened,
  { options, session }: { readonly options: WorkOptions; readonly session: Session },
): Promise<number> {
  if (git?.repository.top === undefined || !isForPeople(options, session)) return 0;
  return unstagedFiles(git.context).catch(() => 0);
}

async function aboutChange(
  { change }: Outcome,
  { task, unstaged, session }: { task: Task; unstaged: number; session: Session },
): Promise<string[]> {
  // The time may be up.
  const name = await changeName(task, change, userGitContext(session)).catch(() => undefined);
  return [
    ...(name === undefined ? [] : [`reviewed: ${name}`]),
    ...(unstaged === 0
      ? []
      : [`not reviewed: unstaged changes in ${count(unstaged, 'file')}; git add stages them`]),
  ];
}

export async function plan(parsed: ParsedArguments, session: Session): Promise<CommandEnd> {
  rejectPositionals(parsed, 'paths');
  const shards = parsed.values.get('shards');
  if (shards !== undefined) {
    return { text: `${JSON.stringify(shardMatrix(parseShardCount(shards)))}\n`, ending: 'done' };
  }
  const options = workOptions(parsed);
  const { task, config, context } = await openWork(options, session);
  const path = parsed.values.get('explain');
  if (path !== undefined) {
    const { explainRules } = await import('../config/rules.js');
    return { text: explainRules(await context.rules(), path), ending: 'done' };
  }
  const planned = redactValue(await preview(task, context, config));
  await context.clock.yieldToEventLoop();
  const isJson = options.format === 'json';
  const { change, items } = planned;
  const text = isJson
    ? await joinPieces(jsonTextPieces({ change, items }), context.clock.yieldToEventLoop)
    : planText(planned);
  return { text, ending: 'done' };
}

/** `plan` for people: a line for each hunk, then the sums. */
function planText({ items, notices, change }: WorkPlan): string {
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
