import { existsSync, readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { suite } from '../support/suite.js';
import type { WorkflowRun } from './run-workflow.js';
import { type Actions, withActions } from './with-actions.js';

const PINNED = {
  checkout: 'actions/checkout@11bd71901bbe5b1630ceea73d27597364c9af683',
  upload: 'actions/upload-artifact@ea165f8d65b6e75b540449e92b4886f43607fa02',
  download: 'actions/download-artifact@d3f86a106a0bac45b974a628896c90dbdf5c8093',
};

const test = suite('workflows/action');

interface CommandOptions {
  readonly command: string;
  readonly args?: readonly string[];
  readonly more?: Readonly<Record<string, string>>;
}

const ours = ({ command, args = [], more = {} }: CommandOptions): object => ({
  uses: 'OWNER/apfel-bot@COMMIT',
  with: { command, args: args.join('\n'), ...more },
});

const CLONE = { uses: PINNED.checkout, with: { 'fetch-depth': 0, 'persist-credentials': false } };

/** A workflow of somebody who pins the repository; JSON is YAML as well. */
async function running(actions: Actions, jobs: object): Promise<WorkflowRun> {
  const file = join(actions.folder, 'own.yml');
  const on = { pull_request: null };
  await writeFile(file, JSON.stringify({ name: 'own', on, permissions: {}, jobs }));
  return actions.run(file, await actions.pullEvent('opened'));
}

const job = (steps: readonly object[], more: object = {}): object => ({
  'runs-on': ['self-hosted', 'macOS'],
  'timeout-minutes': 5,
  permissions: { contents: 'read' },
  steps,
  ...more,
});

test.long('reviews and posts in two jobs, as the workflows do', () =>
  withActions(async actions => {
    const out = '--out=outcome.json';
    const name = { name: 'outcome' };
    const run = await running(actions, {
      review: job([
        CLONE,
        ours({ command: 'review', args: ['--fail-on=never', out] }),
        { uses: PINNED.upload, with: { ...name, path: 'outcome.json' } },
      ]),
      publish: job(
        [
          { uses: PINNED.download, with: name },
          ours({
            command: 'post',
            args: ['outcome.json'],
            more: { token: `\${{ github.token }}` },
          }),
        ],
        {
          needs: 'review',
          'runs-on': 'ubuntu-latest',
          permissions: { contents: 'read', 'pull-requests': 'write' },
        },
      ),
    });
    const log = Object.values(run.jobs).flatMap(all => all.map(each => each.log));
    assert.equal(run.results, { review: 'success', publish: 'success' }, log.join('\n'));
    assert.match(actions.ours()[0]?.body ?? '', /1 warning/);
  }),
);

for (const [what, options, told] of [
  ['a token for a command that may talk to the model', tokenFor('review'), /review takes no token/],
  ['an unknown command', { command: 'revue' }, /unknown command "revue"/],
] as const) {
  test.long(`refuses ${what}`, () =>
    withActions(async actions => {
      const run = await running(actions, { one: job([CLONE, ours(options)]) });
      assert.equal(run.results, { one: 'failure' });
      assert.match(run.jobs['one']?.[0]?.log ?? '', told);
    }),
  );
}

function tokenFor(command: string): CommandOptions {
  return { command, more: { token: 'ghs_abc' } };
}

test.long('installs with the real npm what the build imports, exactly as locked, and builds', () =>
  withActions(
    async actions => {
      const find = { run: 'cp -R "$(dirname "$(dirname "$(command -v apfel-bot)")")" built' };
      const steps = [ours({ command: '--version' }), find];
      const run = await running(actions, { one: job(steps) });
      assert.equal(run.results, { one: 'success' }, run.jobs['one']?.[0]?.log);
      assert.match(run.jobs['one']?.[0]?.log ?? '', /^\d+\.\d+\.\d+$/m);
      const built = join(run.artifacts, '..', 'one-0', 'work', 'built');
      const lockfile = (place: string): string =>
        readFileSync(join(place, 'package-lock.json'), 'utf8');
      assert.is(lockfile(built), lockfile('.'));
      assert.ok(existsSync(join(built, 'node_modules', 'openai')));
      assert.not.ok(existsSync(join(built, 'node_modules', 'eslint')));
    },
    { isUnbuilt: true, isRealNpm: true },
  ),
);

test.long('arguments are taken as they are written, and never by a shell', () =>
  withActions(async actions => {
    const trap = join(actions.folder, 'trap');
    const odd = `$(touch ${trap}) ; a  b* "c"`;
    const args = ['--no-model', '--format', odd];
    const run = await running(actions, { one: job([CLONE, ours({ command: 'review', args })]) });
    assert.not.ok(existsSync(trap));
    assert.ok(run.jobs['one']?.[0]?.log.includes(`found ${JSON.stringify(odd)}`));
  }),
);

test.run();
