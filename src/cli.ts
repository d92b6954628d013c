#!/usr/bin/env node
import { openGit } from './adapters/git.js';
import { nodeClock } from './adapters/node-clock.js';
import { nodeFiles, removeUnfinished } from './adapters/node-files.js';
import { packageVersion } from './adapters/package-version.js';
import { picomatchGlobs } from './adapters/picomatch-globs.js';
import { openProgress } from './adapters/progress.js';
import { syntaxParsers } from './adapters/syntax.js';
import { plainColumns, wantsColor } from './adapters/terminal.js';
import { knownRules } from './checks/rules.js';
import type { Config } from './config.js';
import { EXIT, isBotError } from './core/failure.js';
import { forTerminalLines } from './core/neutralise.js';
import type { Task } from './core/task.js';
import { DONE, INTERRUPTED, TIME_UP } from './core/time-up.js';
import { planJson, planText } from './publish/plan-text.js';
import { publish } from './publish/publish.js';
import { preview, run } from './run.js';
import { findConfig } from './trigger/find-config.js';
import { fromArgv, type WorkOptions } from './trigger/from-argv.js';
import { toTask } from './trigger/to-task.js';
import type { Git, World } from './world.js';

const abort = new AbortController();

/** Argv and environment in, exit code out. The only place that reads `process`. */
async function main(): Promise<number> {
  const asked = fromArgv(process.argv.slice(2));
  if (asked.kind === 'print') return print(asked.text);
  if (asked.kind === 'version') return print(`${packageVersion()}\n`);
  const git = await openRepository(asked);
  const task = await toTask(asked, { git, env: process.env, files: nodeFiles });
  const config = await findConfig({
    file: asked.config,
    base: task.configBase,
    git,
    files: nodeFiles,
    knownRules: knownRules(),
  });
  return work(asked, task, config, git);
}

async function work(
  asked: WorkOptions,
  given: Task,
  config: Config,
  git: Git | undefined,
): Promise<number> {
  const task = { ...given, deadlineMs: deadlineOf(asked, config) };
  const timer = setTimeout(() => abort.abort(TIME_UP), task.deadlineMs);
  const world = openWorld(asked, git);
  try {
    if (asked.command === 'plan') {
      const planned = await preview(task, world, config);
      return print(asked.format === 'json' ? planJson(planned) : planText(planned));
    }
    const outcome = await run(task, world, config);
    const wish = {
      ...asked,
      failOn: asked.failOn ?? (isInHook() ? config.hooks.failOn : config.review.failOn),
      color: !asked.withoutColor && wantsColor(process.env, process.stdout),
      columns: plainColumns(process.stdout),
      version: packageVersion(),
    };
    const report = await publish(outcome, wish, nodeFiles);
    print(report.text);
    return EXIT[report.ending];
  } finally {
    clearTimeout(timer);
  }
}

/** A diff on standard input needs no repository, and must not fail for want of one. */
const openRepository = (asked: WorkOptions): Promise<Git> | undefined =>
  asked.selector?.kind === 'stdin'
    ? undefined
    : openGit({
        cwd: process.cwd(),
        env: process.env,
        signal: abort.signal,
        expectsStaged: asked.selector?.kind === 'staged' && asked.paths.length === 0,
      });

const openWorld = (asked: WorkOptions, git: Git | undefined): World => ({
  git,
  files: nodeFiles,
  clock: nodeClock,
  syntax: syntaxParsers,
  globs: picomatchGlobs,
  progress: openProgress({
    isTerminal: process.stderr.isTTY,
    isQuiet: asked.isQuiet,
    write: text => void process.stderr.write(text),
  }),
  stdin: process.stdin,
  signal: abort.signal,
});

/** Contract: 8 s in a hook, 10 min elsewhere. */
const DEADLINE_MS = 600_000;

function deadlineOf(asked: WorkOptions, config: Config): number {
  const configured = isInHook() ? config.hooks.deadlineMs : config.limits.deadlineMs;
  return asked.deadlineMs ?? configured ?? DEADLINE_MS;
}

/** Git sets this for the hooks that see the index. */
const isInHook = (): boolean => process.env['GIT_INDEX_FILE'] !== undefined;

function print(text: string): number {
  process.stdout.write(text);
  return EXIT.done;
}

function explain(thrown: unknown): number {
  if (!isBotError(thrown)) {
    const details = thrown instanceof Error ? (thrown.stack ?? thrown.message) : String(thrown);
    say(`apfel-bot: a bug in apfel-bot, please report it with these lines:\n${details}`);
    return EXIT.bug;
  }
  say(`apfel-bot: ${thrown.message}`);
  if (thrown.hint !== undefined) say(`  ${thrown.hint}`);
  return EXIT[thrown.code];
}

const say = (text: string): void => void process.stderr.write(`${forTerminalLines(text)}\n`);

/** Nothing of the user's is ever half-done, so leaving at once is safe. */
function leaveOn(signal: 'SIGINT' | 'SIGTERM', code: number): void {
  process.on(signal, () => {
    abort.abort(INTERRUPTED);
    process.exit(code);
  });
}

leaveOn('SIGINT', EXIT.interrupted);
leaveOn('SIGTERM', EXIT.terminated);
process.on('exit', removeUnfinished);
// `apfel-bot … | head` closes our output early; that is the reader's right.
process.stdout.on('error', error => {
  if (!('code' in error) || error.code !== 'EPIPE') throw error;
});
main()
  .catch(explain)
  .then(code => {
    process.exitCode = code;
    // Ends whatever still waits for a question.
    abort.abort(DONE);
  });
