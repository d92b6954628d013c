import * as assert from 'uvu/assert';
import type { Outcome } from '../../src/core/outcome.js';
import { toGithub } from '../../src/report/github.js';
import { suite } from '../support/suite.js';
import { CLEAN, EMPTY, finding, HOSTILE_MESSAGE, HOSTILE_PATHS, SAMPLE } from './sample-outcome.js';

const test = suite('report/github');

interface Command {
  readonly name: string;
  readonly properties: Readonly<Record<string, string>>;
  readonly data: string;
}

const decoded = (text: string): string =>
  text
    .replaceAll('%0D', '\r')
    .replaceAll('%0A', '\n')
    .replaceAll('%3A', ':')
    .replaceAll('%2C', ',')
    .replaceAll('%25', '%');

/** Reads output as the runner does: a command is a line that begins with `::`, spaces aside. */
function commandsIn(output: string): Command[] {
  return output
    .split(/[\r\n]/)
    .map(line => line.trimStart())
    .filter(line => line.startsWith('::'))
    .map(line => {
      const end = line.indexOf('::', 2);
      const [name = '', ...rest] = line.slice(2, end).split(' ');
      const pairs = rest.join(' ').split(',').filter(Boolean);
      const properties = Object.fromEntries(
        pairs.map(pair => [pair.split('=')[0] ?? '', decoded(pair.slice(pair.indexOf('=') + 1))]),
      );
      return { name, properties, data: decoded(line.slice(end + 2)) };
    });
}

const lines = (outcome: Outcome): string[] => toGithub(outcome).trimEnd().split('\n');

test('each finding is one command, and one more gives the coverage', () => {
  const commands = commandsIn(toGithub(SAMPLE));
  assert.is(commands.length, SAMPLE.findings.length + 1);
  assert.equal(commands.map(command => command.name).sort(), [
    ...Array(2).fill('error'),
    ...Array(3).fill('notice'),
    ...Array(6).fill('warning'),
  ]);
  assert.match(commands.at(-1)?.data ?? '', /^2 errors.* · incomplete: .* · 9 hunks in 3 files/);
});

test('a command carries path, lines and columns', () => {
  const [command] = commandsIn(toGithub(SAMPLE));
  assert.equal(command?.properties, {
    file: 'src/config.ts',
    line: '12',
    endLine: '12',
    col: '14',
    endColumn: '33',
    title: 'apfel-bot: secret/aws-access-key',
  });
});

test('columns are left out where GitHub would not take them', () => {
  const outcome = {
    ...CLEAN,
    findings: [
      finding({ column: 3, endColumn: 4, endLine: 2 }),
      finding({ side: 'old', line: 4, column: 1 }),
    ],
  };
  const [over, old] = commandsIn(toGithub(outcome));
  assert.equal(Object.keys(over?.properties ?? {}), ['file', 'line', 'endLine', 'title']);
  assert.equal(Object.keys(old?.properties ?? {}), ['file', 'title']);
});

test('hostile paths and messages arrive as text and start no command', () => {
  const output = toGithub(SAMPLE);
  const commands = commandsIn(output);
  const files = commands.map(command => command.properties['file']);
  assert.ok(files.includes(HOSTILE_PATHS.command));
  assert.ok(files.includes(HOSTILE_PATHS.newline));
  const hostile = commands.find(
    command => command.properties['title'] === 'apfel-bot: model/claim',
  );
  assert.is(hostile?.data, HOSTILE_MESSAGE.replace('\u202e', '\\u202e'));
  assert.not.match(output, /##\[|[\x00-\x09\x0b-\x1f\x7f-\x9f\u202e]/);
});

test('no notice or ledger item starts a workflow command', () => {
  const outcome: Outcome = {
    ...EMPTY,
    notices: ['a\n::error::b', '##[error]c'],
    ledger: {
      ...EMPTY.ledger,
      items: [
        { path: '::debug::x', hunk: 1, state: 'failed', reason: '::x' },
        { path: '\n::debug::y', hunk: 1, state: 'failed', reason: 'y' },
      ],
    },
  };
  const output = toGithub(outcome);
  assert.is(commandsIn(output).length, 1);
  assert.not.match(output, /##\[/);
});

test('the last line is plain text, counts all, and names the limit when it is reached', () => {
  assert.is(lines(SAMPLE).at(-1), 'apfel-bot found 2 errors, 6 warnings, 2 notices');
  const last = (length: number): string | undefined => {
    const findings = Array.from({ length }, (_, index) => finding({ line: index + 1 }));
    return lines({ ...CLEAN, findings }).at(-1);
  };
  assert.is(last(0), 'apfel-bot found nothing');
  assert.is(last(10), 'apfel-bot found 10 warnings');
  assert.match(last(11) ?? '', /^apfel-bot found 11 warnings.*10/);
});

test('the coverage is never the notice that GitHub drops', () => {
  const findings = Array.from({ length: 12 }, (_, index) =>
    finding({ line: index + 1, severity: 'info' }),
  );
  const notices = commandsIn(toGithub({ ...CLEAN, findings }));
  assert.ok(notices.slice(0, 10).some(command => /9 hunks/.test(command.data)));
});

test('a run with nothing found still reports its coverage, and that it was checks only', () => {
  assert.match(toGithub(CLEAN), /^::notice title=apfel-bot::clean · 9 hunks .* · checks only · /m);
});

test.run();
