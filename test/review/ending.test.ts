import { existsSync } from 'node:fs';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { type StandIn, startStandIn } from '../../fixtures/apfel/stand-in.js';
import { git, withHooks } from '../hooks/hooked-repo.js';
import { BROKEN_SERVERS, type Broken, withBrokenServer } from '../support/broken-server.js';
import { reviewJson } from '../support/cli.js';
import { fill } from '../support/closed-questions.js';
import { suite } from '../support/suite.js';
import { withRepo } from '../support/with-repo.js';

const test = suite('review/ending');

const ENDINGS = [
  '',
  "I'm sorry, but I can't assist with that.",
  'I apologize for the inconvenience.',
  'Es tut mir leid, aber dabei kann ich nicht helfen.',
  'Je suis désolé, mais je ne peux pas vous aider.',
  '抱歉，我无法协助处理这个请求。',
  '申し訳ありませんが、お手伝いできません。',
  'There is a bug in line 3.',
  'The change looks good to me.',
];

/** A model that has the same words for everything, where a schema asks for a reason or in plain text. */
async function withModel(
  words: string,
  protocol: 'fields' | 'text',
  body: (server: StandIn) => Promise<void>,
): Promise<void> {
  const server = await startStandIn({
    policy: conversation =>
      protocol === 'fields' || conversation.schema !== undefined
        ? fill(conversation, { reason: words, verdict: 'nothing' })
        : { kind: 'text', text: words },
  });
  try {
    await body(server);
  } finally {
    await server.close();
  }
}

for (const words of ENDINGS) {
  test(`a model that only says ${JSON.stringify(words)} has reviewed nothing`, () =>
    withModel(words, 'fields', server =>
      withRepo(async repo => {
        await repo.stage('src/a.js', 'one();\ntwo();\nthree();\n');
        await repo.stage('src/b.ts', 'four();\n');
        const args = ['--staged', '--strict', '--base-url', server.baseUrl];
        for (const run of [1, 2]) {
          const { outcome, code } = await reviewJson(args, { cwd: repo.dir });
          const { total, reviewed, cached, refused, failed } = outcome.ledger;
          assert.equal([total, reviewed, cached], [2, 0, 0], `run ${run}`);
          assert.is(refused + failed, 2);
          assert.is(outcome.complete, false);
          assert.is(code, 6);
        }
        assert.not.ok(existsSync(join(repo.dir, '.git/apfel-bot/answers')), 'nothing is cached');
      }),
    ));
}

const STATES = {
  fails: 'failed',
  'blocks everything': 'refused',
  redirects: 'failed',
  apologises: 'refused',
  'declines in another language': 'refused',
  'sends junk': 'failed',
  hangs: 'outOfTime',
} as const satisfies Record<Broken, string>;

for (const broken of BROKEN_SERVERS) {
  test(`a server that ${broken} has reviewed nothing`, () =>
    withBrokenServer(broken, (args, asked) =>
      withRepo(async repo => {
        await repo.stage('src/a.js', 'one();\ntwo();\nthree();\n');
        await repo.stage('src/b.ts', 'four();\n');
        const isTimeUp = (): boolean => broken === 'hangs' && asked() > 0;
        const options = { cwd: repo.dir, isTimeUp };
        const { outcome, code } = await reviewJson(['--staged', ...args], options);
        const { total, refused, failed, outOfTime } = outcome.ledger;
        const counts = { refused: 0, failed: 0, outOfTime: 0, [STATES[broken]]: 2 };
        assert.equal({ refused, failed, outOfTime }, counts);
        assert.equal([total, outcome.complete, code], [2, false, 6]);
        assert.ok(asked() > 0);
      }),
    ));
}

for (const protocol of ['guided', 'native']) {
  test(`words without a call are not a review in the ${protocol} protocol`, () =>
    withModel('There is a bug in line 3.', 'text', server =>
      withRepo(async repo => {
        await repo.stage('src/a.js', 'one();\ntwo();\nthree();\n');
        const args = ['--staged', '--base-url', server.baseUrl, '--protocol', protocol];
        const { outcome } = await reviewJson(args, { cwd: repo.dir });
        assert.is(outcome.ledger.failed, 1);
        assert.is(outcome.complete, false);
      }),
    ));
}

test('a hook prints one line about an apology, and the commit goes on', () =>
  withModel('There is a bug in line 3.', 'fields', server =>
    withHooks(
      async repo => {
        await repo.stage('src/a.js', 'one();\ntwo();\nthree();\n');
        const env = { APFEL_BOT_BASE_URL: server.baseUrl };
        const run = await git(repo, ['commit', '--quiet', '--message', 'next'], env);
        assert.is(run.code, 0);
        // A slow machine gets lines about the progress as well.
        const said = `${run.stdout}${run.stderr}`.trim().split('\n');
        const lines = said.filter(line => !line.endsWith('…'));
        assert.is(lines.length, 1, said.join('\n'));
        assert.match(lines.join('\n'), /^apfel-bot: incomplete: .*1 failed/);
      },
      { hooks: { background: false, deadline: '2m' } },
    ),
  ));

test.run();
