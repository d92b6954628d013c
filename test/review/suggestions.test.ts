import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import {
  type Conversation,
  type PolicyReply,
  type StandIn,
  startStandIn,
} from '../../fixtures/apfel/stand-in.js';
import { validateOutcome } from '../../src/generated/validate-outcome.js';
import { ESLINT_CONFIG, scriptedFixer, withProject } from '../fix/lint-project.js';
import { apfelBot, reviewJson } from '../support/cli.js';
import { fieldsOf } from '../support/closed-questions.js';
import { reviewer } from '../support/reviewer.js';
import { suite } from '../support/suite.js';
import type { Repo } from '../support/with-repo.js';

const BUG = 'index <= list.length';
const FIXED = 'index < list.length';
const code = (body: string): string => `module.exports = list => {\n${body}\n};\n`;
const GOOD = code('  return list[0];');
const BAD = code(
  `  let sum = 0;\n  for (let index = 0; ${BUG}; index += 1) sum += list[index];\n  return sum;`,
);
const FILES = { 'eslint.config.js': ESLINT_CONFIG, 'src/sum.js': GOOD };

/** Finds the bug, and has an answer when it is asked for a better text. */
const skilled =
  (newText: string, oldText = BUG) =>
  (conversation: Conversation): PolicyReply => {
    return fieldsOf(conversation).includes('newText')
      ? scriptedFixer([{ to: 'The problem', path: 'src/sum.js', oldText, newText }])(conversation)
      : reviewer({ sees: [BUG] })(conversation);
  };

async function withBug(
  policy: (conversation: Conversation) => PolicyReply,
  body: (server: StandIn, repo: Repo) => Promise<void>,
  files: Readonly<Record<string, string>> = FILES,
): Promise<void> {
  const server = await startStandIn({ policy });
  try {
    await withProject(files, async repo => {
      await repo.commit({ 'src/sum.js': BAD }, 'the bug');
      await body(server, repo);
    });
  } finally {
    await server.close();
  }
}

const review = (server: StandIn, repo: Repo, env: Record<string, string> = {}, ...args: string[]) =>
  reviewJson(['--commit', 'HEAD', ...args, '--base-url', server.baseUrl], { cwd: repo.dir, env });

const asked = ({ requests }: StandIn): number =>
  requests.filter(({ body }) => JSON.stringify(body).includes('newText')).length;

const WHOLE_LINE = `  for (let index = 0; ${FIXED}; index += 1) sum += list[index];`;

const test = suite('review/suggestions');

test('a fix that the linter accepts is suggested, in every format', () =>
  withBug(skilled(FIXED), async (server, repo) => {
    const out = join(repo.dir, '.git', 'outcome.json');
    const { outcome } = await review(server, repo, {}, '--out', out);
    assert.equal(validateOutcome(outcome), []);
    assert.equal(
      outcome.findings.map(each => each.suggestion),
      [{ startLine: 3, endLine: 3, text: WHOLE_LINE }],
    );
    assert.equal(outcome.notices ?? [], []);
    for (const format of ['text', 'markdown', 'sarif', 'rdjson']) {
      const shown = await apfelBot(['merge', out, '--format', format], { cwd: repo.dir });
      assert.ok(shown.stdout.includes(FIXED), `${format}: ${shown.stdout}${shown.stderr}`);
    }
  }));

test('a file for Windows gets its suggestion with plain line feeds', () =>
  withBug(skilled(`${FIXED}\n    && true`), async (server, repo) => {
    await repo.commit({ 'src/sum.js': GOOD.replaceAll('\n', '\r\n') });
    await repo.commit({ 'src/sum.js': BAD.replaceAll('\n', '\r\n') });
    const { outcome } = await review(server, repo);
    const text = WHOLE_LINE.replace(FIXED, `${FIXED}\n    && true`);
    assert.equal(outcome.findings[0]?.suggestion, { startLine: 3, endLine: 3, text });
  }));

test("the linter is found by the project's lint command, with its configuration and files", () =>
  withBug(
    skilled(FIXED),
    async (server, repo) => {
      assert.is((await review(server, repo)).outcome.findings[0]?.suggestion?.text, WHOLE_LINE);
      await repo.commit({ 'package.json': lintScript('eslint -c tools/lint.js lib') });
      await repo.commit({ 'src/sum.js': GOOD });
      await repo.commit({ 'src/sum.js': BAD });
      assert.is((await review(server, repo)).outcome.findings[0]?.suggestion, undefined);
    },
    {
      'package.json': lintScript('eslint -c tools/lint.js src'),
      'tools/lint.js': ESLINT_CONFIG,
      'src/sum.js': GOOD,
    },
  ));

const lintScript = (lint: string): string => JSON.stringify({ name: 'x', scripts: { lint } });

test.long('elsewhere nobody is asked again: it is tried there, and suggested', () =>
  withBug(skilled(FIXED), async (server, repo) => {
    const first = await review(server, repo);
    const before = server.requests.length;
    // Something has come before it, and the linter has become stricter.
    await repo.git('checkout', '--quiet', '-b', 'elsewhere', 'HEAD~1');
    const strict = ESLINT_CONFIG.replace("semi: 'error'", "semi: 'error', 'no-plusplus': 'error'");
    await repo.commit({ 'eslint.config.js': strict });
    await repo.git('cherry-pick', 'main');
    const third = await review(server, repo);
    assert.is(server.requests.length, before);
    assert.equal(third.outcome.findings, first.outcome.findings);
  }),
);

for (const [what, newText] of [
  ['brings a new complaint', 'index == list.length'],
  ['does not parse', 'index < list.length)'],
  ['silences the linter', `${FIXED} /* eslint-disable-line */`],
] as const) {
  test(`a fix that ${what} is not suggested, and is counted`, () =>
    withBug(skilled(newText), async (server, repo) => {
      const { outcome } = await review(server, repo);
      assert.is(outcome.findings.length, 1);
      assert.is(outcome.findings[0]?.suggestion, undefined);
      assert.match((outcome.notices ?? []).join(), /suggestions? of the model w.* dropped/);
    }));
}

test.long('a new file of the index is judged as well, and nothing of it is left behind', () =>
  withBug(skilled(FIXED), async (server, repo) => {
    await repo.git('rm', '--quiet', 'src/sum.js');
    await repo.commit({});
    await repo.stage('src/sum.js', BAD);
    await repo.write('src/sum.js', 'not what is staged');
    const args = ['--staged', '--base-url', server.baseUrl];
    const { outcome } = await reviewJson(args, { cwd: repo.dir, env: { TMPDIR: repo.dir } });
    // A temporary folder inside the repository is refused; the review stands.
    assert.is(outcome.findings[0]?.suggestion, undefined);
    const second = await reviewJson(args, { cwd: repo.dir });
    assert.is(second.outcome.findings[0]?.suggestion?.text, WHOLE_LINE);
    assert.is(await readFile(join(repo.dir, 'src/sum.js'), 'utf8'), 'not what is staged');
    assert.equal(await readdir(join(repo.dir, '.git/apfel-bot/runs')), []);
  }),
);

test('the linter runs as the base configures it: nothing of the change is run', () =>
  withBug(skilled(FIXED), async (server, repo) => {
    const spy = `require('node:fs').writeFileSync(${JSON.stringify(join(repo.dir, 'ran'))}, 'x');\n`;
    await repo.commit({ 'src/sum.js': GOOD });
    await repo.commit({ 'src/sum.js': BAD, 'eslint.config.js': spy + ESLINT_CONFIG });
    const { outcome } = await review(server, repo);
    assert.is(outcome.findings[0]?.suggestion?.text, WHOLE_LINE);
    assert.not.ok((await readdir(repo.dir)).includes('ran'));
  }));

test('without a linter the model is not asked for a fix', () =>
  withBug(
    skilled(FIXED),
    async (server, repo) => {
      const { outcome } = await review(server, repo);
      assert.is(outcome.findings.length, 1);
      assert.is(asked(server), 0);
    },
    { 'src/sum.js': GOOD },
  ));

const pullOf = (head: string, repository: string, base: string): string =>
  JSON.stringify({
    repository: { full_name: 'a/b' },
    pull_request: {
      number: 1,
      base: { sha: base, repo: { full_name: 'a/b' } },
      head: { sha: head, repo: { full_name: repository } },
    },
  });

test('no linter runs in a hook, for a commit that is not checked out, or with little time', () =>
  withBug(skilled(FIXED), async (server, repo) => {
    const head = await repo.git('rev-parse', 'HEAD');
    await review(server, repo, {}, '--deadline', '15s');
    await review(server, repo, { GIT_INDEX_FILE: join(repo.dir, '.git/index') });
    await repo.git('checkout', '--quiet', '--orphan', 'other');
    await repo.commit({});
    await reviewJson(['--commit', head, '--base-url', server.baseUrl], { cwd: repo.dir });
    assert.is(asked(server), 0);
  }));

test('on a pull request the base’s linter is asked, no matter who made the change', () =>
  withBug(skilled(FIXED), async (server, repo) => {
    const head = await repo.git('rev-parse', 'HEAD');
    const base = await repo.git('rev-parse', 'HEAD~1');
    const event = join(repo.dir, '.git', 'event.json');
    for (const repository of ['mallory/b', 'a/b']) {
      await writeFile(event, pullOf(head, repository, base));
      const { outcome } = await review(server, repo, { GITHUB_EVENT_PATH: event, CI: 'true' });
      assert.is(outcome.findings[0]?.suggestion?.text, WHOLE_LINE, repository);
    }
  }));

test.run();
