import { chmod, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { startStandIn } from '../../fixtures/apfel/stand-in.js';
import { CLI } from '../support/cli.js';
import { reviewer } from '../support/reviewer.js';
import { noScreen, withScreen } from '../support/screen.js';
import { suite } from '../support/suite.js';
import { gitEnv, withRepo } from '../support/with-repo.js';

const test = suite('cli/wrapped');

const COMMANDS = ['review', 'show --list', 'fix-lint'];

test.unless(
  noScreen,
  'on a narrow terminal no command prints a line that is broken in a word',
  async () => {
    const server = await startStandIn({ policy: reviewer({ sees: ['index <='] }), latencyMs: 0 });
    try {
      await withRepo(async repo => {
        const bot = join(repo.dir, '.git', 'bot');
        await writeFile(bot, `#!/bin/sh\nexec '${process.execPath}' '${CLI}' "$@"\n`);
        await chmod(bot, 0o755);
        const command = ['own', '--with', 'many-options', '--and', 'one-more'];
        const lint = [{ name: 'own', command, format: 'gcc' }];
        await repo.commit({ '.apfel-bot.json': JSON.stringify({ lint }) });
        await repo.commit({ 'a.js': 'while (index <= list.length) use(list[index]);\n' });
        await repo.stage('package-lock.json', '{}\n');
        await repo.stage('logo.png', '\0');
        const env = { ...gitEnv(repo.dir), APFEL_BOT_BASE_URL: server.baseUrl };
        await withScreen({ cwd: repo.dir, env, columns: 50 }, async screen => {
          for (const args of COMMANDS) {
            await screen.type(`.git/bot ${args}`);
            assert.is(await screen.shown(), await screen.joined(), args);
            await screen.clear();
          }
        });
      });
    } finally {
      await server.close();
    }
  },
);

test.run();
