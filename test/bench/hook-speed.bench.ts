import { resolve } from 'node:path';
import { CLI } from '../support/cli.js';
import { withRepo } from '../support/with-repo.js';
import { measure } from './measure.js';

const ROUNDS = 21;
const LINT_STAGED = resolve('node_modules/lint-staged/bin/lint-staged.js');

/** A small staged change, as a pre-commit hook sees it a dozen times a day. */
await withRepo(async repo => {
  const body = 'export const line = 1;\n'.repeat(40);
  await repo.commit({
    'src/a.ts': body,
    'package.json': '{"lint-staged": {"*.ts": "true"}, "private": true}',
  });
  await repo.stage('src/a.ts', `${body}export const added = 2;\n`);
  const cwd = repo.dir;
  const node = process.execPath;
  const [bare, git, ours, lintStaged] = await measure(
    [
      { name: 'node -e 0', argv: [node, '-e', '0'], cwd },
      { name: 'git diff --cached', argv: ['git', 'diff', '--cached'], cwd },
      { name: 'apfel-bot', argv: [node, CLI, 'review', '--staged', '--no-model'], cwd },
      {
        name: 'lint-staged',
        argv: [node, LINT_STAGED, '--diff=HEAD', '--no-stash', '--quiet'],
        cwd,
      },
    ],
    ROUNDS,
  );
  for (const row of [bare, git, ours, lintStaged]) {
    console.log(`${row?.name.padEnd(20)} ${row?.milliseconds.toFixed(0).padStart(5)} ms`);
  }
  const floor = (bare?.milliseconds ?? 0) + (git?.milliseconds ?? 0);
  const time = ours?.milliseconds ?? 0;
  console.log(`apfel-bot / (node + git diff)  ${(time / floor).toFixed(2)}   aim: at most 1.6`);
  console.log(
    `apfel-bot / lint-staged        ${(time / (lintStaged?.milliseconds ?? 1)).toFixed(2)}   aim: at most 1.0`,
  );
});
