import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream';
import * as assert from 'uvu/assert';
import { withServer } from '../model/openai-harness.js';
import { apfelBot, reviewJson } from '../support/cli.js';
import { suite } from '../support/suite.js';
import { type Repo, withRepo } from '../support/with-repo.js';

const test = suite('review/huge-replies');

const MIB = 1024 * 1024;

const HEALTH = JSON.stringify({
  model: 'apple-foundationmodel',
  model_available: true,
  context_window: 4096,
  status: 'ok',
  version: '1.8.4',
});

const completion = (message: object): string =>
  JSON.stringify({
    choices: [{ index: 0, finish_reason: 'stop', message: { role: 'assistant', ...message } }],
    usage: { prompt_tokens: 10, completion_tokens: 10, total_tokens: 20 },
  });

const keys = Array.from({ length: 100_000 }, (_, at) => `"k${at}":1`).join();
const call = { id: 'x', type: 'function', function: { name: 'x', arguments: '{"a' } };

const REPLIES = {
  '50 MB': () => completion({ content: 'a'.repeat(50 * MIB) }),
  '100,000 keys': () => completion({ content: `{${keys}}` }),
  '10,000 calls': () => completion({ content: null, tool_calls: Array(10_000).fill(call) }),
  'one call with 100,000 keys': () =>
    completion({
      content: null,
      tool_calls: [{ ...call, function: { name: 'read_file', arguments: `{${keys}}` } }],
    }),
};

/** What a run has written about its conversations. */
async function transcriptBytes(repo: Repo): Promise<number> {
  const folder = join(repo.dir, '.git/apfel-bot/transcripts');
  const names = await readdir(folder);
  const sizes = await Promise.all(names.map(async name => (await stat(join(folder, name))).size));
  return sizes.reduce((sum, size) => sum + size, 0);
}

for (const [what, reply] of Object.entries(REPLIES)) {
  test(`a reply of ${what} costs a bounded number of bytes and requests`, async () => {
    const body = reply();
    let requests = 0;
    let sent = 0;
    /** Given out as fast as they are read. */
    function* pieces(text: string): Generator<string> {
      for (let at = 0; at < text.length; at += MIB) {
        sent += Math.min(MIB, text.length - at);
        yield text.slice(at, at + MIB);
      }
    }
    await withServer(
      (request, response) => {
        response.setHeader('content-type', 'application/json');
        if (request.url === '/health') return void response.end(HEALTH);
        if (request.url === '/v1/models') return void response.end('{"data":[]}');
        requests += 1;
        pipeline(pieces(body), response, () => undefined);
      },
      baseUrl =>
        withRepo(async repo => {
          await repo.stage('last.js', 'export const last = list => list[list.length - 1];\n');
          const args = ['--base-url', baseUrl, '--deadline', '10m'];
          const { outcome } = await reviewJson(args, { cwd: repo.dir });
          assert.equal([outcome.ledger.failed, outcome.complete], [1, false]);
          const [item] = outcome.ledger.items;
          if (what !== '10,000 calls') assert.match(item?.reason ?? '', /too large/);
          assert.ok(requests <= 12, `${requests} requests for a review`);
          const asked = requests;
          await apfelBot(['ask', 'What is last?', ...args], { cwd: repo.dir });
          assert.ok(requests - asked <= 12, `${requests - asked} requests for a question`);
          // 8 MiB are read at most; what is on its way through the sockets comes on top.
          assert.ok(sent <= requests * 16 * MIB, `${sent} bytes in ${requests} requests`);
          const written = await transcriptBytes(repo);
          assert.ok(written <= requests * MIB, `${written} bytes of transcripts`);
        }),
    );
  });
}

test.run();
