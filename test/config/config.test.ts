import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { defaultConfig } from '../../src/config/config.js';
import { configFrom, findConfig, saysFailClosed } from '../../src/config/find.js';
import { field } from '../../src/core/json-fields.js';
import { openGit } from '../../src/git/git.js';
import { suite } from '../support/suite.js';
import { withFolder, withRepo } from '../support/with-repo.js';

const test = suite('config/config');

test('the defaults are as documented', () => {
  const { limits, hooks, review } = defaultConfig();
  const { turns, requests, badReplies, resultTokens, deadlineMs } = limits;
  assert.equal([turns, requests, badReplies, resultTokens, deadlineMs], [8, 12, 3, 800, undefined]);
  assert.is(hooks.deadlineMs, 8_000);
  assert.is(hooks.failClosed, false);
  assert.is(review.failOn, 'error');
});

test('a setting that is left out has the default that the schema names', () => {
  const schema = JSON.parse(readFileSync('schema/config.json', 'utf8'));
  const config: Record<string, unknown> = defaultConfig();
  let compared = 0;
  for (const [section, { properties = {} }] of Object.entries<Section>(schema.properties)) {
    for (const [name, { default: value }] of Object.entries(properties)) {
      // In milliseconds it has another name.
      if (value === undefined || name === 'deadline') continue;
      assert.equal(field(config[section], name), value, `${section}.${name}`);
      compared += 1;
    }
  }
  assert.ok(compared > 15, String(compared));
});

interface Section {
  readonly properties?: Readonly<Record<string, { readonly default?: unknown }>>;
}

test('the configuration of a bare repository is that of HEAD', () =>
  withRepo(repo =>
    withFolder(async folder => {
      await repo.commit({ '.apfel-bot.json': '{ "limits": { "turns": 5 } }' });
      const cwd = join(folder, 'bare.git');
      await repo.git('clone', '--quiet', '--bare', '.', cwd);
      const { signal } = new AbortController();
      const git = await openGit({ cwd, env: process.env, signal, expectsStaged: false });
      const place = { file: undefined, base: undefined, git, knownRules: [] };
      assert.is((await findConfig(place)).limits.turns, 5);
    }),
  ));

test('a file that --config names is read instead of any other, and must be there', () =>
  withFolder(async dir => {
    const file = join(dir, 'other.json');
    const place = { file, base: undefined, git: undefined, knownRules: [] };
    await writeFile(file, '{ "limits": { "turns": 5 }, "hooks": { "failClosed": true } }');
    assert.is((await findConfig(place)).limits.turns, 5);
    assert.is(await saysFailClosed(place), true);
    const missing = { ...place, file: `${file}.old` };
    const thrown = await findConfig(missing).catch(String);
    assert.match(String(thrown), `--config names ${file}.old, but there is no such file`);
    assert.is(await saysFailClosed(missing), false);
    // Without a repository there is nothing to read.
    assert.is((await findConfig({ ...place, file: undefined })).limits.turns, 8);
  }));

test('problems of the configuration are listed in the order of the file', () =>
  withFolder(async dir => {
    const file = join(dir, 'a.json');
    await writeFile(file, '{\n"zz": 1,\n"model": {"votes": "x", "votes": "y"},\n"aa": 2\n}\n');
    const place = { file, base: undefined, git: undefined, knownRules: [] };
    const thrown = String(await findConfig(place).catch(String));
    const places = [...thrown.matchAll(/^ {2}(\d+):\d+ /gm)].map(([, line]) => Number(line));
    assert.equal(places, [2, 3, 3, 4], thrown);
  }));

const RULES = ['debugger', 'secret/aws-access-key'];

const configOf = (files: Readonly<Record<string, string>>): ReturnType<typeof configFrom> =>
  configFrom(async name => files[name], RULES);

test('the setting of a check is a severity or an object, for one rule or a family', async () => {
  const { checks } = await configOf({
    '.apfel-bot.json': `{ "checks": { "debugger": "off",
      "secret/*": { "grade": "info", "ignore": ["docs/**"] } } }`,
  });
  assert.equal(
    [...checks],
    [
      ['debugger', { grade: 'off', ignore: [] }],
      ['secret', { grade: 'info', ignore: ['docs/**'] }],
    ],
  );
});

test('a check is named by its rule or its family, and by nothing shorter', async () => {
  for (const name of ['debugger', 'secret', 'secret/*', 'secret/aws-access-key'])
    await configOf({ '.apfel-bot.json': `{ "checks": { "${name}": "info" } }` });
  const thrown = await configOf({ '.apfel-bot.json': '{ "checks": { "sec": "info" } }' }).catch(
    String,
  );
  assert.match(String(thrown), 'there is no check "sec"');
});

test('the configuration in package.json is used if there is no file of its own', async () => {
  const manifest = { 'package.json': '{ "apfel-bot": { "limits": { "turns": 3 } } }' };
  assert.is((await configOf(manifest)).limits.turns, 3);
  assert.is((await configOf({ ...manifest, '.apfel-bot.json': '{}' })).limits.turns, 8);
  assert.is((await configOf({ 'package.json': '{}' })).limits.turns, 8);
});

test('a repeated key is reported with and without comments, and in package.json', async () => {
  const twice = '{ "limits": { "turns": 3, "turns": 4 } }';
  const clean = '{ "limits": { "turns": 3 }, "review": { "ignore": ["a: b", "c"] } }';
  assert.is((await configOf({ '.apfel-bot.json': clean })).limits.turns, 3);
  for (const files of [
    { '.apfel-bot.json': twice },
    { '.apfel-bot.json': `// twice\n${twice}` },
    { 'package.json': `{ "apfel-bot": ${twice} }` },
  ]) {
    assert.match(String(await configOf(files).catch(String)), '"turns"', JSON.stringify(files));
  }
});

test('trailing commas may follow values, lists and objects', async () => {
  const text = '{ "review": { "ignore": ["a", "b",], }, "limits": { "turns": 3, }, }';
  const { review, limits } = await configOf({ '.apfel-bot.json': text });
  assert.equal([review.ignore, limits.turns], [['a', 'b'], 3]);
});

test.run();
