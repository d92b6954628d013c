import * as assert from 'uvu/assert';
import type { Diagnostic } from '../../src/core/diagnostic.js';
import { FIRST_ROUND, type FixAnswer, fixDiagnostic } from '../../src/fix/model-fixes.js';
import type { ModelRequest } from '../../src/model/model.js';
import { DEFAULT_LIMITS } from '../agent/default-limits.js';
import { textIn } from '../support/closed-questions.js';
import { calls, type FakeModel, fakeModel, type Script } from '../support/fake-model.js';
import { suite } from '../support/suite.js';

const test = suite('fix/fix-diagnostic');

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
  diagnostic = DIAGNOSTIC,
): Promise<{ done: FixAnswer; model: FakeModel }> {
  const model = fakeModel(script);
  const done = await fixDiagnostic(
    { diagnostics: [diagnostic], text: TEXT, tryEdit, before: FIRST_ROUND },
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

test('nothing more is asked once an edit passes', async () => {
  const seen: string[] = [];
  const { done, model } = await runConversation([calls('answer', EDIT)], async after => {
    seen.push(after);
    return undefined;
  });
  assert.is(done.isKept, true);
  assert.is(model.requests.length, 1);
  assert.equal(seen, [TEXT.replace('==', '===')]);
});

test('nothing more is asked after three rejected edits, each sent back with its reason', async () => {
  const script = ['2', '3', '4'].map(value =>
    calls('answer', { ...EDIT, newText: `if (a === ${value}) stop();` }),
  );
  const { done, model } = await runConversation(script, async () => 'the linter still complains');
  assert.is(done.isKept, false);
  assert.is(done.rejections.length, 3);
  assert.is(done.end.message, '3 edits rejected');
  assert.is(model.requests.length, 3);
  const sent = JSON.stringify(model.requests[2]?.messages);
  assert.match(sent, /Your last edit was rejected: the linter still complains/);
  // The last try is worded and shown differently.
  assert.is.not(model.requests[2]?.system, model.requests[0]?.system);
  assert.not.match(sent, /1\| const a = 1;/);
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

test('an edit that is proposed again is a try without another run of the linter', async () => {
  let tries = 0;
  const { done, model } = await runConversation([calls('answer', EDIT)], async () => {
    tries += 1;
    return 'the linter still complains';
  });
  assert.is(tries, 1);
  assert.is(done.isKept, false);
  assert.equal([done.rejections.length, done.requests, model.requests.length], [3, 3, 3]);
  assert.is(done.end.message, '3 edits rejected');
});

test('after a repeated edit the question names it, has other words and shows only its own lines', async () => {
  const { model } = await runConversation([calls('answer', EDIT)], async () => 'it complains');
  const [, second, third] = model.requests;
  assert.match(JSON.stringify(second?.messages), /1\| const a = 1;/);
  assert.not.match(JSON.stringify(second?.messages), /Propose another edit/);
  const last = textIn(third as ModelRequest);
  assert.match(last, /Lines 3 to 3 were replaced by "if \(a === 2\) stop\(\);" before/);
  assert.not.match(last, /1\| const a = 1;/);
  assert.is.not(third?.system, second?.system);
});

test('an edit that changes nothing is a try, not a rejected edit that came again', async () => {
  const same = calls('answer', { ...EDIT, newText: 'if (a == 2) stop();' });
  const { done, model } = await runConversation(
    [calls('answer', EDIT), same, same],
    async () => 'it complains',
  );
  const nothing = 'the edit changes nothing';
  assert.equal(done.rejections, ['it complains', nothing, nothing]);
  assert.is(model.requests.length, 3);
});

test('the end of the last line is not a line that can be replaced', async () => {
  const { model } = await runConversation([calls('answer', EDIT)], async () => undefined);
  const [request] = model.requests;
  assert.match(textIn(request as ModelRequest), /lines 1 to 3 of 3\n/);
  assert.equal(JSON.stringify(request?.tools).match(/"enum":\["1","3"\]/g)?.length, 2);
});

test('a diagnostic after the last line is asked about with the last lines', async () => {
  const { done } = await runConversation([calls('answer', EDIT)], async () => undefined, {
    ...DIAGNOSTIC,
    line: 14,
  });
  assert.is(done.isKept, true);
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

test('requests of earlier conversations count, and no more than nine are sent', async () => {
  const script = [calls('answer', { ...EDIT, newText: 'Das sieht alles gut aus.' })];
  const setup = {
    protocol: 'native',
    limits: DEFAULT_LIMITS,
    clock: { now: () => 0 },
    signal: new AbortController().signal,
  } as const;
  const ask = async (requests: number) => {
    const model = fakeModel(script);
    const before = { ...FIRST_ROUND, requests };
    const request = { diagnostics: [DIAGNOSTIC], text: TEXT, tryEdit: async () => 'no', before };
    const answer = await fixDiagnostic(request, { ...setup, model });
    return [model.requests.length, answer.requests, answer.isLast];
  };
  assert.equal(await ask(0), [3, 3, false]);
  assert.equal(await ask(6), [3, 9, true]);
  assert.equal(await ask(7), [2, 9, true]);
});

test('a text that has nothing of the file does not count as a try', async () => {
  for (const newText of ['Das sieht alles gut aus.', '§§ <|x|>']) {
    const { done, model } = await runConversation(
      [calls('answer', { ...EDIT, newText })],
      async () => {
        throw new Error('tried');
      },
    );
    assert.equal([done.isKept, done.rejections, model.requests.length], [false, [], 3]);
  }
  // Punctuation, keywords and the empty text say nothing about what was read.
  for (const newText of ['', '}', 'const a = null;']) {
    const { done } = await runConversation(
      [calls('answer', { ...EDIT, newText })],
      async () => undefined,
    );
    assert.is(done.isKept, true, newText);
  }
});

test.run();
