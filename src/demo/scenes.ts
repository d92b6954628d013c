import { defaultConfig } from '../config/config.js';
import type { GithubFile } from '../github/types.js';
import { NOTES_REF } from '../notes/transaction.js';
import { nodeFiles } from '../platform/files.js';
import { isReview, readOutcomeFile } from '../publish/outcome-file.js';
import { post } from '../publish/post.js';
import type { FixOutcome } from '../report/fix-outcome.js';
import { commentText } from './comment-text.js';
import { type DemoComment, openDemoGithub } from './github.js';
import { type DemoStage, mustHold } from './stage.js';
import { afterFix, afterPost, afterStop, INVERTED, linterName, OFF_BY_ONE } from './story.js';

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

/** What CI does with the branch, up to the point where GitHub would be told. */
export async function reviewedPull(stage: DemoStage): Promise<void> {
  const { type, tell, folder, cast } = stage;
  await folder.lay('colleague');
  await stage.git('add', '--all');
  await stage.git('commit', '--quiet', '--no-verify', '--message', 'Discounts for members');
  tell(['A colleague without hooks adds src/discount.js. CI looks at the whole branch:']);
  await type(`npx apfel-bot review --range main...${BRANCH} --quiet --out ../review.json`);
  const outcome = await readOutcomeFile(`${folder.path}/review.json`);
  if (!isReview(outcome)) return mustHold(false, 'a review writes the outcome of a review');
  await showComments(stage, outcome);
  const found = outcome.findings.find(
    ({ path, source }) => path === INVERTED.path && source === 'model',
  );
  const facts = {
    rejected: outcome.rejected.length,
    hasFoundBug: found !== undefined,
    hasSuggestion: found?.suggestion !== undefined,
  };
  const isAsScripted = facts.hasFoundBug && facts.hasSuggestion && facts.rejected === 1;
  mustHold(cast.isLive || isAsScripted, 'the scripted model finds, mends and invents one thing');
  tell(['', ...afterPost(cast, facts)]);
}

async function showComments(
  stage: DemoStage,
  outcome: Parameters<typeof post>[0]['outcome'],
): Promise<void> {
  const { git, tell, print, folder, columns, colors } = stage;
  const base = await git('rev-parse', 'main');
  const head = await git('rev-parse', BRANCH);
  const files = await filesBetween(git, base, head);
  const githubApi = openDemoGithub({ base, head, branch: BRANCH, files });
  await post(
    {
      outcome,
      pull: 1,
      withCheck: false,
      isDryRun: false,
      runUrl: undefined,
      pause: async () => undefined,
      settingsFor: async () => {
        const { review, publish } = defaultConfig();
        return { failOn: review.failOn, maxComments: publish.maxComments, author: undefined };
      },
      keep: async () => undefined,
    },
    githubApi,
  );
  const { remarks, summary } = githubApi.said();
  mustHold(summary !== '', 'the pull request gets a summary');
  const all = [...remarks.map(({ body }) => body), summary];
  await nodeFiles.write(`${folder.path}/comment.md`, all.join('\n---\n\n'));
  tell(['', 'What `apfel-bot post` would write on the pull request (nothing is sent):', '']);
  for (const remark of remarks) {
    const title = `apfel-bot commented on ${remark.path}, line ${remark.line}`;
    const replaced = await linesOf(stage, remark);
    print(`${commentText(remark.body, { title, replaced, columns, colors })}\n`);
  }
  print(commentText(summary, { title: 'apfel-bot commented', columns, colors }));
}

async function filesBetween(
  git: DemoStage['git'],
  base: string,
  head: string,
): Promise<GithubFile[]> {
  const paths = (await git('diff', '--name-only', base, head)).split('\n');
  const files: GithubFile[] = [];
  for (const path of paths) {
    const diff = await git('diff', '--no-color', base, head, '--', path);
    files.push({ path, status: 'modified', patch: diff.slice(diff.indexOf('@@')) });
  }
  return files;
}

const linesOf = async (
  { git }: DemoStage,
  { path, startLine, line }: DemoComment,
): Promise<string[]> =>
  (await git('show', `${BRANCH}:${path}`)).split('\n').slice(startLine - 1, line);

export async function auditPage({ type, tell, folder, cast }: DemoStage): Promise<void> {
  tell(['Every run keeps what it sent and what came back. The last one, as a page:']);
  const { code } = await type('npx apfel-bot show --html ../audit.html');
  const page = await nodeFiles.read(`${folder.path}/audit.html`);
  mustHold(code === 0 && page?.includes('</html>') === true, 'the audit page is written');
  const isNamed = page?.includes(cast.model) === true;
  mustHold(cast.isLive || isNamed, 'the page says that the model was scripted');
}
