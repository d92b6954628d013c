import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { chmod, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import * as assert from 'uvu/assert';
import { knownRules } from '../../src/checks/rules.js';
import { readConfig } from '../../src/config/read.js';
import { EXIT } from '../../src/core/bot-error.js';
import { apfelBotProcess, CLI } from '../support/cli.js';
import { suite } from '../support/suite.js';
import { gitEnv, withFolder, withRepo } from '../support/with-repo.js';

/** README, then the pages it leads to. */
const PAGES = ['README.md', ...readdirSync('docs').map(name => join('docs', name))].filter(name =>
  name.endsWith('.md'),
);
const README = PAGES.map(name => readFileSync(name, 'utf8')).join('\n');

const blocksOf = (text: string, language: string): string[] =>
  [...text.matchAll(new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\``, 'gm'))].map(
    ([, block = '']) => block,
  );
const blocks = (language: string): string[] => blocksOf(README, language);

const commands = blocks('sh')
  .flatMap(block => block.split('\n'))
  .filter(line => /npx (--no-install )?apfel-bot /.test(line) && !line.startsWith('#'));

const test = suite('package/readme');

test('the README shows the commands that this test runs', () => {
  assert.ok(commands.length >= 11, commands.join('\n'));
});

test('the first command of the README runs the demo from a clone', () => {
  assert.is(blocks('sh')[0], 'npm install && node dist/cli.cjs demo\n');
});

test.long('the demo runs from the build', () =>
  withFolder(async folder => {
    const env = { ...gitEnv(folder), TMPDIR: folder };
    const demo = spawnSync(process.execPath, [CLI, 'demo'], { cwd: folder, env, encoding: 'utf8' });
    assert.is(demo.status, 0, demo.stdout + demo.stderr);
  }),
);

test('no command takes apfel-bot from npm, where it is not published', () => {
  const guides = [README, readFileSync('workflows/README.md', 'utf8')]
    .flatMap(text => blocksOf(text, 'sh'))
    .join('\n');
  assert.not.match(guides, /npm (?:i|install|exec)\b.* apfel-bot(?:@\S*)?$/m);
  assert.match(
    guides,
    /npm install --save-dev git\+https:\/\/github\.com\/OWNER\/apfel-bot\.git$/m,
  );
});

/** The anchor that GitHub gives a heading. */
const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-');

for (const page of [
  ...PAGES,
  'CONTRIBUTING.md',
  'SECURITY.md',
  'workflows/README.md',
  'src/README.md',
]) {
  test(`every link in ${page} leads to a file and a heading that exist`, () => {
    const text = readFileSync(page, 'utf8').replace(/^```[\s\S]*?^```/gm, '');
    for (const [, link = ''] of text.matchAll(/\]\(([^)\s]+)\)/g)) {
      if (/^[a-z]+:/.test(link)) continue;
      const [path = '', anchor] = link.split('#');
      const file = path === '' ? page : join(dirname(page), path);
      assert.ok(existsSync(file), link);
      if (anchor === undefined) continue;
      const headings = readFileSync(file, 'utf8').match(/^#+ .*$/gm) ?? [];
      const anchors = headings.map(line => anchorOf(line.replace(/^#+ /, '')));
      assert.ok(anchors.includes(anchor), link);
    }
  });
}

test('the generated pages of docs/ are up to date', () => {
  const { status, stderr } = spawnSync(process.execPath, ['scripts/docs.mjs', '--check'], {
    encoding: 'utf8',
  });
  assert.is(status, 0, stderr);
});

test('every environment variable that is read is documented', () => {
  const page = readFileSync('docs/environment.md', 'utf8');
  for (const name of ['APFEL_BOT', 'APFEL_BOT_BASE_URL', 'APFEL_BOT_MODEL', 'APFEL_BOT_API_KEY']) {
    assert.match(page, `| \`${name}\` |`);
  }
});

test('every npm script that the documentation names exists', () => {
  const { scripts } = JSON.parse(readFileSync('package.json', 'utf8'));
  const named = [...README.matchAll(/npm run (?:-s )?([\w:-]+)/g)].map(([, name = '']) => name);
  assert.equal(
    named.filter(name => !Object.hasOwn(scripts, name)),
    [],
  );
});

for (const command of new Set(commands)) {
  test(`\`${command}\` works as it stands`, () =>
    withFolder(async bin => {
      // Stands for an installed package: npx finds the program of the project.
      const npx = join(bin, 'npx');
      const program = `#!/bin/sh\n[ "$1" = --no-install ] && shift\nshift\nexec "${process.execPath}" "${CLI}" "$@"\n`;
      await writeFile(npx, program);
      await chmod(npx, 0o755);
      // Where the hooks look for it.
      await symlink(CLI, join(bin, 'apfel-bot'));
      await withRepo(async repo => {
        await repo.commit({ 'a.txt': 'one\n' });
        await repo.stage('b.txt', 'two\n');
        await writeFile(join(repo.dir, 'a.txt'), 'changed\n');
        const env = { ...gitEnv(repo.dir), PATH: `${bin}:/usr/bin:/bin`, TMPDIR: bin };
        // There is something to show.
        if (command.includes('--html')) {
          await apfelBotProcess(['review', '--commit', 'HEAD', '--no-model'], { cwd: repo.dir });
        }
        const run = spawnSync('sh', ['-c', command], { cwd: repo.dir, env, encoding: 'utf8' });
        // Without a model `ask` and `describe` end with the code that says so.
        const fine = /ask|describe/.test(command) ? [EXIT['model-required']] : [EXIT.done];
        assert.ok(fine.includes(run.status as never), `exit ${run.status}: ${run.stderr}`);
      });
    }));
}

test('the example configuration is valid', async () => {
  const examples = blocksOf(readFileSync('docs/configuration.md', 'utf8'), 'json');
  assert.ok(examples.length > 0);
  for (const text of examples) {
    const settings = JSON.parse(text);
    await readConfig({ settings, origin: 'README.md', text, pointer: '' }, knownRules());
  }
});

test('the documentation names every rule and every exit code', () => {
  // The members of the family are in the page of its rules.
  const rules = knownRules().filter(rule => !/^secret\/(?!\*)/.test(rule));
  for (const rule of rules) assert.ok(README.includes(rule.replace('/*', '/')), rule);
  for (const code of [0, 1, 2, 3, 4, 5, 6, 7, 70, 130, 143]) {
    assert.match(README, new RegExp(`(\\| |, )${code}( \\||,)`), `${code}`);
  }
});

test('CONTRIBUTING.md has the test command that CI runs', () => {
  const ci = readFileSync('.ci/run', 'utf8');
  const line =
    blocks('sh')
      .find(block => block.includes('npm test'))
      ?.trim() ?? '';
  assert.ok(ci.split('\n').includes(line), `${line} is not in .ci/run`);
});

test.run();
