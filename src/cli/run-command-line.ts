import { BotError, EXIT, isBotError } from '../core/bot-error.js';
import { INTERRUPTED, isTimeUp } from '../core/deadline.js';
import { type ParsedArguments, usage } from '../core/task.js';
import { mustBeWritable } from '../platform/files.js';
import { asRun } from '../platform/own-command.js';
import { tokenNames } from '../platform/processes.js';
import { redact } from '../secrets/redact.js';
import type { CommandEnd, Session } from '../session.js';
import { parseHookArgv } from './argv.js';
import type { Invocation } from './help.js';
import { HOOK_OPTIONS } from './options.js';

type Command = (parsed: ParsedArguments, session: Session) => Promise<CommandEnd>;

/** Each command is loaded only when it runs. */
const COMMANDS: Readonly<Record<string, () => Promise<Command>>> = {
  review: async () => (await import('../review/command.js')).review,
  hook: async () => (await import('../hooks/command.js')).hook,
  show: async () => (await import('../runs/show.js')).show,
  notes: async () => (await import('../notes/command.js')).notes,
  init: async () => (await import('../init/command.js')).init,
  install: async () => (await import('../hooks/install-command.js')).install,
  uninstall: async () => (await import('../hooks/install-command.js')).uninstall,
  completion: async () => (await import('./completion.js')).completion,
  plan: async () => (await import('../review/command.js')).plan,
  'fix-lint': async () => (await import('../fix/command.js')).fixLint,
  ask: async () => (await import('../ask/command.js')).ask,
  describe: async () => (await import('../describe/command.js')).describe,
  merge: async () => (await import('../review/merge.js')).merge,
  post: async () => (await import('../publish/post-command.js')).post,
  push: async () => (await import('../publish/push-command.js')).push,
  respond: async () => (await import('../respond/command.js')).respond,
  run: async () => (await import('../respond/run-command.js')).runRequest,
  explain: async () => (await import('../explain/command.js')).explain,
  doctor: async () => (await import('../doctor/command.js')).doctor,
  calibrate: async () => (await import('../calibrate/command.js')).calibrate,
  eval: async () => (await import('../eval/command.js')).evaluate,
  demo: async () => (await import('../demo/command.js')).demo,
};

/** Text to read is wrapped to the width of a terminal; text to copy or to parse isn't. */
type Print = (text: string, isToRead: boolean) => void;

/** Prints what the command line asks for, explains what failed, and returns the exit code. */
export async function runCommandLine(
  argv: readonly string[],
  session: Session,
  print: Print,
): Promise<number> {
  try {
    const asked = await invocation(argv, session.columns);
    if (asked.kind === 'work') return await runCommand(asked.command, asked.parsed, session, print);
    print(asked.kind === 'version' ? `${session.version}\n` : asked.text, true);
    return EXIT.done;
  } catch (thrown) {
    // Nothing failed; the signal decides the exit code.
    if (session.signal.reason === INTERRUPTED) return EXIT.interrupted;
    return explain(thrown, argv[0], session);
  }
}

/** Git waits for a hook, which needs neither the table of commands nor their help. */
async function invocation(argv: readonly string[], screen: number): Promise<Invocation> {
  const [command = '', ...rest] = argv;
  const parsed = command === 'hook' ? parseHookArgv(rest, HOOK_OPTIONS) : undefined;
  if (parsed !== undefined && !parsed.switches.has('help'))
    return { kind: 'work', command, parsed };
  return (await import('./help.js')).fromArgv(argv, screen);
}

async function runCommand(
  name: string,
  parsed: ParsedArguments,
  session: Session,
  print: Print,
): Promise<number> {
  const load = COMMANDS[name];
  if (load === undefined) throw usage(`unknown command ${JSON.stringify(name)}`);
  mustBeWritable(parsed.values.get('out'));
  mustBeWritable(parsed.values.get('html') || undefined);
  if (session.env['CI'] && TOKENLESS.has(name)) warnOfTokens(name, parsed, session);
  for (const option of ['votes', 'shard']) {
    if (!['fix-lint', 'ask', 'describe'].includes(name) || !parsed.values.has(option)) continue;
    session.printError(`apfel-bot: --${option} has no effect on ${name}`);
  }
  const command = await load().catch(thrown => incompleteInstall(thrown, name, session));
  const color = session.color && !parsed.switches.has('no-color');
  const mask = maskSentKeys(session.env);
  const printError = (text: string): void => session.printError(mask(text));
  const { text, ending, failure } = await command(parsed, { ...session, color, printError });
  print(mask(text), isToRead(name, parsed));
  // `post`, `push` and `respond` say what they would have written.
  if (parsed.switches.has('dry-run') && TOKENLESS.has(name) && !parsed.switches.has('quiet')) {
    const out = name === 'fix-lint' ? parsed.values.get('out') : undefined;
    session.printError(`dry run: nothing was written${out === undefined ? '' : ` but ${out}`}`);
  }
  return failure === undefined ? EXIT[ending] : explain(failure, name, session);
}

/** Not a script, JSON or a diff. */
const isToRead = (name: string, { values, switches }: ParsedArguments): boolean =>
  name !== 'completion' &&
  (values.get('format') ?? 'text') === 'text' &&
  !['print', 'dry-run'].some(each => switches.has(each)) &&
  !values.has('shards');

const SENT_KEYS = ['GITHUB_TOKEN', 'APFEL_BOT_API_KEY', 'APFEL_TOKEN'];
/** A shorter value is a word that stands in for a key. */
const MIN_KEY = 8;

/** A server may quote the key that it was sent, which needn't have a known format. */
function maskSentKeys(env: Session['env']): (text: string) => string {
  const keys = SENT_KEYS.map(name => env[name]?.trim() ?? '').filter(key => key.length >= MIN_KEY);
  return text => keys.reduce((masked, key) => masked.replaceAll(key, '*'.repeat(key.length)), text);
}

/** These start programs of the project or talk to the model, and need no token. */
const TOKENLESS = new Set(['review', 'fix-lint', 'ask', 'describe']);

/** A program can read its parent's environment in /proc/PID/environ, even if its own is clean. */
function warnOfTokens(
  name: string,
  { switches }: ParsedArguments,
  { env, printError: say }: Session,
): void {
  const names = tokenNames(env);
  if (names.length === 0 || switches.has('quiet')) return;
  say(
    `apfel-bot: ${name} needs no token, and a program it starts could read ${names.join(', ')}; set it only in the step that runs post, push or respond`,
  );
}

/** A file of the program is missing, for example because npm was interrupted. */
function incompleteInstall(thrown: unknown, name: string, { printError: say }: Session): Command {
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

/** The command's own help is more useful than the list of commands. */
const ownHelp = (hint: string, name = ''): string =>
  Object.hasOwn(COMMANDS, name)
    ? hint.replace('apfel-bot --help', `apfel-bot ${name} --help`)
    : hint;

function explain(
  thrown: unknown,
  name: string | undefined,
  { signal, printError, env }: Session,
): number {
  // The message may quote a file, a URL or an answer.
  const mask = maskSentKeys(env);
  const say = (text: string): void => printError(redact(mask(text)));
  if (isBotError(thrown)) {
    say(`apfel-bot: ${asRun(thrown.message)}`);
    if (thrown.hint !== undefined) say(asRun(`  ${ownHelp(thrown.hint, name)}`));
    return EXIT[thrown.code];
  }
  if (isTimeUp(signal)) {
    say(
      'apfel-bot: the deadline passed before it was done\n  Allow more time with --deadline, as in --deadline 2m',
    );
    return name === 'post' || name === 'push' ? EXIT['publish-failed'] : EXIT.git;
  }
  const details = thrown instanceof Error ? (thrown.stack ?? thrown.message) : String(thrown);
  say(`apfel-bot: a bug in apfel-bot, please report it with these lines:\n${details}`);
  return EXIT.bug;
}
