import { nodeFiles } from '../adapters/node-files.js';
import { NOTES_REF } from '../adapters/notes/git-notes-room.js';
import { OFF_BY_ONE } from '../demo/planted.js';
import { afterFix, afterStop, linterName } from '../demo/story.js';
import type { FixOutcome } from '../publish/to-fix-outcome.js';
import { type DemoStage, mustHold } from './demo-stage.js';

/** The branch that becomes the pull request. */
export const BRANCH = 'cart';

/** What is committed before the story begins. No global configuration lends a name. */
export async function prepareProject(
  { git, folder, cast }: DemoStage,
  protocol: string | undefined,
): Promise<void> {
  await folder.write('.apfel-bot.json', `${JSON.stringify(configFor(cast.eslint, protocol))}\n`);
  await git('init', '--quiet', '--initial-branch', 'main');
  await git('config', 'user.name', 'Ada');
  await git('config', 'user.email', 'ada@example.invalid');
  await git('add', '--all');
  await git('commit', '--quiet', '--message', 'Open a shop');
  await git('checkout', '--quiet', '-b', BRANCH);
}

const configFor = (eslint: string | undefined, protocol: string | undefined) => ({
  ...(protocol !== undefined && { model: { protocol } }),
  // Nothing goes on behind the story's back; a slow machine is no part of it.
  hooks: { background: false, deadline: '30s' },
  ...(eslint === undefined && { lint: [TOY_LINT] }),
});

const TOY_LINT = {
  name: 'toy-lint',
  command: ['node', 'tools/toy-lint.mjs', '--json', '{files}'],
  fix: ['node', 'tools/toy-lint.mjs', '--fix', '{files}'],
  stdin: ['node', 'tools/toy-lint.mjs', '--json', '--stdin', '{path}'],
  format: 'eslint-json',
  files: ['src/**'],
};

export async function installHooks({ type, tell, folder }: DemoStage): Promise<void> {
  tell(['A repository with one old file in it, and apfel-bot installed:', `  ${folder.project}`]);
  const { code } = await type('npx apfel-bot install');
  mustHold(code === 0, 'hooks can be installed');
}

export async function stoppedCommit(stage: DemoStage): Promise<void> {
  const { type, tell, git, folder, cast } = stage;
  await folder.lay('change');
  await git('add', '--all');
  tell(['Somebody adds src/cart.js and a test for it, with a mistake in each.']);
  const before = await git('rev-parse', 'HEAD');
  const { code, shown } = await type('git commit -m "Add up the cart"', [
    ...['git', 'commit', '-m', 'Add up the cart'],
  ]);
  const hasFoundBug = shown.includes(`${OFF_BY_ONE.path}:4`);
  mustHold(code !== 0 && (await git('rev-parse', 'HEAD')) === before, 'the commit is stopped');
  mustHold(shown.includes('focused-test'), 'the focused test is found');
  mustHold(cast.isLive || hasFoundBug, 'the scripted model finds the mistake in the loop');
  tell(['', ...afterStop(cast, hasFoundBug)]);
}

export async function passingCommit(stage: DemoStage): Promise<void> {
  const { type, tell, git, folder, cast } = stage;
  await folder.lay('fix');
  tell(['Both are mended, and the same commit goes through.']);
  await type('git diff -U0');
  const before = await git('rev-parse', 'HEAD');
  const { code } = await type('git commit -a -m "Add up the cart"', [
    ...['git', 'commit', '-a', '-m', 'Add up the cart'],
  ]);
  if (code !== 0 && cast.isLive) await insist(stage);
  mustHold((await git('rev-parse', 'HEAD')) !== before, 'the commit goes through');
  const show = await type('npx apfel-bot show');
  mustHold(show.code === 0, 'what is noted can be shown');
  const noted = await git('notes', '--ref', NOTES_REF, 'list');
  mustHold(cast.isLive || noted !== '', 'the review is noted on the commit');
  tell(['', `The note is git's own (${NOTES_REF}): it can be pushed and fetched.`]);
}

/** A live model may be wrong, and then a person decides. */
async function insist({ type, tell }: DemoStage): Promise<void> {
  tell(['', 'The model finds fault with mended code. It may be wrong; you have the last word:']);
  await type('git commit -a --no-verify -m "Add up the cart"', [
    ...['git', 'commit', '-a', '--no-verify', '-m', 'Add up the cart'],
  ]);
}

export async function fixedLint(stage: DemoStage): Promise<void> {
  const { type, tell, git, folder, cast } = stage;
  const isToy = cast.eslint === undefined;
  tell([`The linter is ${linterName(cast)}.`]);
  if (isToy) await type('node tools/toy-lint.mjs src/receipt.js');
  else await type('npx eslint src', ['node', 'node_modules/eslint/bin/eslint.js', 'src']);
  const before = await checkedOut(git);
  await type('npx apfel-bot fix-lint --out ../fix-lint.json');
  const text = await nodeFiles.read(`${folder.path}/fix-lint.json`);
  mustHold(text !== undefined, 'fix-lint writes its outcome');
  const outcome: FixOutcome = JSON.parse(text ?? '');
  const name = outcome.branch?.name ?? '';
  mustHold(name !== '' && (await checkedOut(git)) === before, 'the fixes are on a branch alone');
  const hands = new Set(
    outcome.edits.filter(({ status }) => status === 'kept').map(({ by }) => by),
  );
  mustHold(cast.isLive || hands.size === 3, 'linter, suggestion and model mend one each');
  await type(`git log --oneline ${BRANCH}..${name}`);
  await type(`git diff -U0 ${BRANCH} ${name}`);
  const byModel = outcome.edits.filter(({ by, status }) => by === 'model' && status === 'kept');
  tell(['', ...afterFix(cast, { ...outcome.diagnostics, byModel: byModel.length })]);
}

const checkedOut = async (git: DemoStage['git']): Promise<string> =>
  [await git('rev-parse', 'HEAD'), await git('status', '--porcelain')].join('\n');
