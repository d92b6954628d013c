import * as assert from 'uvu/assert';
import { addUp, evaluationJson, evaluationMarkdown, judgeCase } from '../../src/eval/score.js';
import { readDiffCase, readJsonCase } from '../../src/eval/suite.js';
import { suite } from '../support/suite.js';

const DIFF = 'diff --git a/a.js b/a.js\n--- a/a.js\n+++ b/a.js\n@@ -1 +1,2 @@\n one\n+two\n';
const QUICK = {
  hunks: 1,
  reviewed: 1,
  refused: 0,
  failed: 0,
  outOfTime: 0,
  skipped: 0,
  isReviewed: () => true,
  chunks: 1,
  requests: 2,
  refusals: 0,
  promptTokens: 500,
  completionTokens: 40,
  milliseconds: 100,
};
const at = (line: number, path = 'a.js', endLine = line) => ({ path, line, endLine });

const test = suite('eval/score');

test('a case names its bugs in front of its diff', () => {
  assert.equal(readDiffCase('x', `# bug a.js:2 wrong\n# bug b/c.js:4-6\n${DIFF}`), {
    name: 'x',
    diff: DIFF,
    bugs: [[{ path: 'a.js', lines: [2] }], [{ path: 'b/c.js', lines: [4, 5, 6] }]],
  });
  assert.equal(readDiffCase('x', `# clean\n${DIFF}`), { name: 'x', diff: DIFF, bugs: [] });
});

for (const [title, text] of [
  ['no diff', '# clean\n'],
  ['no answer', DIFF],
  ['two answers', `# clean\n# bug a.js:2\n${DIFF}`],
] as const) {
  test(`a case with ${title} is not used`, () => {
    assert.ok('problem' in readDiffCase('x', text));
  });
}

test('a line in BugsJS format is one bug in all the lines it adds', () => {
  const line = { id: 'x#1', introducing: DIFF, files: [{ path: 'a.js', added: [2] }] };
  assert.equal(readJsonCase(JSON.stringify(line), 0), {
    name: 'x#1',
    diff: DIFF,
    bugs: [[{ path: 'a.js', lines: [2] }]],
  });
  const removes = { ...line, files: [{ path: 'a.js', added: [] }] };
  assert.ok('problem' in readJsonCase(JSON.stringify(removes), 0));
  for (const text of ['', '{', '[]', 'null', '{"id": 1}']) {
    assert.ok('problem' in readJsonCase(text, 3), text);
  }
});

test('the score equals one computed by hand', () => {
  const bug = [[{ path: 'a.js', lines: [2, 3] }]];
  const cases = [
    // Found, twice pointed at, and one finding beside it.
    judgeCase({ name: '1', diff: '', bugs: bug }, { ...QUICK, findings: [at(2), at(3), at(9)] }),
    // Not found: the right line of another file.
    judgeCase({ name: '2', diff: '', bugs: bug }, { ...QUICK, findings: [at(2, 'b.js')] }),
    // Found by a finding that spans it.
    judgeCase({ name: '3', diff: '', bugs: bug }, { ...QUICK, findings: [at(1, 'a.js', 5)] }),
    judgeCase(
      { name: '4', diff: '', bugs: [] },
      { ...QUICK, hunks: 3, reviewed: 3, findings: [at(1)] },
    ),
    judgeCase(
      { name: '5', diff: '', bugs: [] },
      { ...QUICK, reviewed: 0, failed: 1, findings: [] },
    ),
  ];
  assert.equal(addUp(cases), {
    cases: 5,
    bugs: 3,
    reviewedBugs: 3,
    found: 2,
    findings: 6,
    right: 3,
    wrongLines: 2,
    falseAlarms: 1,
    cleanHunks: 3,
    hunks: 7,
    reviewed: 6,
    missed: 1,
    refused: 0,
    failed: 1,
    outOfTime: 0,
    skipped: 0,
    precision: 0.5,
    recall: 0.6667,
    falseAlarmsPer100: 33.3333,
    chunks: 5,
    requests: 10,
    refusals: 0,
    seconds: 0.5,
    secondsPerChunk: 0.1,
    promptTokensPerChunk: 500,
    completionTokensPerChunk: 40,
  });
});

test('a bug in several places is found by a finding in one of them', () => {
  const bugs = [
    [
      { path: 'a.js', lines: [2] },
      { path: 'b.js', lines: [7] },
    ],
  ];
  const judged = judgeCase({ name: '1', diff: '', bugs }, { ...QUICK, findings: [at(7, 'b.js')] });
  assert.equal([judged.found, judged.right], [1, 1]);
});

test('bugs and findings in hunks that were not reviewed are not counted', () => {
  const bugs = [[{ path: 'a.js', lines: [2] }], [{ path: 'a.js', lines: [50] }]];
  const judged = judgeCase(
    { name: '1', diff: '', bugs },
    {
      ...QUICK,
      hunks: 2,
      refused: 1,
      isReviewed: (_, line) => line < 40,
      findings: [at(2), at(50), at(60)],
    },
  );
  const { reviewedBugs, found, findings, right } = judged;
  assert.equal(
    { reviewedBugs, found, findings, right },
    { reviewedBugs: 1, found: 1, findings: 1, right: 1 },
  );
  const { recall, precision, missed } = addUp([judged]);
  assert.equal([recall, precision, missed], [1, 1, 1]);
});

test('a score of no cases does not divide by zero', () => {
  const { precision, recall, falseAlarmsPer100 } = addUp([]);
  assert.equal([precision, recall, falseAlarmsPer100], [null, null, null]);
});

test('the report for an issue says which cases an earlier run did', () => {
  const evaluation = {
    suite: '',
    isShipped: true,
    model: undefined,
    reason: undefined,
    machine: { system: 'darwin 25.0', version: '1.0.0' },
    rows: [{ with: 'checks', score: addUp([]) }],
    unusable: [],
    resumed: 1,
    left: 0,
  } as const;
  assert.match(
    evaluationMarkdown(evaluation),
    'of the bundled suite, 1 of them done by an earlier run.',
  );
  assert.match(evaluationJson(evaluation), /^\{\n {2}"suite": ""/);
});

test('the report for an issue says why there is no model, and quotes no program', () => {
  const page = (reason: string): string =>
    evaluationMarkdown({
      suite: '',
      isShipped: true,
      machine: { system: 'x', version: '1' },
      model: undefined,
      reason,
      rows: [{ with: 'checks', score: addUp([]) }],
      unusable: [],
      resumed: 0,
      left: 0,
    });
  const died = page("apfel --serve ended with 1 (Ada Love's Mac: no /Users/ada): run it by hand");
  assert.match(died, 'without a model: apfel --serve ended with 1.');
  assert.match(page('--no-model was given'), 'without a model: --no-model.');
  assert.match(page('Ada Love'), 'without a model.');
  for (const each of [died, page('Ada Love')]) assert.not.match(each, /ada|love/i);
});

test('the report for an issue names a model that is a path without its folder', () => {
  const row = { with: 'model', score: addUp([]) } as const;
  const page = (id: string): string =>
    evaluationMarkdown({
      suite: '',
      isShipped: true,
      machine: { system: 'x', version: '1' },
      model: { name: id, votes: 1 },
      reason: `the server at http://127.0.0.1:1/v1 has a, not ${id}: leave out --model`,
      rows: [row],
      unusable: [],
      resumed: 0,
      left: 0,
    });
  for (const id of ['/Users/Ada Love/models/x.gguf', 'models/ada/x.gguf', '~/ada/x.gguf']) {
    assert.match(page(id), '|  | x.gguf |');
    assert.not.match(page(id), /ada/i);
  }
  assert.match(page('mlx-community/x'), '|  | mlx-community/x |');
});

test.run();
