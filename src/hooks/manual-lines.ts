import { callLine } from './call-line.js';
import type { HookFolder, ManagerFacts } from './hook-facts.js';
import type { HookName } from './hook-name.js';
import { lefthookCommand, lefthookToml, lefthookYaml } from './lefthook.js';
import { huskyLine } from './plan-husky.js';
import { preCommitEntry } from './pre-commit-framework.js';
import { isShim, shim } from './shim.js';
import { shownPath } from './shown-path.js';

/** What a user would add to a manager's files, in the form that those files have. */
export function manualLines(
  manager: ManagerFacts,
  hooks: readonly HookName[],
  top: string | undefined,
): string[] {
  const title = `# ${shownPath(manager.path, top)}`;
  if (manager.manager === 'husky') {
    return hooks.flatMap(hook => [`${title}/${hook}`, huskyLine(hook)]);
  }
  if (manager.manager === 'pre-commit') {
    return [`${title}, at the end of repos`, ...preCommitEntry().map(line => `  ${line}`)];
  }
  if (manager.format === 'yaml') return [title, ...hooks.flatMap(lefthookYaml)];
  if (manager.format === 'toml') return [title, ...hooks.flatMap(lefthookToml)];
  const data = hooks.map(hook => [hook, { commands: { 'apfel-bot': lefthookCommand(hook) } }]);
  return [title, ...JSON.stringify(Object.fromEntries(data), undefined, 2).split('\n')];
}

/** The shims themselves, each below the name of its file; for a hook that is there, one line. */
export const manualShims = (
  folder: HookFolder,
  hooks: readonly HookName[],
  top: string | undefined,
): string[] =>
  hooks.flatMap(hook => {
    const { now } = folder.files[hook];
    const title = `# ${shownPath(`${folder.path}/${hook}`, top)}`;
    return now.kind === 'absent' || isShim(now, hook)
      ? [`${title} (chmod +x)`, ...shim(hook).split('\n')]
      : [`${title}, at its end`, callLine(hook, '"$@"')];
  });
