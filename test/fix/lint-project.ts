import { symlink } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { Conversation, Policy, PolicyReply } from '../../fixtures/apfel/stand-in.js';
import type { FixOutcome } from '../../src/report/fix-outcome.js';
import { apfelBot, type CliRun } from '../support/cli.js';
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
): Promise<FixRun> {
  const run = await apfelBot(['fix-lint', '--format', 'json', ...args], { cwd: repo.dir, env });
  if (run.stdout === '') throw new Error(`exit ${run.code} without an outcome: ${run.stderr}`);
  return { ...run, outcome: JSON.parse(run.stdout) };
}

/** What a model that always proposes the same edits does for the complaint it is shown. */
export interface Mending {
  /** A word of the complaint that it answers to. */
  readonly to: string;
  /** Another that has to be there as well. */
  readonly and?: string;
  readonly path: string;
  readonly oldText: string;
  readonly newText: string;
}

/** A scripted model: proposes the edits it knows for a complaint one after the other, then is done. */
export const mender =
  (mendings: readonly Mending[]): Policy =>
  conversation => {
    const opening = conversation.messages.find(({ role }) => role === 'user')?.text ?? '';
    const known = mendings.filter(
      ({ to, and = '' }) => opening.includes(to) && opening.includes(and),
    );
    const tried = conversation.messages.filter(({ text }) => /not kept|occurs|^edited/.test(text));
    const next = known[Math.min(tried.length, known.length - 1)];
    if (next === undefined) return act(conversation, 'finish', { answer: 'I cannot' });
    const { path, oldText, newText } = next;
    return act(conversation, 'edit_file', { path, oldText, newText });
  };

/** The action in whatever protocol was asked for. */
export function act(
  { schema, tools }: Conversation,
  name: string,
  values: Readonly<Record<string, unknown>>,
): PolicyReply {
  if (schema === undefined) {
    return tools.length > 0
      ? { kind: 'call', name, arguments: { ...values } }
      : { kind: 'text', text: JSON.stringify({ action: name, ...values }) };
  }
  const properties = schema['properties'] as Record<string, { enum?: string[]; type?: string }>;
  const value = Object.entries(properties).map(([key, { enum: choices, type }]) => {
    const bare = key.replace(/^[a-z]_/, '');
    if (bare === 'action') return [key, name];
    return [key, values[bare] ?? choices?.[0] ?? (type === 'integer' ? 1 : '')];
  });
  return { kind: 'object', value: Object.fromEntries(value) };
}
