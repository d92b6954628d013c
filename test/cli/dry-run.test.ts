import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { startStandIn } from '../../fixtures/apfel/stand-in.js';
import { perfectModel } from '../agent/simulation/perfect-model.js';
import { apfelBot } from '../support/cli.js';
import { reviewer } from '../support/reviewer.js';
import { suite } from '../support/suite.js';
import { withRepo } from '../support/with-repo.js';

const test = suite('cli/dry-run');

const COMMANDS = [
  { args: ['review', '--staged'], policy: reviewer({ sees: ['i <= n'] }), code: 1 },
  { args: ['ask', 'What is the value of high in a.js?'], policy: perfectModel, code: 0 },
  { args: ['describe', '--staged'], policy: reviewer({ sees: [] }), code: 0 },
] as const;

for (const { args, policy, code } of COMMANDS) {
  const [command] = args;
  test(`${command} --dry-run does its work and writes nothing`, async () => {
    const server = await startStandIn({ policy });
    try {
      await withRepo(async repo => {
        await repo.commit({ 'a.js': 'export const high = 17;\n' });
        await repo.stage('a.js', 'export const high = 17;\nwhile (i <= n) use(list[i]);\n');
        const before = await readdir(repo.dir, { recursive: true });
        const run = await apfelBot(
          [
            ...args,
            '--dry-run',
            '--out',
            'out.json',
            '--format',
            'json',
            '--base-url',
            server.baseUrl,
          ],
          { cwd: repo.dir },
        );
        assert.is(run.code, code, run.stderr);
        assert.ok(server.requests.length > 0);
        assert.is(JSON.parse(run.stdout).task, command);
        assert.match(run.stderr, 'dry run: nothing was written\n');
        assert.equal(await readdir(repo.dir, { recursive: true }), before);
        // Without the option it does write something, so the comparison can fail.
        await apfelBot([...args, '--out', 'out.json', '--base-url', server.baseUrl], {
          cwd: repo.dir,
        });
        assert.ok(existsSync(join(repo.dir, 'out.json')));
        assert.ok(existsSync(join(repo.dir, '.git', 'apfel-bot')));
      });
    } finally {
      await server.close();
    }
  });
}

test.run();
