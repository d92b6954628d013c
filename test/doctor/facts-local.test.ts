import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { suite } from '../support/suite.js';
import { withRepo } from '../support/with-repo.js';
import { environmentOf, withPatient } from './patient.js';

const test = suite('doctor/facts-local');

test('no line of doctor contains a token or another secret', () =>
  withPatient(({ home, look }) =>
    withRepo(async repo => {
      await repo.git('remote', 'add', 'origin', 'https://ada:hunter2@git.example/a/b.git');
      await repo.git('remote', 'add', 'mirror', 'git@mirror.example:a/b.git');
      await repo.git('remote', 'add', 'disk', '/srv/a.git');
      const environment = {
        ...environmentOf(home),
        GITHUB_TOKEN: 'github_pat_topsecret',
        GITHUB_API_URL: 'https://ada:hunter2@ghe.example/api/v3',
        APFEL_BOT_API_KEY: 'keysecret',
      };
      const { line, printed } = await look({ cwd: repo.dir, environment });
      assert.not.match(printed, /topsecret|hunter2|keysecret|ada/);
      assert.match(
        line('github-token') ?? '',
        /^attention GITHUB_TOKEN holds a fine-grained personal token; ghe\.example can't be asked/,
      );
      assert.is(
        line('egress-github'),
        'ok post, push, respond, and doctor about the token: ghe.example | ',
      );
      assert.match(
        line('egress-git') ?? '',
        /git: this machine \(disk\), mirror\.example \(mirror\), git\.example \(origin\)/,
      );
    }),
  ));

test('every problem of a broken configuration is reported, and the rest is still looked at', () =>
  withPatient(({ look }) =>
    withRepo(async repo => {
      await repo.write('.apfel-bot.json', '{"limits": {"turns": "many"}, "modle": {}}');
      const broken = await look({ cwd: repo.dir });
      assert.is(broken.ending, 'config');
      assert.match(
        broken.line('config') ?? '',
        /^problem \.apfel-bot\.json:\n {2}1:22 limits\.turns: .*\n {2}1:31 .*key "modle".*config\.json$/,
      );
      assert.match(broken.line('repository') ?? '', /^ok /);
      await repo.write('.apfel-bot.json', '{"model": {"baseUrl": "http://127.0.0.1:1/v1"}}');
      const valid = await look({ cwd: repo.dir });
      assert.is(valid.line('config'), 'ok .apfel-bot.json is valid | ');
      assert.match(
        valid.line('server') ?? '',
        /^attention nothing answers at http:\/\/127.0.0.1:1/,
      );
      const missing = await look({ cwd: repo.dir, configFile: join(repo.dir, 'none.json') });
      assert.match(missing.line('config') ?? '', /^problem --config names .*none\.json/);
    }),
  ));

test('doctor asks for the power supply on a Mac only', () =>
  withPatient(async ({ home, look }) => {
    const baseUrl = 'http://127.0.0.1:1/v1';
    const pmset = join(home, 'pmset');
    const power = async (source: string): Promise<string | undefined> => {
      const script = `#!/bin/sh\n[ "$*" = "-g batt" ] && echo "Now drawing from '${source}'"\n`;
      await writeFile(pmset, script, { mode: 0o755 });
      return (await look({ baseUrl, pmset, platform: 'darwin' })).line('power');
    };
    assert.match((await power('Battery Power')) ?? '', /^attention on battery/);
    assert.match((await power('AC Power')) ?? '', /^ok on mains power/);
    assert.match((await power('a potato')) ?? '', /^ok can't tell/);
    assert.match((await look({ baseUrl, pmset })).line('power') ?? '', /^ok no power-related/);
  }));

test('without git there is no other line about it', () =>
  withPatient(async ({ home, look }) => {
    const environment = { ...environmentOf(home), PATH: home };
    const { ending, line } = await look({ environment });
    assert.is(ending, 'git');
    assert.match(line('git') ?? '', /^problem git was not found on the PATH \| Install git/);
    assert.is(line('repository'), undefined);
  }));

test('where git is Apple\u2019s stub, doctor shows its message and the next step', () =>
  withPatient(async ({ home, look }) => {
    for (const [words, fix] of [
      [
        'xcrun: error: invalid active developer path (/Library/Developer)',
        'xcode-select --install',
      ],
      ['You have not agreed to the Xcode license agreements.', 'sudo xcodebuild -license accept'],
    ]) {
      const script = `#!/bin/sh\necho '${words}' >&2\nexit 1\n`;
      await writeFile(join(home, 'git'), script, { mode: 0o755 });
      const { ending, line } = await look();
      assert.is(ending, 'git');
      assert.is(line('git'), `problem git can't be run: ${words} | Run: ${fix}`);
    }
  }));

test.run();
