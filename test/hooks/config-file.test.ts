import { parse as parseToml } from 'smol-toml';
import * as assert from 'uvu/assert';
import { parse as parseYaml } from 'yaml';
import { planConfig } from '../../src/hooks/config-file.js';
import { DEFAULT_HOOKS, HOOK_NAMES, type HookName } from '../../src/hooks/facts.js';
import type { InstallPlan } from '../../src/hooks/plan.js';
import { planUninstall } from '../../src/hooks/plan-install.js';
import { callLine } from '../../src/hooks/shim.js';
import { mustEnd } from '../support/must-end.js';
import { suite } from '../support/suite.js';
import { facts, lefthook, preCommit, TOP } from './made-facts.js';

const test = suite('hooks/config-file');

/** What the one step writes; undefined when nothing is written. */
function written(plan: InstallPlan): string | undefined {
  const [step, ...more] = plan.steps;
  assert.is(more.length, 0);
  return step?.kind === 'write' ? step.text : undefined;
}

const configs: Readonly<Record<string, string>> = {
  'an empty file': '',
  'a file of comments': '# EXAMPLE\n#\n# pre-push:\n#   jobs:\n#     - run: x\n',
  'a file without our hooks': 'commit-msg:\n  commands:\n    lint:\n      run: x\n',
  'a hook with commands':
    'pre-commit:\n  parallel: true\n  commands:\n    lint:\n      run: x # why\n\n    test:\n      run: |\n        one\n        # two\n\n# tail\noutput: [summary]\n',
  'a hook with jobs': 'pre-commit:\n  jobs:\n    - name: lint\n      run: x\n    - run: y\n',
  'jobs that stand below their key': 'pre-commit:\n  jobs:\n  - run: x\n  parallel: true\n',
  'a hook with scripts only':
    'pre-commit:\n    scripts:\n        "a.sh":\n            runner: sh\n',
  'a hook with nothing in it': 'pre-commit:\npost-commit:\n  jobs:\n    - run: x\n',
  'no line end at the end': 'pre-commit:\n  commands:\n    lint:\n      run: x',
  'CRLF line ends': 'pre-commit:\r\n  commands:\r\n    lint:\r\n      run: x\r\n',
  'an anchor used elsewhere':
    'x: &x\n  run: y\npre-commit:\n  commands:\n    lint:\n      <<: *x\n      glob: "*.js"\n',
};
for (const [name, text] of Object.entries(configs)) {
  test(`our entry goes into lefthook.yml with ${name} and comes out without a trace`, () => {
    const edited = written(planConfig(lefthook(text), HOOK_NAMES, TOP)) ?? '';
    const data = parseYaml(edited, { merge: true });
    for (const hook of HOOK_NAMES) assert.is(runOf(data, hook), callLine(hook, '{0}'));
    for (const line of text.split(/\r?\n/)) assert.ok(edited.includes(line));
    const again = planConfig(lefthook(edited), HOOK_NAMES, TOP);
    assert.equal(again.steps, []);
    const gone = planUninstall(facts({ managers: [lefthook(edited)] }));
    assert.is(written(gone), text);
  });
}

const runOf = (data: Record<string, Hook>, hook: HookName): string | undefined =>
  data[hook]?.commands?.['apfel-bot']?.run ??
  data[hook]?.jobs?.find(job => job.name === 'apfel-bot')?.run;

interface Hook {
  readonly commands?: Record<string, { run: string }>;
  readonly jobs?: ReadonlyArray<{ name?: string; run: string }>;
}

test('our entry in lefthook.yml joins the jobs or the commands that are there', () => {
  const added = (text: string) =>
    parseYaml(written(planConfig(lefthook(text), ['pre-commit'], TOP)) ?? '')['pre-commit'];
  const withJobs = added('pre-commit:\n  jobs:\n    - run: x\n');
  assert.equal(Object.keys(withJobs), ['jobs']);
  assert.is(withJobs.jobs[1].name, 'apfel-bot');
  const withCommands = added('pre-commit:\n  commands:\n    lint:\n      run: x\n');
  assert.equal(Object.keys(withCommands.commands), ['lint', 'apfel-bot']);
});

const unsafe: Readonly<Record<string, string>> = {
  'flow style': 'pre-commit: { commands: { lint: { run: x } } }\n',
  'jobs in flow style': 'pre-commit:\n  jobs: [{ run: x }]\n',
  'an anchor that another hook uses':
    'pre-commit:\n  &a\n  commands:\n    lint:\n      run: x\npre-push: *a\n',
  'half a block of ours':
    '# apfel-bot pre-commit: begin (apfel-bot uninstall takes these lines out)\na: 1\n',
  'two documents': 'pre-commit:\n  jobs:\n    - run: x\n---\nother: 1\n',
  'an alias for a value': 'x: &x\n  jobs:\n    - run: y\npre-commit: *x\n',
};
for (const [name, text] of Object.entries(unsafe)) {
  test(`install prints the lines to add instead of editing ${name}`, () => {
    const plan = planConfig(lefthook(text), ['pre-commit'], TOP);
    assert.equal(plan.steps, []);
    assert.match(plan.messages.join(), /lefthook\.yml .*: add the lines by hand/);
    assert.is(
      parseYaml(plan.printed.join('\n'))['pre-commit'].commands['apfel-bot'].run,
      callLine('pre-commit', '{0}'),
    );
  });
}

test('lefthook passes standard input only to hooks that git gives some', () => {
  const edited = written(planConfig(lefthook(''), HOOK_NAMES, TOP)) ?? '';
  assert.is(edited.match(/use_stdin: true/g)?.length, 2);
});

test('install prints the lines to add when it cannot read the file', () => {
  for (const text of ['a: [', undefined]) {
    const plan = planConfig(lefthook(text), ['pre-commit'], TOP);
    assert.equal(plan.steps, []);
    assert.match(plan.messages.join(), /isn't valid YAML, so nothing was written/);
  }
});

test('install adds tables to lefthook.toml and uninstall removes them', () => {
  const text = '# why\n[pre-commit.commands.lint]\nrun = "x"';
  const config = lefthook(text, { format: 'toml', path: `${TOP}/lefthook.toml` });
  const edited = written(planConfig(config, DEFAULT_HOOKS, TOP)) ?? '';
  assert.equal(JSON.parse(JSON.stringify(parseToml(edited)))['post-rewrite'], {
    commands: { 'apfel-bot': { run: callLine('post-rewrite', '{0}'), use_stdin: true } },
  });
  const gone = planUninstall(facts({ managers: [{ ...config, text: edited }] }));
  assert.is(written(gone), text);
});

test("install prints the lines when a TOML table can't be extended", () => {
  const config = lefthook('pre-commit = { parallel = true }\n', { format: 'toml' });
  assert.equal(planConfig(config, ['pre-commit'], TOP).steps, []);
});

const frameworkConfigs: Readonly<Record<string, string>> = {
  'a usual file':
    '# see docs\nrepos:\n  - repo: https://example.test/hooks\n    rev: v1\n    hooks:\n      - id: a # why\n',
  'items below their key':
    'repos:\n- repo: local\n  hooks:\n  - id: a\n    name: a\n    entry: a\n    language: system\n',
  'keys after the list':
    'repos:\n  - repo: meta\n    hooks:\n      - id: identity\n\nfail_fast: true\n',
  'no line end at the end': 'repos:\n  - repo: meta\n    hooks:\n      - id: identity',
};
for (const [name, text] of Object.entries(frameworkConfigs)) {
  test(`our entry goes into .pre-commit-config.yaml with ${name} and comes out without a trace`, () => {
    const edited = written(planConfig(preCommit(text), ['pre-commit'], TOP)) ?? '';
    const ours = parseYaml(edited).repos.at(-1).hooks[0];
    assert.is(ours.entry, `sh -c '${callLine('pre-commit', '')}'`);
    assert.equal(ours.stages, ['commit']);
    assert.equal(planConfig(preCommit(edited), ['pre-commit'], TOP).steps, []);
    const gone = planUninstall(facts({ managers: [preCommit(edited)] }));
    assert.is(written(gone), text);
  });
}

test('our entry uses the name that the installed pre-commit has for the stage', () => {
  const config = preCommit('repos:\n  - repo: meta\n    hooks: []\n', { stage: 'pre-commit' });
  const edited = written(planConfig(config, ['pre-commit'], TOP)) ?? '';
  assert.equal(parseYaml(edited).repos.at(-1).hooks[0].stages, ['pre-commit']);
});

test('install leaves a configuration alone that already names our repository', () => {
  const text =
    'repos:\n  - repo: https://example.test/apfel-bot\n    rev: v1\n    hooks:\n      - id: apfel-bot\n';
  const plan = planConfig(preCommit(text), ['pre-commit'], TOP);
  assert.equal(plan.steps, []);
  assert.match(plan.messages.join(), /already calls apfel-bot/);
});

test('install prints the lines for an empty list of repositories', () => {
  const plan = planConfig(preCommit('repos: []\n'), ['pre-commit'], TOP);
  assert.equal(plan.steps, []);
  assert.match(plan.printed.join('\n'), /- repo: local/);
});

test('uninstall keeps edits around our lines', () => {
  const edited = written(planConfig(lefthook('a: 1\n'), ['pre-commit'], TOP)) ?? '';
  const grown = `# new\n${edited}pre-push:\n  parallel: true\n`;
  const gone = planUninstall(facts({ managers: [lefthook(grown)] }));
  assert.is(written(gone), '# new\na: 1\npre-push:\n  parallel: true\n');
});

test("a hostile line in a hook manager's file is read in linear time", () => {
  mustEnd(() => {
    for (const hostile of [' ', '- ', 'pre-commit:', '#', 'repos: ']) {
      const text = hostile.repeat(500_000 / hostile.length);
      const config = { ...lefthook(text), format: 'toml' } as const;
      planConfig(config, ['pre-commit'], TOP);
      planUninstall(facts({ managers: [config] }));
    }
  });
});

test.run();
