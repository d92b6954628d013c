import { nodeFiles } from '../adapters/node-files.js';
import { knownRules } from '../checks/rules.js';
import type { Config } from '../config.js';
import { findConfig } from '../trigger/find-config.js';
import type { Parsed } from '../trigger/parse-argv.js';
import type { Git } from '../world.js';

export interface HookSettings {
  /** Whether a failure of ours stops git too. */
  readonly failClosed: boolean;
  /** Whether what is not done in time is done later. */
  readonly background: boolean;
}

export function hookSettings({ hooks }: Config): HookSettings {
  const given: { readonly failClosed?: boolean; readonly background?: boolean } = hooks;
  return { failClosed: given.failClosed ?? false, background: given.background ?? true };
}

/** The configuration for a hook that reviews nothing. */
export async function readHookConfig(
  parsed: Parsed,
  git: Git,
): Promise<{ readonly config: Config; readonly settings: HookSettings }> {
  const config = await findConfig({
    file: parsed.values.get('config'),
    base: undefined,
    git,
    files: nodeFiles,
    knownRules: knownRules(),
  });
  return { config, settings: hookSettings(config) };
}
