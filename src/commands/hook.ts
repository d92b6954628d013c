import { nodeClock } from '../adapters/node-clock.js';
import { EXIT, isBotError } from '../core/failure.js';
import { type Parsed, usage } from '../trigger/parse-argv.js';
import type { CommandEnd, Desk } from './desk.js';
import { runBackground } from './hook-background.js';
import { type HookCall, NOTHING, reasonOf } from './hook-call.js';
import { postCommit } from './hook-post-commit.js';
import { postRewrite } from './hook-post-rewrite.js';
import { preCommit } from './hook-pre-commit.js';
import { prePush } from './hook-pre-push.js';

type Hook = (call: HookCall) => Promise<CommandEnd>;

const HOOKS: Readonly<Record<string, { readonly run: Hook; readonly without: string }>> = {
  'pre-commit': { run: preCommit, without: 'the commit goes on without a review' },
  'post-commit': { run: postCommit, without: 'the commit stands' },
  'post-rewrite': { run: postRewrite, without: 'the new commits stand' },
  'pre-push': { run: prePush, without: 'the push goes on' },
  background: { run: runBackground, without: 'it is tried again after the next commit' },
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
    return await known.run(call);
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
