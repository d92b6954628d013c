import * as assert from 'uvu/assert';
import type { JsonObject } from '../../fixtures/apfel/json-text.js';
import {
  OTHER_MODEL,
  OTHER_SERVERS,
  type OtherServer,
  type ServerProfile,
  startOtherServer,
} from '../../fixtures/apfel/other-servers.js';
import type { Policy } from '../../fixtures/apfel/stand-in.js';
import { perfectModel } from '../agent/simulation/perfect-model.js';
import { ESLINT_CONFIG, fixJson, scriptedFixer, withProject } from '../fix/lint-project.js';
import { apfelBot, reviewJson } from '../support/cli.js';
import { reviewer } from '../support/reviewer.js';
import { suite } from '../support/suite.js';
import { withRepo } from '../support/with-repo.js';
import { withMachine } from './apfel-harness.js';
import { modelAt, question } from './openai-harness.js';

const test = suite('model/other-servers');

const withOther = async (
  profile: ServerProfile,
  policy: Policy,
  body: (server: OtherServer) => Promise<void>,
): Promise<void> => {
  const server = await startOtherServer(profile, policy);
  try {
    await body(server);
  } finally {
    await server.close();
  }
};

const CODE = 'export const last = list => list[list.length];\n';
const FIX = {
  to: 'no-dupe-keys',
  path: 'a.js',
  oldText: 'module.exports = { a: 1, a: 2 };',
  newText: 'module.exports = { a: 1, b: 2 };',
};
/** The protocol that answers, and how many requests it takes to find a bug and to confirm it. */
const EXPECTED: Readonly<Record<keyof typeof OTHER_SERVERS, [protocol: string, requests: number]>> =
  {
    Ollama: ['guided', 2],
    'LM Studio': ['guided', 2],
    'llama.cpp': ['guided', 2],
    vLLM: ['guided', 2],
    MLX: ['native', 3],
  };

for (const [name, profile] of Object.entries(OTHER_SERVERS) as [
  keyof typeof OTHER_SERVERS,
  ServerProfile,
][]) {
  test(`a review by a model behind ${name} finds a bug, whatever the model thinks aloud`, () =>
    withOther(profile, reviewer({ sees: ['list[list.length]'] }), server =>
      withRepo(async repo => {
        await repo.stage('src/last.js', CODE);
        const args = ['--base-url', server.baseUrl];
        const { outcome } = await reviewJson(args, { cwd: repo.dir });
        assert.is(outcome.model.name, OTHER_MODEL);
        assert.equal(
          outcome.findings.map(({ path, line, source }) => [path, line, source]),
          [['src/last.js', 1, 'model']],
        );
        assert.ok(outcome.complete);
        assert.equal([outcome.model.protocol, server.requests.length], EXPECTED[name]);
        for (const body of server.requests) {
          assert.not.ok(Object.keys(body).some(key => key.startsWith('x_')));
        }
      }),
    ));

  test(`ask gets an answer from a model behind ${name} that has read the file`, () =>
    withOther(profile, perfectModel, server =>
      withRepo(async repo => {
        await repo.commit({ 'src/limits.ts': 'export const high = 17;\n' });
        const asked = 'What is the value of high in src/limits.ts?';
        const { code, stdout, stderr } = await apfelBot(
          ['ask', asked, '--base-url', server.baseUrl],
          { cwd: repo.dir },
        );
        assert.is(code, 0, stderr);
        assert.match(stdout, /^The value of high is 17\.\n\nsources:\n {2}src\/limits\.ts:1\n$/);
      }),
    ));

  test(`fix-lint fixes what only a model behind ${name} can`, () =>
    withOther(profile, scriptedFixer([FIX]), server =>
      withProject(
        { 'eslint.config.js': ESLINT_CONFIG, [FIX.path]: `${FIX.oldText}\n` },
        async repo => {
          const { outcome } = await fixJson(repo, ['--base-url', server.baseUrl]);
          assert.ok(outcome.complete);
          assert.equal(
            outcome.edits.map(({ status, by }) => [status, by]),
            [['kept', 'model']],
          );
          assert.is(outcome.diagnostics.after, 0);
        },
      ),
    ));

  test(`the window of ${name} is what it reports, and a longer prompt is an overflow or is cut`, () =>
    withOther(
      profile,
      () => ({ kind: 'text', text: 'yes' }),
      async server => {
        await withMachine(async ({ find }) => {
          const found = await find({ baseUrl: server.baseUrl });
          const facts = found.available ? found.model.facts : undefined;
          const isAssumed = name === 'MLX';
          assert.is(facts?.contextWindow, isAssumed ? 4096 : 8192);
          assert.is(facts?.isWindowAssumed, isAssumed);
        });
        const facts = {
          name: OTHER_MODEL,
          baseUrl: server.baseUrl,
          isApfel: false,
          version: undefined,
          contextWindow: 8192,
        };
        const model = modelAt(server.baseUrl, { facts });
        const { kind } = await model.ask(
          question('word '.repeat(9000)),
          new AbortController().signal,
        );
        assert.is(kind, profile.overflow === undefined ? 'answer' : 'overflow');
      },
    ));
}

test('the window of a model that was not loaded yet is read after its first answer', () => {
  const own: Record<string, JsonObject> = {};
  return withOther(
    { ...OTHER_SERVERS.Ollama, own },
    () => ({ kind: 'text', text: 'yes' }),
    async ({ baseUrl }) =>
      withMachine(async ({ find }) => {
        const found = await find({ baseUrl });
        if (!found.available) throw new Error(found.reason);
        assert.is(found.model.facts.contextWindow, 4096);
        Object.assign(own, OTHER_SERVERS.Ollama.own);
        await found.model.ask(question('word'), new AbortController().signal);
        assert.is(found.model.facts.contextWindow, 8192);
      }),
  );
});

test.run();
