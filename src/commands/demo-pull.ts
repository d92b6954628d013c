import { type DemoRemark, openDemoForge } from '../adapters/demo/demo-forge.js';
import { nodeFiles } from '../adapters/node-files.js';
import { defaultConfig } from '../config.js';
import type { ForgeFile } from '../core/forge.js';
import { commentText } from '../demo/comment-text.js';
import { INVERTED } from '../demo/planted.js';
import { afterPost } from '../demo/story.js';
import { isReview } from '../post/trust.js';
import { post } from '../post.js';
import { BRANCH } from './demo-scenes.js';
import { type DemoStage, mustHold } from './demo-stage.js';
import { readOutcomeFile } from './outcome-file.js';

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
  const { git, tell, print, folder, columns, brushes } = stage;
  const base = await git('rev-parse', 'main');
  const head = await git('rev-parse', BRANCH);
  const files = await filesBetween(git, base, head);
  const forge = openDemoForge({ base, head, branch: BRANCH, files });
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
    forge,
  );
  const { remarks, summary } = forge.said();
  mustHold(summary !== '', 'the pull request gets a summary');
  const all = [...remarks.map(({ body }) => body), summary];
  await nodeFiles.write(`${folder.path}/comment.md`, all.join('\n---\n\n'));
  tell(['', 'What `apfel-bot post` would write on the pull request (nothing is sent):', '']);
  for (const remark of remarks) {
    const title = `apfel-bot commented on ${remark.path}, line ${remark.line}`;
    const replaced = await linesOf(stage, remark);
    print(`${commentText(remark.body, { title, replaced, columns, brushes })}\n`);
  }
  print(commentText(summary, { title: 'apfel-bot commented', columns, brushes }));
}

async function filesBetween(
  git: DemoStage['git'],
  base: string,
  head: string,
): Promise<ForgeFile[]> {
  const paths = (await git('diff', '--name-only', base, head)).split('\n');
  const files: ForgeFile[] = [];
  for (const path of paths) {
    const diff = await git('diff', '--no-color', base, head, '--', path);
    files.push({ path, status: 'modified', patch: diff.slice(diff.indexOf('@@')) });
  }
  return files;
}

const linesOf = async (
  { git }: DemoStage,
  { path, startLine, line }: DemoRemark,
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
