import { readHookFacts } from '../adapters/hooks/hook-facts.js';
import { applyPlan } from '../adapters/hooks/hook-files.js';
import { rememberFolders, removeMadeFolders } from '../adapters/hooks/hook-folders.js';
import { loadHookFormats } from '../adapters/hooks/hook-formats.js';
import type { HookFacts } from '../hooks/hook-facts.js';
import { DEFAULT_HOOKS, hookNames } from '../hooks/hook-name.js';
import type { InstallPlan } from '../hooks/install-plan.js';
import { planInstall } from '../hooks/plan-install.js';
import { planUninstall } from '../hooks/plan-uninstall.js';
import { shownPath } from '../hooks/shown-path.js';
import type { Parsed } from '../trigger/parse-argv.js';
import { mustHaveNoWords } from '../trigger/work-options.js';
import type { CommandEnd, Desk } from './desk.js';

/** `install [--hooks LIST] [--print]`: writes the shims where git looks, or prints what to add. */
export async function install(parsed: Parsed, desk: Desk): Promise<CommandEnd> {
  mustHaveNoWords(parsed);
  const list = parsed.values.get('hooks');
  const hooks = list === undefined ? DEFAULT_HOOKS : hookNames(list);
  const facts = await readHookFacts(desk);
  const wish = { hooks, isPrintOnly: parsed.switches.has('print') };
  return carryOut(planInstall(facts, wish, await loadHookFormats()), {
    desk,
    tidy: made => {
      rememberFolders(facts, made);
      return [];
    },
  });
}

/** Removes exactly what `install` wrote. */
export async function uninstall(parsed: Parsed, desk: Desk): Promise<CommandEnd> {
  mustHaveNoWords(parsed);
  const facts = await readHookFacts(desk);
  return carryOut(planUninstall(facts, await loadHookFormats()), {
    desk,
    tidy: () => removeMadeFolders(facts).map(path => removedFolder(path, facts)),
  });
}

const removedFolder = (path: string, { top }: HookFacts): string =>
  `removed ${shownPath(path, top)}, which install had made`;

interface Hand {
  readonly desk: Desk;
  /** What is to be done about folders once all is done; gives what to say of it. */
  tidy(made: readonly string[]): readonly string[];
}

function carryOut(plan: InstallPlan, { desk, tidy }: Hand): CommandEnd {
  for (const notice of plan.notices) desk.say(notice);
  const more = tidy(applyPlan(plan));
  for (const message of [...plan.messages, ...more]) desk.say(message);
  return { text: plan.printed.map(line => `${line}\n`).join(''), ending: 'done' };
}
