import { readdirSync, readFileSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import type { QuirkRates } from '../../fixtures/apfel/quirk-names.js';
import { type Policy, type StandInOptions, startStandIn } from '../../fixtures/apfel/stand-in.js';
import { readDiffCase } from '../../src/eval/suite.js';
import { apfelBot } from '../support/cli.js';
import { corpus } from '../support/corpus.js';
import { reviewer } from '../support/reviewer.js';
import { suite } from '../support/suite.js';
import { withFolder } from '../support/with-repo.js';

/** The shipped cases, and the text of every planted line. */
const CASES = readdirSync('eval')
  .filter(name => name.endsWith('.diff'))
  .map(name => readDiffCase(name, readFileSync(join('eval', name), 'utf8')))
  .flatMap(each => ('diff' in each ? [each] : []));

const textAt = (diff: string, line: number): string => {
  let at = 0;
  for (const row of diff.split('\n')) {
    const [, start] = /^@@ -\S+ \+(\d+)/.exec(row) ?? [];
    if (start !== undefined) at = Number(start) - 1;
    else if (/^[ +](?!\+\+)/.test(row) && ++at === line) return row.slice(1).trim();
  }
  return '';
};
const BUGS = CASES.flatMap(({ diff, bugs }) =>
  bugs.flatMap(([place]) => textAt(diff, place?.lines[0] ?? 0)),
);
const bugCount = BUGS.length;
const cleanCount = CASES.length - bugCount;

interface Row {
  readonly with: string;
  readonly score: Readonly<Record<string, number | null>>;
}

async function evaluated(options: StandInOptions, ...args: string[]) {
  const server = await startStandIn(options);
  let rows: readonly Row[] = [];
  let json: Record<string, unknown> = {};
  try {
    await withFolder(async cwd => {
      const run = await apfelBot(
        ['eval', '--format', 'json', '--base-url', server.baseUrl, ...args],
        { cwd },
      );
      assert.is(run.code, 0, run.stderr);
      json = JSON.parse(run.stdout);
      rows = JSON.parse(run.stdout).rows;
    });
  } finally {
    await server.close();
  }
  return { json, checks: rows[0]?.score ?? {}, model: rows[1]?.score ?? {} };
}

const test = suite('eval/command');

test('the shipped cases are as many bugs as clean hunks, in several languages', () => {
  assert.ok(bugCount >= 10 && cleanCount >= 10);
  assert.ok(BUGS.every(text => text.length > 5));
  const endings = CASES.map(({ diff }) => /^\+\+\+ .*\.(\w+)$/m.exec(diff)?.[1]);
  assert.ok(new Set(endings).size >= 6);
});

test('a model that is always right finds every bug and nothing else', async () => {
  const { model, checks } = await evaluated({ policy: reviewer({ sees: BUGS }) });
  assert.equal([model['found'], model['bugs']], [bugCount, bugCount]);
  assert.equal([model['precision'], model['recall'], model['falseAlarmsPer100']], [1, 1, 0]);
  assert.equal([model['wrongLines'], model['missed']], [0, 0]);
  // A verdict and a second look for a bug; a verdict for a clean hunk.
  assert.is(model['requests'], 2 * bugCount + cleanCount);
  // The bugs are of the kind that only judgment finds.
  assert.equal([checks['found'], checks['findings'], checks['requests']], [0, 0, 0]);
});

test('seconds and tokens are given for each chunk that was asked about', async () => {
  const { model, checks } = await evaluated({ policy: reviewer({ sees: BUGS }) });
  assert.is(model['chunks'], CASES.length);
  assert.ok(Number(model['secondsPerChunk']) > 0);
  assert.ok(Number(model['promptTokensPerChunk']) > 100);
  assert.ok(Number(model['completionTokensPerChunk']) > 10);
  assert.equal([checks['chunks'], checks['secondsPerChunk']], [0, null]);
});

test('the report for an issue is one table, with the machine and without its paths', () =>
  withFolder(async cwd => {
    await mkdir(join(cwd, 'my-suite'));
    const [first] = CASES;
    await writeFile(join(cwd, 'my-suite', 'one.diff'), `# clean\n${first?.diff}`);
    const server = await startStandIn({ policy: reviewer({ sees: [] }), contextWindow: 8192 });
    try {
      const args = ['eval', '--format', 'markdown', '--suite', join(cwd, 'my-suite')];
      const run = await apfelBot([...args, '--base-url', server.baseUrl], { cwd });
      assert.is(run.code, 0, run.stderr);
      assert.match(run.stdout, /^### apfel-bot eval\n\napfel-bot \S+ on \w+ [\d.]+, /);
      assert.match(run.stdout, /apfel 1\.8\.4, a window of 8192 tokens, 1 case of another suite\./);
      assert.match(run.stdout, /\n\| {2}\| checks alone \| apple-foundationmodel \|\n\| --- \|/);
      assert.match(run.stdout, /\n\| recall \| - \| - \|\n/);
      assert.match(run.stdout, /\n\| tokens in per chunk \| - \| \d+ \|\n/);
      assert.not.match(run.stdout, cwd);
      assert.not.match(run.stdout, 'my-suite');
    } finally {
      await server.close();
    }
  }));

test('a model that never reports anything has no findings and no false alarms', async () => {
  const { model } = await evaluated({ policy: reviewer({ sees: [] }) });
  assert.equal([model['found'], model['findings'], model['recall']], [0, 0, 0]);
  assert.equal([model['precision'], model['falseAlarmsPer100']], [null, 0]);
});

/** Reports one line of every hunk, as chosen, and stands by it. */
function crier(choose: (rows: readonly string[]) => number): {
  policy: Policy;
  cried: Set<string>;
} {
  const cried = new Set<string>();
  const policy: Policy = conversation => {
    const opening = conversation.messages.find(({ role }) => role === 'user')?.text ?? '';
    const rows = opening.match(/^\+\d+\| .*\S$/gm) ?? [];
    const texts = rows.map(row => row.replace(/^\+\d+\| /, '').trim());
    // One that stands there twice would be reported twice.
    const single = texts.filter(text => texts.filter(each => each.includes(text)).length === 1);
    const text = single[choose(single)];
    if (text !== undefined) cried.add(text);
    return reviewer({ sees: text === undefined ? [] : [text] })(conversation);
  };
  return { policy, cried };
}

const noisy = (): ReturnType<typeof crier> => crier(() => 0);
const random = (): ReturnType<typeof crier> =>
  crier(
    rows => [...rows.join('')].reduce((sum, char) => sum + char.charCodeAt(0), 0) % rows.length,
  );

for (const [name, make] of [
  ['noisy', noisy],
  ['random', random],
] as const) {
  test(`a ${name} model that reports every hunk gets the score computed by hand`, async () => {
    const { policy, cried } = make();
    const { model } = await evaluated({ policy });
    const right = BUGS.filter(text => cried.has(text)).length;
    assert.is(model['findings'], CASES.length);
    assert.is(model['falseAlarms'], cleanCount);
    assert.is(model['falseAlarmsPer100'], 100);
    assert.equal([model['right'], model['found']], [right, right]);
    assert.is(model['wrongLines'], bugCount - right);
    assert.is(model['precision'], Math.round((10_000 * right) / CASES.length) / 10_000);
  });
}

test('votes are asked for and counted, and a majority that agrees changes nothing', async () => {
  const options = { policy: reviewer({ sees: BUGS }) };
  const { json, model } = await evaluated(options, '--votes', '3');
  assert.equal(json['model'], {
    name: 'apple-foundationmodel',
    votes: 3,
    protocol: 'guided',
  });
  assert.equal([model['recall'], model['precision']], [1, 1]);
  assert.ok(Number(model['requests']) >= 4 * bugCount);
});

test('eval that its deadline ended keeps its results and continues from there', () =>
  withFolder(async cwd => {
    let answers = 0;
    const review = reviewer({ sees: BUGS });
    const server = await startStandIn({
      policy: conversation => {
        answers += 1;
        // From the tenth on there is no answer, so that the deadline comes before the last case.
        if (answers === 10) server.setLatency(600_000);
        return review(conversation);
      },
    });
    try {
      const args = ['eval', '--base-url', server.baseUrl];
      const isTimeUp = () => answers >= 10;
      const first = await apfelBot([...args, '--strict'], { cwd, isTimeUp });
      assert.is(first.code, 6, first.stderr);
      const [, left = '0'] = /(\d+) cases are left; run it again/.exec(first.stdout) ?? [];
      assert.ok(Number(left) > 0, first.stdout);
      const asked = server.requests.length;
      server.setLatency(0);
      const second = await apfelBot([...args, '--strict'], { cwd });
      assert.is(second.code, 0, second.stderr);
      assert.match(
        second.stdout,
        `${CASES.length - Number(left)} cases were done by an earlier run`,
      );
      assert.match(second.stdout, `${bugCount} of ${bugCount}`);
      const whole = 3 * bugCount + cleanCount;
      assert.ok(server.requests.length - asked < whole, `${server.requests.length - asked}`);
    } finally {
      await server.close();
    }
  }));

test('eval asks again about cases that a broken server left without a review', () =>
  withFolder(async cwd => {
    const quirks: QuirkRates = { 'unknown-500': 1 };
    const server = await startStandIn({ policy: reviewer({ sees: BUGS }), quirks });
    const asked = () => server.requests.length;
    try {
      const args = ['eval', '--format', 'markdown', '--base-url', server.baseUrl];
      const first = await apfelBot(args, { cwd, isTimeUp: () => asked() >= 12 });
      assert.is(first.code, 0, first.stderr);
      assert.match(first.stdout, ' of them left to do');
      quirks['unknown-500'] = 0;
      const before = asked();
      const second = await apfelBot(args, { cwd });
      assert.match(second.stdout, '| hunks not reviewed | 0 | 0 |');
      assert.is(asked() - before, 2 * bugCount + cleanCount);
      assert.not.match(second.stdout, 'earlier run');
    } finally {
      await server.close();
    }
  }));

const says =
  (reason: string): Policy =>
  () => ({ kind: 'object', value: { a_reason: reason, b_verdict: 'nothing' } });

for (const [what, options, isRefusal] of [
  ['filters everything', { quirks: { 'content-filter': 1 } }, true],
  ['apologizes in every field', { policy: says("I'm sorry, I can't assist with that.") }, true],
  ['is vague', { policy: says('all good') }, false],
] as const) {
  test(`eval --strict gives exit 6 where the model ${what}, and counts refusals as review does`, () =>
    withFolder(async cwd => {
      const [first] = CASES;
      await writeFile(join(cwd, 'one.diff'), `# clean\n${first?.diff}`);
      const server = await startStandIn(options);
      try {
        const args = ['--suite', '.', '--base-url', server.baseUrl, '--format', 'json'];
        const run = await apfelBot(['eval', '--strict', ...args], { cwd });
        const { complete, rows } = JSON.parse(run.stdout);
        assert.equal([run.code, complete, rows[1].score.missed], [6, false, 1], run.stderr);
        assert.is(rows[1].score.refusals > 0, isRefusal);
      } finally {
        await server.close();
      }
    }));
}

test('a model that refuses everything has no recall and no false alarms, only hunks that were not reviewed', () =>
  withFolder(async cwd => {
    const server = await startStandIn({ quirks: { guardrail: 1 } });
    try {
      const args = ['eval', '--format', 'markdown', '--base-url', server.baseUrl];
      const { stdout } = await apfelBot(args, { cwd });
      const all = CASES.length;
      assert.match(stdout, '| protocol | - | guided |');
      assert.match(stdout, `| hunks reviewed | ${all} of ${all} | 0 of ${all} |`);
      assert.match(stdout, `| hunks not reviewed | 0 | ${all}: ${all} refused |`);
      assert.match(stdout, `| bugs found | 0 of ${bugCount} reviewed | - |`);
      assert.match(stdout, '| recall | 0.0 % | - |');
      assert.match(stdout, `| false alarms | 0 in ${cleanCount} reviewed clean hunks | - |`);
      assert.match(stdout, '| false alarms per 100 clean hunks | 0.0 | - |');
    } finally {
      await server.close();
    }
  }));

test('a bug in the refused one of two hunks does not count, and the other one does', () =>
  withFolder(async cwd => {
    const diff = (path: string, text: string): string =>
      `diff --git a/${path} b/${path}\n--- a/${path}\n+++ b/${path}\n@@ -1 +1,2 @@\n one();\n+${text}\n`;
    const [shown, hidden] = ['if (total = 0) reset(total);', 'while (left = 1) wait(left);'];
    await writeFile(
      join(cwd, 'two.diff'),
      `# bug a.js:2\n# bug b/c.js:2\n${diff('a.js', shown)}${diff('b/c.js', hidden)}`,
    );
    const review = reviewer({ sees: [shown] });
    const server = await startStandIn({
      policy: conversation =>
        conversation.messages.some(({ text }) => text.includes(hidden))
          ? {
              kind: 'object',
              value: { a_reason: "I'm sorry, I can't assist.", b_verdict: 'nothing' },
            }
          : review(conversation),
    });
    try {
      const args = ['eval', '--suite', '.', '--format', 'json', '--base-url', server.baseUrl];
      const run = await apfelBot(args, { cwd });
      const { bugs, reviewedBugs, found, recall, reviewed, refused } = JSON.parse(run.stdout)
        .rows[1].score;
      assert.equal([bugs, reviewedBugs, found, recall], [2, 1, 1, 1], run.stdout);
      assert.equal([reviewed, refused], [1, 1]);
    } finally {
      await server.close();
    }
  }));

const bugsjs = corpus('bugsjs');

test.unless(
  bugsjs.absent,
  'an outside suite is read as it is, and what it cannot show is reported',
  () =>
    withFolder(async cwd => {
      const lines = readFileSync(bugsjs.path('bugs.jsonl'), 'utf8').split('\n').slice(0, 40);
      await mkdir(join(cwd, 'suite'));
      await writeFile(join(cwd, 'suite', 'bugs.jsonl'), lines.join('\n'));
      const run = await apfelBot(['eval', '--suite', 'suite', '--no-model', '--format', 'json'], {
        cwd,
      });
      assert.is(run.code, 0, run.stderr);
      const { rows, unusable } = JSON.parse(run.stdout);
      assert.is(rows[0].score.cases + unusable.length, 40);
      assert.is(rows[0].score.bugs, rows[0].score.cases);
    }),
);

test('a file that is not a suite gets an error that says what a case is', () =>
  withFolder(async cwd => {
    const none = await apfelBot(['eval', '--suite', 'nowhere'], { cwd });
    assert.is(none.code, 2);
    assert.match(none.stderr, /nowhere can't be read: ENOENT/);
    await writeFile(join(cwd, 'a.diff'), 'nothing\n');
    const empty = await apfelBot(['eval', '--suite', '.'], { cwd });
    assert.is(empty.code, 2);
    assert.match(empty.stderr, /a: it has no diff[\s\S]*begins with "# clean"/);
  }));

test('eval without a model says so and measures the checks', () =>
  withFolder(async cwd => {
    const run = await apfelBot(['eval', '--base-url', 'http://127.0.0.1:9/v1'], { cwd });
    assert.is(run.code, 0, run.stderr);
    assert.match(run.stdout, /checks alone[\s\S]*without a model: /);
    const strict = ['eval', '--strict', '--base-url', 'http://127.0.0.1:9/v1'];
    assert.is((await apfelBot(strict, { cwd })).code, 6);
    assert.is((await apfelBot([...strict, '--no-model'], { cwd })).code, 0);
  }));

test.run();
