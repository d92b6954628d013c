import * as assert from 'uvu/assert';
import type { Diagnostic } from '../../src/core/diagnostic.js';
import type { LinterSpec } from '../../src/lint/find.js';
import type { LintRun } from '../../src/lint/run.js';
import { type FilesReport, Linter, type LintSandbox } from '../../src/lint/sandbox.js';
import { suite } from '../support/suite.js';

const test = suite('a linter in the sandbox');

const diagnostic = (path: string, more: Partial<Diagnostic> = {}): Diagnostic => ({
  ...{ tool: 'own', rule: 'r', path, unit: 'utf16', severity: 'error', message: 'm' },
  ...more,
});

const SPEC: LinterSpec = {
  name: 'own',
  title: 'Own',
  folder: '',
  scope: 'files',
  reason: 'a script',
  foundBy: 'config',
  files: ['**/*.js'],
  check: {
    argv: ['node_modules/.bin/own', '--json', '{files}'],
    format: 'gcc',
    streams: ['stdout'],
  },
};

interface Fake {
  readonly spec?: Partial<LinterSpec>;
  readonly report?: (paths: readonly string[], program: string) => Partial<FilesReport>;
  readonly end?: LintRun['end'];
  readonly isCut?: boolean;
  /** Files whose mode a fix changed. */
  readonly restored?: readonly string[];
}

/** The linter without its process: what it is run on is only recorded. */
function openLinter({ spec, report = () => ({}), end, isCut = false, restored = [] }: Fake) {
  const runs: string[] = [];
  const texts = new Map([...'abc'].map(name => [`${name}.js`, 'x']));
  const fake = {
    lint: async (
      _: LinterSpec,
      { argv }: { argv: readonly string[] },
      paths: readonly string[],
    ) => {
      runs.push(`${argv[0]?.split('/').at(-1)} ${paths.join(' ')}`);
      const whole = { diagnostics: [], problems: [], lost: [], notLinted: [], isWhole: true };
      return { ...whole, ...report(paths, argv[0] ?? '') };
    },
    run: async () => ({ end: end ?? { kind: 'exit', code: 0 }, stdout: '', stderr: '', isCut }),
    read: async (path: string) => texts.get(path),
    state: async () => [...texts.values()].join(),
    restoreModes: async () => restored,
    eslintRules: async () => ['no-var', 'eqeqeq'],
    limitMs: () => 1000,
  };
  const linter = new Linter(
    { ...SPEC, ...spec },
    [...texts.keys()],
    fake as unknown as LintSandbox,
  );
  return { linter, runs, texts };
}

test('the command of a linter is shown as the project would write it', () => {
  const many = Array.from({ length: 6 }, (_, at) => `t${at}`);
  for (const [spec, expected] of [
    [{}, 'own …'],
    [{ targets: ['src', 'test'], flags: ['--quiet'] }, 'own --quiet src test'],
    [{ targets: many.slice(1) }, 'own t1 t2 t3 t4 t5'],
    [{ targets: many }, 'own t0 t1 t2 t3 t4 …'],
    [{ folder: 'web', targets: ['web', 'web/src'] }, 'own . src'],
    [{ env: { A: '1' }, targets: ['src'] }, 'A=1 own src'],
    [{ foundBy: 'user', targets: ['src'] }, 'own --json src'],
    [{ formatter: 'quiet', fix: ['own', '-w', '{files}'], targets: ['src'] }, 'own src'],
  ] as const) {
    assert.is(openLinter({ spec: spec as Partial<LinterSpec> }).linter.command, expected);
  }
});

test('a rule that a linter cannot have is distinguished from one that it may have', async () => {
  const eslint = { name: 'eslint', check: { ...SPEC.check, argv: ['node_modules/.bin/eslint'] } };
  const tsc = { name: 'tsc', check: { ...SPEC.check, format: 'tsc' } } as const;
  const rules = ['no-var', 'eqeqeq'];
  for (const [spec, rule, expected] of [
    [{}, 'anything', undefined],
    [eslint, 'no-var', undefined],
    [eslint, 'eslint/no-var', undefined],
    [eslint, 'eslint', undefined],
    [eslint, 'no-such', rules],
    [eslint, 'plugin/no-such', undefined],
    [
      { ...eslint, check: { ...eslint.check, argv: [...eslint.check.argv, '--rulesdir=x'] } },
      'no-such',
      undefined,
    ],
    [tsc, 'TS2322', undefined],
    [tsc, 'no-var', []],
  ] as const) {
    const { linter } = openLinter({ spec });
    assert.equal(await linter.rulesInsteadOf(rule), expected, rule);
  }
});

const found = (paths: readonly string[]): Partial<FilesReport> => ({
  diagnostics: paths.map(path => diagnostic(path)),
});

test('a linter is run again only on files that have changed since its last report', async () => {
  const { linter, runs, texts } = openLinter({ spec: { isPerFile: true }, report: found });
  const check = async (...paths: string[]) => (await linter.check(paths)).diagnostics.length;
  assert.is(await check('a.js', 'b.js'), 2);
  assert.is(await check('b.js', 'c.js'), 2);
  texts.set('a.js', 'y');
  assert.is(await check('a.js', 'b.js', 'c.js'), 3);
  assert.is(await check('a.js', 'b.js', 'c.js'), 3);
  await linter.check(['a.js'], { withSuggestions: true });
  assert.is(await check('a.js'), 1);
  assert.equal(runs, ['own a.js b.js', 'own c.js', 'own a.js', 'own a.js']);
  const all = openLinter({ report: found });
  for (const text of ['x', 'y']) {
    all.texts.set('c.js', text);
    for (let time = 1; time <= 2; time += 1) await all.linter.check(['a.js', 'b.js']);
  }
  assert.equal(
    all.runs,
    ['own a.js b.js', 'own a.js b.js'],
    'a report that depends on other files',
  );
});

test('a report of which a part is missing is not remembered', async () => {
  const { linter, runs } = openLinter({
    spec: { isPerFile: true },
    report: () => ({ isWhole: false }),
  });
  for (let time = 1; time <= 2; time += 1) await linter.check(['a.js']);
  assert.is(runs.length, 2);
});

test('a file that a linter excludes, or that is gone, is looked at again', async () => {
  for (const name of ['a.js', 'gone.js']) {
    const { linter, runs } = openLinter({
      spec: { isPerFile: true },
      report: () => ({ notLinted: ['a.js'] }),
    });
    for (let time = 1; time <= 2; time += 1) await linter.check([name, 'b.js']);
    assert.equal(runs, [`own ${name} b.js`, `own ${name}`]);
  }
});

test('the other way to call a linter is used from then on if only it gives a report', async () => {
  const otherwise = { ...SPEC.check, argv: ['second', '{files}'] };
  const empty: Partial<FilesReport> = { isWhole: false, lost: ['a.js'] };
  for (const [works, expected] of [
    ['second', ['own a.js', 'second a.js', 'second a.js']],
    ['own', ['own a.js', 'own a.js']],
    ['none', ['own a.js', 'second a.js', 'own a.js', 'second a.js']],
  ] as const) {
    const { linter, runs } = openLinter({
      spec: { otherwise, scope: 'folders' },
      report: (paths, program) => (program.endsWith(works) ? found(paths) : empty),
    });
    for (let time = 1; time <= 2; time += 1) await linter.check(['a.js']);
    assert.equal(runs, expected);
  }
});

test('suggestions of another report are asked for only where there is a diagnostic', async () => {
  const suggest = { ...SPEC.check, argv: ['suggest', '{files}'] };
  const fix = { description: 'd', edits: [{ range: { start: 0, end: 1 }, text: '' }] };
  for (const [amount, withSuggestions, expected] of [
    [1, true, ['own a.js', 'suggest a.js']],
    [1, false, ['own a.js']],
    [0, true, ['own a.js']],
  ] as const) {
    const { linter, runs } = openLinter({
      spec: { suggest, isPerFile: true },
      report: (paths, program) => ({
        diagnostics: paths.slice(0, amount).map(path => {
          return diagnostic(path, program === 'suggest' ? { suggestions: [fix] } : {});
        }),
      }),
    });
    const { diagnostics } = await linter.check(['a.js'], { withSuggestions });
    assert.equal(runs, expected);
    assert.is(diagnostics[0]?.suggestions?.length, runs.length === 2 ? 1 : undefined);
  }
});

test('what goes wrong with the own fix of a linter is said, also that it changes a mode', async () => {
  const fix = ['own', '--fix', '{files}'];
  const mode = 'Own: its own fix changes the mode of a.js, which is never committed';
  for (const [fake, expected] of [
    [{}, undefined],
    [{ end: { kind: 'exit', code: 1 } }, undefined],
    [{ isCut: true }, 'Own: its own fix printed more than the limit'],
    [{ end: { kind: 'missing' } }, 'Own: its own fix could not be started'],
    [{ end: { kind: 'signal', signal: 'SIGKILL' } }, 'Own: its own fix was stopped by SIGKILL'],
    [{ end: { kind: 'time-up', afterMs: 1 } }, 'Own: its own fix did not finish in time'],
    [{ restored: ['a.js'] }, mode],
  ] as const) {
    const { linter } = openLinter({ spec: { fix }, ...fake });
    assert.is(await linter.fix(['a.js']), expected);
    assert.is(linter.isAboutMode(diagnostic('a.js')), expected === mode);
    assert.is(linter.isAboutMode(diagnostic('a.js', { isFixable: false })), false);
    assert.is(linter.isAboutMode(diagnostic('b.js')), false);
    assert.is(linter.isAboutMode(diagnostic('a.js', { tool: 'other' })), false);
  }
});

test('the report of a fix is remembered, except about files whose mode it changed', async () => {
  const spec = { fix: ['own', '--fix', '{files}'], fixReports: true, isPerFile: true };
  const { linter, runs } = openLinter({ spec, report: found, restored: ['a.js'] });
  assert.match((await linter.fix(['a.js', 'b.js'])) ?? '', 'changes the mode of a.js');
  assert.is((await linter.check(['a.js', 'b.js'])).diagnostics.length, 2);
  assert.equal(runs, ['own a.js b.js', 'own a.js']);
  assert.is(
    linter.isAboutMode(diagnostic('a.js')),
    false,
    'it is reported with the other mode too',
  );
  assert.is(linter.isAboutMode(diagnostic('a.js', { message: 'n' })), true);
  const broken = openLinter({ spec, report: () => ({ isWhole: false, problems: ['it fails'] }) });
  assert.is(await broken.linter.fix(['a.js']), 'it fails');
});

test.run();
