import * as assert from 'uvu/assert';
import type { FixEdit } from '../../src/core/outcome.js';
import type { GithubPull } from '../../src/github/pulls.js';
import {
  answerText,
  branchOf,
  declinedLines,
  type FixedOutcome,
  isSamePull,
  isUntouched,
  markPull,
  plannedLines,
  pullParts,
  pullTitle,
  pushedLines,
} from '../../src/publish/pull-text.js';
import { EMPTY, finding } from '../report/sample-outcome.js';
import { suite } from '../support/suite.js';

const test = suite('publish/pull-text');

const HEAD = '0123456789abcdef'.repeat(3).slice(0, 40);

const edit = (rule: string, by: FixEdit['by'] = 'linter', line = 1): FixEdit => ({
  path: 'a.js',
  diagnostic: { rule, line },
  status: 'kept',
  by,
});

const FIXED: FixedOutcome = {
  ...EMPTY,
  task: 'fix-lint',
  change: { ...EMPTY.change, head: HEAD },
  edits: [
    edit('semi'),
    edit('no-var'),
    edit('no-var', 'model', 3),
    { ...edit('eqeqeq'), status: 'rejected' },
  ],
  diagnostics: { before: 4, after: 1, fixed: 3, introduced: 0 },
};

const COMMIT = {
  id: HEAD,
  author: 'a <a>',
  committer: 'a <a>',
  message: 'Fix semi\n\n- a.js:1',
  paths: ['a.js', 'b.js'],
};

const rules = (amount: number): FixEdit[] =>
  Array.from({ length: amount }, (_, at) => edit(`rule-${at}`));

test('the title counts the fixes and names the most frequent rules that fit', () => {
  const { diagnostics: _, ...uncounted } = FIXED;
  const long = `a${'b'.repeat(44)}`;
  for (const [outcome, expected] of [
    [FIXED, 'Fix 3 linter diagnostics: no-var, semi'],
    [uncounted, 'Fix 3 linter diagnostics: no-var, semi'],
    [{ ...uncounted, edits: [edit('@ts/semi')] }, 'Fix 1 linter diagnostic: ts/semi'],
    [{ ...uncounted, edits: [edit('x y'), edit('a"b')] }, 'Fix 2 linter diagnostics'],
    [{ ...uncounted, edits: [edit(`${long}cd`)] }, `Fix 1 linter diagnostic: ${long}cd`],
    [{ ...uncounted, edits: [edit(`${long}cde`)] }, 'Fix 1 linter diagnostic'],
    [{ ...uncounted, edits: [edit(long), edit('semi')] }, `Fix 2 linter diagnostics: ${long}, …`],
  ] as const) {
    assert.is(pullTitle(outcome), expected);
  }
});

/** A description, of which each case changes something. */
function described(
  parts: Partial<FixedOutcome> = {},
  more: Partial<Parameters<typeof pullParts>[0]> = {},
): string {
  return pullParts({
    outcome: { ...FIXED, ...parts },
    commits: [COMMIT, { ...COMMIT, paths: ['b.js'] }],
    pull: undefined,
    baseBranch: 'main',
    login: 'ada',
    footer: ['1 s', 'run X'],
    ...more,
  }).join('');
}

test('the description has what was fixed, what is left, what was checked, and a footer', () => {
  const left = finding({
    path: 'a.js',
    line: 9,
    rule: 'eqeqeq',
    message: 'Use ===.',
    left: 'no fix',
  });
  assert.is(
    described({ findings: [left], notices: ['a note'], complete: false }),
    [
      'Fixes 3 of 4 linter diagnostics in `main` at 0123456789ab.',
      '| Rule | Fixed |\n| --- | --- |\n| `no-var` | 1 by the linter, 1 by the model |\n| `semi` | 1 by the linter |',
      "**Worth a look, because these edits are not the linter's own fixes:**",
      '- `a.js:3` `no-var`',
      '<details><summary>1 not fixed</summary>',
      '| Where | Rule | Message | Reason |\n| --- | --- | --- | --- |\n| `a.js:9` | `eqeqeq` | Use ===. | no fix |',
      '</details>',
      '- Diagnostics reported by the run: 4 before, 1 after, 0 introduced.\n- The run was incomplete.\n- Checked before the push: 2 commits, edits to 2 existing files, none of them protected; no file added, deleted or made executable.\n- The checks of this pull request show whether the tests pass.',
      '<details><summary>Notes from the run</summary>',
      '- a note',
      '</details>',
      '<sub>1 s · run X</sub>\n',
    ].join('\n\n'),
  );
});

test('the description leaves out what does not apply', () => {
  const text = described({ edits: [edit('semi')] });
  for (const words of [
    'Worth a look',
    'not fixed',
    'incomplete',
    'Notes',
    'GITHUB_TOKEN',
    'more',
  ]) {
    assert.not.match(text, words);
  }
  const { diagnostics: _, edits: __, ...bare } = FIXED;
  const [opening, checked] = pullParts({
    outcome: bare,
    commits: [COMMIT],
    pull: 7,
    baseBranch: 'topic',
    login: 'github-actions[bot]',
    footer: [],
  });
  assert.is(opening, 'Fixes linter diagnostics in #7 (`topic`) at 0123456789ab.\n\n');
  assert.match(checked ?? '', /^- Checked before the push: 1 commit, edits to 2 existing files/);
  assert.match(described({}, { login: 'github-actions[bot]' }), 'opened with `GITHUB_TOKEN`');
});

test('of more than twenty rules, places or diagnostics the rest is counted', () => {
  const left = Array.from({ length: 22 }, (_, at) => finding({ line: at + 1 }));
  const doubtful = rules(22).map(each => ({ ...each, by: 'model' as const }));
  const many = described({ edits: doubtful, findings: left });
  assert.is(many.match(/and 2 more\n/g)?.length, 3);
  assert.match(many, '| `rule-0` |');
  assert.match(many, '`src/a.ts:20`');
  assert.not.match(many, /rule-20|src\/a\.ts:21/);
  const twenty = described({ edits: doubtful.slice(0, 20), findings: left.slice(0, 20) });
  assert.not.match(twenty, 'more\n');
});

test('a description that people edited is recognised, whatever its line ends are', () => {
  const marked = markPull({ title: 'Fix', body: 'one\ntwo\n\n' });
  assert.match(marked.body, /^<!-- apfel-bot:fix-lint [0-9a-f]{16} -->\none\ntwo\n$/);
  const windows = marked.body.replaceAll('\n', '\r\n');
  for (const [text, isOurs] of [
    [marked, true],
    [{ ...marked, body: windows }, true],
    [{ ...marked, title: 'Other' }, false],
    [{ ...marked, body: `${marked.body}three` }, false],
    [{ ...marked, body: 'one\ntwo\n' }, false],
  ] as const) {
    assert.is(isUntouched(text), isOurs, JSON.stringify(text));
  }
  assert.ok(isSamePull(marked, { ...marked, body: `${windows}\r\n` }));
  assert.not.ok(isSamePull(marked, { ...marked, title: 'Other' }));
  assert.not.ok(isSamePull(marked, { ...marked, body: 'other' }));
});

test('the branch of an outcome must start at its commit, with a bundle next to the file', () => {
  const branch = { name: 'fixes', commit: 'b'.repeat(40), base: HEAD, bundle: 'o.bundle' };
  assert.is(branchOf(FIXED), undefined);
  assert.equal(branchOf({ ...FIXED, branch }), branch);
  for (const [parts, words] of [
    [{ base: 'fedcba9876543210' }, /was edited: its branch starts at fedcba987654, not at/],
    [{ bundle: null }, /has a branch, but no bundle/],
    [{ bundle: '.' }, /its bundle is "\.", which isn't a file next to it/],
    [{ bundle: '..' }, /its bundle is "\.\.", which/],
    [{ bundle: 'a/b' }, /its bundle is "a\/b", which/],
    [{ bundle: 'C:b' }, /its bundle is "C:b", which/],
    [{ bundle: `/${'b'.repeat(200)}` }, /its bundle is "\/b{99}", which/],
  ] as const) {
    assert.throws(() => branchOf({ ...FIXED, branch: { ...branch, ...parts } }), words);
  }
});

const LINK = { number: 9, url: 'https://github.com/o/r/pull/9' };

test('the answer counts the fixes and says where they are, or why there are none', () => {
  const none = { before: 0, after: 0, fixed: 0, introduced: 0 };
  const { diagnostics: _, ...uncounted } = FIXED;
  const left = [finding({})];
  for (const [outcome, place, expected] of [
    [
      FIXED,
      { pull: LINK },
      `3 of 4 linter diagnostics fixed, 1 left**\n\nThe fixes are in [#9](${LINK.url})`,
    ],
    [FIXED, { compare: 'X' }, 'The fixes are on a branch: [open a pull request](X)'],
    [FIXED, { closed: LINK, pull: LINK }, `Nothing was pushed: [#9](${LINK.url})`],
    [
      { ...FIXED, diagnostics: { ...none, before: 1, fixed: 1 } },
      {},
      '1 of 1 linter diagnostic fixed**\n\n',
    ],
    [uncounted, {}, '0 of 0 linter diagnostics fixed**\n\nThere was nothing to fix.\n'],
    [{ ...FIXED, findings: left }, {}, 'None could be fixed safely.\n'],
    [
      { ...FIXED, findings: left, complete: false },
      {},
      'The run was incomplete; its log says why.\n',
    ],
  ] as const) {
    assert.match(answerText({ outcome, footer: ['1 s'], ...place }), expected);
  }
  assert.match(
    answerText({ outcome: FIXED, footer: ['1 s', 'run X'] }),
    /\n<sub>1 s · run X<\/sub>\n$/,
  );
});

const pull = { ...LINK, title: '', body: '' } as GithubPull;
const skipped = [{ name: 'fixes', reason: 'it has a commit of somebody else' }];

test('push prints the branch, the pull request, and what was left alone', () => {
  const placed = { name: 'fixes-2', done: 'created', skipped } as const;
  assert.equal(pushedLines({ placed, result: undefined, compare: 'X', isSilent: false }), [
    'branch fixes was left alone: it has a commit of somebody else',
    'branch fixes-2 pushed',
    'open a pull request: X',
  ]);
  const result = { pull, done: 'opened' } as const;
  const [, , opened, silent = ''] = pushedLines({ placed, result, compare: 'X', isSilent: true });
  assert.is(opened, `pull request #9 opened: ${LINK.url}`);
  assert.match(silent, 'it was opened with GITHUB_TOKEN');
  assert.equal(
    declinedLines({ name: 'fixes-2', done: 'declined', skipped, closed: pull }).slice(0, 2),
    [
      'branch fixes was left alone: it has a commit of somebody else',
      `nothing pushed: pull request #9 from fixes-2 was closed without a merge: ${LINK.url}`,
    ],
  );
});

test('a dry run lists the commits and the pull request', () => {
  const planned = (closed?: GithubPull): string[] =>
    plannedLines({
      name: 'fixes',
      closed,
      baseBranch: 'main',
      commits: [COMMIT],
      text: { title: 'T', body: 'B\n' },
    });
  assert.equal(planned(), [
    'would push fixes, to be merged into main:',
    '  0123456789ab Fix semi (a.js, b.js)',
    'with this pull request:',
    '',
    'T',
    '',
    'B',
  ]);
  assert.match(
    planned(pull)[0] ?? '',
    /^would push nothing, because pull request #9 from fixes was closed/,
  );
});

test.run();
