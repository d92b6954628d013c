import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import type { Outcome } from '../../src/core/outcome.js';
import { apfelBot, type CliRun } from '../support/cli.js';
import { suite } from '../support/suite.js';
import {
  DEBUGGER,
  keepOutcome,
  LOGIN,
  outcomeOf,
  type PullFixture,
  REPOSITORY,
  stickyText,
  withFixture,
  withLines,
  writesOf,
} from './post-fixture.js';

const test = suite('publish/post-command');

/** The publishing job: a token and no checkout. */
const post = ({ dir, github }: PullFixture, args: readonly string[], env = {}): Promise<CliRun> =>
  apfelBot(['post', ...args], {
    cwd: dir,
    env: {
      GITHUB_TOKEN: github.token,
      GITHUB_API_URL: github.url,
      GITHUB_REPOSITORY: REPOSITORY,
      ...env,
    },
  });

/** The reviewing job: a checkout, the event, and no token. */
async function review({ dir, repo, pull }: PullFixture, name: string): Promise<string> {
  const [base, head] = [await repo.git('rev-parse', 'main'), await repo.git('rev-parse', 'topic')];
  const event = join(dir, 'event.json');
  const content = { pull_request: { number: pull, base: { sha: base }, head: { sha: head } } };
  await writeFile(event, JSON.stringify(content));
  const out = join(dir, name);
  const env = { GITHUB_EVENT_PATH: event, GITHUB_REPOSITORY: REPOSITORY };
  const run = await apfelBot(['review', '--no-model', '--out', out], { cwd: repo.dir, env });
  assert.is(run.code, 0, run.stderr);
  return out;
}

const places = ({ github }: PullFixture): string[] =>
  github.state.reviewComments.map(({ path, line }) => `${path}:${line}`);

test('post publishes a review, follows a push that fixes one finding and adds another, then has nothing new', () =>
  withFixture(async fixture => {
    const { github, dir, push } = fixture;
    const summary = join(dir, 'step.md');
    await writeFile(summary, 'before\n');
    const first = await post(fixture, [await review(fixture, 'one.json'), '--check'], {
      GITHUB_STEP_SUMMARY: summary,
      GITHUB_RUN_ID: '42',
    });
    assert.is(first.code, 0, first.stderr);
    assert.match(first.stdout, /^1 comment posted, 0 removed, summary created: https:/);
    assert.equal(places(fixture), ['src/a.js:5']);
    assert.match(stickyText(github), /checks only/);
    assert.match(stickyText(github), `github.com/${REPOSITORY}/actions/runs/42`);
    assert.is(github.state.checks[0]?.conclusion, 'success');
    assert.match(await readFile(summary, 'utf8'), /^before\n\*\*apfel-bot: 1 warning\*\*/);

    await push({ 'src/a.js': withLines({ 20: 'debugger; // twenty\n' }) });
    const second = await post(fixture, [await review(fixture, 'two.json')]);
    assert.match(second.stdout, /^1 comment posted, 1 removed, summary updated/);
    assert.equal(places(fixture), ['src/a.js:20']);
    const before = writesOf(github).length;
    const third = await post(fixture, [await review(fixture, 'three.json')]);
    assert.match(third.stdout, /^0 comments posted, 0 removed, summary unchanged/);
    assert.is(writesOf(github).length, before, 'no write at all');
    assert.is(github.state.comments.length, 1);
    assert.equal(github.violations, []);
  }));

test('post uses the configuration of the base, not of the change', () =>
  withFixture(async fixture => {
    const { github, repo, dir, head, push } = fixture;
    const config = (publish: object): Record<string, string> => ({
      '.apfel-bot.json': JSON.stringify({ publish }),
    });
    await repo.git('switch', '--quiet', 'main');
    await repo.commit(config({ maxComments: 0 }));
    await repo.git('push', '--quiet', 'origin', 'main');
    await repo.git('switch', '--quiet', 'topic');
    await push(config({ author: 'mallory' }));
    const file = await keepOutcome(dir, outcomeOf(await head(), [DEBUGGER]));
    const run = await post(fixture, [file]);
    assert.match(run.stdout, /^0 comments posted, 0 removed, summary created/, run.stderr);
    assert.is(github.state.reviewComments.length, 0);
    assert.match(stickyText(github), 'over the limit of comments');
    await writeFile(join(dir, 'own.json'), JSON.stringify({ publish: { maxComments: 1 } }));
    const own = await post(fixture, [file, '--config', join(dir, 'own.json')]);
    assert.match(own.stdout, /^1 comment posted/, own.stderr);
    assert.equal(github.violations, []);
  }));

test('post writes a note without GitHub when there is no pull request', () =>
  withFixture(async fixture => {
    const { repo, dir, github } = fixture;
    const outcome = outcomeOf(await repo.git('rev-parse', 'topic'), [DEBUGGER]);
    const none = { GITHUB_TOKEN: '', GITHUB_REPOSITORY: '' };
    const inRepo = (args: string[]): Promise<CliRun> =>
      apfelBot(['post', ...args], { cwd: repo.dir, env: none });
    const run = await inRepo([await keepOutcome(dir, outcome), '--note']);
    assert.is(run.code, 0, run.stderr);
    const note = await repo.git('notes', '--ref=apfel-bot', 'show', 'topic');
    assert.match(note, outcome.run);
    const change = { ...outcome.change, pull: null };
    const plain = await inRepo([await keepOutcome(dir, { ...outcome, change })]);
    assert.match(plain.stdout, /^note written to [0-9a-f]{12}\n$/);
    assert.is(await repo.git('notes', '--ref=apfel-bot', 'show', 'topic'), note, 'nothing twice');
    assert.is(github.requests.length, 0);
    const elsewhere = await post(fixture, [await keepOutcome(dir, outcome), '--note']);
    assert.is(elsewhere.code, 3, 'no repository, no note');
  }));

test('post refuses bad input with the reason, and keeps the outcome when publishing fails', () =>
  withFixture(async fixture => {
    const { dir, head, github } = fixture;
    const outcome = outcomeOf(await head(), [DEBUGGER]);
    const bent = (change: object): object => ({
      ...outcome,
      change: { ...outcome.change, ...change },
    });
    const cases: ReadonlyArray<[unknown, string[], object, number, RegExp]> = [
      [bent({ head: 'index' }), [], {}, 2, /which has no commit/],
      [bent({ head: 'stdin' }), ['--note'], {}, 2, /which has no commit/],
      [outcome, ['--pr', 'x'], {}, 2, /--pr must be/],
      [outcome, ['--dry'], {}, 2, /unknown option/],
      [outcome, ['more'], {}, 2, /unexpected argument/],
      [outcome, [], { GITHUB_REPOSITORY: '' }, 2, /GITHUB_REPOSITORY is not set/],
      ['text', [], {}, 5, /isn't an outcome/],
      [{}, [], {}, 5, /^(?![\s\S]*schema, )[\s\S]*top level: the key "version" is missing/],
      [{ ...outcome, run: '--> x' }, [], {}, 5, /isn't an outcome, or was edited:\n {2}run: /],
      [{ ...outcome, extra: 1 }, [], {}, 5, /unknown key "extra"/],
      [outcome, [], { GITHUB_TOKEN: '' }, 5, /GITHUB_TOKEN is not set/],
      [outcome, [], { GITHUB_TOKEN: 'wrong' }, 5, /rejected the token/],
      [outcome, ['--pr', '77'], {}, 5, /has no pull request 77/],
      [bent({ head: 'b'.repeat(40) }), [], {}, 5, /nothing was posted/],
      [bent({ repository: 'eve/other' }), [], {}, 7, /the outcome is for eve\/other/],
    ];
    for (const [content, args, env, code, message] of cases) {
      const file = await keepOutcome(dir, content);
      const run = await post(fixture, [file, ...args], env);
      assert.is(run.code, code, `${message}: ${run.stderr}`);
      assert.match(run.stderr, message);
      if (code !== 2) assert.match(run.stderr, `The outcome is kept: ${file}`);
      assert.not.match(run.stderr, /\n\s+at /, 'no stack trace');
    }
    assert.is((await post(fixture, [join(dir, 'nowhere.json')])).code, 2);
    assert.is((await post(fixture, [])).code, 2);
    await writeFile(join(dir, 'outcome.json'), '{ half');
    assert.match((await post(fixture, [join(dir, 'outcome.json')])).stderr, /isn't valid JSON/);
    assert.equal(writesOf(github), []);
  }));

test('post to a locked conversation or an archived repository exits 7 with the reason', () =>
  withFixture(async fixture => {
    const { github, dir, head } = fixture;
    const file = await keepOutcome(dir, outcomeOf(await head(), [DEBUGGER]));
    github.lock(1);
    const summary = join(dir, 'step.md');
    const locked = await post(fixture, [file], { GITHUB_STEP_SUMMARY: summary });
    assert.match(
      await readFile(summary, 'utf8'),
      'src/a.js:5',
      'the job shows what GitHub does not',
    );
    assert.is(locked.code, 7, locked.stderr);
    assert.match(locked.stderr, /locked/);
    github.archive();
    const archived = await post(fixture, [file]);
    assert.is(archived.code, 7, archived.stderr);
    assert.match(archived.stderr, /archived/);
    assert.is(github.state.comments.length, 0);
  }));

test('a server that does not answer does not hold post past its deadline', () =>
  withFixture(async fixture => {
    const { github, dir, head } = fixture;
    const file = await keepOutcome(dir, outcomeOf(await head(), [DEBUGGER]));
    for (const kind of ['slow', 'error', 'primary-limit'] as const) {
      github.addFault({ on: '*', kind, times: 1000, delayMs: 600_000, waitSeconds: 3600 });
      const run = await post(fixture, [file, '--deadline', '1500ms']);
      assert.is(run.code, 5, run.stderr);
    }
  }));

test('a long hostile text of the model is posted cut and harmless', () =>
  withFixture(async fixture => {
    const { github, dir, head } = fixture;
    const evil = '@everyone fixes #1 ![x](http://evil/x.png) <img src=x>\n/apfel review\n';
    const finding = { ...DEBUGGER, message: evil.repeat(4_000_000 / evil.length) };
    const outcome: Outcome = outcomeOf(await head(), [finding], {
      notices: [evil, 'x'.repeat(1_000_000)],
    });
    const run = await post(fixture, [await keepOutcome(dir, outcome), '--check']);
    assert.is(run.code, 0, run.stderr);
    const bodies = [...github.state.comments, ...github.state.reviewComments]
      .filter(({ author }) => author === LOGIN)
      .map(({ body }) => body);
    assert.is(bodies.length, 2);
    for (const body of bodies) {
      assert.ok(body.length <= 65_536);
      assert.not.match(body, /@everyone|#1\b|!\[|:\/\/evil|<img|^\s*\/apfel/m);
    }
    assert.not.match(github.state.checks[0]?.annotations[0]?.message ?? '', /@everyone|#1/);
  }));

test.run();
