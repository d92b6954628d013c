import * as assert from 'uvu/assert';
import {
  checkCall,
  parameters,
  registry,
  runTool,
  succeeded,
  type Tool,
} from '../../src/agent/tool.js';
import { suite } from '../support/suite.js';
import { recordedTool } from './conversation-support.js';
import { toolContext } from './tools/tool-context.js';

const test = suite('agent/call-tool');

const rate: Tool = {
  name: 'rate',
  description: 'Rates something.',
  parameters: parameters(
    {
      what: { type: 'string', description: 'the thing' },
      stars: { type: 'integer', description: 'one to five' },
    },
    ['what', 'stars'],
  ),
  example: { what: 'tea', stars: 5 },
  run: async input => succeeded(`rated ${String(input['what'])}`),
};
const tools = registry([rate]);

test('the definitions sent to the model are derived from the tools', () => {
  assert.equal(tools.definitions, [
    { name: 'rate', description: 'Rates something.', parameters: { ...rate.parameters } },
  ]);
});

const problemOf = async (name: string, input: unknown): Promise<string> => {
  const checked = await checkCall({ name, input }, tools);
  return 'problem' in checked ? checked.problem : '';
};

test('a tool runs with valid arguments', async () => {
  const input = { what: 'tea', stars: 4 };
  assert.is(await problemOf('rate', input), '');
  assert.equal(await runTool(rate, input, toolContext()), succeeded('rated tea'));
});

const WRONG: ReadonlyArray<readonly [input: unknown, problem: RegExp]> = [
  [{}, /^rate: "what" is missing \(string: the thing\); "stars" is missing/],
  [
    { what: 'tea' },
    /"stars" is missing \(integer: one to five\).*Example: rate \{"what":"tea","stars":5\}/,
  ],
  [{ what: 'tea', stars: 'many' }, /"stars" must be an integer/],
  [{ what: 'tea', stars: 1, x: 1 }, /there is no "x"/],
  ['tea', /the arguments must be an object/],
  [null, /the arguments must be an object/],
];

for (const [input, problem] of WRONG) {
  test(`the arguments ${JSON.stringify(input)} are refused with the reason`, async () => {
    assert.match(await problemOf('rate', input), problem);
  });
}

test('an unknown tool is answered with the names there are', async () => {
  const problem = await problemOf('x'.repeat(500), {});
  assert.match(problem, /Use one of: rate\. Example: rate \{/);
  assert.ok(problem.length < 250);
});

test('a name that is nearly right is answered with the right one', async () => {
  assert.match(await problemOf('rates_', {}), /Did you mean rate\?/);
});

test('a tool that throws gives the model an error, not a crash', async () => {
  const broken = recordedTool('bad', [], {
    result: () => {
      throw 'a bare string';
    },
  });
  const { text } = await runTool(broken, {}, toolContext());
  assert.match(text, /^error: bad failed: a bare string/);
});

test('two tools with one name, or more than five tools, are an internal error', () => {
  const tool = (name: string) => recordedTool(name, []);
  assert.throws(() => registry([tool('a'), tool('a')]), /same name/);
  assert.throws(() => registry([...'abcdef'].map(tool)), /more than 5/);
});

test.run();
