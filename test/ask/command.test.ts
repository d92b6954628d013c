import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import {
  type Policy,
  type StandIn,
  type StandInOptions,
  startStandIn,
} from '../../fixtures/apfel/stand-in.js';
import { validateOutcome } from '../../src/generated/validate-outcome.js';
import { perfectModel } from '../agent/simulation/perfect-model.js';
import { BROKEN_SERVERS, withBrokenServer } from '../support/broken-server.js';
import { apfelBot } from '../support/cli.js';
import { suite } from '../support/suite.js';
import { type Repo, withRepo } from '../support/with-repo.js';

const FILES = {
  'src/limits.ts': 'export const low = 3;\nexport const high = 17;\n',
  'src/other.ts': 'export const low = 4;\n',
};
const QUESTION = 'What is the value of high in src/limits.ts?';

async function withServer(
  options: StandInOptions,
  body: (server: StandIn, repo: Repo) => Promise<void>,
): Promise<void> {
  const server = await startStandIn({ policy: perfectModel, ...options });
  try {
    await withRepo(async repo => {
      await repo.commit(FILES);
      await body(server, repo);
    });
  } finally {
    await server.close();
  }
}

const at = ({ baseUrl }: StandIn, ...args: string[]): string[] => [
  'ask',
  ...args,
  '--base-url',
  baseUrl,
];

/** Always does the same, in whatever protocol it is asked. */
const doing = (...actions: Array<{ action: string } & Record<string, unknown>>): Policy => {
  let next = 0;
  return ({ schema, tools }) => {
    const { action, ...rest }: { action: string } & Record<string, unknown> = actions[
      Math.min(next, actions.length - 1)
    ] ?? { action: 'finish' };
    next += 1;
    if (schema === undefined && tools.length > 0)
      return { kind: 'call', name: action, arguments: rest };
    const keys = Object.keys((schema?.['properties'] as object | undefined) ?? {});
    const value = Object.fromEntries(
      keys.map(key => {
        const name = key.replace(/^[a-z]_/, '');
        return [key, name === 'action' ? action : (rest[name] ?? (name.endsWith('Line') ? 1 : ''))];
      }),
    );
    return { kind: 'object', value };
  };
};

const test = suite('ask/command');

test('ask reads before it answers; the answer is on stdout, the calls are on stderr', () =>
  withServer({}, async (server, repo) => {
    const run = await apfelBot(at(server, QUESTION), { cwd: repo.dir });
    assert.is(run.code, 0, run.stderr);
    assert.match(run.stdout, /^The value of high is 17\.\n\nsources:\n {2}src\/limits\.ts:1\n$/);
    assert.match(run.stderr, /→ read_file \{"path":"src\/limits\.ts"/);
    assert.ok(server.requests.length <= 3, `${server.requests.length} requests`);
  }));

test('the outcome of ask is valid and counts what was asked', () =>
  withServer({}, async (server, repo) => {
    const run = await apfelBot(at(server, QUESTION, '--format', 'json', '--out', 'o.json'), {
      cwd: repo.dir,
    });
    const outcome = JSON.parse(run.stdout);
    assert.equal(validateOutcome(outcome), []);
    assert.is(outcome.complete, true);
    assert.is(outcome.model.requests, server.requests.length);
    assert.is(outcome.model.protocol, 'guided');
    assert.is(await readFile(join(repo.dir, 'o.json'), 'utf8'), run.stdout);
  }));

for (const protocol of ['guided', 'native']) {
  test(`ask works in the ${protocol} protocol`, () =>
    withServer({}, async (server, repo) => {
      const run = await apfelBot(at(server, QUESTION, '--protocol', protocol), { cwd: repo.dir });
      assert.match(run.stdout, /17/, run.stderr);
      // Only where plain words are asked for can they be shown as they come.
      assert.ok(server.requests.every(({ body }) => Object(body).stream !== true));
    }));
}

test('the text protocol is refused with a server that may have MCP tools', () =>
  withServer({}, async (server, repo) => {
    const run = await apfelBot(at(server, QUESTION, '--protocol', 'text'), { cwd: repo.dir });
    assert.is(run.code, 4);
    assert.match(run.stderr, 'use --protocol auto');
    assert.is(server.requests.length, 0);
  }));

test('ask reads the commit that was named, never the work tree', () =>
  withServer({}, async (server, repo) => {
    await repo.commit({ 'src/limits.ts': 'export const high = 18;\n' });
    await writeFile(join(repo.dir, 'src/limits.ts'), 'export const high = 99;\n');
    const now = await apfelBot(at(server, QUESTION), { cwd: repo.dir });
    assert.match(now.stdout, /is 18\./);
    const before = await apfelBot(at(server, QUESTION, '--commit', 'HEAD~1'), { cwd: repo.dir });
    assert.match(before.stdout, /is 17\./);
  }));

test('get_time is offered to a question about the time', () =>
  withServer(
    {
      policy: doing(
        { action: 'get_time' },
        { action: 'finish', answer: `It is ${new Date().getUTCFullYear()}.` },
      ),
    },
    async (server, repo) => {
      const question = 'What time is it right now? Use the get_time tool.';
      const run = await apfelBot(at(server, question), { cwd: repo.dir });
      assert.is(run.code, 0);
      assert.match(run.stderr, /→ get_time/);
      assert.match(run.stdout, /It is \d{4}\./);
    },
  ));

test('files and names in the question are read before the first request', () =>
  withServer({ policy: doing({ action: 'finish', answer: 'It is 17.' }) }, async (server, repo) => {
    const run = await apfelBot(at(server, QUESTION, '--strict'), { cwd: repo.dir });
    assert.is(run.code, 0, run.stdout);
    assert.is(server.requests.length, 1);
    assert.match(JSON.stringify(server.requests[0]?.body), /export const high = 17/);
  }));

test('a question that got no answer is asked again, not answered from the record', () => {
  const answers = ['{"action": "finish"}', 'It is 17.'];
  const policies = answers.map(answer => doing({ action: 'finish', answer }));
  let run = 0;
  const policy: Policy = request =>
    (policies[run] ?? policies[0])?.(request) ?? { kind: 'text', text: '' };
  return withServer({ policy }, async (server, repo) => {
    const first = await apfelBot(at(server, QUESTION), { cwd: repo.dir });
    assert.match(first.stdout, /No answer could be confirmed/);
    run += 1;
    const second = await apfelBot(at(server, QUESTION), { cwd: repo.dir });
    assert.match(second.stdout, /^It is 17\./);
    assert.not.match(second.stdout, /continued an interrupted run/);
  });
});

test('an answer that nothing shown supports is published as unproven', () =>
  withServer({ policy: doing({ action: 'finish', answer: 'It is 42.' }) }, async (server, repo) => {
    const run = await apfelBot(at(server, QUESTION), { cwd: repo.dir });
    assert.is(run.code, 0);
    assert.match(run.stdout, /It is 42/);
    assert.match(run.stdout, /unproven: the model was shown nothing that contains 42\n/);
    const json = await apfelBot(at(server, QUESTION, '--format', 'json'), { cwd: repo.dir });
    assert.is(JSON.parse(json.stdout).complete, false);
    const strict = await apfelBot(at(server, QUESTION, '--strict'), { cwd: repo.dir });
    assert.is(strict.code, 6);
  }));

test('a call written as text is never published as an answer', async () => {
  for (const answer of [
    'read_file {"path":"src/limits.ts"}',
    'tool_calls: [{"function":{"name":"high"}}]',
  ]) {
    await withServer({ policy: doing({ action: 'finish', answer }) }, async (server, repo) => {
      const run = await apfelBot(at(server, QUESTION), { cwd: repo.dir });
      assert.match(run.stdout, /^No answer could be confirmed\./);
      assert.not.match(run.stdout, answer);
    });
  }
});

test('an answer for which nothing was read is not printed', () =>
  withServer({ policy: doing({ action: 'finish', answer: 'It is 42.' }) }, async (server, repo) => {
    const QUESTION = 'How much is it?';
    const run = await apfelBot(at(server, QUESTION), { cwd: repo.dir });
    assert.not.match(run.stdout, /It is 42/);
    assert.match(run.stdout, /No answer could be confirmed/);
    assert.match(run.stdout, /transcripts/);
    const strict = await apfelBot(at(server, QUESTION, '--strict'), { cwd: repo.dir });
    assert.is(strict.code, 6);
  }));

for (const [what, reply] of [
  ['plain words', { kind: 'text', text: 'I think so' }],
  ['refusals', { kind: 'refuse', text: 'No.' }],
] as const) {
  test(`${what} end ask at the limit of bad replies, which the outcome lists`, () =>
    withServer({ policy: () => reply }, async (server, repo) => {
      for (const [limits, value] of [
        [{}, 3],
        [{ badReplies: 2 }, 2],
      ] as const) {
        await writeFile(join(repo.dir, '.apfel-bot.json'), JSON.stringify({ limits }));
        const before = server.requests.length;
        const args = ['How much is it?', '--protocol', 'native', '--format', 'json'];
        const run = await apfelBot(at(server, ...args), { cwd: repo.dir });
        assert.is(server.requests.length - before, value);
        const [, ...others] = JSON.parse(run.stdout).limits;
        assert.equal(others, [{ limit: 'badReplies', value: String(value), hit: true }]);
      }
    }));
}

test('a question that the guardrail blocks is asked in a second conversation, in other words', () => {
  let asked = 0;
  const policy: Policy = conversation => {
    asked += 1;
    return asked <= 3 ? { kind: 'refuse', text: 'No.' } : perfectModel(conversation);
  };
  // Before 1.3.0 a refusal was an error of the guardrail.
  return withServer({ policy, version: '0.5.0' }, async (server, repo) => {
    const run = await apfelBot(at(server, QUESTION, '--format', 'json'), { cwd: repo.dir });
    const { answer, complete, model } = JSON.parse(run.stdout);
    assert.equal([answer.text, complete, model.refusals], ['The value of high is 17.', true, 3]);
    const systems = server.requests.map(({ body }) => Object(body).messages[0].content);
    assert.match(systems[0], /^You answer questions.*\nLook with the tools before you answer/);
    assert.match(systems[3], /^A developer reads/);
  });
});

for (const [what, policy] of [
  ['answers before it has read', doing({ action: 'finish', answer: 'It is 42.' })],
  ['calls one tool again and again', doing({ action: 'list_dir', path: '.' })],
  ['calls what is not there', doing({ action: 'read_file', startLine: 'x' })],
] as const) {
  test(`the notes about a model that ${what} are written for people`, () =>
    withServer({ policy }, async (server, repo) => {
      const run = await apfelBot(at(server, 'How much is it?'), { cwd: repo.dir });
      assert.match(run.stdout, /note: the conversation ended early: the /);
      assert.not.match(run.stdout, /Call |above|error:|You are|"/);
    }));
}

test('an answer that says a search found nothing is published as unproven', () => {
  const search = { action: 'search_code', query: 'retries' };
  const policy = doing(search, { action: 'finish', answer: 'There is nothing about it.' });
  return withServer({ policy }, async (server, repo) => {
    const run = await apfelBot(at(server, 'How often is it tried again?', '--format', 'json'), {
      cwd: repo.dir,
    });
    assert.is(server.requests.length, 2);
    const { answer, complete, notices } = JSON.parse(run.stdout);
    assert.equal([answer.text, complete], ['There is nothing about it.', false]);
    assert.equal(notices, ['unproven: the answer names nothing that the model was shown']);
  });
});

test('an answer that names nothing of what was read has no sources', () => {
  const read = { action: 'read_file', path: 'src/limits.ts' };
  const policy = doing(read, ...Array(3).fill({ action: 'finish', answer: 'It depends.' }));
  return withServer({ policy }, async (server, repo) => {
    const run = await apfelBot(at(server, 'How often is it tried again?'), { cwd: repo.dir });
    assert.match(run.stdout, /^It depends\.\nnote: unproven: the answer names nothing/);
  });
});

test('a path in the question that does not exist is reported', () =>
  withServer(
    {
      policy: doing(
        { action: 'read_file', path: 'src/limits.ts' },
        { action: 'finish', answer: 'high is 17, see src/limits.ts:2 and src/limits.ts:99' },
      ),
    },
    async (server, repo) => {
      const run = await apfelBot(at(server, QUESTION), { cwd: repo.dir });
      assert.match(run.stdout, /sources:\n {2}src\/limits\.ts:2\n/);
      assert.match(run.stdout, /names src\/limits\.ts:99, which isn't in the repository/);
    },
  ));

test('secrets are masked before ask sends them', () =>
  withServer({}, async (server, repo) => {
    const key = `AKIA${'Q3EGR2X7LMPZ5W4T'}`;
    await repo.commit({ 'src/limits.ts': `const key = '${key}';\nexport const high = 17;\n` });
    await apfelBot(at(server, QUESTION), { cwd: repo.dir });
    const sent = JSON.stringify(server.requests);
    assert.ok(sent.includes('AKIA****'), 'the file was sent');
    assert.not.ok(sent.includes(key));
  }));

test('an interrupted ask is continued by the next one', () =>
  withServer({}, async (server, repo) => {
    const whole = server.requests.length;
    await apfelBot(at(server, QUESTION), { cwd: repo.dir });
    const needed = server.requests.length - whole;
    const folder = join(repo.dir, '.git', 'apfel-bot', 'transcripts');
    const [name = ''] = await readdir(folder);
    const lines = (await readFile(join(folder, name), 'utf8')).split('\n');
    const reply = lines.findIndex(line => line.includes('"type":"reply"'));
    await writeFile(join(folder, name), `${lines.slice(0, reply + 1).join('\n')}\n{"type":"ca`);
    const before = server.requests.length;
    const run = await apfelBot(at(server, QUESTION), { cwd: repo.dir });
    assert.match(run.stdout, /17/);
    assert.match(run.stdout, /continued an interrupted run/);
    assert.is(server.requests.length - before, needed - 1);
  }));

test('ask --verbose prints the whole conversation on stderr', () =>
  withServer({}, async (server, repo) => {
    const run = await apfelBot(at(server, QUESTION, '--verbose'), { cwd: repo.dir });
    for (const word of [
      /request 1: guided/,
      /reply 1 after/,
      /→ read_file/,
      /← /,
      /end: finished/,
    ]) {
      assert.match(run.stderr, word);
    }
  }));

test('ask without a model exits 4 with the reason', () =>
  withRepo(async repo => {
    const run = await apfelBot(['ask', 'Why?'], { cwd: repo.dir, env: { PATH: '/usr/bin:/bin' } });
    assert.is(run.code, 4);
    assert.is(run.stdout, '');
    assert.match(run.stderr, /there is none: /);
  }));

for (const [args, word] of [
  [['ask'], /needs a question/],
  [['ask', ' '], /needs a question/],
  [['ask', 'Where', 'is'], /put it in quotes/],
  [['ask', 'x', '--base-url', 'http://192.0.2.1/v1'], /--allow-remote/],
  [['ask', 'x', '--base-url', 'ftp://127.0.0.1/'], /http/],
] as const) {
  test(`${args.join(' ')} is a usage error`, () =>
    withRepo(async repo => {
      const run = await apfelBot(args, { cwd: repo.dir });
      assert.is(run.code, 2, run.stderr);
      assert.match(run.stderr, word);
    }));
}

for (const quirk of ['stall', 'drip', 'reset', 'scalar-arguments'] as const) {
  const isEndless = quirk === 'stall' || quirk === 'drip';
  test(`a server with ${quirk} does not hold ask past its deadline`, () =>
    withServer({ quirks: { [quirk]: 1 } }, async (server, repo) => {
      const run = await apfelBot(at(server, QUESTION, '--protocol', 'native'), {
        cwd: repo.dir,
        isTimeUp: () => isEndless && server.requests.length > 0,
      });
      assert.is(run.code, 0, run.stderr);
      assert.match(run.stdout, /No answer could be confirmed/);
    }));
}

for (const broken of BROKEN_SERVERS) {
  test(`a server that ${broken} has answered nothing, and ask --strict exits 6`, () =>
    withBrokenServer(broken, (args, asked) =>
      withRepo(async repo => {
        await repo.commit(FILES);
        const isTimeUp = (): boolean => broken === 'hangs' && asked() > 0;
        const run = await apfelBot(['ask', QUESTION, '--format', 'json', ...args], {
          cwd: repo.dir,
          isTimeUp,
        });
        const { complete, answer } = JSON.parse(run.stdout);
        assert.equal([complete, run.code], [false, 6]);
        assert.equal(answer, { text: 'No answer could be confirmed.', sources: [] });
        assert.ok(asked() > 0);
      }),
    ));
}

test.run();
