import { defaultConfig } from '../config/config.js';
import {
  type Format,
  rejectPositionals,
  type WorkOptions,
  workOptions,
} from '../config/options.js';
import type { Ledger } from '../core/ledger.js';
import { NO_MODEL_WANTED } from '../core/outcome.js';
import type { ParsedArguments } from '../core/task.js';
import { DiffParser } from '../diff/parse.js';
import { systemName } from '../model/calibration.js';
import type { FoundModel, Model, ModelTotals } from '../model/model.js';
import { nodeClock } from '../platform/clock.js';
import { openProgress, type Row } from '../platform/progress.js';
import { packageFolder } from '../platform/terminal.js';
import { openUserCache } from '../platform/user-cache.js';
import { openModelFor } from '../review/model.js';
import { reviewChange } from '../review/review.js';
import { openWork } from '../review/work.js';
import type { CommandEnd, Session } from '../session.js';
import {
  addUp,
  type CaseResult,
  type Evaluation,
  evaluationJson,
  evaluationMarkdown,
  evaluationText,
  isComplete,
  judgeCase,
  missedIn,
} from './score.js';
import { type EvalCase, type EvalSuite, openEvalMemory, readSuite } from './suite.js';

/** A few dozen cases at a few seconds each. */
const DEADLINE_MS = 600_000;

/** `eval`: runs the real review on changes with known answers. */
export async function evaluate(parsed: ParsedArguments, session: Session): Promise<CommandEnd> {
  rejectPositionals(parsed);
  const options = workOptions(parsed);
  const deadlineMs = options.deadlineMs ?? DEADLINE_MS;
  session.endAfter(deadlineMs);
  const deadlineAt = nodeClock.now() + deadlineMs;
  const given = parsed.values.get('suite');
  const suite = await readSuite(given ?? packageFolder('eval'));
  const found = await findModel(options, { session, deadlineAt });
  const { isQuiet } = options;
  const progress = openProgress({
    isTerminal: session.isWatched,
    isQuiet,
    say: session.printError,
  });
  try {
    const work = { suite, found, options, session, deadlineAt };
    const evaluation = await progress.stage('Reviewing changes with known answers', row =>
      evaluateSuite({ ...work, given }, row),
    );
    return {
      text: TEXTS[options.format]?.(evaluation) ?? evaluationText(evaluation),
      ending: options.isStrict && !isComplete(evaluation) ? 'incomplete' : 'done',
    };
  } finally {
    if (found.available) await found.model.close();
  }
}

const TEXTS: Partial<Record<Format, (evaluation: Evaluation) => string>> = {
  json: evaluationJson,
  markdown: evaluationMarkdown,
};

const findModel = (
  options: WorkOptions,
  { session, deadlineAt }: { session: Session; deadlineAt: number },
): Promise<FoundModel> | FoundModel =>
  options.withoutModel
    ? { available: false, reason: NO_MODEL_WANTED }
    : openModelFor(options.model, { config: defaultConfig(), session, deadlineAt });

interface EvalWork {
  /** The folder of the suite; undefined for the bundled one. */
  readonly given: string | undefined;
  readonly suite: EvalSuite;
  readonly found: FoundModel;
  readonly options: WorkOptions;
  readonly session: Session;
  readonly deadlineAt: number;
}

async function evaluateSuite(work: EvalWork, row: Row): Promise<Evaluation> {
  const { suite, found, options } = work;
  const checked: CaseResult[] = [];
  for (const each of suite.cases) checked.push(await reviewCase(each, undefined, work));
  const about = {
    suite: work.given ?? 'the suite of apfel-bot',
    isShipped: work.given === undefined,
    unusable: suite.unusable,
    machine: { system: systemName(), version: work.session.version },
  };
  const checks = { with: 'checks', score: addUp(checked) } as const;
  if (!found.available) {
    const { reason } = found;
    return { ...about, model: undefined, reason, rows: [checks], resumed: 0, left: 0 };
  }
  const { results, resumed } = await reviewAll(found.model, work, row);
  const { isApfel, version = 'of unknown version', contextWindow } = found.model.facts;
  const protocols = new Set(results.flatMap(({ protocol }) => protocol ?? []));
  const server = isApfel ? `apfel ${version}` : 'another server';
  return {
    ...about,
    machine: { ...about.machine, server, contextWindow },
    model: {
      name: found.model.facts.name,
      votes: options.votes ?? 1,
      ...(protocols.size > 0 && { protocol: [...protocols].join(', ') }),
    },
    reason: undefined,
    rows: [checks, { with: 'model', score: addUp(results) }],
    resumed,
    left: suite.cases.length - results.length,
  };
}

/**
 * With the model, one case after the other; saves the results in case it is interrupted, except for
 * cases that weren't reviewed, which the next run asks about again.
 */
async function reviewAll(
  model: Model,
  work: EvalWork,
  row: Row,
): Promise<{ results: CaseResult[]; resumed: number }> {
  const { suite, options, session, deadlineAt } = work;
  const { name, version } = model.facts;
  const about = [name, version, options.votes ?? 1, options.model.protocol, session.version];
  const memory = await openEvalMemory(openUserCache(session.env), suite.cases, about);
  const results: CaseResult[] = [];
  for (const each of suite.cases) {
    const left = Math.max(0, Math.round((deadlineAt - nodeClock.now()) / 1000));
    row.update(`${results.length} of ${suite.cases.length} cases, ${left} s left`);
    const known = memory.done.get(each.name);
    if (known === undefined && session.signal.aborted) continue;
    const result = known ?? (await reviewCase(each, model, work));
    // An unfinished review would count against the model.
    if (known === undefined && session.signal.aborted) continue;
    results.push(result);
    row.part(`${each.name}: ${result.found} of ${result.bugs} found`);
    if (known === undefined) await memory.keep(results.filter(each => missedIn(each) === 0));
  }
  if (results.length === suite.cases.length) await memory.forget();
  return { results, resumed: memory.done.size };
}

async function reviewCase(
  each: EvalCase,
  model: Model | undefined,
  { options, session }: EvalWork,
): Promise<CaseResult> {
  const before = model?.usage();
  const startedAt = nodeClock.now();
  const opened = await openWork(
    {
      ...options,
      selector: { kind: 'stdin' },
      paths: [],
      isQuiet: true,
      withoutModel: model === undefined,
    },
    {
      ...session,
      stdin: asStream(each.diff),
      // The deadline is for the suite, not for each case.
      endAfter: () => undefined,
    },
    () => (model === undefined ? NONE : { available: true, model: keptOpen(model) }),
  );
  let chunks = 0;
  const findAgent: typeof opened.context.findAgent = async isAnswered => {
    const found = await opened.context.findAgent(isAnswered);
    if (!found.available) return found;
    const { agent } = found;
    const review: typeof agent.review = (planned, ...rest) => {
      chunks += planned.length;
      return agent.review(planned, ...rest);
    };
    return { available: true, agent: { ...agent, review } };
  };
  const context = { ...opened.context, findAgent };
  const { findings, ledger, model: use } = await reviewChange(opened.task, context, opened.config);
  const after = model?.usage();
  const used = (name: keyof ModelTotals): number => (after?.[name] ?? 0) - (before?.[name] ?? 0);
  return judgeCase(each, {
    findings,
    hunks: ledger.total,
    reviewed: ledger.reviewed + ledger.cached + ledger.checked,
    refused: ledger.refused,
    failed: ledger.failed,
    outOfTime: ledger.outOfTime,
    skipped: ledger.skipped,
    isReviewed: outsideOf(ledger.items, each.diff),
    ...(use?.protocol && { protocol: use.protocol }),
    chunks,
    requests: used('requests'),
    refusals: use?.refusals ?? 0,
    promptTokens: used('promptTokens'),
    completionTokens: used('completionTokens'),
    milliseconds: nodeClock.now() - startedAt,
  });
}

/** Whether a line is outside of the hunks that a ledger lists as not reviewed. */
function outsideOf(items: Ledger['items'], diff: string) {
  const parser = new DiffParser();
  const events = [...parser.push(new TextEncoder().encode(diff)), ...parser.end()];
  const unread: Array<{ path: string; from: number; to: number }> = [];
  let path = '';
  for (const event of events) {
    if (event.type === 'file') path = event.file.path;
    if (event.type !== 'hunk') continue;
    const { number, newStart, newLines } = event.hunk;
    if (items.some(item => item.path === path && item.hunk === number)) {
      unread.push({ path, from: newStart, to: newStart + newLines - 1 });
    }
  }
  return (inPath: string, line: number): boolean =>
    !unread.some(({ path: of, from, to }) => of === inPath && from <= line && line <= to);
}

const NONE: FoundModel = { available: false, reason: 'checks alone' };

async function* asStream(text: string): AsyncGenerator<Uint8Array> {
  yield new TextEncoder().encode(text);
}

/** A review closes its model; this one stays open until all are done. */
const keptOpen = (model: Model): Model => ({
  get facts() {
    return model.facts;
  },
  ask: (...args) => model.ask(...args),
  usage: () => model.usage(),
  close: async () => undefined,
});
