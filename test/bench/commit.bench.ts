import { execFileSync } from 'node:child_process';
import { appendFileSync, renameSync } from 'node:fs';
import { mkdir, symlink } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { startStandIn } from '../../fixtures/apfel/stand-in.js';
import { findHusky, findPreCommit } from '../hooks/real-managers.js';
import { CLI } from '../support/cli.js';
import { reviewer } from '../support/reviewer.js';
import { gitEnv, type Repo, withRepo } from '../support/with-repo.js';
import { type Command, type Measured, measure } from './measure.js';

const ROUNDS = 15;
const NODE = process.execPath;
const LINT_STAGED = resolve('node_modules/lint-staged/bin/lint-staged.js');

/** A port where nobody answers. */
const NO_MODEL = 'http://127.0.0.1:9/v1';

/** `git commit` of one small file; taken back, so that every round commits the same. */
const COMMIT = ['sh', '-c', 'git commit -qm next && git reset -q --soft HEAD~1'] as const;

type Body = (commands: readonly Command[]) => Promise<void>;

/** A repository with one small change staged, made ready by `prepare`. */
const withStaged =
  (name: string, prepare: (repo: Repo) => Promise<Readonly<Record<string, string>>>) =>
  (earlier: readonly Command[], body: Body): Promise<void> =>
    withRepo(async repo => {
      const text = 'export const line = 1;\n'.repeat(40);
      await repo.commit({ 'src/a.ts': text, 'package.json': '{"lint-staged": {"*.ts": "true"}}' });
      const env = { ...gitEnv(repo.dir), ...(await prepare(repo)) };
      await repo.stage('src/a.ts', `${text}export const added = 2;\n`);
      await body([...earlier, { name, argv: COMMIT, cwd: repo.dir, env }]);
    });

async function installOurs(repo: Repo): Promise<void> {
  await mkdir(join(repo.dir, 'node_modules'));
  await symlink(resolve('.'), join(repo.dir, 'node_modules', 'apfel-bot'));
  execFileSync(NODE, [CLI, 'install'], { cwd: repo.dir, env: gitEnv(repo.dir), stdio: 'ignore' });
}

async function installHusky(repo: Repo): Promise<Record<string, string>> {
  const husky = findHusky();
  if (husky.path === undefined) throw new Error(husky.absent);
  execFileSync(NODE, [husky.path], { cwd: repo.dir, env: gitEnv(repo.dir) });
  await repo.write('.husky/pre-commit', `'${NODE}' '${LINT_STAGED}' --quiet\n`);
  return {};
}

/** The framework's own hook lives on GitHub; the same test as a local hook of its own language. */
const FRAMEWORK = `repos:
  - repo: local
    hooks:
      - id: trailing-whitespace
        name: trailing whitespace
        language: pygrep
        entry: '[ \\t]+$'
        types: [text]
`;

async function installFramework(repo: Repo): Promise<Record<string, string>> {
  const framework = findPreCommit();
  if (framework.path === undefined) throw new Error(framework.absent);
  await repo.commit({ '.pre-commit-config.yaml': FRAMEWORK });
  execFileSync('pre-commit', ['install'], {
    cwd: repo.dir,
    env: gitEnv(repo.dir),
    stdio: 'ignore',
  });
  return {};
}

const server = await startStandIn({ policy: reviewer({ sees: [] }) });
const places = [
  withStaged('no hooks', async () => ({})),
  withStaged('apfel-bot, no model', async repo => {
    await installOurs(repo);
    return { APFEL_BOT_BASE_URL: NO_MODEL };
  }),
  withStaged('apfel-bot, all cached', async repo => {
    await installOurs(repo);
    return { APFEL_BOT_BASE_URL: server.baseUrl };
  }),
  withStaged('husky + lint-staged', installHusky),
  withStaged('pre-commit framework', installFramework),
];

/** A commit that only pre-commit has seen, so that there is something to record. */
function commitUnseen({ cwd, env }: Command): void {
  const hook = join(cwd, '.git', 'hooks', 'post-commit');
  renameSync(hook, `${hook}.off`);
  execFileSync('git', ['commit', '-qm', 'next'], { cwd, env });
  renameSync(`${hook}.off`, hook);
  // Staged as before for the next round; what post-commit needs is the commit before it.
  appendFileSync(join(cwd, 'src/a.ts'), 'export const more = 3;\n');
  execFileSync('git', ['add', 'src/a.ts'], { cwd, env });
}

/** Opens one repository inside the other, and measures in all of them, round by round. */
const nest = (
  [place, ...rest]: typeof places,
  commands: readonly Command[],
  body: Body,
): Promise<void> =>
  place === undefined ? body(commands) : place(commands, all => nest(rest, all, body));

try {
  await nest(places, [], async commands => {
    const [, ours] = commands;
    if (ours === undefined) throw new Error('nothing to measure');
    const post: Command = {
      ...ours,
      name: 'hook post-commit',
      argv: [NODE, CLI, 'hook', 'post-commit'],
      before: () => commitUnseen(ours),
    };
    const bare: Command = { ...ours, name: 'node -e 0', argv: [NODE, '-e', '0'] };
    report(await measure([...commands, post, bare], ROUNDS));
  });
} finally {
  await server.close();
}

function report(rows: readonly Measured[]): void {
  for (const { name, milliseconds } of rows) {
    console.log(`${name.padEnd(24)} ${milliseconds.toFixed(0).padStart(5)} ms`);
  }
  const [, ours = 0, cached = 0, husky = 1, framework = 1, post = 0, bare = 0] = rows.map(
    ({ milliseconds }) => milliseconds,
  );
  const ratio = (one: number, other: number): string => (one / other).toFixed(2);
  console.log(`git commit, ours / husky + lint-staged   ${ratio(ours, husky)}   aim: at most 1.0`);
  console.log(
    `git commit, ours / pre-commit framework  ${ratio(ours, framework)}   aim: at most 1.0`,
  );
  console.log(`git commit, all cached / no model        ${ratio(cached, ours)}   aim: at most 1.1`);
  console.log(
    `post-commit over bare node               ${(post - bare).toFixed(0)} ms   aim: at most 60 ms`,
  );
}
