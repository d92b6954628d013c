import { mustHaveNoWords } from '../config/options.js';
import type { Parsed } from '../core/task.js';
import type { CommandEnd, Session } from '../session.js';
import { applyPlan, rememberFolders, removeMadeFolders } from './apply-plan.js';
import { DEFAULT_HOOKS, type HookFacts, hookNames, shownPath } from './facts.js';
import { loadHookFormats } from './formats.js';
import type { InstallPlan } from './install-plan.js';
import { planInstall } from './plan-install.js';
import { planUninstall } from './plan-uninstall.js';
import { readHookFacts } from './read-facts.js';

/** `install [--hooks LIST] [--print]`: writes the shims where git looks, or prints what to add. */
export async function install(parsed: Parsed, session: Session): Promise<CommandEnd> {
  mustHaveNoWords(parsed);
  const list = parsed.values.get('hooks');
  const hooks = list === undefined ? DEFAULT_HOOKS : hookNames(list);
  const facts = await readHookFacts(session);
  const options = { hooks, isPrintOnly: parsed.switches.has('print') };
  return carryOut(planInstall(facts, options, await loadHookFormats()), {
    session,
    tidy: made => {
      rememberFolders(facts, made);
      return [];
    },
  });
}

/** Removes exactly what `install` wrote. */
export async function uninstall(parsed: Parsed, session: Session): Promise<CommandEnd> {
  mustHaveNoWords(parsed);
  const facts = await readHookFacts(session);
  return carryOut(planUninstall(facts, await loadHookFormats()), {
    session,
    tidy: () => removeMadeFolders(facts).map(path => removedFolder(path, facts)),
  });
}

const removedFolder = (path: string, { top }: HookFacts): string =>
  `removed ${shownPath(path, top)}, which install had made`;

interface Hand {
  readonly session: Session;
  /** What is to be done about folders once all is done; gives what to say of it. */
  tidy(made: readonly string[]): readonly string[];
}

function carryOut(plan: InstallPlan, { session, tidy }: Hand): CommandEnd {
  for (const notice of plan.notices) session.say(notice);
  const more = tidy(applyPlan(plan));
  for (const message of [...plan.messages, ...more]) session.say(message);
  return { text: plan.printed.map(line => `${line}\n`).join(''), ending: 'done' };
}
