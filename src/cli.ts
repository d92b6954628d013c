import { fromArgv } from './cli/help.js';
import { BotError, EXIT, isBotError } from './core/bot-error.js';
import { DONE, INTERRUPTED, isTimeUp, TIME_UP } from './core/deadline.js';
import { type Parsed, usage } from './core/task.js';
import { mustBeWritable } from './platform/out-file.js';
import { forTerminalLines } from './platform/safe-text.js';
import { packageVersion, screenColumns, wantsColor } from './platform/terminal.js';
import type { CommandEnd, Session } from './session.js';

type Command = (parsed: Parsed, session: Session) => Promise<CommandEnd>;

/** Each command is loaded only when it runs. */
const COMMANDS: Readonly<Record<string, () => Promise<Command>>> = {
  review: async () => (await import('./review/command.js')).review,
  hook: async () => (await import('./hooks/command.js')).hook,
  show: async () => (await import('./runs/show.js')).show,
  notes: async () => (await import('./notes/command.js')).notes,
  install: async () => (await import('./hooks/install-command.js')).install,
  uninstall: async () => (await import('./hooks/install-command.js')).uninstall,
  plan: async () => (await import('./review/plan-command.js')).plan,
  'fix-lint': async () => (await import('./fix/command.js')).fixLint,
  ask: async () => (await import('./ask/command.js')).ask,
  describe: async () => (await import('./describe/command.js')).describe,
  merge: async () => (await import('./review/merge.js')).merge,
  post: async () => (await import('./publish/post-command.js')).post,
  push: async () => (await import('./publish/push-command.js')).push,
  respond: async () => (await import('./respond/command.js')).respond,
  run: async () => (await import('./respond/run-command.js')).runRequest,
  doctor: async () => (await import('./doctor/command.js')).doctor,
  calibrate: async () => (await import('./calibrate/command.js')).calibrate,
  eval: async () => (await import('./eval/command.js')).evaluate,
  demo: async () => (await import('./demo/command.js')).demo,
};

const abort = new AbortController();
/** The running command. */
let name = '';
/** The exit code of the signal received; it overrides what the command returns. */
let interrupted: number | undefined;
const FINISH_MS = 10_000;

/** Argv and environment in, exit code out. The only place that reads `process`. */
async function main(): Promise<number> {
  const asked = fromArgv(process.argv.slice(2));
  if (asked.kind === 'print') return print(asked.text);
  if (asked.kind === 'version') return print(`${packageVersion()}\n`);
  const load = COMMANDS[asked.command];
  if (load === undefined) throw usage(`unknown command ${JSON.stringify(asked.command)}`);
  name = asked.command;
  mustBeWritable(asked.parsed.values.get('out'));
  const command = await load().catch(incompleteInstall);
  const { text, ending, failure } = await command(asked.parsed, openSession(asked.parsed));
  print(text);
  return failure === undefined ? EXIT[ending] : explain(failure);
}

/** A file of the program is missing, for example because npm was interrupted. */
function incompleteInstall(thrown: unknown): Command {
  const found = thrown instanceof Error && /Cannot find module '(\.[^']+)'/.exec(thrown.message);
  if (!found) throw thrown;
  const failure = new BotError('bug', `the installation is incomplete: ${found[1]} is missing`, {
    hint: 'Install it again: npm install',
    cause: thrown,
  });
  // This must not stop git.
  if (name !== 'hook') throw failure;
  say(`apfel-bot: ${failure.message}, so git continues without it; install it again: npm install`);
  return async () => ({ text: '', ending: 'done' });
}

const openSession = (parsed: Parsed): Session => ({
  cwd: process.cwd(),
  env: process.env,
  stdin: process.stdin,
  version: packageVersion(),
  color: !parsed.switches.has('no-color') && wantsColor(process.env, process.stdout),
  columns: screenColumns(process.stdout),
  isWatched: process.stderr.isTTY === true,
  signal: abort.signal,
  // A finished run must not wait for the timer.
  endAfter: milliseconds => void setTimeout(() => abort.abort(TIME_UP), milliseconds).unref(),
  say,
});

function print(text: string): number {
  process.stdout.write(text);
  return EXIT.done;
}

function explain(thrown: unknown): number {
  if (isBotError(thrown)) {
    say(`apfel-bot: ${thrown.message}`);
    if (thrown.hint !== undefined) say(`  ${thrown.hint}`);
    return EXIT[thrown.code];
  }
  if (isTimeUp(abort.signal)) {
    say(
      'apfel-bot: the deadline passed before it was done\n  Allow more time with --deadline, as in --deadline 2m',
    );
    return name === 'post' || name === 'push' ? EXIT['publish-failed'] : EXIT.git;
  }
  const details = thrown instanceof Error ? (thrown.stack ?? thrown.message) : String(thrown);
  say(`apfel-bot: a bug in apfel-bot, please report it with these lines:\n${details}`);
  return EXIT.bug;
}

function say(text: string): void {
  process.stderr.write(`${forTerminalLines(text)}\n`);
}

/** Nothing of the user's is ever half-written, so it is safe to exit at once. */
function exitOn(signal: 'SIGINT' | 'SIGTERM', code: number): void {
  process.on(signal, () => {
    const isFirst = interrupted === undefined;
    interrupted = code;
    abort.abort(INTERRUPTED);
    // fix-lint first saves the fixes that are verified; a second signal exits at once.
    if (isFirst && name === 'fix-lint') setTimeout(() => process.exit(code), FINISH_MS).unref();
    else process.exit(code);
  });
}

exitOn('SIGINT', EXIT.interrupted);
exitOn('SIGTERM', EXIT.terminated);
// `apfel-bot … | head` closes our output early, which is fine.
process.stdout.on('error', error => {
  if (!('code' in error) || error.code !== 'EPIPE') throw error;
});
main()
  .catch(thrown => interrupted ?? explain(thrown))
  .then(code => {
    process.exitCode = interrupted ?? code;
    // Stops everything that still waits for the model.
    abort.abort(DONE);
    // A git process on a dead remote can hold our pipes open for minutes; don't wait for it.
    process.stdout.write('', () => process.stderr.write('', () => process.exit()));
  });
