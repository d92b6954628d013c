import { nodeClock } from '../adapters/node-clock.js';
import { EXIT, isBotError } from '../core/failure.js';
import { type Parsed, usage } from '../trigger/parse-argv.js';
import type { CommandEnd, Desk } from './desk.js';
import { type HookCall, NOTHING, reasonOf } from './hook-call.js';

interface Hook {
  /** Each by itself: git waits for every millisecond of them. */
  readonly load: () => Promise<(call: HookCall) => Promise<CommandEnd>>;
  readonly without: string;
}

const HOOKS: Readonly<Record<string, Hook>> = {
  'pre-commit': {
    load: async () => (await import('./hook-pre-commit.js')).preCommit,
    without: 'the commit goes on without a review',
  },
  'post-commit': {
    load: async () => (await import('./hook-post-commit.js')).postCommit,
    without: 'the commit stands',
  },
  'post-rewrite': {
    load: async () => (await import('./hook-post-rewrite.js')).postRewrite,
    without: 'the new commits stand',
  },
  'pre-push': {
    load: async () => (await import('./hook-pre-push.js')).prePush,
    without: 'the push goes on',
  },
  background: {
    load: async () => (await import('./hook-background.js')).runBackground,
    without: 'it is tried again after the next commit',
  },
};

/** What the installed shims call. Only findings stop git; any failure of ours is one line. */
export async function hook(parsed: Parsed, desk: Desk): Promise<CommandEnd> {
  const [name = ''] = parsed.words;
  const known = HOOKS[name];
  if (known === undefined) {
    const names = Object.keys(HOOKS).filter(each => each !== 'background');
    throw usage(`hook needs the name of one: ${names.join(', ')}; found ${JSON.stringify(name)}`);
  }
  if (desk.env['APFEL_BOT'] === '0') return NOTHING;
  const call: HookCall = { parsed, desk, startedAt: nodeClock.now(), failsClosed: false };
  try {
    return await (await known.load())(call);
  } catch (thrown) {
    const code = isBotError(thrown) ? thrown.code : 'bug';
    // Git is stopped by these anyway, and nothing is to be explained.
    if (EXIT[code] >= EXIT.interrupted) throw thrown;
    const reason = reasonOf(thrown, desk.signal);
    if (!call.failsClosed) {
      desk.say(`apfel-bot: ${reason}; ${known.without}`);
      return NOTHING;
    }
    desk.say(`apfel-bot: ${reason}; stopped, because hooks.failClosed is set`);
    return { text: '', ending: code };
  }
}
