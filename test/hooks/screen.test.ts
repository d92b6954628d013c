import { chmod, mkdir, readdir, symlink, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import * as assert from 'uvu/assert';
import { startStandIn } from '../../fixtures/apfel/stand-in.js';
import { CLI } from '../support/cli.js';
import { reviewer } from '../support/reviewer.js';
import { looksLike, noScreen, type Screen, withScreen } from '../support/screen.js';
import { suite } from '../support/suite.js';
import { gitEnv, type Repo, withRepo } from '../support/with-repo.js';
import { recordOf, until } from './hooked-repo.js';
import { findLefthook, findPreCommit } from './real-managers.js';

const lefthook = await findLefthook();
const preCommit = findPreCommit();

const test = suite('hooks/screen');

const BUG = 'index <= list.length';
const CODE = `export function each(list) {\n  for (let index = 0; ${BUG}; index += 1) use(list[index]);\n}\n`;

/** A project with apfel-bot installed as a person has it, and a terminal in it. */
async function withProject(
  baseUrl: string,
  body: (repo: Repo, screen: Screen) => Promise<void>,
): Promise<void> {
  await withRepo(async repo => {
    const bin = join(repo.dir, 'node_modules', '.bin');
    await mkdir(bin, { recursive: true });
    const program = join(bin, 'apfel-bot');
    await writeFile(program, `#!/bin/sh\nexec '${process.execPath}' '${CLI}' "$@"\n`);
    await chmod(program, 0o755);
    await symlink(resolve('.'), join(repo.dir, 'node_modules', 'apfel-bot'));
    await repo.commit({ '.gitignore': 'node_modules/\n' });
    const env = gitEnv(repo.dir);
    const path = `${bin}:${env['PATH'] ?? ''}`;
    await withScreen(
      { cwd: repo.dir, env: { ...env, PATH: path, APFEL_BOT_BASE_URL: baseUrl } },
      screen => body(repo, screen),
    );
  });
}

test.unless(
  noScreen,
  'the hooks print what a person expects to read after an install, a problem, a fix, a slow model and a rebase',
  async () => {
    const server = await startStandIn({ policy: reviewer({ sees: [BUG] }), latencyMs: 10 });
    try {
      await withProject(server.baseUrl, async (repo, screen) => {
        const names: Array<[string, string]> = [
          [repo.dir, 'PROJECT'],
          [server.baseUrl, 'http://127.0.0.1:11434/v1'],
        ];
        const keep = async (name: string): Promise<void> => {
          await looksLike(name, await screen.shown(), names);
          await screen.clear();
        };
        await screen.type('apfel-bot install');
        await keep('1-install');

        await repo.stage('sum.test.js', 'it.only("adds", () => {});\n');
        await screen.type('git commit -q -m "Test the sum"');
        await keep('2-blocked');
        assert.is(await repo.git('log', '-1', '--format=%s'), 'change');

        await repo.stage('sum.test.js', 'it("adds", () => {});\n');
        await screen.type('git commit -q -m "Test the sum"');
        await screen.type('apfel-bot show');
        await keep('3-passes');

        // Slow from here on: the deadline comes before the answer.
        server.setLatency(20_000);
        await repo.write('.apfel-bot.json', '{"hooks": {"deadline": "10s"}}');
        await repo.stage('each.js', CODE);
        await screen.type('git commit -q -m "Look at each"');
        server.setLatency(10);
        await keep('4-slow-model');
        await until(async () =>
          (await recordOf(repo))?.findings.some(({ source }) => source === 'model'),
        );
        await screen.type('apfel-bot show');
        await keep('5-the-rest-in-the-note');

        const asked = server.requests.length;
        await repo.git('checkout', '--quiet', '-b', 'side', 'HEAD~2');
        await repo.git(
          '-c',
          'core.hooksPath=/dev/null',
          'commit',
          '--quiet',
          '--allow-empty',
          '-m',
          'aside',
        );
        await screen.type('git checkout -q main && git rebase -q side');
        await screen.type('apfel-bot show HEAD');
        await keep('6-after-a-rebase');
        assert.is(server.requests.length, asked);
      });
    } finally {
      await server.close();
    }
  },
);

test.unless(
  noScreen,
  'after Ctrl-C while the model answers, one line says what happened to the commit, and nothing is left',
  async () => {
    const server = await startStandIn({ policy: reviewer({ sees: [] }), latencyMs: 600_000 });
    try {
      await withProject(server.baseUrl, async (repo, screen) => {
        await screen.type('apfel-bot install');
        await screen.clear();
        await repo.stage('each.js', CODE);
        await repo.write('each.js', 'not staged\n');
        const before = await photograph(repo);
        await screen.press('-l', 'git commit -m next; echo "exit $?"');
        await screen.press('Enter');
        await screen.waitFor(/Asking the model/);
        await screen.press('C-c');
        // Git doesn't wait for its hook, so the line may come before or after the prompt.
        await screen.waitFor(/\napfel-bot: interrupted; nothing was committed\n|committed$/);
        await screen.press('Enter');
        await screen.waitFor(/\n\$$/);
        assert.equal(await photograph(repo), before);
      });
    } finally {
      await server.close();
    }
  },
);

const PRE_COMMIT_CONFIG = `repos:
  - repo: local
    hooks:
      - id: nothing
        name: nothing
        entry: "true"
        language: system
`;

for (const [manager, found, [file, text]] of [
  ['lefthook', lefthook, ['lefthook.yml', 'pre-commit:\n  parallel: false\n']],
  ['pre-commit', preCommit, ['.pre-commit-config.yaml', PRE_COMMIT_CONFIG]],
] as const) {
  test.unless(
    noScreen ?? found.absent,
    `after Ctrl-C under ${manager} one line of ours is left, and no rows of the progress`,
    async () => {
      const server = await startStandIn({ policy: reviewer({ sees: [] }), latencyMs: 600_000 });
      try {
        await withProject(server.baseUrl, async (repo, screen) => {
          await repo.commit({ [file]: text, '.apfel-bot.json': '{"hooks": {"deadline": "10m"}}' });
          await screen.type(`export LEFTHOOK_BIN='${lefthook.path ?? ''}'`);
          await screen.type('apfel-bot install');
          await screen.type(`'${found.path}' install`);
          await screen.clear();
          await repo.git('add', file);
          await repo.stage('each.js', CODE);
          await screen.press('-l', 'git commit -m next');
          await screen.press('Enter');
          await until(async () => server.requests.length > 0);
          // The rows of the progress come later than the request.
          await wait(1500);
          await screen.press('C-c');
          await screen.waitFor(/apfel-bot: interrupted; nothing was committed/);
          assert.not.match(await screen.shown(), 'Asking');
          assert.is(await repo.git('log', '-1', '--format=%s'), 'change');
        });
      } finally {
        await server.close();
      }
    },
  );
}

test.unless(noScreen, 'after Ctrl-C in a review one line replaces the progress', async () => {
  const server = await startStandIn({ policy: reviewer({ sees: [] }), latencyMs: 600_000 });
  try {
    await withProject(server.baseUrl, async (repo, screen) => {
      await repo.stage('each.js', CODE);
      await screen.press('-l', 'apfel-bot review');
      await screen.press('Enter');
      await screen.waitFor(/Asking the model/);
      await screen.press('C-c');
      await screen.waitFor(/\n\$$/);
      assert.is(
        await screen.shown(),
        '$ apfel-bot review\napfel-bot: interrupted; the review was not finished\n$',
      );
    });
  } finally {
    await server.close();
  }
});

/** What must be the same after an interrupted commit; the records of a run are its own. */
async function photograph(repo: Repo): Promise<string[]> {
  const names = await readdir(join(repo.dir, '.git'), { recursive: true });
  return [
    await repo.git('rev-parse', 'HEAD'),
    await repo.git('status', '--porcelain=v2'),
    await repo.git('ls-files', '--stage'),
    await repo.git('for-each-ref'),
    ...names.filter(name => /lock$|\.tmp$/.test(name)),
  ];
}

test.run();
