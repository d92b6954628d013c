// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the cases are code that other tools fill in.
import * as assert from 'uvu/assert';
import { ciDangerous } from '../../src/checks/ci-dangerous.js';
import { suite } from '../support/suite.js';
import { judgeHunks, judgeText, linesOf } from './judge-text.js';

const WORKFLOW = '.github/workflows/ci.yml';

const test = suite('checks/ci-dangerous');

const step = (...lines: string[]): string =>
  ['jobs:', '  build:', '    steps:', ...lines.map(line => `      ${line}`)].join('\n');

const dangerous: ReadonlyArray<readonly [string, string, readonly number[]]> = [
  ['a title in a one-line script', step('- run: echo "${{ github.event.issue.title }}"'), [4]],
  [
    'a title in a script of several lines',
    step('- run: |', '    set -e', '    echo ${{ github.event.pull_request.title }}'),
    [6],
  ],
  [
    'a body in a folded script',
    step('- name: x', '  run: >-', '    echo ${{ github.event.comment.body }}'),
    [6],
  ],
  ['a branch name', step('- run: git checkout ${{ github.head_ref }}'), [4]],
  [
    'a branch name with a fallback',
    step('- run: git checkout ${{ github.head_ref || github.ref_name }}'),
    [4],
  ],
  [
    'a branch name chosen by a condition',
    step("- run: echo ${{ github.event_name == 'push' && github.ref || github.head_ref }}"),
    [4],
  ],
  ['a commit message', step('- run: echo "${{ github.event.head_commit.message }}"'), [4]],
  ['a commit by its index', step('- run: echo "${{ github.event.commits[0].message }}"'), [4]],
  ['a field in brackets', step("- run: echo ${{ github.event['issue']['body'] }}"), [4]],
  ['the whole event', step("- run: echo '${{ toJSON(github.event) }}'"), [4]],
  [
    'a script for JavaScript',
    step(
      '- uses: actions/github-script@v7',
      '  with:',
      '    script: |',
      '      console.log(`${{ github.event.issue.body }}`)',
    ),
    [7],
  ],
  [
    'an expression that goes on behind its line',
    step('- run: |', '    echo ${{ github.head_ref', '    }}'),
    [5],
  ],
  ['the trigger after a hash in quotes', 'on: ["#1", pull_request_target]', [1]],
  ['the trigger after a hash in single quotes', "on: [' # ', pull_request_target]", [1]],
  ['the trigger after a hash in a word', 'on: [a#b, pull_request_target]', [1]],
  [
    'a comment in a script, which is filled in as well',
    step('- run: |', '    # ${{ github.head_ref }}'),
    [5],
  ],
  ['the trigger as a key', 'on:\n  pull_request_target:\n    types: [opened]', [2]],
  ['the trigger after on', 'on: pull_request_target', [1]],
  ['the trigger in a list', 'on: [push, pull_request_target]', [1]],
  ['the trigger as an item', 'on:\n  - push\n  - pull_request_target', [3]],
  [
    'a checkout of the head with that trigger',
    `on: [pull_request_target]\n${step('- uses: actions/checkout@v4', '  with:', '    ref: ${{ github.event.pull_request.head.sha }}')}`,
    [1, 7],
  ],
  [
    'a checkout of the pull request on a comment',
    `on: issue_comment\n${step('- with:', '    ref: refs/pull/${{ github.event.issue.number }}/merge')}`,
    [6],
  ],
  [
    'a machine of your own with that trigger',
    'on:\n  pull_request_target:\njobs:\n  a:\n    runs-on: [self-hosted, mac]',
    [2, 5],
  ],
  ['every permission at once', 'permissions: write-all', [1]],
  ['a protection switched off', step('- with:', '    allow-unsafe-pr-checkout: true'), [5]],
  ['old commands switched on', 'env:\n  ACTIONS_ALLOW_UNSECURE_COMMANDS: true', [2]],
  ['all secrets at once', step('- env:', '    ALL: ${{ toJSON(secrets) }}'), [5]],
  ['a shell fed over plain http', step('- run: curl http://x.test/i.sh | sudo bash'), [4]],
  [
    'a shell fed without a certificate',
    step('- run: |', '    curl -k https://x.test/i.sh | sh'),
    [5],
  ],
  [
    'CRLF does not hide it',
    step('- run: |', '    echo ${{ github.head_ref }}').replace(/\n/g, '\r\n'),
    [5],
  ],
];

for (const [title, text, lines] of dangerous) {
  test(`${title} is dangerous`, () =>
    assert.equal(linesOf(judgeText(ciDangerous, WORKFLOW, text)), lines));
}

const safe: ReadonlyArray<readonly [string, string]> = [
  [
    'a title through the environment',
    step('- env:', '    TITLE: ${{ github.event.issue.title }}', '  run: echo "$TITLE"'),
  ],
  ['a number', step('- run: echo ${{ github.event.pull_request.number }}')],
  ['a sha', step('- run: git diff ${{ github.event.pull_request.head.sha }}')],
  ['a comparison', step("- run: echo ${{ github.head_ref == 'main' }}")],
  ['a search', step("- run: echo ${{ contains(github.event.comment.body, '/go') }}")],
  ['a condition', step("- if: github.event.comment.body == '/go'", '  run: ./go')],
  ['an input of an action', step('- with:', '    title: ${{ github.event.issue.title }}')],
  [
    'a text for an action',
    step('- with:', '    body: |', '      ${{ github.event.issue.title }}', '  run: x'),
  ],
  [
    'a step after a script',
    step('- run: |', '    make', '- env:', '    A: ${{ github.head_ref }}'),
  ],
  [
    'the environment after a script',
    step('- name: a', '  run: |', '    make', '  env:', '    A: ${{ github.head_ref }}'),
  ],
  ['a trigger in a text', step('- with:', '    body: |', '      pull_request_target:')],
  ['a name over two lines', 'jobs:\n  a:\n    name: x\n      echo ${{ github.head_ref }}'],
  ['a concurrency group', 'concurrency:\n  group: ${{ github.head_ref }}'],
  ['the harmless trigger', 'on:\n  pull_request:\n    branches: [main]'],
  ['a mention of the trigger', "jobs:\n  a:\n    if: github.event_name != 'pull_request_target'"],
  ['a trigger in a comment', '# pull_request_target:\non: push # not pull_request_target'],
  ['a trigger in a script', step('- run: |', '    pull_request_target:')],
  [
    'a checkout of the head without that trigger',
    `on: pull_request\n${step('- with:', '    ref: ${{ github.event.pull_request.head.sha }}')}`,
  ],
  ['a self-hosted runner without that trigger', 'on: push\njobs:\n  a:\n    runs-on: self-hosted'],
  ['named permissions', 'permissions:\n  contents: write'],
  ['one secret', step('- env:', '    KEY: ${{ secrets.KEY }}')],
  ['a download over http that is not run', step('- run: curl http://x.test/data.json | jq .a')],
];

for (const [title, text] of safe) {
  test(`${title} is safe`, () => assert.equal(judgeText(ciDangerous, WORKFLOW, text), []));
}

const hunks: ReadonlyArray<readonly [string, readonly string[], readonly number[]]> = [
  [
    'a script whose head is context',
    ['@20', '       run: |', '         set -e', '+        echo ${{ github.head_ref }}'],
    [22],
  ],
  [
    'a script whose run key is outside the hunk, recognized by its commands',
    ['@20', '         set -e', '+        echo ${{ github.head_ref }}'],
    [21],
  ],
  ['an input whose step is not shown', ['@20', '+        branch: ${{ github.head_ref }}'], []],
  ['an old danger', ['@20', ' on: pull_request_target', '+name: x'], []],
  [
    'a new checkout under an old trigger',
    [' on: pull_request_target', '@30', '+          ref: ${{ github.head_ref }}'],
    [30],
  ],
];

for (const [title, rows, lines] of hunks) {
  test(`${title} is ${lines.length === 0 ? 'not reported' : 'found'}`, () =>
    assert.equal(linesOf(judgeHunks(ciDangerous, WORKFLOW, rows)), lines));
}

const TRIGGER = 'on: pull_request_target';
const paths: ReadonlyArray<readonly [string, boolean]> = [
  ['.github/workflows/ci.yaml', true],
  ['action.yml', true],
  ['actions/build/action.yaml', true],
  ['docs/ci.yml', false],
  ['.github/dependabot.yml', false],
  ['.github/workflows/README.md', false],
];

for (const [path, isJudged] of paths) {
  test(`${path} is ${isJudged ? '' : 'not '}judged`, () =>
    assert.is(judgeText(ciDangerous, path, TRIGGER).length, isJudged ? 1 : 0));
}

test('the finding covers the expression and suggests a fix', () => {
  const text = step('- run: echo ${{ github.head_ref }} now');
  const [hit] = judgeText(ciDangerous, WORKFLOW, text);
  assert.equal([hit?.column, hit?.endColumn], [19, 41]);
  assert.match(hit?.message ?? '', /^github\.head_ref .* env:/);
});

const graded = (text: string) =>
  judgeText(ciDangerous, WORKFLOW, text).map(({ rule, severity }) =>
    `${rule} ${severity ?? ''}`.trim(),
  );

test('pull_request_target alone, as labelers have it, is a warning', () => {
  for (const text of [
    'on: [pull_request_target]',
    'on:\n  - pull_request_target',
    'on:\n  pull_request_target:\n    types: [opened]',
  ]) {
    assert.equal(graded(text), ['ci/dangerous warning'], text);
  }
});

test('a checkout of the head in a privileged workflow is an error', () => {
  const checkout = step(
    '- uses: actions/checkout@v4',
    '  with:',
    '    ref: ${{ github.event.pull_request.head.sha }}',
  );
  assert.equal(graded(`on: [pull_request_target]\n${checkout}`), [
    'ci/dangerous warning',
    'ci/dangerous',
  ]);
  const run = checkout.replace('pull_request.head.sha', 'workflow_run.head_sha');
  assert.equal(graded(`on:\n  workflow_run:\n    workflows: [ci]\n${run}`), ['ci/dangerous']);
  assert.equal(graded(run), ['ci/dangerous']);
  const script = step('- run: gh pr checkout ${{ github.event.number }}');
  assert.equal(graded(`on:\n  issue_comment:\n${script}`), ['ci/dangerous']);
  assert.equal(graded(`on:\n  workflow_dispatch:\n${script}`), []);
});

test('a workflow that exposes nothing by itself is a warning', () => {
  assert.equal(graded('permissions: write-all'), ['ci/dangerous warning']);
  assert.equal(graded(step('- run: echo "${{ toJSON(secrets) }}"')), ['ci/dangerous warning']);
});

for (const script of [
  'curl -sSL https://a.io/install.sh | sh',
  'curl -fsSL https://a.io/install.sh | sudo -E bash -s -- -y',
  'wget -qO- https://a.io/install | bash',
  'bash <(curl -s https://codecov.io/bash)',
  'sh -c "$(curl -fsSL https://a.io/install.sh)"',
  'eval "$(curl https://a.io)"',
  'curl https://a.io/get.py | python3',
]) {
  test(`"${script}" pipes into a shell`, () => {
    assert.equal(graded(step(`- run: ${script}`)), ['ci/pipe-to-shell']);
  });
}

test('what was downloaded into a variable and then evaluated pipes into a shell', () => {
  const text = step('- run: |', '    DATA=$(curl https://a.io)', '    eval "$DATA"');
  assert.equal(graded(text), ['ci/pipe-to-shell']);
});

for (const script of ['curl https://a.io | jq .', 'curl -o a https://a.io', 'echo a | sh']) {
  test(`"${script}" does not pipe a download into a shell`, () => {
    assert.equal(graded(step(`- run: ${script}`)), []);
  });
}

for (const [expression, expected] of [
  ['github.event.inputs.tag', ['ci/dangerous info']],
  ['inputs.tag', ['ci/dangerous info']],
  ["inputs.tag || 'latest'", ['ci/dangerous info']],
  ['github.event.client_payload.ref', ['ci/dangerous info']],
  ['github.ref_name', ['ci/dangerous info']],
  ["inputs.dry == 'true'", []],
  ["inputs.dry && '--dry-run' || ''", []],
  ['steps.inputs.outputs.x', []],
  ['github.sha', []],
] as const) {
  test(`\${{ ${expression} }} in a script is ${expected[0] ?? 'nothing'}`, () => {
    assert.equal(graded(step(`- run: echo "\${{ ${expression} }}"`)), expected);
  });
}

test('an input in the environment of a step is not reported', () => {
  assert.equal(graded(step('- env:', '    TAG: ${{ inputs.tag }}', '  run: echo "$TAG"')), []);
});

test('an action of others is pinned to a commit', () => {
  const uses = (action: string) => graded(step(`- uses: ${action}`));
  for (const action of [
    'acme/deploy@v1',
    'acme/deploy/sub@main',
    '"acme/deploy@v1.2.3"',
    'docker://alpine:3.8',
    'acme/deploy@5e20db9',
  ])
    assert.equal(uses(action), ['ci/unpinned'], action);
  const sha = '3f786850e387550fdab836ed7e6dc881de23001b';
  for (const action of [
    'actions/checkout@v4',
    'github/codeql-action/init@v3',
    './.github/actions/a',
    `acme/deploy@${sha} # v1`,
    `docker://alpine@sha256:${sha}${sha.slice(0, 24)}`,
  ])
    assert.equal(uses(action), [], action);
});

test.run();
