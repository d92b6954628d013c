import * as assert from 'uvu/assert';
import { type StandIn, type StandInOptions, startStandIn } from '../../fixtures/apfel/stand-in.js';
import { reviewJson } from '../support/cli.js';
import { reviewer } from '../support/reviewer.js';
import { suite } from '../support/suite.js';
import { type Repo, withRepo } from '../support/with-repo.js';

const BUG = 'index <= list.length';
const FILES = 6;
const LINES = 120;

async function withServer(
  options: StandInOptions,
  body: (server: StandIn, repo: Repo) => Promise<void>,
): Promise<void> {
  const server = await startStandIn({ policy: reviewer({ sees: [BUG] }), ...options });
  try {
    await withRepo(body.bind(undefined, server));
  } finally {
    await server.close();
  }
}

/** A bug in the middle of each file, where a text that is cut loses it first. */
async function stageFiles(repo: Repo): Promise<void> {
  for (let file = 0; file < FILES; file += 1) {
    const lines = Array.from(
      { length: LINES },
      (_, line) => `  const value${line} = compute(file${file}, ${line}, 'some text');`,
    );
    lines[60] = `  for (let index = 0; ${BUG}; index += 1) go(list[index]);`;
    await repo.write(`src/file${file}.js`, `${lines.join('\n')}\n`);
  }
  await repo.git('add', '--all');
}

const review = (server: StandIn, repo: Repo, ...args: string[]) =>
  reviewJson([...args, '--base-url', server.baseUrl], { cwd: repo.dir });

/** Changed lines in requests that the server took, as `path line`. */
function shownLines({ requests }: StandIn): Set<string> {
  const shown = new Set<string>();
  for (const { status, body } of requests) {
    if (status !== 200) continue;
    let path = '';
    for (const row of JSON.stringify(body).split('\\n')) {
      path = /File: (src\/\w+\.js)/.exec(row)?.[1] ?? path;
      const [, line] = /^\+(\d+)\| /.exec(row) ?? [];
      if (line !== undefined) shown.add(`${path} ${line}`);
    }
  }
  return shown;
}

const test = suite('review/window');

for (const protocol of ['guided', 'native']) {
  test(`the ${protocol} protocol shows every changed line in full`, () =>
    withServer({}, async (server, repo) => {
      await stageFiles(repo);
      const { outcome } = await review(server, repo, '--protocol', protocol);
      assert.is(shownLines(server).size, FILES * LINES);
      assert.is(outcome.findings.length, FILES, JSON.stringify(outcome.ledger));
      assert.is(outcome.ledger.reviewed, FILES);
    }));
}

test('a window that shrinks while the review runs costs requests, not hunks', () => {
  let shrink = (): void => undefined;
  let answers = 0;
  const watching = reviewer({ sees: [BUG] });
  return withServer(
    {
      policy: conversation => {
        answers += 1;
        // Later than that nobody asks how large it is.
        if (answers === 5) shrink();
        return watching(conversation);
      },
    },
    async (server, repo) => {
      shrink = () => server.setContextWindow(2200);
      await stageFiles(repo);
      const { outcome } = await review(server, repo);
      assert.is(outcome.ledger.reviewed, FILES, JSON.stringify(outcome.ledger));
      assert.is(outcome.findings.length, FILES);
      assert.is(shownLines(server).size, FILES * LINES);
      const refused = server.requests.filter(({ status }) => status !== 200).length;
      assert.ok(refused > 0 && refused <= 4, `${refused} were refused as too long`);
    },
  );
});

test('answers about parts of a hunk are cached as one, also when the window shrinks before a second look', () => {
  let shrink = (): void => undefined;
  let answers = 0;
  const watching = reviewer({ sees: [BUG] });
  return withServer(
    {
      policy: conversation => {
        answers += 1;
        if (answers === 3) shrink();
        return watching(conversation);
      },
    },
    async (server, repo) => {
      await stageFiles(repo);
      shrink = () => server.setContextWindow(2200);
      await review(server, repo);
      // The server says how large its window is, and that decides how hunks are cut.
      server.setContextWindow(4096);
      const asked = server.requests.length;
      const { outcome } = await review(server, repo);
      assert.is(server.requests.length, asked);
      assert.is(outcome.ledger.cached, FILES, JSON.stringify(outcome.ledger));
      assert.is(outcome.findings.length, FILES);
    },
  );
});

test('a long rule does not push the change out of the window', () =>
  withServer({}, async (server, repo) => {
    const words = 'Good: the value is checked before it is used, as in the module beside it.\n';
    await repo.write('.apfel-bot/rules/checked.md', `Is the value checked?\n${words.repeat(50)}`);
    await stageFiles(repo);
    const { outcome } = await review(server, repo);
    assert.is(outcome.ledger.failed, 0, JSON.stringify(outcome.ledger));
    const asked = server.requests.filter(({ body }) => /one rule/.test(JSON.stringify(body)));
    const lines = new Set([...shownLines({ ...server, requests: asked })]);
    assert.is([...lines].filter(line => line.startsWith('src/')).length, FILES * LINES);
    assert.equal(outcome.notices ?? [], []);
  }));

test('a rule that leaves no space for the change is cut, and the report says so', () =>
  withServer({}, async (server, repo) => {
    // A sign of a script like this is a token or more.
    await repo.write('.apfel-bot/rules/checked.md', `${'検査'.repeat(1900)}？\n`);
    await repo.stage('src/file0.js', `for (let index = 0; ${BUG}; index += 1) go(list[index]);\n`);
    const { outcome } = await review(server, repo);
    assert.is(outcome.ledger.reviewed, 1, JSON.stringify(outcome.ledger));
    assert.match((outcome.notices ?? []).join(), /rule checked is too long .* was cut/);
    await saidAgain(server, repo, outcome.notices);
  }));

/** A second run, answered from the cache, has the same notices. */
async function saidAgain(
  server: StandIn,
  repo: Repo,
  notices: readonly string[] | undefined,
): Promise<void> {
  const asked = server.requests.length;
  const { outcome } = await review(server, repo);
  assert.is(server.requests.length, asked);
  assert.equal(outcome.notices, notices);
}

test('three problems of a chunk are asked for, and a notice says that there are more, also in a second run from the cache', () =>
  withServer({}, async (server, repo) => {
    await repo.stage('src/file0.js', `${BUG};\nfine();\n`.repeat(12));
    await repo.stage('src/file1.js', `${BUG};\nfine();\n`.repeat(9));
    const { outcome } = await review(server, repo);
    assert.is(outcome.findings.length, 6, JSON.stringify(outcome.ledger));
    assert.match((outcome.notices ?? []).join(), /and 1 other file: .* more to report/);
    await saidAgain(server, repo, outcome.notices);
  }));

test('a review ends even if the model reports every line', () =>
  withServer({}, async (server, repo) => {
    await repo.stage('src/file0.js', `${BUG};\n`.repeat(100));
    const { outcome } = await review(server, repo);
    assert.ok(server.requests.length < 50, `${server.requests.length}`);
    assert.ok(outcome.findings.length >= 1);
  }));

test('a rule is asked about the files that it applies to', () =>
  withServer({}, async (server, repo) => {
    await repo.write('.apfel-bot/rules/own.md', '---\npaths: src/file1.js\n---\nIs it right?\n');
    for (const name of ['file0', 'file1', 'file2']) await repo.stage(`src/${name}.js`, `${BUG};\n`);
    const { outcome } = await review(server, repo);
    const rules = outcome.findings.map(({ path, rule }) => `${path} ${rule}`);
    assert.equal(rules, [
      'src/file0.js model/off-by-one',
      'src/file1.js rule/own',
      'src/file2.js model/off-by-one',
    ]);
  }));

test.run();
