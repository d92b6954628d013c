import { symlink } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { Policy } from '../../fixtures/apfel/stand-in.js';
import type { FixOutcome } from '../../src/core/outcome.js';

import { apfelBot, type CliOptions, type CliRun } from '../support/cli.js';
import { fixReply, questionIn } from '../support/closed-questions.js';
import { type Repo, withRepo } from '../support/with-repo.js';

export const ESLINT_CONFIG = `module.exports = [{
  files: ['**/*.js'],
  languageOptions: { ecmaVersion: 2022, sourceType: 'commonjs' },
  rules: {
    semi: 'error', 'no-var': 'error', eqeqeq: 'error',
    'no-unused-vars': 'error', 'no-useless-escape': 'error', 'no-dupe-keys': 'error',
  },
}];
`;

/** A repository with the real linters of this project linked into it. */
export async function withProject(
  files: Readonly<Record<string, string | Uint8Array>>,
  body: (repo: Repo) => Promise<void>,
): Promise<void> {
  await withRepo(async repo => {
    await symlink(resolve('node_modules'), join(repo.dir, 'node_modules'));
    await repo.commit({ '.gitignore': 'node_modules\n', ...files }, 'files');
    await body(repo);
  });
}

export interface FixRun extends CliRun {
  readonly outcome: FixOutcome;
}

/** `fix-lint --format json`, parsed; fails with what was said when there is no outcome. */
export async function fixJson(
  repo: Repo,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
  more: Pick<CliOptions, 'isTimeUp'> = {},
): Promise<FixRun> {
  const options = { cwd: repo.dir, env, ...more };
  const run = await apfelBot(['fix-lint', '--format', 'json', ...args], options);
  if (run.stdout === '') throw new Error(`exit ${run.code} without an outcome: ${run.stderr}`);
  return { ...run, outcome: JSON.parse(run.stdout) };
}

/** An edit that a scripted model makes for the diagnostic it is shown. */
export interface ScriptedFix {
  /** A word of the diagnostic that it answers to. */
  readonly to: string;
  /** Another that has to be there as well. */
  readonly and?: string;
  readonly path: string;
  readonly oldText: string;
  readonly newText: string;
}

/** A scripted model: proposes the edits it knows for a diagnostic one after the other, then gives up. */
export const scriptedFixer = (fixes: readonly ScriptedFix[]): Policy => {
  const asked = new Map<string, number>();
  return conversation => {
    const whole = questionIn(conversation);
    const question = whole.replace(/\nYour last edit was rejected: [\s\S]*$/, '');
    // A question without a rejection is the first of its kind.
    const times = whole === question ? 0 : (asked.get(question) ?? 0);
    asked.set(question, times + 1);
    const known = fixes.filter(
      ({ to, and = '', path }) =>
        question.includes(to) && question.includes(and) && question.includes(path),
    );
    return fixReply(conversation, known[Math.min(times, known.length - 1)]);
  };
};
