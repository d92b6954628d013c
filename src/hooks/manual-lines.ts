import { type HookFolder, type HookName, type ManagerFacts, shownPath } from './facts.js';
import { huskyLine } from './husky.js';
import { lefthookCommand, lefthookToml, lefthookYaml } from './lefthook.js';
import { preCommitEntry } from './pre-commit-framework.js';
import { isShellScript } from './shell.js';
import { callInWords, callLine, isShim, shim } from './shim.js';

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
    return [`${title}, at the end of repos`, ...preCommitEntry(manager.stage).map(indented)];
  }
  if (manager.format === 'yaml') return [title, ...hooks.flatMap(lefthookYaml)];
  if (manager.format === 'toml') return [title, ...hooks.flatMap(lefthookToml)];
  const data = hooks.map(hook => [hook, { commands: { 'apfel-bot': lefthookCommand(hook) } }]);
  return [title, ...JSON.stringify(Object.fromEntries(data), undefined, 2).split('\n')];
}

const indented = (line: string): string => `  ${line}`;

/** The shims themselves, each below the name of its file; for a hook that is there, one line. */
export const manualShims = (
  folder: HookFolder,
  hooks: readonly HookName[],
  top: string | undefined,
): string[] =>
  hooks.flatMap(hook => {
    const { now } = folder.files[hook];
    const title = `# ${shownPath(`${folder.path}/${hook}`, top)}`;
    if (now.kind === 'absent' || isShim(now, hook)) {
      return [`${title} (chmod +x)`, ...shim(hook).split('\n')];
    }
    const text = now.kind === 'file' ? now.text : undefined;
    return text === undefined || isShellScript(text)
      ? [`${title}, at its end`, callLine(hook, '"$@"')]
      : [`${title} is not a shell script: ${callInWords(hook)}`];
  });
