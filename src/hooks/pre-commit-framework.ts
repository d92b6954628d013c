import type { CommitStage } from './facts.js';
import { isMapping, valueAt } from './formats.js';
import { addBlock, positionAtEnd, removeBlock, textLines, yamlValue } from './marked-block.js';
import { callLine } from './shim.js';

const ID = 'apfel-bot';

/**
 * The one hook that goes into the framework's configuration. The framework keeps standard input to
 * itself and installs other hook types only on request, so git calls those directly. Without
 * `stages` it would run again after the commit and overwrite what it found before. Without `verbose`
 * nobody would see findings that don't block.
 */
export const preCommitEntry = (stage: CommitStage): string[] => [
  '- repo: local',
  '  hooks:',
  `    - id: ${ID}`,
  `      name: ${ID}`,
  `      entry: sh -c '${callLine('pre-commit', '')}'`,
  '      language: system',
  `      stages: [${stage}]`,
  '      always_run: true',
  '      pass_filenames: false',
  '      verbose: true',
];

/** Undefined where the list of repositories isn't in block style. */
export function addToPreCommitConfig(text: string, stage: CommitStage): string | undefined {
  const repos = yamlValue(textLines(text), 'repos');
  if (repos === 'absent' || repos === 'inline') return undefined;
  return addBlock(text, positionAtEnd(repos), { hook: 'pre-commit', lines: preCommitEntry(stage) });
}

export const removeFromPreCommitConfig = (text: string): string => removeBlock(text, 'pre-commit');

/** Our entry, or one that the user wrote for this repository. */
export const hasPreCommitEntry = (data: unknown): boolean => {
  const repos = valueAt(data, 'repos');
  return Array.isArray(repos) && repos.some(repo => idsOf(repo).includes(ID));
};

export function withoutPreCommitEntry(data: unknown): unknown {
  const repos = valueAt(data, 'repos');
  if (!isMapping(data) || !Array.isArray(repos)) return data;
  const isOurs = (repo: unknown): boolean =>
    valueAt(repo, 'repo') === 'local' && idsOf(repo).join() === ID;
  return { ...data, repos: repos.filter(repo => !isOurs(repo)) };
}

function idsOf(repo: unknown): unknown[] {
  const hooks = valueAt(repo, 'hooks');
  return Array.isArray(hooks) ? hooks.map(hook => valueAt(hook, 'id')) : [];
}
