import { execFileSync, spawnSync } from 'node:child_process';
import { cp, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { npm } from '../support/packed.js';
import { notAll, suite } from '../support/suite.js';
import { gitEnv, openRepo, withFolder } from '../support/with-repo.js';

const listed = spawnSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
  encoding: 'utf8',
});
const reason = notAll ?? (listed.status === 0 ? undefined : 'this is not a clone');

/** A repository whose only commit is what is in this folder now, and an empty project. */
const withSource = (body: (source: string, project: string) => Promise<void>): Promise<void> =>
  withFolder(async top => {
    const source = join(top, 'source');
    const project = join(top, 'project');
    await Promise.all([mkdir(source), mkdir(project)]);
    for (const file of new Set(listed.stdout.split('\0').filter(Boolean))) {
      await cp(file, join(source, file)).catch(error => {
        // Listed, and deleted since.
        if (error.code !== 'ENOENT') throw error;
      });
    }
    const repo = openRepo(source);
    await repo.git('init', '--quiet', '--initial-branch', 'main');
    await repo.git('add', '--all');
    await repo.git('commit', '--quiet', '--message', 'all');
    await writeFile(join(project, 'package.json'), '{"private": true}');
    await body(source, project);
  });

const VERSION = /^\d+\.\d+\.\d+\n$/;

const test = suite('package/git-install');

test.unless(reason, 'npm install of a git URL builds the program, with no warning', () =>
  withSource(async (source, project) => {
    const args = ['install', '--prefer-offline', '--save-dev', `git+file://${source}`];
    const install = await npm(args, project);
    assert.is(install.code, 0, install.stderr);
    assert.match(install.stdout, /added 1 package in/);
    assert.is(install.stderr, '');
    const bin = join(project, 'node_modules', '.bin', 'apfel-bot');
    assert.match(execFileSync(bin, ['--version'], { encoding: 'utf8' }), VERSION);
  }),
);

test.unless(reason, 'npx runs the program from the git URL of a shallow clone', () =>
  withSource(async (source, project) => {
    const shallow = `${source}-shallow`;
    const env = gitEnv(project);
    execFileSync('git', ['clone', '--quiet', '--depth=1', `file://${source}`, shallow], { env });
    const argv = ['exec', '--yes', '--prefer-offline', `git+file://${shallow}`, '--', '--version'];
    const run = await npm(argv, project);
    assert.is(run.code, 0, run.stderr);
    assert.match(run.stdout, VERSION);
  }),
);

test.run();
