import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import type { Github } from '../../src/github/github.js';
import { mustBeAllowed, mustBeBound } from '../../src/publish/bound-event.js';
import { apfelBot } from '../support/cli.js';
import { suite } from '../support/suite.js';
import { withFolder } from '../support/with-repo.js';
import {
  endOf,
  fixedCommit,
  outcomeOf as fixOutcomeOf,
  type PullFixture,
  REPOSITORY,
  withFixture,
} from './push-fixture.js';

const test = suite('publish/bound-event');

async function eventOf({ dir }: PullFixture, content: unknown): Promise<string> {
  const path = join(dir, 'event.json');
  await writeFile(path, typeof content === 'string' ? content : JSON.stringify(content));
  return path;
}

interface Case {
  readonly event: unknown;
  readonly env?: Record<string, string>;
  readonly pull?: number | undefined;
  readonly head: string;
}

async function codeOf(
  fixture: PullFixture,
  { event, env = {}, pull, head }: Case,
): Promise<number> {
  const path = await eventOf(fixture, event);
  const all = { GITHUB_EVENT_PATH: path, ...env };
  return (await endOf(mustBeBound(all, { pull, head }, await fixture.githubApi()))).code;
}

test('an event allows its own pull request, commit and branch, and nothing else', () =>
  withFixture(async fixture => {
    const { pull, main, head, github, repo } = fixture;
    await repo.git('push', '--quiet', 'origin', `${head}:refs/heads/other`);
    const { number: other } = await github.openPull({ head: 'other' });
    const repository = { full_name: REPOSITORY };
    const onPull = { repository, pull_request: { number: pull, head: { sha: head } } };
    const onComment = { repository, issue: { number: pull, pull_request: {} } };
    const onPush = { repository, ref: 'refs/heads/main', after: main };
    const run = { head_sha: head, head_branch: 'topic', pull_requests: [] };
    const onRun = { repository, workflow_run: run };
    const allowed: Case[] = [
      { event: onPull, pull, head },
      { event: onPull, head },
      { event: onComment, pull, head },
      { event: onPush, head: main },
      { event: { repository, ref: 'refs/heads/main' }, head: main },
      { event: { repository, ref: 'refs/heads/topic', after: head }, pull, head },
      { event: onRun, pull, head },
      { event: { repository, schedule: 'x' }, env: { GITHUB_SHA: main }, head: main },
      { event: { repository, inputs: {} }, env: { GITHUB_REF: 'refs/heads/main' }, head: main },
    ];
    const refused: Case[] = [
      { event: onPull, pull: other, head },
      { event: onPull, head: main },
      { event: onComment, pull: other, head },
      { event: onComment, head: main },
      { event: onPush, pull, head },
      { event: onPush, head },
      // The same commit on another branch is another pull request's.
      { event: { repository, ref: 'refs/heads/other', after: head }, pull, head },
      { event: { repository, ref: 'refs/heads/topic', after: main }, pull, head },
      { event: onRun, pull: other, head },
      // A fork may call its branch as it likes.
      { event: { repository, workflow_run: { ...run, head_branch: 'main' } }, head: main },
      { event: onRun, env: { GITHUB_SHA: main, GITHUB_REF: 'refs/heads/main' }, head: main },
      { event: { ...onPull, repository: { full_name: 'eve/other' } }, pull, head },
      { event: { repository, issue: { number: pull } }, pull, head },
      { event: {}, pull, head },
      { event: 'not JSON', pull, head },
    ];
    for (const each of allowed) assert.is(await codeOf(fixture, each), 0, JSON.stringify(each));
    for (const each of refused) assert.is(await codeOf(fixture, each), 7, JSON.stringify(each));
  }));

test('a branch is bound to a push only, and a refusal names what the event is about', () =>
  withFolder(async dir => {
    const [head, other] = ['a'.repeat(40), 'b'.repeat(40)];
    const api = {
      repository: REPOSITORY,
      pull: async (number: number) => ({ number, head: { ref: 'topic', sha: head } }),
      branchHead: async () => head,
    } as unknown as Github;
    const path = join(dir, 'event.json');
    const bind = async (event: object, target: object, env = {}): Promise<string> => {
      await writeFile(path, JSON.stringify(event));
      const bound = mustBeBound(
        { GITHUB_EVENT_PATH: path, ...env },
        { pull: undefined, head: undefined, ...target },
        api,
      );
      const said = (thrown: Error): string => thrown.message.replace(/^.* event is about /, 'not ');
      return await bound.then(branch => branch ?? 'no branch', said);
    };
    const onPull = { pull_request: { number: 1 } };
    const onTopic = { GITHUB_REF: 'refs/heads/topic' };
    const run = { head_sha: head, head_branch: 'topic' };
    for (const [expected, event, target, env] of [
      ['no branch', onPull, { pull: 1 }],
      ['no branch', onPull, { head }],
      ['no branch', onPull, { head }, onTopic],
      ['not pull request 1', onPull, { pull: 2 }, onTopic],
      ['topic', { ref: 'refs/heads/topic', after: head }, { head }],
      ['topic', { ref: 'topic' }, { head }],
      ['topic', {}, { pull: 2 }, onTopic],
      ['no branch', { workflow_run: run }, { head }],
      ['no branch', { after: head }, { head }],
      ['no branch', { check_run: { check_suite: run, head_sha: head } }, { pull: 2 }],
      ['not the branch topic and the commit bbbbbbbbbbbb', { after: other }, { pull: 2 }, onTopic],
      ['not the branch topic', {}, { head: other }, onTopic],
      ['not the branch topic', {}, {}, onTopic],
      ['not the commit bbbbbbbbbbbb', {}, { head }, { GITHUB_SHA: other }],
      ['not neither a pull request nor a branch', { ref: 'refs/tags/v1' }, { head }],
    ] as const) {
      assert.is(await bind(event, target, env), expected, JSON.stringify([event, target, env]));
    }
  }));

test('in a workflow without an event file only the commit of its environment can be published to', () =>
  withFixture(async fixture => {
    const { pull, main, head } = fixture;
    const githubApi = await fixture.githubApi();
    const code = async (env: Record<string, string>, target: object): Promise<number> =>
      (await endOf(mustBeBound(env, { pull: undefined, head, ...target }, githubApi))).code;
    assert.is(await code({}, { pull }), 0);
    assert.is(await code({ CI: 'true' }, { pull }), 0);
    const actions = { GITHUB_ACTIONS: 'true', GITHUB_EVENT_PATH: '' };
    assert.is(await code(actions, { pull }), 7);
    assert.is(await code({ ...actions, GITHUB_SHA: main }, { head: main }), 0);
  }));

test('a label, a comment, a review or a workflow run starts a push only for people with write permission', () =>
  withFixture(async fixture => {
    const githubApi = await fixture.githubApi();
    const { roles } = fixture.github.state;
    roles.set('tim', 'triage').set('wanda', 'write');
    const end = async (event: unknown): Promise<number> => {
      const env = { GITHUB_EVENT_PATH: await eventOf(fixture, event) };
      return (await endOf(mustBeAllowed(env, githubApi))).code;
    };
    assert.is(await end({ action: 'labeled', sender: { login: 'tim' } }), 7);
    assert.is(await end({ action: 'labeled', sender: { login: 'wanda' } }), 0);
    assert.is(await end({ action: 'labeled' }), 7);
    for (const event of [
      { comment: {} },
      { workflow_run: {} },
      { action: 'submitted', review: {} },
    ]) {
      assert.is(await end({ ...event, sender: { login: 'tim', type: 'User' } }), 7);
      assert.is(await end({ ...event, sender: { login: 'wanda', type: 'User' } }), 0);
    }
    assert.is(await end({ schedule: 'x' }), 0);
    assert.is(await end({ action: 'opened', sender: { login: 'tim', type: 'User' } }), 0);
    assert.is(await end({ comment: {}, sender: { login: 'app[bot]', type: 'Bot' } }), 0);
  }));

test('post, push and respond refuse an outcome for another pull request than the event’s, with exit 7', () =>
  withFixture(async fixture => {
    const { dir, pull, head, github } = fixture;
    const outcome = fixOutcomeOf(fixture, await fixedCommit(fixture));
    await writeFile(join(dir, 'outcome.json'), JSON.stringify(outcome));
    const request = {
      ...{ decision: 'run', reason: 'admitted', verb: 'review', args: [], repository: REPOSITORY },
      ...{ pull, base: fixture.main, head, headRepository: REPOSITORY },
    };
    await writeFile(join(dir, 'request.json'), JSON.stringify(request));
    const env = {
      GITHUB_TOKEN: github.token,
      GITHUB_API_URL: github.url,
      GITHUB_REPOSITORY: REPOSITORY,
      GITHUB_EVENT_PATH: await eventOf(fixture, { pull_request: { number: pull + 1 } }),
    };
    for (const args of [
      ['post', 'outcome.json', '--check'],
      ['post', 'outcome.json', '--pr', `${pull}`],
      ['push', 'outcome.json'],
      ['respond', '--failed', 'request.json'],
    ]) {
      const run = await apfelBot(args, { cwd: dir, env });
      assert.is(run.code, 7, `${args}: ${run.stderr}`);
      assert.match(run.stderr, `the outcome is for pull request ${pull}`);
      assert.match(run.stderr, `event is about pull request ${pull + 1}`);
    }
    assert.equal(github.writes(), []);
  }));

test.run();
