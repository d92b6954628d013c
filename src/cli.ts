import { writeFileSync, writeSync } from 'node:fs';
import { runCommandLine } from './cli/run-command-line.js';
import { EXIT } from './core/bot-error.js';
import { DONE, INTERRUPTED, TIME_UP } from './core/deadline.js';
import { guardKill } from './platform/processes.js';
import { forTerminalLines } from './platform/safe-text.js';
import {
  eraseRows,
  isScreen,
  packageVersion,
  screenColumns,
  wantsColor,
  wrapLines,
} from './platform/terminal.js';
import type { Session } from './session.js';

guardKill();
const abort = new AbortController();
/** The exit code of the signal received; it overrides what the command returns. */
let interrupted: number | undefined;
const FINISH_MS = 10_000;
const argv = process.argv.slice(2);

/** The only place that reads `process`; what can fail or costs time is read when a command runs. */
const session: Session = {
  get cwd() {
    return process.cwd();
  },
  env: process.env,
  get stdin() {
    return process.stdin;
  },
  version: packageVersion(),
  color: wantsColor(process.env, process.stdout),
  columns: screenColumns(process.stdout),
  isWatched: isScreen(process.stderr),
  signal: abort.signal,
  endAfter: milliseconds => {
    const left = Math.max(1, milliseconds - untimedMs());
    // A finished run must not wait for the timer.
    setTimeout(() => abort.abort(TIME_UP), left).unref();
  },
  printError: text => {
    process.stderr.write(`${wrapped(forTerminalLines(text), process.stderr)}\n`);
  },
};

/** A terminal would break long lines inside words. */
const wrapped = (text: string, stream: NodeJS.WriteStream): string =>
  isScreen(stream) ? wrapLines(text, screenColumns(stream)) : text;

let isTimed = false;

/** Users and git wait from the start of the process, so its first deadline counts from there. */
function untimedMs(): number {
  if (isTimed) return 0;
  isTimed = true;
  return process.uptime() * 1000;
}

/** What became of the work that was interrupted, by command or hook. */
const LEFT: Readonly<Record<string, string>> = {
  'pre-commit': '; nothing was committed',
  'prepare-commit-msg': '; nothing was committed',
  'pre-push': '; nothing was pushed',
  'post-commit': '; the commit was made',
  'post-rewrite': '; the new commits were made',
  review: '; the review was not finished',
};

/** One line in place of the progress. */
function sayGoodbye(signal: NodeJS.Signals): void {
  const isHook = argv[0] === 'hook';
  const isTerminal = process.stderr.isTTY === true;
  // Ctrl-C ends git at once, so there may be a prompt below the rows already: don't erase it.
  const isPrompt = isHook && signal === 'SIGINT';
  if (!isPrompt) eraseRows();
  const before = isPrompt && isTerminal ? '\x1b[?25h\n' : '';
  const line = `${before}apfel-bot: interrupted${LEFT[argv[isHook ? 1 : 0] ?? ''] ?? ''}\n`;
  try {
    // The pre-commit framework gave us a terminal of its own, which dies with it.
    if (isTerminal && !isScreen(process.stderr)) writeFileSync('/dev/tty', line);
    else writeSync(2, line);
  } catch {
    // The terminal is gone.
  }
}

/** Nothing of the user's is ever half-written, so it is safe to exit at once. */
function exitOn(signal: NodeJS.Signals, code: number): void {
  process.on(signal, () => {
    const isFirst = interrupted === undefined;
    interrupted = code;
    abort.abort(INTERRUPTED);
    // fix-lint first saves the fixes that are verified; a second signal exits at once.
    if (isFirst && argv[0] === 'fix-lint') setTimeout(() => process.exit(code), FINISH_MS).unref();
    else {
      if (isFirst) sayGoodbye(signal);
      process.exit(code);
    }
  });
}

exitOn('SIGINT', EXIT.interrupted);
exitOn('SIGTERM', EXIT.terminated);
// The terminal was closed, or lefthook killed the shell that started us.
exitOn('SIGHUP', EXIT.terminated);
/** `apfel-bot … | head` closes our output early, which is fine; a full disk isn't. */
function onLostOutput(error: Error): void {
  if ('code' in error && error.code === 'EPIPE') return;
  process.exitCode = EXIT['publish-failed'];
  process.stderr.write(`apfel-bot: the output could not be written: ${error.message}\n`, () =>
    process.exit(),
  );
}

process.stdout.on('error', onLostOutput);
process.stderr.on('error', () => undefined);
const print = (text: string, isToRead: boolean): void =>
  void process.stdout.write(isToRead ? wrapped(text, process.stdout) : text);
void runCommandLine(argv, session, print).then(code => {
  process.exitCode = interrupted ?? code;
  // Stops everything that still waits for the model.
  abort.abort(DONE);
  // A git process on a dead remote can hold our pipes open for minutes; don't wait for it.
  process.stdout.write('', error => {
    if (error) onLostOutput(error);
    else process.stderr.write('', () => process.exit());
  });
});
