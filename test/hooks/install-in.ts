import {
  DEFAULT_HOOKS,
  type HookFacts,
  type HookName,
  readHookFacts,
} from '../../src/hooks/facts.js';
import { applyPlan, rememberFolders, removeMadeFolders } from '../../src/hooks/install-command.js';
import type { InstallPlan } from '../../src/hooks/plan.js';
import { planInstall, planUninstall } from '../../src/hooks/plan-install.js';
import { gitEnv } from '../support/with-repo.js';

export const factsOf = (dir: string, env: Record<string, string> = {}): Promise<HookFacts> =>
  readHookFacts({
    cwd: dir,
    env: { ...gitEnv(dir), ...env },
    signal: new AbortController().signal,
  });

/** `apfel-bot install`, without its command line. */
export async function installIn(
  dir: string,
  hooks: readonly HookName[] = DEFAULT_HOOKS,
): Promise<InstallPlan> {
  const options = { hooks, isPrintOnly: false };
  const facts = await factsOf(dir);
  const plan = planInstall(facts, options);
  rememberFolders(facts, applyPlan(plan));
  return plan;
}

export async function uninstallIn(dir: string): Promise<InstallPlan> {
  const facts = await factsOf(dir);
  const plan = planUninstall(facts);
  applyPlan(plan);
  removeMadeFolders(facts);
  return plan;
}
