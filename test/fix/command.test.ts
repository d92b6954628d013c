import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { type Conversation, startStandIn } from '../../fixtures/apfel/stand-in.js';
import { validateOutcome } from '../../src/generated/validate-outcome.js';
import { apfelBot } from '../support/cli.js';
import { fixReply } from '../support/closed-questions.js';
import { suite } from '../support/suite.js';
import { type Repo, withRepo } from '../support/with-repo.js';
import {
  ESLINT_CONFIG,
  type FixRun,
  fixJson,
  type ScriptedFix,
  scriptedFixer,
  withProject,
} from './lint-project.js';
import { wordsProject } from './words-project.js';

const test = suite('fix/command');

const FILES = { 'eslint.config.js': ESLINT_CONFIG };

/** Everything of the user's that a run must leave as it is. */
async function userState(repo: Repo): Promise<string> {
  const index = await readFile(join(repo.dir, '.git', 'index'));
  const digest = createHash('sha256').update(index).digest('hex');
  const parts = await Promise.all([
    repo.git('rev-parse', 'HEAD'),
    repo.git('symbolic-ref', 'HEAD'),
    repo.git('diff', 'HEAD'),
    repo.git('for-each-ref', 'refs/heads/main', 'refs/tags', 'refs/remotes', 'refs/stash'),
  ]);
  return [digest, ...parts].join('\n');
}

const isAboutTests = (line: string): boolean => line.includes('verify.commands');

const withModel = async (
  fixes: readonly ScriptedFix[],
  body: (at: readonly string[]) => Promise<void>,
): Promise<void> => {
  const server = await startStandIn({ policy: scriptedFixer(fixes) });
  try {
    await body(['--base-url', server.baseUrl]);
  } finally {
    await server.close();
  }
};

const shown = (repo: Repo, { outcome }: FixRun, path: string): Promise<string> =>
  repo.git('show', `${outcome.branch?.name}:${path}`);

const kept = ({ outcome }: FixRun): string[] =>
  outcome.edits
    .filter(({ status }) => status === 'kept')
    .map(({ path, by, diagnostic }) => `${path} ${diagnostic.rule} ${by}`)
    .sort();

test('own fixes, suggestions and the model give one commit per rule, and the checkout stays untouched', () =>
  withProject(
    {
      ...FILES,
      'src/a.js': 'var a = 1\nmodule.exports = a\n',
      'src/b.js': 'exports.same = (one, two) => one == two;\n',
      'src/c.js': "exports.text = () => {\n  const unused = 1;\n  return 'x';\n};\n",
    },
    async repo => {
      await repo.write('src/b.js', 'half an edit');
      const before = await userState(repo);
      const fixFinding = { to: 'no-unused-vars', path: 'src/c.js' };
      await withModel(
        [{ ...fixFinding, oldText: '  const unused = 1;\n', newText: '' }],
        async at => {
          const run = await fixJson(repo, at);
          assert.equal(validateOutcome(run.outcome), []);
          assert.is(run.code, 0, run.stderr);
          assert.equal(kept(run), [
            'src/a.js no-var linter',
            'src/a.js semi linter',
            'src/a.js semi linter',
            'src/b.js eqeqeq suggestion',
            'src/c.js no-unused-vars suggestion',
          ]);
          assert.equal(run.outcome.diagnostics, { before: 5, after: 0, fixed: 5, introduced: 0 });
          assert.is(run.outcome.complete, true);
          assert.ok(run.outcome.notices.some(notice => /uncommitted/.test(notice)));
          assert.is(await shown(repo, run, 'src/a.js'), 'let a = 1;\nmodule.exports = a;');
          assert.is(
            await shown(repo, run, 'src/c.js'),
            "exports.text = () => {\n  return 'x';\n};",
          );
          assert.not(run.outcome.notices.some(isAboutTests));
          const subjects = await repo.git(
            'log',
            '--format=%s',
            `HEAD..${run.outcome.branch?.name}`,
          );
          assert.equal(subjects.split('\n'), [
            'Fix eslint no-unused-vars (1 place), worth a look',
            'Fix eslint eqeqeq (1 place), worth a look',
            'Fix eslint semi (1 place)',
            'Fix eslint no-var and semi (2 places)',
          ]);
        },
      );
      assert.is(await userState(repo), before);
      await repo.git('fsck', '--strict');
    },
  ));

const DUPLICATE = 'module.exports = {\n  one: 1,\n  one: 2,\n};\n';
const DUPE: Omit<ScriptedFix, 'oldText' | 'newText'> = { to: 'no-dupe-keys', path: 'src/a.js' };
const RIGHT: ScriptedFix = { ...DUPE, oldText: '  one: 2,', newText: '  two: 2,' };

test('the model fixes what no linter can, and the branch lints clean', () =>
  withProject({ ...FILES, 'src/a.js': DUPLICATE }, async repo => {
    await withModel([RIGHT], async at => {
      const run = await fixJson(repo, at);
      assert.is(run.code, 0, JSON.stringify(run.outcome.edits));
      assert.equal(kept(run), ['src/a.js no-dupe-keys model']);
      assert.match(await shown(repo, run, 'src/a.js'), /two: 2/);
      assert.is(run.outcome.notices.filter(isAboutTests).length, 1);
      assert.is(run.outcome.model.requests, 1);
      const message = await repo.git('log', '-1', '--format=%B', run.outcome.branch?.name ?? '');
      assert.match(
        message,
        /^Fix eslint no-dupe-keys \(1 place\), worth a look\n\n1 by the model:\n- src\/a\.js:3 /,
      );
      assert.match(message, /\nApfel-Bot-Run: \w+$/);
    });
  }));

const BAD: ReadonlyArray<readonly [name: string, newText: string, reason: RegExp]> = [
  ['wrong', '  one: 3,', /still reports/],
  ['broken', '  one 2', /no longer parses/],
  ['silencing', '  // eslint-disable-next-line\n  one: 2,', /suppresses the diagnostic/],
  ['trading', '  two: module == module.exports,', /new diagnostic/],
];

test('edits that are wrong, break, suppress, trade or delete are not kept, and each diagnostic is listed', () =>
  withProject(
    {
      ...FILES,
      ...Object.fromEntries(BAD.map(([name]) => [`src/${name}.js`, DUPLICATE])),
      'src/deleting.js': DUPLICATE,
    },
    async repo => {
      const edits = BAD.map(([name, newText]) => {
        const path = `src/${name}.js`;
        return { to: path, path, oldText: '  one: 2,', newText };
      });
      const path = 'src/deleting.js';
      edits.push({ to: path, path, oldText: DUPLICATE.trimEnd(), newText: '' });
      await withModel(edits, async at => {
        const run = await fixJson(repo, at);
        assert.is(run.code, 1);
        assert.equal(kept(run), []);
        assert.is(run.outcome.branch, undefined);
        for (const [name, , reason] of [...BAD, ['deleting', '', /empties|removes/] as const]) {
          const edit = run.outcome.edits.find(each => each.path === `src/${name}.js`);
          assert.match(edit?.reason ?? '', /^after (?:1 try|[23] tries)(?: in \d requests)?: /);
          assert.match(edit?.reason ?? '', reason, `${name}: ${edit?.reason}`);
        }
        assert.is(run.outcome.findings.length, 5);
        assert.ok(
          run.outcome.findings.every(({ rule, line }) => rule === 'no-dupe-keys' && line === 3),
        );
        assert.is(await repo.git('branch', '--list', 'apfel-bot/*'), '');
      });
    },
  ));

test('what is left says how many edits the model proposed, and how many requests that took', () =>
  withProject({ ...FILES, 'src/a.js': DUPLICATE }, async repo => {
    for (const [newText, expected] of [
      ['  one: 3,', /^after 3 tries: /],
      ['§§ <|x|>', /^no usable edit in 9 requests: the model proposed a text that has nothing of/],
    ] as const) {
      const policy = (conversation: Conversation) =>
        fixReply(conversation, { oldText: '  one: 2,', newText });
      const server = await startStandIn({ policy });
      try {
        const { outcome } = await fixJson(repo, ['--base-url', server.baseUrl]);
        const [left = ''] = outcome.findings.map(each => each.left ?? '');
        assert.match(left, expected);
        const sent = server.requests.filter(({ body }) => JSON.stringify(body).includes('no-dupe'));
        const named = Number(/\d/.exec(left));
        assert.equal([outcome.model.requests, sent.length], [named, named]);
      } finally {
        await server.close();
      }
    }
  }));

test('a good edit after a bad one is kept, and the model is given the reason why the first was not', () =>
  withProject({ ...FILES, 'src/a.js': DUPLICATE }, async repo => {
    await withModel([{ ...RIGHT, newText: '  one: 3,' }, RIGHT], async at => {
      const run = await fixJson(repo, at);
      assert.equal(kept(run), ['src/a.js no-dupe-keys model']);
      assert.is(run.outcome.model.requests, 2);
    });
  }));

test('a diagnostic that is left has the reason of each edit that was rejected, such as one that flips an operator', () =>
  withProject(
    { ...FILES, 'src/a.js': DUPLICATE.replace('one: 2', 'one: module == 2') },
    async repo => {
      const edits = ['  two: module != 2,', ''].map(newText => ({
        ...RIGHT,
        oldText: '  one: module == 2,',
        newText,
      }));
      await withModel(edits, async at => {
        const run = await fixJson(repo, [...at, '--rule', 'no-dupe-keys']);
        const [edit] = run.outcome.edits.filter(({ by }) => by === 'model');
        assert.match(edit?.reason ?? '', /: it exchanges == and !=.*; then: /);
      });
    },
  ));

test('only lines of the range are fixed; --all widens that and --rule narrows it', () =>
  withProject({ ...FILES, 'src/a.js': 'exports.a = 1\n' }, async repo => {
    await repo.commit({ 'src/a.js': 'exports.a = 1\nexports.b = 2\nvar c = 3\nexports.c = c;\n' });
    const range = await fixJson(repo, ['--no-model', '--range', 'HEAD~1..HEAD', '--dry-run']);
    assert.equal(kept(range), [
      'src/a.js no-var linter',
      'src/a.js semi linter',
      'src/a.js semi linter',
    ]);
    assert.is(range.outcome.branch, undefined);
    const { files, hunks, added, removed } = range.outcome.change;
    assert.equal({ files, hunks, added, removed }, { files: 1, hunks: 1, added: 3, removed: 0 });
    const none = await fixJson(repo, ['--no-model', '--rule', 'no-debugger,semi', '--dry-run']);
    assert.ok(
      none.outcome.notices.includes('--rule: no diagnostic has the rule no-debugger'),
      none.outcome.notices.join('\n'),
    );
    const one = await fixJson(repo, ['--no-model', '--rule', 'no-var']);
    assert.equal(kept(one), ['src/a.js no-var linter']);
    assert.is(one.code, 0);
    const text = await shown(repo, one, 'src/a.js');
    assert.match(text, /^exports\.a = 1\nexports\.b = 2\nlet c = 3/);
  }));

test("--plan and --dry-run leave no run behind that looks as if it hadn't ended", () =>
  withProject({ ...FILES, 'src/a.js': 'exports.a = 1\n' }, async repo => {
    for (const option of ['--plan', '--dry-run']) {
      const { code, stderr } = await apfelBot(['fix-lint', option], { cwd: repo.dir });
      assert.is(code, 0, stderr);
    }
    const { stdout } = await apfelBot(['show', '--list', '--format', 'json'], { cwd: repo.dir });
    assert.equal(JSON.parse(stdout).runs, []);
  }));

test('a rule that no linter of the project can have is rejected before anything is changed', () =>
  withProject({ ...FILES, 'src/a.js': 'var a = 1\nexports.a = a\n' }, async repo => {
    const run = (rule: string) =>
      apfelBot(['fix-lint', '--no-model', '--rule', rule], { cwd: repo.dir });
    for (const [rule, meant] of [
      ['semi,eslint/no-vra', 'eslint/no-var'],
      ['no-evla', 'no-eval'],
    ] as const) {
      const { code, stderr } = await run(rule);
      assert.is(code, 2, stderr);
      const wrong = rule.replace('semi,', '');
      assert.match(stderr, `no linter here has the rule ${wrong}; did you mean "${meant}"?`);
    }
    // A plugin may have it, and the linter's name stands for all of its rules.
    assert.is.not((await run('unicorn/no-vra,eslint')).code, 2);
    await repo.commit({
      'package.json': JSON.stringify({ scripts: { lint: 'eslint --rulesdir rules src' } }),
    });
    assert.is.not((await run('no-vra')).code, 2);
  }));

test('a rule that neither tsc nor Prettier can have is rejected', () =>
  withProject(
    {
      'package.json': JSON.stringify({ scripts: { lint: 'prettier --check src && tsc' } }),
      'tsconfig.json': JSON.stringify({ compilerOptions: { types: [] }, include: ['src'] }),
      'src/a.ts': 'export const a  = 1;\n',
    },
    async repo => {
      const run = (rule: string) =>
        apfelBot(['fix-lint', '--no-model', '--dry-run', '--rule', rule], { cwd: repo.dir });
      const { code, stderr } = await run('fromat');
      assert.is(code, 2, stderr);
      assert.match(stderr, 'no linter here has the rule fromat; did you mean "format"?');
      assert.is((await run('TS23O4')).code, 2);
      assert.is((await run('TS2304')).code, 0);
    },
  ));

test('--dry-run prints a diff that git can apply, and creates no branch', () =>
  withProject({ ...FILES, 'src/a.js': 'exports.a = 1\r\nexports.b = 2\r\n' }, async repo => {
    const run = await apfelBot(['fix-lint', '--no-model', '--dry-run'], { cwd: repo.dir });
    assert.is(run.code, 0, run.stderr);
    assert.match(run.stdout, /^diff --git a\/src\/a\.js/);
    assert.match(run.stdout, /\+exports\.a = 1;\r\n/);
    await repo.write('fix.patch', run.stdout);
    await repo.git('apply', '--check', 'fix.patch');
    assert.is(await repo.git('branch', '--list', 'apfel-bot/*'), '');
  }));

test('a pull request from a fork is refused before anything runs', () =>
  withProject({ ...FILES, 'src/a.js': 'exports.a = 1\n' }, async repo => {
    const head = await repo.git('rev-parse', 'HEAD');
    const side = (name: string) => ({ sha: head, repo: { full_name: name } });
    const pull = { number: 1, base: side('one/project'), head: side('two/project') };
    await repo.write('event.json', JSON.stringify({ pull_request: pull }));
    const env = { GITHUB_EVENT_PATH: join(repo.dir, 'event.json') };
    const run = await apfelBot(['fix-lint'], { cwd: repo.dir, env });
    assert.is(run.code, 7);
    assert.match(run.stderr, /fork \(two\/project\)/);
    for (const path of ['', join(repo.dir, 'gone.json')]) {
      const unknown = { GITHUB_ACTIONS: 'true', GITHUB_EVENT_PATH: path };
      const end = await apfelBot(['fix-lint', '--all'], { cwd: repo.dir, env: unknown });
      assert.is(end.code, 7, end.stderr);
    }
  }));

test('on a pull request of the same repository the linters are those of its head, and what is protected is the base’s', () =>
  withRepo(async repo => {
    const settings = { branch: { protect: ['kept.txt'] } };
    await repo.commit({ '.apfel-bot.json': JSON.stringify(settings) });
    const base = await repo.git('rev-parse', 'HEAD');
    const verify = { commands: [['sh', '-c', 'exit 3']] };
    const files = { 'a.txt': 'alpha\n', 'kept.txt': 'alpha\n' };
    await repo.commit({ ...wordsProject({ verify, branch: { protect: [] } }), ...files });
    const side = (sha: string) => ({ sha, repo: { full_name: 'one/project' } });
    const pull = { number: 1, base: side(base), head: side(await repo.git('rev-parse', 'HEAD')) };
    await repo.write('event.json', JSON.stringify({ pull_request: pull }));
    const env = { GITHUB_EVENT_PATH: join(repo.dir, 'event.json') };
    const { outcome, stderr } = await fixJson(repo, ['--no-model'], env);
    assert.equal(
      outcome.edits.map(({ path, status, reason }) => `${path} ${status}: ${reason}`),
      ['a.txt rejected: not verified: sh -c exit 3 ends with exit code 3 on the commit itself'],
      stderr,
    );
  }));

test.run();
