import * as assert from 'uvu/assert';
import type { Diagnostic } from '../../src/core/diagnostic.js';
import { type FixAnswer, fixDiagnostic } from '../../src/fix/model-fixes.js';
import { DEFAULT_LIMITS } from '../agent/default-limits.js';
import { calls, type FakeModel, fakeModel, type Script } from '../support/fake-model.js';
import { suite } from '../support/suite.js';

const test = suite('fix diagnostic');

const TEXT = 'const a = 1;\nconst key = "AKIAQYLPMN5HHHFPZAM2";\nif (a == 2) stop();\n';
const DIAGNOSTIC: Diagnostic = {
  tool: 'eslint',
  rule: 'eqeqeq',
  path: 'src/a.js',
  line: 3,
  unit: 'utf16',
  severity: 'error',
  message: "Expected '===' and instead saw '=='.",
  docs: 'Require the use of === and !==',
};

async function runConversation(
  script: Script,
  tryEdit: (after: string) => Promise<string | undefined>,
): Promise<{ done: FixAnswer; model: FakeModel }> {
  const model = fakeModel(script);
  const done = await fixDiagnostic(
    { diagnostics: [DIAGNOSTIC], text: TEXT, tryEdit },
    {
      model,
      protocol: 'native',
      limits: DEFAULT_LIMITS,
      clock: { now: () => 0 },
      signal: new AbortController().signal,
    },
  );
  return { done, model };
}

const EDIT = { reason: 'compare exactly', from: '3', to: '3', newText: 'if (a === 2) stop();' };

test('the question has message, rule, documentation and numbered lines, and no secret', async () => {
  const { model } = await runConversation([calls('answer', EDIT)], async () => undefined);
  const asked = JSON.stringify(model.requests[0]?.messages);
  assert.match(asked, /3\| if \(a == 2\) stop\(\);/);
  assert.match(asked, /line 3, eslint eqeqeq: Expected '==='/);
  assert.match(asked, /Require the use of ===/);
  assert.not.match(asked, /QYLPMN5HHHFPZAM2/);
});

test('the asking ends as soon as an edit is good', async () => {
  const seen: string[] = [];
  const { done, model } = await runConversation([calls('answer', EDIT)], async after => {
    seen.push(after);
    return undefined;
  });
  assert.is(done.isKept, true);
  assert.is(model.requests.length, 1);
  assert.equal(seen, [TEXT.replace('==', '===')]);
});

test('the asking ends after three rejected edits, and each time the model learns why', async () => {
  const script = ['2', '3', '4'].map(value =>
    calls('answer', { ...EDIT, newText: `if (a === ${value}) stop();` }),
  );
  const { done, model } = await runConversation(script, async () => 'the linter still complains');
  assert.is(done.isKept, false);
  assert.is(done.rejections.length, 3);
  assert.is(model.requests.length, 3);
  const sent = JSON.stringify(model.requests[2]?.messages);
  assert.match(sent, /Your last edit was rejected: the linter still complains/);
});

test('giving up is offered after a try, not before', async () => {
  const { done, model } = await runConversation(
    [calls('answer', EDIT), calls('answer', { reason: 'no idea', decision: 'give_up' })],
    async () => 'the linter still complains',
  );
  assert.is(done.hasGivenUp, true);
  assert.not.match(JSON.stringify(model.requests[0]), /give_up/);
  assert.match(JSON.stringify(model.requests[1]), /give_up/);
});

test('the same edit is not tried twice, and the model gets to know', async () => {
  let tries = 0;
  const { done, model } = await runConversation([calls('answer', EDIT)], async () => {
    tries += 1;
    return 'the linter still complains';
  });
  assert.is(tries, 1);
  assert.is(done.isKept, false);
  assert.match(JSON.stringify(model.requests[2]?.messages), /Propose another edit/);
  // The model is reminded a few times, and never counted as one of the three tries.
  assert.equal([done.rejections.length, model.requests.length], [1, 7]);
});

test('lines with a secret cannot be replaced: the model saw only a mask', async () => {
  let tries = 0;
  const { done } = await runConversation(
    [calls('answer', { ...EDIT, from: '1', to: '3', newText: 'const a = 1;\nconst key = "***";' })],
    async () => {
      tries += 1;
      return undefined;
    },
  );
  assert.is(tries, 0);
  assert.is(done.isKept, false);
});

for (const [what, newText] of [
  ['line numbers', '3| if (a === 2) stop();'],
  ['a fence', '```js\nif (a === 2) stop();\n```'],
  ['Windows line ends', 'if (a === 2) stop();\r\n'],
] as const) {
  test(`an edit with ${what} around it is repaired, and verified as always`, async () => {
    const seen: string[] = [];
    await runConversation([calls('answer', { ...EDIT, newText })], async after => {
      seen.push(after);
      return undefined;
    });
    assert.equal(seen, [TEXT.replace('==', '===')]);
  });
}

test('a model that answers with something else has fixed nothing', async () => {
  const { done } = await runConversation(
    [calls('finish', { answer: 'done' })],
    async () => undefined,
  );
  assert.is(done.isKept, false);
  assert.equal(done.rejections, []);
});

test('a text that has nothing of the file is no try, so nothing was tried', async () => {
  for (const newText of ['Das sieht alles gut aus.', '§§ <|x|>']) {
    const { done, model } = await runConversation(
      [calls('answer', { ...EDIT, newText })],
      async () => {
        throw new Error('tried');
      },
    );
    assert.equal([done.isKept, done.rejections, model.requests.length], [false, [], 2]);
  }
  // Punctuation and the empty text belong to no language.
  for (const newText of ['', '}']) {
    const { done } = await runConversation(
      [calls('answer', { ...EDIT, newText })],
      async () => undefined,
    );
    assert.is(done.isKept, true, newText);
  }
});

test.run();
