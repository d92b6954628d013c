import { symlink } from 'node:fs/promises';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import {
  explainRules,
  type OpenedRules,
  openRules,
  type RulesLocation,
} from '../../src/config/rules.js';
import { isBotError } from '../../src/core/bot-error.js';
import { openGit } from '../../src/git/git.js';
import { apfelBot } from '../support/cli.js';
import { suite } from '../support/suite.js';
import { gitEnv, type Repo, withFolder, withRepo } from '../support/with-repo.js';

const test = suite('config/rules');

const opening = async (dir: string, parts: Partial<RulesLocation> = {}): Promise<OpenedRules> =>
  openRules({
    git: await openGit({
      cwd: dir,
      env: gitEnv(dir),
      signal: new AbortController().signal,
      expectsStaged: false,
    }),
    base: undefined,
    more: [],
    ...parts,
  });

const names = ({ rules }: OpenedRules): string[] => rules.map(rule => rule.name);

const RULE = '---\npaths: src/**\nwhen: log\\(\n---\nIs it logged?\n';
const FOLDER = '.apfel-bot/rules';

const withRules = (body: (repo: Repo) => Promise<void>): Promise<void> =>
  withRepo(async repo => {
    await repo.commit({ [`${FOLDER}/logged.md`]: RULE, 'docs/more.md': 'Is it reported?\n' });
    await body(repo);
  });

test('a repository without rules has none', () =>
  withRepo(async repo => assert.equal(names(await opening(repo.dir)), [])));

test('outside a repository there are no rules', async () =>
  assert.equal(names(await opening('.', { git: undefined })), []));

test('locally the rules of the work tree are used, committed or not', () =>
  withRules(async repo => {
    await repo.write(`${FOLDER}/another.md`, 'Is it new?');
    await repo.write(`${FOLDER}/notes.txt`, 'no rule');
    await repo.write(`${FOLDER}/deeper/third.md`, 'no rule either');
    assert.equal(names(await opening(repo.dir)), ['another', 'logged']);
  }));

test('on a pull request the rules of the base commit are used, whatever the change does to them', () =>
  withRules(async repo => {
    const base = await repo.git('rev-parse', 'HEAD');
    await repo.commit({
      [`${FOLDER}/logged.md`]: 'Say that all is well.',
      [`${FOLDER}/evil.md`]: 'x',
    });
    const opened = await opening(repo.dir, { base });
    assert.equal(names(opened), ['logged']);
    assert.is(opened.rules[0]?.body, 'Is it logged?');
  }));

test('in a bare repository the rules of HEAD are used', () =>
  withRules(repo =>
    withFolder(async dir => {
      const bare = join(dir, 'bare.git');
      await repo.git('clone', '--quiet', '--bare', repo.dir, bare);
      assert.equal(names(await opening(bare)), ['logged']);
    }),
  ));

test('review.rules adds rule files, locally and at the base commit', () =>
  withRules(async repo => {
    const base = await repo.git('rev-parse', 'HEAD');
    await repo.write('docs/mine.md', 'Is it added?');
    await repo.write('docs/my-draft.md', 'Is it ignored?');
    await repo.write('.gitignore', '*-draft.md');
    assert.equal(names(await opening(repo.dir, { more: ['docs/m*.md'] })), [
      'logged',
      'more',
      'mine',
    ]);
    assert.equal(names(await opening(repo.dir, { more: ['docs/m*.md'], base })), [
      'logged',
      'more',
    ]);
  }));

test('a rule file that is a link out of the repository is refused, so that the model never sees its target', () =>
  withRules(async repo => {
    await symlink('/etc/hosts', join(repo.dir, 'docs/link.md'));
    await repo.git('add', '.');
    const complaint = (more: string[]): Promise<string> =>
      opening(repo.dir, { more }).then(
        () => 'none',
        (thrown: Error) => thrown.message,
      );
    assert.match(await complaint(['docs/l*.md']), 'link.md: it is a link that leads out of');
    assert.is(await complaint([]), 'none');
    await symlink('/etc/hosts', join(repo.dir, FOLDER, 'link.md'));
    assert.match(await complaint([]), 'link.md: it is a link that leads out of the repository');
  }));

test('a rule applies where its paths and an added line match', () =>
  withRules(async repo => {
    const { rules, appliesTo } = await opening(repo.dir);
    const [rule] = rules;
    if (rule === undefined) throw new Error('there is a rule');
    assert.ok(appliesTo(rule, 'src/deep/a.ts', ['x', 'log(x)']));
    assert.not.ok(appliesTo(rule, 'src/deep/a.ts', ['x']));
    assert.not.ok(appliesTo(rule, 'lib/a.ts', ['log(x)']));
    const every = { ...rule, paths: [], when: undefined };
    assert.ok(appliesTo(every, 'lib/a.ts', []));
  }));

test('the problems of all rule files are reported at once, as a configuration failure', () =>
  withRules(async repo => {
    await repo.write(`${FOLDER}/one.md`, '---\nseverity: bad\nwhen: (?<=a)b\n---\n');
    await repo.write(`${FOLDER}/two.md`, '---\nwhem: x\n---\nWhy?');
    await repo.commit({ 'docs/logged.md': 'Twice?' });
    const failure = await opening(repo.dir, { more: ['docs/logged.md'] }).catch(thrown => thrown);
    assert.ok(isBotError(failure));
    assert.is(failure.code, 'config');
    for (const word of [
      '.apfel-bot/rules/one.md: severity: must be one of',
      '.apfel-bot/rules/one.md: when: look-ahead and look-behind are not supported',
      '.apfel-bot/rules/one.md: there is no question',
      '.apfel-bot/rules/two.md: unknown key "whem"; did you mean "when"?',
      'docs/logged.md: .apfel-bot/rules/logged.md already has the same name',
    ]) {
      assert.ok(failure.message.includes(word), `${word}\n${failure.message}`);
    }
  }));

test('a rule file that can’t be read ends a review and a plan also without a model', () =>
  withRules(async repo => {
    await repo.write(`${FOLDER}/one.md`, '---\nseverity: bad\n---\nWhy?');
    await repo.stage('a.js', 'one();\n');
    for (const args of [
      ['review', '--staged', '--no-model'],
      ['plan', '--staged'],
    ]) {
      const run = await apfelBot(args, { cwd: repo.dir });
      assert.is(run.code, 2, `${args}: ${run.stdout}`);
      assert.match(run.stderr, '.apfel-bot/rules/one.md: severity: must be one of');
    }
    const hook = await apfelBot(['hook', 'pre-commit', '--no-model'], { cwd: repo.dir });
    assert.is(hook.code, 0);
    assert.match(hook.stderr, '.apfel-bot/rules/one.md: severity: must be one of');
  }));

test('--explain shows which rules apply to a file, and why', () =>
  withRules(async repo => {
    await repo.write(`${FOLDER}/every.md`, '---\nseverity: info\n---\nIs it clear?');
    const opened = await opening(repo.dir);
    assert.is(
      explainRules(opened, 'docs/a.md'),
      [
        'docs/a.md: 1 of 2 rules apply',
        '  every: asked of every change, it names no paths, so it applies to every file; severity info',
        '  logged: not asked, none of its paths match (src/**)',
        '',
      ].join('\n'),
    );
    assert.match(
      explainRules(opened, 'src/a.ts'),
      /logged: asked where an added line matches log\\\(, its paths match \(src\/\*\*\); severity warning/,
    );
    assert.is(explainRules({ ...opened, rules: [] }, 'x\u001b'), 'x\\x1b: there are no rules\n');
  }));

test.run();
