import * as assert from 'uvu/assert';
import { COMMANDS } from '../../src/cli/commands.js';
import { fromArgv } from '../../src/cli/help.js';
import { apfelBotProcess, type CliRun } from '../support/cli.js';
import { suite } from '../support/suite.js';
import { withFolder } from '../support/with-repo.js';

const test = suite('cli/help');

/** Every command line in turn, outside any repository. */
const run = async (...lines: readonly string[]): Promise<readonly CliRun[]> => {
  const runs: CliRun[] = [];
  await withFolder(async cwd => {
    for (const line of lines)
      runs.push(await apfelBotProcess(line.split(' ').filter(Boolean), { cwd }));
  });
  return runs;
};

for (const [what, start, ...lines] of [
  [
    'the list of commands',
    /^apfel-bot: .*\n\nusage: apfel-bot COMMAND/,
    '',
    '--help',
    '-h',
    'help',
    'help -h',
    'help help',
  ],
  [
    'the help of a command',
    /^apfel-bot review: .*\n\nusage: apfel-bot review/,
    'review --help',
    'review -h',
    'help review',
    'review --staged -h',
  ],
  ['the version', /^\d+\.\d+\.\d+\S*\n$/, '--version', '-v', 'version'],
] as const) {
  test(`every spelling prints ${what}: ${lines.map(line => `"${line}"`).join(', ')}`, async () => {
    const runs = await run(...lines);
    for (const { code, stdout, stderr } of runs) {
      assert.is(code, 0, stderr);
      assert.match(stdout, start);
      assert.is(stdout, runs[0]?.stdout);
    }
  });
}

for (const [line, message] of [
  ['help reveiw', /unknown command "reveiw"; did you mean "review"\?/],
  ['hepl', /unknown command "hepl"; did you mean "help"\?/],
  ['help review plan', /unexpected argument "plan"/],
  ['version now', /unexpected argument "now"/],
  ['review -staged', /unknown option "-staged"; did you mean "--staged"\?/],
  ['review -hx', /unknown option "-hx"/],
  ['review --commit -- a.js', /--commit needs a value: REV/],
  ['review --model a --model b', /--model is given twice/],
] as const) {
  test(`\`${line}\` exits 2 and prints nothing on standard output`, async () => {
    const [{ code, stdout, stderr } = { code: null, stdout: '', stderr: '' }] = await run(line);
    assert.is(code, 2);
    assert.is(stdout, '');
    assert.match(stderr, message);
  });
}

test('a mistake in the options of a command names the help of that command', async () => {
  const [wrong, unknown] = await run('review --stagde', 'reveiw');
  assert.match(wrong?.stderr ?? '', '\n  See: apfel-bot review --help\n');
  assert.match(unknown?.stderr ?? '', '\n  See: apfel-bot --help\n');
});

test('help fits the terminal, whose width breaks lines only between words', () => {
  const page = (name: string, screen: number): string => {
    const asked = fromArgv(['help', name].filter(Boolean), screen);
    return asked.kind === 'print' ? asked.text : '';
  };
  for (const name of ['', ...COMMANDS.map(each => each.name)]) {
    const words = page(name, 1000).split(/\s+/);
    for (const screen of [40, 80, 120]) {
      const text = page(name, screen);
      assert.equal(text.split(/\s+/), words);
      assert.equal(
        text.split('\n').filter(line => line.length > screen),
        [],
      );
    }
  }
});

test.run();
