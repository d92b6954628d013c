import * as assert from 'uvu/assert';
import { DEFAULT_HOOKS, type HookFacts } from '../../src/hooks/facts.js';
import type { InstallPlan } from '../../src/hooks/plan.js';
import { planInstall, planUninstall } from '../../src/hooks/plan-install.js';
import { shim } from '../../src/hooks/shim.js';
import { suite } from '../support/suite.js';
import { facts, folder, husky, lefthook, preCommit, script, TOP } from './made-facts.js';

const test = suite('hooks/plan-install');

const install = (of: HookFacts, isPrintOnly = false): InstallPlan =>
  planInstall(of, { hooks: DEFAULT_HOOKS, isPrintOnly });

const paths = (plan: InstallPlan): string[] =>
  plan.steps.map(step => ('path' in step ? step.path : step.to).replace(`${TOP}/`, ''));

test('install plans three shims where nothing is set up', () => {
  const plan = install(facts());
  assert.equal(
    paths(plan),
    DEFAULT_HOOKS.map(hook => `.git/hooks/${hook}`),
  );
  assert.equal(plan.notices, []);
  assert.equal(plan.printed, []);
});

test('install is refused in a bare repository', () =>
  assert.throws(() => install(facts({ top: undefined })), /bare repository/));

for (const [setBy, isInside] of [
  ['global', true],
  ['system', true],
  ['repository', false],
  ['none', false],
] as const) {
  test(`install prints lines when core.hooksPath is ${setBy}${isInside ? '' : ' and leads outside'}`, () => {
    const elsewhere = folder({}, { path: '/srv/hooks', setBy, isInside });
    const plan = install(facts({ folder: elsewhere, managers: [lefthook('')] }));
    assert.equal(plan.steps, []);
    assert.match(
      plan.messages.join('\n'),
      /git looks for hooks in \/srv\/hooks, .*: nothing was written/,
    );
    assert.is(plan.printed.length, 2 * DEFAULT_HOOKS.length);
    assert.is(plan.printed[0], '# /srv/hooks/pre-commit');
    assert.match(plan.printed[1] ?? '', /"\$bot" hook pre-commit "\$@"; fi$/);
  });
}

test('install --print prints the shims as they would be written', () => {
  const plan = install(facts(), true);
  assert.equal(plan.steps, []);
  assert.ok(plan.printed.join('\n').includes(shim('post-rewrite')));
});

test('install --print prints one line for a hook that is there', () => {
  const theirs = folder({ 'pre-commit': { now: script('#!/bin/sh\n') } });
  const [title, line, next] = install(facts({ folder: theirs }), true).printed;
  assert.is(title, '# .git/hooks/pre-commit, at its end');
  assert.match(line ?? '', /^if .* fi$/);
  assert.is(next, '# .git/hooks/post-commit (chmod +x)');
});

test('install --print prints what goes into the hook manager and what goes beside it', () => {
  assert.match(
    install(facts({ managers: [lefthook('')] }), true).printed.join('\n'),
    /^# lefthook\.yml\npre-commit:\n/,
  );
  assert.match(
    install(facts({ managers: [husky()] }), true).printed.join('\n'),
    /^# \.husky\/pre-commit\nif \[/,
  );
  const beside = install(facts({ managers: [preCommit('repos:\n  - x\n')] }), true);
  assert.match(
    beside.printed.join('\n'),
    /^# \.pre-commit-config\.yaml, at the end of repos\n {2}- repo: local\n/,
  );
  assert.match(
    beside.printed.join('\n'),
    /\n# \.git\/hooks\/post-commit \(chmod \+x\)\n#!\/bin\/sh\n/,
  );
});

test('install with husky writes shims into its folder and lines into hooks that are there', () => {
  const managed = husky({ 'pre-commit': script('npm test\n', { isExecutable: false }) });
  const inUse = folder({}, { path: `${TOP}/.husky/_`, setBy: 'repository' });
  const plan = install(facts({ folder: inUse, managers: [managed] }));
  assert.equal(
    paths(plan),
    DEFAULT_HOOKS.map(hook => `.husky/${hook}`),
  );
  const [step] = plan.steps;
  assert.match(step?.kind === 'write' ? step.text : '', /^npm test\n# apfel-bot pre-commit: begin/);
  assert.not.match(plan.messages.join('\n'), /npx husky/);
});

test('install says how to have git call husky when it does not yet', () =>
  assert.match(install(facts({ managers: [husky()] })).messages.join('\n'), /with: npx husky/));

const stubborn: ReadonlyArray<readonly [string, ReturnType<typeof script>]> = [
  ['exits before its end', script('npm test\nexit 0\n# done\n')],
  ['exits before its end', script('echo own; exit 0\n')],
  ['exits before its end', script('echo own && exit\n')],
  ["has Windows line endings, which a shell can't read", script('npm test\r\n')],
  ['is a symbolic link', script('npm test\n', { target: '../x' })],
  ["isn't a text file", script(undefined)],
];
for (const [reason, file] of stubborn) {
  test(`install prints the line when a hook of husky's ${reason}`, () => {
    const plan = install(facts({ managers: [husky({ 'pre-commit': file })] }));
    assert.equal(paths(plan), ['.husky/post-commit', '.husky/post-rewrite']);
    assert.ok(
      plan.messages.join('\n').includes(`.husky/pre-commit ${reason}: add the printed line`),
    );
    assert.match(plan.printed.join('\n'), /^# \.husky\/pre-commit\nif \[/);
  });
}

test("install adds lines to a hook of husky's that exits early only sometimes", () => {
  const text = 'if [ -n "$CI" ]; then\n  exit 0\nfi\nnpm test || exit 1\n';
  const plan = install(facts({ managers: [husky({ 'pre-commit': script(text) })] }));
  assert.equal(
    paths(plan),
    DEFAULT_HOOKS.map(hook => `.husky/${hook}`),
  );
});

test('install says what to call from a hook that is not a shell script', () => {
  const python = script('#!/usr/bin/env python3\nimport sys\nprint("husky")\n');
  const said = install(facts({ managers: [husky({ 'pre-commit': python })] }));
  assert.match(said.messages.join('\n'), /\.husky\/pre-commit isn't a shell script: make it run/);
  assert.not.match(said.printed.join('\n'), /if \[/);
  const own = folder({ 'pre-commit': { now: python } });
  const printed = install(facts({ folder: own }), true).printed.join('\n');
  assert.match(printed, /pre-commit isn't a shell script: make it run `apfel-bot hook pre-commit`/);
  const foreign = folder({ 'pre-commit': { now: python } }, { setBy: 'global', isInside: false });
  const there = install(facts({ folder: foreign })).printed.join('\n');
  assert.match(there, /pre-commit isn't a shell script: .*subprocess/);
  assert.is(there.match(/^if \[/gm)?.length, DEFAULT_HOOKS.length - 1);
});

test('install with lefthook makes one edit to its file, and names the file first if it is tracked', () => {
  const plan = install(facts({ managers: [lefthook('a: 1\n', { isTracked: true })] }));
  assert.equal(paths(plan), ['lefthook.yml']);
  assert.match(plan.notices.join(), /^lefthook\.yml is tracked by git/);
  assert.match(plan.messages.join('\n'), /added pre-commit, post-commit, post-rewrite to lefthook/);
  assert.match(plan.messages.join('\n'), /lefthook install/);
});

test('install with pre-commit writes one entry, and shims for the other hooks', () => {
  const plan = install(facts({ managers: [preCommit('repos:\n  - repo: meta\n    hooks: []\n')] }));
  assert.equal(paths(plan), [
    '.pre-commit-config.yaml',
    '.git/hooks/post-commit',
    '.git/hooks/post-rewrite',
  ]);
});

test('install with two hook managers uses the one that git calls', () => {
  const generated = folder({ 'pre-commit': { now: script('#!/bin/sh\ncall_lefthook run x\n') } });
  const both = [husky(), lefthook('a: 1\n')];
  assert.equal(paths(install(facts({ folder: generated, managers: both }))), ['lefthook.yml']);
});

test('install with two hook managers prints the lines of both when git calls neither', () => {
  const plan = install(facts({ managers: [husky(), lefthook('a: 1\n')] }));
  assert.equal(plan.steps, []);
  assert.match(plan.messages.join(), /husky and lefthook are both set up here/);
  assert.match(plan.printed.join('\n'), /\.husky\/pre-commit[\s\S]*# lefthook\.yml/);
});

test("install uses the repository's own hook folder, not a manager that is not called", () => {
  const chosen = folder({}, { path: `${TOP}/.githooks`, setBy: 'repository' });
  const plan = install(facts({ folder: chosen, managers: [lefthook('')] }));
  assert.equal(paths(plan)[0], '.githooks/pre-commit');
});

test("install writes nothing into a hook manager's file that leads outside", () => {
  const outside = lefthook('a: 1\n', { path: '/srv/lefthook.yml', isInside: false });
  const plan = install(facts({ managers: [outside] }));
  assert.equal(plan.steps, []);
  assert.match(plan.messages.join(), /outside the repository/);
  assert.match(plan.printed.join('\n'), /# \/srv\/lefthook\.yml\npre-commit:/);
});

test('uninstall clears a folder that git no longer uses', () => {
  const left = folder({ 'post-commit': { now: script(shim('post-commit')) } });
  const now = folder({}, { path: `${TOP}/.husky/_`, setBy: 'repository' });
  const plan = planUninstall(facts({ folder: now, unused: left, managers: [husky()] }));
  assert.equal(paths(plan), ['.git/hooks/post-commit']);
});

test('uninstall does not follow a former hook folder outside the repository', () => {
  const left = folder({ 'post-commit': { now: script(shim('post-commit')) } }, { isInside: false });
  const now = folder({}, { path: `${TOP}/.githooks`, setBy: 'repository' });
  assert.equal(planUninstall(facts({ folder: now, unused: left })).steps, []);
});

test('uninstall clears a folder of husky 8 once', () => {
  const files = { 'pre-commit': script(shim('pre-commit')) };
  const same = folder(
    { 'pre-commit': { now: script(shim('pre-commit')) } },
    { path: `${TOP}/.husky`, setBy: 'repository' },
  );
  const plan = planUninstall(facts({ folder: same, managers: [husky(files)] }));
  assert.equal(paths(plan), ['.husky/pre-commit']);
});

test('uninstall only mentions a line in a folder that it may not change', () => {
  const elsewhere = folder(
    { 'pre-commit': { now: script('apfel-bot hook pre-commit\n') } },
    { path: '/srv/hooks', setBy: 'global' },
  );
  const plan = planUninstall(facts({ folder: elsewhere }));
  assert.equal(plan.steps, []);
  assert.match(plan.messages.join(), /\/srv\/hooks\/pre-commit has a line of yours/);
});

test.run();
