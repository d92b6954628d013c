import { EXIT, isBotError } from '../core/bot-error.js';
import { suggestion } from '../core/nearest.js';
import { type ParsedArguments, usage } from '../core/task.js';
import { nodeClock } from '../platform/clock.js';
import { redact } from '../secrets/redact.js';
import type { CommandEnd, Session } from '../session.js';
import { type HookCall, NOTHING, reasonOf } from './call.js';

interface Hook {
  /** Loaded only when its hook runs: git waits for every millisecond. */
  readonly load: () => Promise<(call: HookCall) => Promise<CommandEnd>>;
  /** What happens after this hook has failed. */
  readonly consequence: string;
  /** Git stops when this hook fails. */
  readonly canStop?: true;
}

const HOOKS: Readonly<Record<string, Hook>> = {
  'pre-commit': {
    load: async () => (await import('./pre-commit.js')).preCommit,
    consequence: 'the commit continues without a review',
    canStop: true,
  },
  'post-commit': {
    load: async () => (await import('./post-commit.js')).postCommit,
    consequence: 'the commit was made',
  },
  'post-rewrite': {
    load: async () => (await import('./post-rewrite.js')).postRewrite,
    consequence: 'the new commits were made',
  },
  'pre-push': {
    load: async () => (await import('./pre-push.js')).prePush,
    consequence: 'the push continues',
    canStop: true,
  },
  'prepare-commit-msg': {
    load: async () => (await import('./prepare-commit-msg.js')).prepareCommitMsg,
    consequence: 'there is no draft of the message',
  },
  background: {
    load: async () => (await import('./background.js')).runBackground,
    consequence: 'the next commit tries it again',
  },
};

/**
 * What the installed hooks call. Only findings stop git; any failure of the bot prints one line.
 */
export async function hook(parsed: ParsedArguments, session: Session): Promise<CommandEnd> {
  const [name = ''] = parsed.positionals;
  const known = HOOKS[name];
  if (known === undefined) {
    if (parsed.problem !== undefined) throw parsed.problem;
    const names = Object.keys(HOOKS).filter(each => each !== 'background');
    const found = `found ${JSON.stringify(name)}${suggestion(name, names)}`;
    throw usage(`hook needs a name, one of ${names.join(', ')}; ${found}`);
  }
  if (session.env['APFEL_BOT'] === '0') return NOTHING;
  const call: HookCall = { parsed, session, startedAt: nodeClock.now(), failsClosed: false };
  try {
    if (parsed.problem !== undefined) throw parsed.problem;
    return await (await known.load())(call);
  } catch (thrown) {
    const code = isBotError(thrown) ? thrown.code : 'bug';
    // These stop git anyway, and need no explanation.
    if (EXIT[code] >= EXIT.interrupted) throw thrown;
    const reason = redact(reasonOf(thrown, session.signal));
    if (!(await mustStop(known, call))) {
      // Only the first hook of a commit prints it.
      const isPrinted = await askSettings(({ wasPrinted }) => wasPrinted(call, reason));
      if (known.canStop || !isPrinted)
        session.printError(`apfel-bot: ${reason}; ${known.consequence}`);
      return NOTHING;
    }
    session.printError(`apfel-bot: ${reason}; stopped, because hooks.failClosed is set`);
    return { text: '', ending: code };
  }
}

/** Reads the setting only after a failure: the configuration itself may be what is invalid. */
async function mustStop(known: Hook, call: HookCall): Promise<boolean> {
  if (call.failsClosed || !known.canStop) return call.failsClosed;
  return askSettings(({ failsClosed }) => failsClosed(call));
}

/** Loaded only after a failure. */
async function askSettings(
  ask: (settings: typeof import('./settings.js')) => Promise<boolean>,
): Promise<boolean> {
  try {
    return await ask(await import('./settings.js'));
  } catch {
    // Part of the program is missing, for example because npm was interrupted.
    return false;
  }
}
