import * as assert from 'uvu/assert';
import { callTool, parameters, registry, succeeded, type Tool } from '../../src/agent/tool.js';
import { suite } from '../support/suite.js';
import { recordedTool } from './conversation-support.js';
import { toolContext } from './tools/tool-context.js';

const test = suite('call-tool');

const rate: Tool = {
  name: 'rate',
  description: 'Rates something.',
  parameters: parameters(
    {
      what: { type: 'string', description: 'the thing' },
      stars: { type: 'integer', description: 'one to five' },
      tone: { type: 'string', enum: ['good', 'bad'], description: 'how it feels' },
    },
    ['what', 'stars'],
  ),
  example: { what: 'tea', stars: 5 },
  run: async input => succeeded(`rated ${String(input['what'])}`),
};
const tools = registry([rate]);

test('definitions are derived from the tools', () => {
  assert.equal(tools.definitions, [
    { name: 'rate', description: 'Rates something.', parameters: { ...rate.parameters } },
  ]);
});

test('good arguments run the tool', async () => {
  const { hasRun, outcome } = await callTool(
    { name: 'rate', input: { what: 'tea', stars: 4 } },
    tools,
    toolContext(),
  );
  assert.equal([hasRun, outcome.isError, outcome.text], [true, false, 'rated tea']);
});

const WRONG: ReadonlyArray<readonly [input: unknown, problem: RegExp]> = [
  [{}, /^error: rate: "what" is missing \(string: the thing\); "stars" is missing/],
  [
    { what: 'tea' },
    /"stars" is missing \(integer: one to five\).*Example: rate \{"what":"tea","stars":5\}/,
  ],
  [{ what: 'tea', stars: 'many' }, /"stars" must be an integer/],
  [{ what: 'tea', stars: 1, tone: 'so so' }, /"tone" must be one of good, bad/],
  [{ what: 'tea', stars: 1, x: 1 }, /there is no "x"/],
  ['tea', /the arguments must be an object/],
  [null, /the arguments must be an object/],
];

for (const [input, problem] of WRONG) {
  test(`refused with the reason: ${JSON.stringify(input)}`, async () => {
    const { hasRun, outcome } = await callTool({ name: 'rate', input }, tools, toolContext());
    assert.not.ok(hasRun);
    assert.ok(outcome.isError);
    assert.match(outcome.text, problem);
  });
}

test('an unknown tool is answered with the names there are', async () => {
  const { hasRun, outcome } = await callTool(
    { name: 'x'.repeat(500), input: {} },
    tools,
    toolContext(),
  );
  assert.not.ok(hasRun);
  assert.match(outcome.text, /Use one of: rate\. Example: rate \{/);
  assert.ok(outcome.text.length < 250);
});

test('a name that is nearly right is answered with the right one', async () => {
  const { outcome } = await callTool({ name: 'rates_', input: {} }, tools, toolContext());
  assert.match(outcome.text, /Did you mean rate\?/);
});

test('a tool that throws anything at all is answered', async () => {
  const bad = registry([
    recordedTool('bad', [], {
      result: () => {
        throw 'a bare string';
      },
    }),
  ]);
  const { hasRun, outcome } = await callTool({ name: 'bad', input: {} }, bad, toolContext());
  assert.ok(hasRun);
  assert.match(outcome.text, /^error: bad failed: a bare string/);
});

test('two tools of one name, or more than five, are a bug of ours', () => {
  const tool = (name: string) => recordedTool(name, []);
  assert.throws(() => registry([tool('a'), tool('a')]), /same name/);
  assert.throws(() => registry([...'abcdef'].map(tool)), /more than 5/);
});

test.run();
