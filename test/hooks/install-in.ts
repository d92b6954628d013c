import { applyPlan, rememberFolders, removeMadeFolders } from '../../src/hooks/apply-plan.js';
import { DEFAULT_HOOKS, type HookFacts, type HookName } from '../../src/hooks/facts.js';
import { loadHookFormats } from '../../src/hooks/formats.js';
import type { InstallPlan } from '../../src/hooks/install-plan.js';
import { planInstall } from '../../src/hooks/plan-install.js';
import { planUninstall } from '../../src/hooks/plan-uninstall.js';
import { readHookFacts } from '../../src/hooks/read-facts.js';
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
  const plan = planInstall(facts, options, await loadHookFormats());
  rememberFolders(facts, applyPlan(plan));
  return plan;
}

export async function uninstallIn(dir: string): Promise<InstallPlan> {
  const facts = await factsOf(dir);
  const plan = planUninstall(facts, await loadHookFormats());
  applyPlan(plan);
  removeMadeFolders(facts);
  return plan;
}
