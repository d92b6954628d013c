import * as assert from 'uvu/assert';
import type { Diagnostic } from '../../src/core/diagnostic.js';
import { type FixConversation, fixDiagnostic } from '../../src/fix/model-fixes.js';
import type { Source } from '../../src/git/source.js';
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

const source: Source = {
  list: async () => [],
  read: async path =>
    path.startsWith('src/')
      ? { kind: 'file', bytes: new TextEncoder().encode(TEXT) }
      : { kind: 'absent' },
  search: async () => ({ matches: [], isTruncated: false }),
  diff: async () => undefined,
  history: async () => [],
};

async function runConversation(
  script: Script,
  tryEdit: (after: string) => Promise<string | undefined>,
): Promise<{ done: FixConversation; model: FakeModel }> {
  const model = fakeModel(script);
  const done = await fixDiagnostic(
    { diagnostics: [DIAGNOSTIC], text: TEXT, source, tryEdit },
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

const EDIT = { path: 'src/a.js', oldText: 'a == 2', newText: 'a === 2' };

test('the question has message, rule, documentation and numbered lines, and no secret', async () => {
  const { model } = await runConversation([calls('edit_file', EDIT)], async () => undefined);
  const asked = JSON.stringify(model.requests[0]?.messages);
  assert.match(asked, /3\| if \(a == 2\) stop\(\);/);
  assert.match(asked, /line 3, eslint eqeqeq: Expected '==='/);
  assert.match(asked, /Require the use of ===/);
  assert.not.match(asked, /QYLPMN5HHHFPZAM2/);
});

test('the conversation ends as soon as an edit is good', async () => {
  const seen: string[] = [];
  const { done, model } = await runConversation([calls('edit_file', EDIT)], async after => {
    seen.push(after);
    return undefined;
  });
  assert.is(done.isKept, true);
  assert.is(model.requests.length, 1);
  assert.equal(seen, [TEXT.replace('==', '===')]);
});

test('the conversation ends after three bad edits, not counting edits that do not apply', async () => {
  const script = [
    calls('edit_file', { ...EDIT, oldText: 'nowhere' }),
    calls('edit_file', EDIT),
    calls('edit_file', { ...EDIT, newText: 'a === 3' }),
    calls('edit_file', { ...EDIT, newText: 'a === 4' }),
  ];
  const { done, model } = await runConversation(script, async () => 'the linter still complains');
  assert.is(done.isKept, false);
  assert.is(done.rejections.length, 3);
  assert.is(model.requests.length, 4);
  const sent = JSON.stringify(model.requests[2]?.messages);
  assert.match(sent, /error: the edit was not kept: the linter still complains/);
});

test('the model may edit only the file of the diagnostic', async () => {
  let tries = 0;
  const { done } = await runConversation(
    [calls('edit_file', { ...EDIT, path: 'src/b.js' })],
    async () => {
      tries += 1;
      return undefined;
    },
  );
  assert.is(tries, 0);
  assert.is(done.isKept, false);
});

test('a model that calls finish without an edit has fixed nothing', async () => {
  const { done } = await runConversation(
    [calls('finish', { answer: 'done' })],
    async () => undefined,
  );
  assert.is(done.isKept, false);
  assert.equal(done.rejections, []);
});

test.run();
