import { readHookFacts } from '../adapters/hooks/hook-facts.js';
import { applyPlan } from '../adapters/hooks/hook-files.js';
import { loadHookFormats } from '../adapters/hooks/hook-formats.js';
import { DEFAULT_HOOKS, hookNames } from '../hooks/hook-name.js';
import type { InstallPlan } from '../hooks/install-plan.js';
import { planInstall } from '../hooks/plan-install.js';
import { planUninstall } from '../hooks/plan-uninstall.js';
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
  return carryOut(planInstall(facts, wish, await loadHookFormats()), desk);
}

/** Removes exactly what `install` wrote. */
export async function uninstall(parsed: Parsed, desk: Desk): Promise<CommandEnd> {
  mustHaveNoWords(parsed);
  const facts = await readHookFacts(desk);
  return carryOut(planUninstall(facts, await loadHookFormats()), desk);
}

function carryOut(plan: InstallPlan, desk: Desk): CommandEnd {
  for (const notice of plan.notices) desk.say(notice);
  applyPlan(plan);
  for (const message of plan.messages) desk.say(message);
  return { text: plan.printed.map(line => `${line}\n`).join(''), ending: 'done' };
}
