import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import * as assert from 'uvu/assert';
import { parse } from 'yaml';
import { suite } from '../support/suite.js';
import { gitEnv, withRepo } from '../support/with-repo.js';

interface Workflow {
  readonly permissions: Record<string, string>;
  readonly jobs: Record<
    string,
    { steps: Array<{ uses?: string; run?: string }>; 'timeout-minutes': number }
  >;
}

const FILES = readdirSync('workflows').filter(name => name.endsWith('.yml'));
const { version } = JSON.parse(readFileSync('package.json', 'utf8'));

const load = (file: string): Workflow => parse(readFileSync(join('workflows', file), 'utf8'));

const test = suite('workflows');

for (const file of FILES) {
  test(`${file} may read only, pins what it uses, and has a time limit`, () => {
    const { permissions, jobs } = load(file);
    assert.equal(permissions, { contents: 'read' });
    for (const job of Object.values(jobs)) {
      assert.ok(job['timeout-minutes'] > 0);
      for (const { uses, run } of job.steps) {
        if (uses !== undefined) assert.match(uses, /^[\w-]+\/[\w-]+@[0-9a-f]{40}$/);
        assert.not.match(run ?? '', /\$\{\{/, 'no expression goes into a shell');
        if (run?.includes('npm install')) assert.match(run, new RegExp(`apfel-bot@${version}$`));
      }
    }
  });
}

test('checks.yml annotates a pull request with what it finds', () =>
  withRepo(async repo => {
    const base = await repo.git('rev-parse', 'HEAD');
    const head = await repo.commit({ 'a.js': 'it.only("x", () => {});\n' });
    const modules = join(repo.dir, 'temp', 'apfel-bot', 'node_modules');
    await mkdir(modules, { recursive: true });
    await symlink(resolve('.'), join(modules, 'apfel-bot'));
    const event = join(repo.dir, 'event.json');
    await writeFile(
      event,
      JSON.stringify({ pull_request: { number: 1, base: { sha: base }, head: { sha: head } } }),
    );
    const [command = ''] =
      load('checks.yml').jobs['checks']?.steps.flatMap(({ run }) =>
        run?.includes('review') ? [run] : [],
      ) ?? [];
    const env = {
      ...gitEnv(repo.dir),
      RUNNER_TEMP: join(repo.dir, 'temp'),
      GITHUB_EVENT_PATH: event,
    };
    const run = spawnSync('sh', ['-c', command], { cwd: repo.dir, env, encoding: 'utf8' });
    assert.is(run.status, 1, run.stderr);
    assert.match(run.stdout, /^::error file=a\.js,line=1/m);
  }));

test.run();
