import { parse } from 'jsonc-parser';
import * as assert from 'uvu/assert';
import { planConfig } from '../../src/hooks/config-file.js';
import { DEFAULT_HOOKS } from '../../src/hooks/facts.js';
import { readConfigText } from '../../src/hooks/formats.js';
import { planUninstall } from '../../src/hooks/plan-install.js';
import { mustEnd } from '../support/must-end.js';
import { suite } from '../support/suite.js';
import { facts, lefthook } from './made-facts.js';

const test = suite('hooks/hook-formats');

test('well-formed hook configurations are read', () => {
  assert.equal(readConfigText('yaml', 'a: [1]\n'), { a: [1] });
  assert.equal(readConfigText('yaml', '# nothing\n'), {});
  assert.equal(readConfigText('json', '{"a": 1}'), { a: 1 });
  assert.is(JSON.stringify(readConfigText('toml', 'a = 1')), '{"a":1}');
});

test('malformed hook configurations read as undefined', () => {
  assert.is(readConfigText('yaml', 'a: [1'), undefined);
  assert.is(readConfigText('json', '{a: 1}'), undefined);
  assert.is(readConfigText('toml', 'a ='), undefined);
});

const hostile: Readonly<Record<string, string>> = {
  'brackets within brackets': '['.repeat(100_000),
  'braces within braces': '{"a":'.repeat(20_000),
  'dashes in one line': '- '.repeat(50_000),
  'very deep lines': `${' '.repeat(100_000)}a: 1`,
  'aliases of aliases': 'abcdefgh'
    .split('')
    .map((name, at, all) => `${name}: &${name} [${`*${all[at - 1] ?? 'x'},`.repeat(9)}]`)
    .join('\n')
    .replace('*x', '1'),
};
for (const [name, text] of Object.entries(hostile)) {
  test(`a hook configuration with ${name} is refused at once`, () => {
    mustEnd(() => {
      for (const format of ['yaml', 'toml', 'json'] as const) {
        assert.is(readConfigText(format, text), undefined);
      }
    });
  });
}

const configs: Readonly<Record<string, string>> = {
  'two spaces':
    '{\n  "output": ["summary"],\n  "pre-commit": {\n    "commands": { "lint": { "run": "x" } }\n  }\n}\n',
  tabs: '{\n\t"pre-commit": {\n\t\t"jobs": [{ "run": "x" }]\n\t}\n}',
  'nothing in it': '{}\n',
  'an empty hook': '{ "pre-commit": { }, "a": 1 }',
  'empty commands': '{ "pre-commit": {\n "commands": {\n } } }\n',
  'comments and a last comma': '{\n  // why\n  "pre-commit": { "commands": { } },\n}\n',
  'CRLF line ends': '{\r\n  "a": 1\r\n}\r\n',
  'other hooks only': '{\n    "commit-msg": {\n        "commands": {}\n    }\n}\n',
};
for (const [name, text] of Object.entries(configs)) {
  test(`our command goes into JSON with ${name} and comes out without a trace`, () => {
    const config = lefthook(text, { format: 'json' });
    const plan = planConfig(config, DEFAULT_HOOKS, undefined);
    const [step] = plan.steps;
    if (step?.kind !== 'write') throw new Error(plan.messages.join());
    const data = parse(step.text);
    for (const hook of DEFAULT_HOOKS) {
      assert.match(data[hook].commands['apfel-bot'].run, `apfel-bot/hooks/${hook}`);
    }
    const edited = { ...config, text: step.text };
    const [back] = planUninstall(facts({ managers: [edited] })).steps;
    assert.is(back?.kind === 'write' ? back.text : undefined, text);
  });
}

test('JSON that someone else has rewritten is left alone', () => {
  const text = configs['two spaces'] ?? '';
  const config = lefthook(text, { format: 'json' });
  const [step] = planConfig(config, ['pre-commit'], undefined).steps;
  const reformatted = JSON.stringify(JSON.parse(step?.kind === 'write' ? step.text : ''));
  const spaced = reformatted.replaceAll(':', ' :');
  const plan = planUninstall(facts({ managers: [{ ...config, text: spaced }] }));
  assert.equal(plan.steps, []);
  assert.match(plan.messages.join(), /remove it by hand/);
});

test.run();
