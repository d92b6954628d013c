import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import type { Outcome } from '../../src/core/outcome.js';
import { redactPath } from '../../src/secrets/redact.js';
import { outcomeOf, postIt, withFixture } from '../publish/post-fixture.js';
import { apfelBot } from '../support/cli.js';
import { suite } from '../support/suite.js';
import { type Repo, withRepo } from '../support/with-repo.js';

const test = suite('secrets/file-names');

const SECRET = ['AKIA', 'Z7QX2MNB4KLPTRWS'].join('');
const PATH = `keys/${SECRET}/a.js`;
const ENV = { APFEL_BOT_BASE_URL: 'http://127.0.0.1:9/v1' };

const FORMATS = ['text', 'json', 'sarif', 'rdjson', 'github', 'markdown'];

async function everyOwnFile(repo: Repo): Promise<string> {
  const own = join(repo.dir, '.git/apfel-bot');
  const names = await readdir(own, { recursive: true, withFileTypes: true });
  const files = names.filter(each => each.isFile()).map(each => join(each.path, each.name));
  return (await Promise.all(files.map(file => readFile(file, 'latin1')))).join('\n');
}

test('a review masks secrets in file names in every format, its file, its note and its records', () =>
  withRepo(async repo => {
    await repo.commit({
      [PATH]: 'debugger;\n',
      [`keys/${SECRET}/b.js`]: 'x\n',
      [`${SECRET}.min.js`]: 'x\n',
      [`logs/${'0a1b'.repeat(10)}`]: 'x\n',
    });
    const shown: string[] = [];
    const run = async (...args: string[]): Promise<void> => {
      const { stdout, stderr } = await apfelBot(args, { cwd: repo.dir, env: ENV });
      assert.not.match(stdout + stderr, SECRET, args.join(' '));
      shown.push(stdout);
    };
    for (const format of FORMATS) {
      await run(
        'review',
        '--no-model',
        '--commit',
        'HEAD',
        '--format',
        format,
        '--out',
        'out.json',
      );
      assert.match(shown.at(-1) ?? '', 'keys/AKIA', format);
    }
    const outcome = await readFile(join(repo.dir, 'out.json'), 'utf8');
    assert.not.match(outcome, SECRET);
    const { findings }: Pick<Outcome, 'findings'> = JSON.parse(outcome);
    // Two files are in the folder, and the last name is only a hash.
    assert.equal(
      findings.filter(({ rule }) => rule.startsWith('secret/')).map(({ path }) => path),
      [`${SECRET}.min.js`, PATH].map(redactPath),
    );
    await run('post', 'out.json', '--note');
    assert.not.match(await repo.git('notes', '--ref=apfel-bot', 'show', 'HEAD'), SECRET);
    await run('show');
    await run('show', '--html', 'audit.html');
    assert.not.match(await readFile(join(repo.dir, 'audit.html'), 'utf8'), SECRET);
    await run('plan', '--commit', 'HEAD');
    await run('plan', '--commit', 'HEAD', '--format', 'json');
    assert.not.match(await everyOwnFile(repo), SECRET);
  }));

test('a hook masks secrets in file names', () =>
  withRepo(async repo => {
    await repo.stage(`keys/${SECRET}.test.js`, 'it.only("x", () => {});\n');
    const { code, stdout, stderr } = await apfelBot(['hook', 'pre-commit', '--no-model'], {
      cwd: repo.dir,
      env: ENV,
    });
    assert.is(code, 1, stderr);
    assert.not.match(stdout + stderr, SECRET);
    assert.match(stdout + stderr, 'keys/AKIA');
    assert.not.match(await everyOwnFile(repo), SECRET);
  }));

test('comments mask secrets in file names, whatever the outcome says', () =>
  withFixture(async fixture => {
    const outside = { path: PATH, line: 1, endLine: 1, evidence: 'debugger;' };
    const githubApi = await fixture.githubApi({ deadlineMs: 120_000 });
    await postIt(githubApi, outcomeOf(await fixture.head(), [outside]));
    const { comments, reviewComments } = fixture.github.state;
    const posted = [...comments, ...reviewComments].map(({ body }) => body).join('\n');
    assert.match(posted, 'keys/AKIA');
    assert.not.match(posted, SECRET);
  }));

test('an ordinary path is not masked', () => {
  for (const path of ['src/a.js', `${'Ab1/'.repeat(16)}`, `a/${'b'.repeat(300)}.ts`]) {
    assert.is(redactPath(path), path);
  }
});

test('an error message masks a secret that it quotes, in a hook too', () =>
  withRepo(async repo => {
    await repo.write('.apfel-bot.json', JSON.stringify({ hooks: { deadline: SECRET } }));
    for (const args of [['review'], ['review', '--commit', SECRET], ['hook', 'pre-commit']]) {
      const { stderr } = await apfelBot(args, { cwd: repo.dir, env: ENV });
      assert.match(stderr, 'AKIA****', args.join(' '));
      assert.not.match(stderr, SECRET, args.join(' '));
    }
  }));

test.run();
