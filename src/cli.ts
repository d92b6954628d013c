import { mustBeWritable } from './adapters/out-file.js';
import { packageVersion } from './adapters/package-version.js';
import { screenColumns, wantsColor } from './adapters/terminal.js';
import type { CommandEnd, Desk } from './commands/desk.js';
import { BotError, EXIT, isBotError } from './core/failure.js';
import { forTerminalLines } from './core/neutralise.js';
import { DONE, INTERRUPTED, isTimeUp, TIME_UP } from './core/time-up.js';
import { fromArgv } from './trigger/from-argv.js';
import { type Parsed, usage } from './trigger/parse-argv.js';

type Command = (parsed: Parsed, desk: Desk) => Promise<CommandEnd>;

/** Each is loaded when it is asked for. */
const COMMANDS: Readonly<Record<string, () => Promise<Command>>> = {
  review: async () => (await import('./commands/review.js')).review,
  hook: async () => (await import('./commands/hook.js')).hook,
  show: async () => (await import('./commands/show.js')).show,
  notes: async () => (await import('./commands/notes.js')).notes,
  install: async () => (await import('./commands/install.js')).install,
  uninstall: async () => (await import('./commands/install.js')).uninstall,
  plan: async () => (await import('./commands/plan.js')).plan,
  'fix-lint': async () => (await import('./commands/fix-lint.js')).fixLint,
  ask: async () => (await import('./commands/ask.js')).ask,
  describe: async () => (await import('./commands/describe.js')).describe,
  merge: async () => (await import('./commands/merge.js')).merge,
  post: async () => (await import('./commands/post.js')).post,
  push: async () => (await import('./commands/push.js')).push,
  respond: async () => (await import('./commands/respond.js')).respond,
  run: async () => (await import('./commands/run-request.js')).runRequest,
  doctor: async () => (await import('./commands/doctor.js')).doctor,
  calibrate: async () => (await import('./commands/calibrate.js')).calibrate,
  eval: async () => (await import('./commands/eval.js')).evaluate,
  demo: async () => (await import('./commands/demo.js')).demo,
};

const abort = new AbortController();
/** The command that runs. */
let name = '';
/** The exit code of the signal that came, whatever the command still does. */
let interrupted: number | undefined;
const BRING_HOME_MS = 10_000;

/** Argv and environment in, exit code out. The only place that reads `process`. */
async function main(): Promise<number> {
  const asked = fromArgv(process.argv.slice(2));
  if (asked.kind === 'print') return print(asked.text);
  if (asked.kind === 'version') return print(`${packageVersion()}\n`);
  const load = COMMANDS[asked.command];
  if (load === undefined) throw usage(`there is no command ${asked.command}`);
  name = asked.command;
  mustBeWritable(asked.parsed.values.get('out'));
  const command = await load().catch(notWhole);
  const { text, ending, failure } = await command(asked.parsed, openDesk(asked.parsed));
  print(text);
  return failure === undefined ? EXIT[ending] : explain(failure);
}

/** A part of the program is missing, as when npm was stopped in the middle. */
function notWhole(thrown: unknown): Command {
  const found = thrown instanceof Error && /Cannot find module '(\.[^']+)'/.exec(thrown.message);
  if (!found) throw thrown;
  const failure = new BotError('bug', `the installation is not whole: ${found[1]} is missing`, {
    hint: 'Install it again: npm install',
    cause: thrown,
  });
  // Git is never stopped for that.
  if (name !== 'hook') throw failure;
  say(`apfel-bot: ${failure.message}, so git goes on without it; install it again: npm install`);
  return async () => ({ text: '', ending: 'done' });
}

const openDesk = (parsed: Parsed): Desk => ({
  cwd: process.cwd(),
  env: process.env,
  stdin: process.stdin,
  version: packageVersion(),
  color: !parsed.switches.has('no-color') && wantsColor(process.env, process.stdout),
  columns: screenColumns(process.stdout),
  isWatched: process.stderr.isTTY === true,
  signal: abort.signal,
  // The timer must not keep a finished run alive.
  endAfter: milliseconds => void setTimeout(() => abort.abort(TIME_UP), milliseconds).unref(),
  say,
  loadModelFinder: async () => (await import('./commands/open-model.js')).openModelFor,
  loadReviewAgent: async () => (await import('./commands/review-agent.js')).openReviewAgent,
  loadProofRoom: async () => (await import('./commands/open-proof-room.js')).openProofRoom,
  loadPull: async () => (await import('./commands/open-pull.js')).openPull,
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
      'apfel-bot: the time was up before it was done\n  Give it more with --deadline, as in --deadline 2m',
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

/** Nothing of the user's is ever half-done, so leaving at once is safe. */
function leaveOn(signal: 'SIGINT' | 'SIGTERM', code: number): void {
  process.on(signal, () => {
    const isFirst = interrupted === undefined;
    interrupted = code;
    abort.abort(INTERRUPTED);
    // fix-lint brings home what it has verified; whoever asks twice gets out at once.
    if (isFirst && name === 'fix-lint') setTimeout(() => process.exit(code), BRING_HOME_MS).unref();
    else process.exit(code);
  });
}

leaveOn('SIGINT', EXIT.interrupted);
leaveOn('SIGTERM', EXIT.terminated);
// `apfel-bot … | head` closes our output early; that is the reader's right.
process.stdout.on('error', error => {
  if (!('code' in error) || error.code !== 'EPIPE') throw error;
});
main()
  .catch(thrown => interrupted ?? explain(thrown))
  .then(code => {
    process.exitCode = interrupted ?? code;
    // Ends whatever still waits for a question.
    abort.abort(DONE);
    // What git has started on a dead remote may hold our pipes for minutes; nobody waits for it.
    process.stdout.write('', () => process.stderr.write('', () => process.exit()));
  });
