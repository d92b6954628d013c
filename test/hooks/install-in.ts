import { readHookFacts } from '../../src/adapters/hooks/hook-facts.js';
import { applyPlan } from '../../src/adapters/hooks/hook-files.js';
import { rememberFolders, removeMadeFolders } from '../../src/adapters/hooks/hook-folders.js';
import { loadHookFormats } from '../../src/adapters/hooks/hook-formats.js';
import type { HookFacts } from '../../src/hooks/hook-facts.js';
import { DEFAULT_HOOKS, type HookName } from '../../src/hooks/hook-name.js';
import type { InstallPlan } from '../../src/hooks/install-plan.js';
import { planInstall } from '../../src/hooks/plan-install.js';
import { planUninstall } from '../../src/hooks/plan-uninstall.js';
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
  const wish = { hooks, isPrintOnly: false };
  const facts = await factsOf(dir);
  const plan = planInstall(facts, wish, await loadHookFormats());
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
