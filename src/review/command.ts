import { mustHaveNoWords, type WorkOptions, workOptions } from '../config/options.js';
import { count } from '../core/count.js';
import type { Outcome } from '../core/outcome.js';
import type { ParsedArguments, Task } from '../core/task.js';
import { changeName } from '../diff/selector.js';
import { userGitContext } from '../git/git.js';
import { unstagedFiles } from '../git/work-tree.js';
import { nodeClock } from '../platform/clock.js';
import { writeReport } from '../report/report.js';

import { summaryLine } from '../report/summary-line.js';
import { takeNews } from '../runs/background-state.js';
import { keepRun } from '../runs/save.js';
import { type CommandEnd, isInHook, type Session } from '../session.js';
import type { OpenSuggestionSandbox } from './chunk.js';
import { reviewChange } from './review.js';
import { type Opened, openWork } from './work.js';

export async function review(parsed: ParsedArguments, session: Session): Promise<CommandEnd> {
  mustHaveNoWords(parsed);
  const options = workOptions(parsed);
  const opened = await openWork(options, session);
  const { task, config, context } = opened;
  const openSuggestionSandbox: OpenSuggestionSandbox = async request => {
    const sandbox = await import('./suggestion-sandbox.js');
    return sandbox.openSuggestionSandbox(request, { session, opened });
  };
  const unstaged = unstagedIn(opened, { options, session });
  const news = opened.git && !options.isQuiet && (await takeNews(opened.git.repository.commonDir));
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
  const about = await aboutChange(outcome, { task, unstaged: await unstaged, session, options });
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
  about: {
    readonly task: Task;
    readonly unstaged: number;
    readonly session: Session;
    readonly options: WorkOptions;
  },
): Promise<string[]> {
  const { task, unstaged, session, options } = about;
  if (!isForPeople(options, session)) return [];
  // The time may be up.
  const name = await changeName(task, change, userGitContext(session)).catch(() => undefined);
  return [
    ...(name === undefined ? [] : [`reviewed: ${name}`]),
    ...(unstaged === 0
      ? []
      : [`not reviewed: unstaged changes in ${count(unstaged, 'file')}; git add stages them`]),
  ];
}
