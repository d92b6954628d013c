import { defaultConfig } from '../config/config.js';
import type { FixOutcome } from '../core/outcome.js';
import type { GithubFile } from '../github/pulls.js';
import { NOTES_REF } from '../notes/transaction.js';
import { readText, writeText } from '../platform/files.js';
import { isReview, readOutcomeFile } from '../publish/outcome-file.js';
import { post } from '../publish/post.js';
import { commentText, type DemoComment, openDemoGithub } from './pull.js';
import { type DemoRunner, mustHold } from './runner.js';
import { INVERTED, OFF_BY_ONE } from './server.js';
import { afterBlockedCommit, afterFix, afterPost, linterName } from './text.js';

/** The branch that becomes the pull request. */
const BRANCH = 'cart';

/** What the demo shows, in this order. */
export const STEPS: ReadonlyArray<{
  readonly title: string;
  readonly run: (runner: DemoRunner) => Promise<void>;
}> = [
  { title: 'Install the hooks in a small project', run: installHooks },
  { title: 'A commit that the hook blocks', run: blockedCommit },
  { title: 'The fix, the commit, and its note', run: passingCommit },
  { title: 'Old linter problems, fixed on a branch', run: fixedLint },
  { title: 'The pull request', run: reviewedPull },
  { title: 'The requests and replies', run: auditPage },
];

/** Sets up the repository and its first commit. No global configuration is read, so it needs a name. */
export async function prepareProject(
  { git, folder, setup }: DemoRunner,
  protocol: string | undefined,
): Promise<void> {
  await folder.write('.apfel-bot.json', `${JSON.stringify(configFor(setup.eslint, protocol))}\n`);
  await git('init', '--quiet', '--initial-branch', 'main');
  await git('config', 'user.name', 'Ada');
  await git('config', 'user.email', 'ada@example.invalid');
  await git('add', '--all');
  await git('commit', '--quiet', '--message', 'Open a shop');
  await git('checkout', '--quiet', '-b', BRANCH);
}

const configFor = (eslint: string | undefined, protocol: string | undefined) => ({
  ...(protocol !== undefined && { model: { protocol } }),
  // Nothing runs in the background, and a slow machine must not cut a step short.
  hooks: { background: false, deadline: '30s' },
  verify: { commands: [['node', '--test']] },
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

async function installHooks({ run, printLines, folder }: DemoRunner): Promise<void> {
  printLines(['A repository with one old file, and apfel-bot installed:', `  ${folder.project}`]);
  const { code } = await run('npx apfel-bot install');
  mustHold(code === 0, 'the hooks can be installed');
}

async function blockedCommit(runner: DemoRunner): Promise<void> {
  const { run, printLines, git, folder, setup } = runner;
  await folder.copy('change');
  await git('add', '--all');
  printLines(['Somebody adds src/cart.js and a test for it, with a mistake in each.']);
  const before = await git('rev-parse', 'HEAD');
  const { code, shown } = await run('git commit -m "Add up the cart"', [
    ...['git', 'commit', '-m', 'Add up the cart'],
  ]);
  const hasFoundBug = shown.includes(`${OFF_BY_ONE.path}:4`);
  mustHold(code !== 0 && (await git('rev-parse', 'HEAD')) === before, 'the commit is blocked');
  mustHold(shown.includes('focused-test'), 'the focused test is found');
  mustHold(setup.isLive || hasFoundBug, 'the scripted model finds the mistake in the loop');
  printLines(['', ...afterBlockedCommit(setup, hasFoundBug)]);
}

async function passingCommit(runner: DemoRunner): Promise<void> {
  const { run, printLines, git, folder, setup } = runner;
  await folder.copy('fix');
  printLines(['Both are fixed, and the same commit passes.']);
  await run('git diff -U0');
  const before = await git('rev-parse', 'HEAD');
  const { code } = await run('git commit -a -m "Add up the cart"', [
    ...['git', 'commit', '-a', '-m', 'Add up the cart'],
  ]);
  if (code !== 0 && setup.isLive) await commitAnyway(runner);
  mustHold((await git('rev-parse', 'HEAD')) !== before, 'the commit passes');
  const show = await run('npx apfel-bot show');
  mustHold(show.code === 0, 'the note can be shown');
  const noted = await git('notes', '--ref', NOTES_REF, 'list');
  mustHold(setup.isLive || noted !== '', 'the review is noted on the commit');
  printLines(['', `The review is a git note (${NOTES_REF}): apfel-bot notes push shares it.`]);
}

/** A live model may be wrong; a person decides. */
async function commitAnyway({ run, printLines }: DemoRunner): Promise<void> {
  printLines(['', 'The model reports something in fixed code. It may be wrong; you decide:']);
  await run('git commit -a --no-verify -m "Add up the cart"', [
    ...['git', 'commit', '-a', '--no-verify', '-m', 'Add up the cart'],
  ]);
}

async function fixedLint(runner: DemoRunner): Promise<void> {
  const { run, printLines, git, folder, setup } = runner;
  const isToy = setup.eslint === undefined;
  printLines([`The linter is ${linterName(setup)}.`]);
  if (isToy) await run('node tools/toy-lint.mjs src/receipt.js');
  else await run('npx eslint src', ['node', 'node_modules/eslint/bin/eslint.js', 'src']);
  const before = await checkedOut(git);
  await run('npx apfel-bot fix-lint --out ../fix-lint.json');
  const text = await readText(`${folder.path}/fix-lint.json`);
  mustHold(text !== undefined, 'fix-lint writes its outcome');
  const outcome: FixOutcome = JSON.parse(text ?? '');
  const name = outcome.branch?.name ?? '';
  mustHold(name !== '' && (await checkedOut(git)) === before, 'the fixes are only on a branch');
  const fixers = new Set(
    outcome.edits.filter(({ status }) => status === 'kept').map(({ by }) => by),
  );
  mustHold(setup.isLive || fixers.size === 3, 'linter, suggestion and model fix one each');
  await run(`git log --oneline ${BRANCH}..${name}`);
  await run(`git diff -U0 ${BRANCH} ${name}`);
  const byModel = outcome.edits.filter(({ by, status }) => by === 'model' && status === 'kept');
  printLines(['', ...afterFix(setup, { ...outcome.diagnostics, byModel: byModel.length })]);
}

const checkedOut = async (git: DemoRunner['git']): Promise<string> =>
  [await git('rev-parse', 'HEAD'), await git('status', '--porcelain')].join('\n');

/** What CI does with the branch, except that nothing is sent to GitHub. */
async function reviewedPull(runner: DemoRunner): Promise<void> {
  const { run, printLines, folder, setup } = runner;
  await folder.copy('colleague');
  await runner.git('add', '--all');
  await runner.git('commit', '--quiet', '--no-verify', '--message', 'Discounts for members');
  printLines(['A colleague without hooks adds src/discount.js. CI reviews the whole branch:']);
  await run(`npx apfel-bot review --range main...${BRANCH} --quiet --out ../review.json`);
  const outcome = await readOutcomeFile(`${folder.path}/review.json`);
  if (!isReview(outcome)) return mustHold(false, 'a review writes the outcome of a review');
  await showComments(runner, outcome);
  const found = outcome.findings.find(
    ({ path, source }) => path === INVERTED.path && source === 'model',
  );
  const facts = {
    rejected: outcome.rejected.length,
    hasFoundBug: found !== undefined,
    hasSuggestion: found?.suggestion !== undefined,
  };
  const isAsScripted = facts.hasFoundBug && facts.hasSuggestion && facts.rejected === 1;
  mustHold(setup.isLive || isAsScripted, 'the scripted model finds, fixes and invents one thing');
  printLines(['', ...afterPost(setup, facts)]);
}

async function showComments(
  runner: DemoRunner,
  outcome: Parameters<typeof post>[0]['outcome'],
): Promise<void> {
  const { git, printLines, print, folder, columns, colors } = runner;
  const base = await git('rev-parse', 'main');
  const head = await git('rev-parse', BRANCH);
  const files = await filesBetween(git, base, head);
  const { github, posted } = openDemoGithub({ base, head, branch: BRANCH, files });
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
    github,
  );
  const { remarks, summary } = posted();
  mustHold(summary !== '', 'the pull request gets a summary');
  const all = [...remarks.map(({ body }) => body), summary];
  await writeText(`${folder.path}/comment.md`, all.join('\n---\n\n'));
  printLines(['', 'What `apfel-bot post` would write on the pull request (nothing is sent):', '']);
  for (const remark of remarks) {
    const title = `apfel-bot commented on ${remark.path}, line ${remark.line}`;
    const replaced = await linesOf(runner, remark);
    print(`${commentText(remark.body, { title, replaced, columns, colors })}\n`);
  }
  print(commentText(summary, { title: 'apfel-bot commented', columns, colors }));
}

async function filesBetween(
  git: DemoRunner['git'],
  base: string,
  head: string,
): Promise<GithubFile[]> {
  const paths = (await git('diff', '--name-only', base, head)).split('\n');
  const files: GithubFile[] = [];
  for (const path of paths) {
    const diff = await git('diff', '--no-color', base, head, '--', path);
    files.push({ path, patch: diff.slice(diff.indexOf('@@')) });
  }
  return files;
}

const linesOf = async (
  { git }: DemoRunner,
  { path, startLine, line }: DemoComment,
): Promise<string[]> =>
  (await git('show', `${BRANCH}:${path}`)).split('\n').slice(startLine - 1, line);

async function auditPage({ run, printLines, folder, setup }: DemoRunner): Promise<void> {
  printLines(['Every run records its requests and the replies. The last one as a page:']);
  const { code } = await run('npx apfel-bot show --html ../audit.html');
  const page = await readText(`${folder.path}/audit.html`);
  mustHold(code === 0 && page?.includes('</html>') === true, 'the audit page is written');
  const isNamed = page?.includes(setup.model) === true;
  mustHold(setup.isLive || isNamed, 'the page names the scripted model');
}
