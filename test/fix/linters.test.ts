import { spawnSync } from 'node:child_process';
import * as assert from 'uvu/assert';
import { startStandIn } from '../../fixtures/apfel/stand-in.js';
import { suite } from '../support/suite.js';
import { type FixRun, fixJson, scriptedFixer, withProject } from './lint-project.js';

const test = suite('fix/linters');

interface Case {
  readonly files: Readonly<Record<string, string>>;
  /** What the model proposes for a complaint. */
  readonly fixFinding?: { readonly to: string; readonly oldText: string; readonly newText: string };
  /** Which file is looked at, and what it is on the branch. */
  readonly path: string;
  readonly after: string;
  /** Rules with who fixed them. */
  readonly kept: readonly string[];
  /** Rules that are left. */
  readonly left?: readonly string[];
}

const done = ({ outcome }: FixRun): string[] =>
  outcome.edits
    .filter(({ status }) => status === 'kept')
    .map(({ diagnostic, by }) => `${diagnostic.rule} ${by}`)
    .sort();

const fixes = (each: Case) => (): Promise<void> =>
  withProject(each.files, async repo => {
    const { path } = each;
    const server = await startStandIn({
      policy: scriptedFixer(each.fixFinding ? [{ path, ...each.fixFinding }] : []),
    });
    try {
      const run = await fixJson(repo, ['--base-url', server.baseUrl]);
      const { findings, diagnostics, notices, branch } = run.outcome;
      const about = JSON.stringify([run.outcome.edits, findings, notices]);
      assert.equal(done(run), [...each.kept].sort(), about);
      const left = findings.map(({ rule }) => rule);
      assert.equal(left.sort(), [...(each.left ?? [])].sort(), about);
      const others = notices.filter(
        notice => !notice.startsWith("no test has run on the model's edits"),
      );
      assert.equal([diagnostics.introduced, others], [0, []], about);
      assert.is(run.code, left.length === 0 ? 0 : 1);
      assert.is(await repo.git('show', `${branch?.name}:${path}`), each.after.trimEnd());
    } finally {
      await server.close();
    }
  });

const BIOME = JSON.stringify({
  formatter: { enabled: false },
  assist: { enabled: false },
  linter: {
    rules: {
      style: { useConst: 'error' },
      suspicious: { noDoubleEquals: 'error', noSelfCompare: 'error' },
    },
  },
});

test(
  "Biome's diagnostics are fixed by itself, by its suggestion and by the model",
  fixes({
    files: {
      'biome.json': BIOME,
      'a.js': 'let a = 1;\nexport const b = a == 2;\nexport const c = a > a;\n',
    },
    path: 'a.js',
    fixFinding: { to: 'noSelfCompare', oldText: 'a > a', newText: 'a > b' },
    after: 'const a = 1;\nexport const b = a === 2;\nexport const c = a > b;\n',
    kept: [
      'lint/style/useConst linter',
      'lint/suspicious/noDoubleEquals suggestion',
      'lint/suspicious/noSelfCompare model',
    ],
  }),
);

test.long(
  'oxlint: its own fix and the model',
  fixes({
    files: {
      '.oxlintrc.json': '{"rules":{"no-useless-escape":"error","no-dupe-keys":"error"}}',
      'a.js': 'export const a = "\\d";\nexport const b = {\n  c: 1,\n  c: 2,\n};\n',
    },
    path: 'a.js',
    fixFinding: { to: 'no-dupe-keys', oldText: '  c: 1,', newText: '  d: 1,' },
    after: 'export const a = "d";\nexport const b = {\n  d: 1,\n  c: 2,\n};\n',
    kept: ['eslint(no-dupe-keys) model', 'eslint(no-useless-escape) linter'],
  }),
);

const hasShellCheck = spawnSync('shellcheck', ['--version']).status === 0;
test.unless(
  hasShellCheck ? undefined : 'shellcheck is not installed',
  "ShellCheck's replacements are applied, overlapping ones too, and the model fixes the rest",
  fixes({
    files: {
      'run.sh':
        '#!/bin/sh\ncd $1\nif [ $2 = x ]; then\n  echo "today: `date`"\nfi\nfor file in $(ls ./*.txt); do\n  rm "$file"\ndone\n',
    },
    path: 'run.sh',
    fixFinding: {
      to: 'SC2045',
      oldText: 'for file in $(ls ./*.txt); do',
      newText: 'for file in ./*.txt; do',
    },
    after:
      '#!/bin/sh\ncd "$1" || exit\nif [ "$2" = x ]; then\n  echo "today: $(date)"\nfi\nfor file in ./*.txt; do\n  rm "$file"\ndone\n',
    kept: ['SC2006 linter', 'SC2045 model', 'SC2086 linter', 'SC2086 linter', 'SC2164 linter'],
  }),
);

test.long(
  'Stylelint: its own fix and the model',
  fixes({
    files: {
      '.stylelintrc.json': '{"rules":{"color-hex-length":"short","color-no-invalid-hex":true}}',
      'a.css': 'a {\n  color: #ffffff;\n  background: #12;\n}\n',
    },
    path: 'a.css',
    fixFinding: { to: 'color-no-invalid-hex', oldText: '#12;', newText: '#123;' },
    after: 'a {\n  color: #fff;\n  background: #123;\n}\n',
    kept: ['color-hex-length linter', 'color-no-invalid-hex model'],
  }),
);

test.long(
  'markdownlint: its own fix and the model',
  fixes({
    files: {
      '.markdownlint.json': '{"default":false,"MD009":true,"MD040":true}',
      'a.md': '# Title\n\nText with an end   \n\n```\nls\n```\n',
    },
    path: 'a.md',
    fixFinding: { to: 'MD040', oldText: '```\nls', newText: '```sh\nls' },
    after: '# Title\n\nText with an end\n\n```sh\nls\n```\n',
    kept: ['MD009 linter', 'MD040 model'],
  }),
);

test(
  "Prettier's diagnostics are fixed by itself",
  fixes({
    files: {
      '.prettierrc': '{ "singleQuote": true }\n',
      'a.js': 'const a   =  "x"\nmodule.exports = a\n',
    },
    path: 'a.js',
    after: "const a = 'x';\nmodule.exports = a;\n",
    kept: ['format linter'],
  }),
);

test(
  "tsc's diagnostics are fixed by the model, and an edit that breaks another file is not kept",
  fixes({
    files: {
      'tsconfig.json':
        '{"compilerOptions":{"strict":true,"types":[],"module":"esnext","moduleResolution":"bundler"}}',
      'a.ts': "export const size: number = '12';\n",
      'b.ts':
        "import { size } from './a';\nexport const twice: number = 2 * size;\nexport const name: string = 3;\n",
    },
    path: 'a.ts',
    fixFinding: { to: 'a.ts', oldText: "'12'", newText: '12' },
    after: 'export const size: number = 12;\n',
    kept: ['TS2322 model'],
    left: ['TS2322'],
  }),
);

test('a diagnostic that an edit of another file has fixed is not given to the model', async () => {
  const server = await startStandIn({
    policy: scriptedFixer([{ to: 'TS2322', path: 'b.ts', oldText: 'string', newText: 'number' }]),
  });
  try {
    await withProject(
      {
        'tsconfig.json':
          '{"compilerOptions":{"strict":true,"types":[],"module":"esnext","moduleResolution":"bundler"}}',
        'b.ts': 'export const size: string = 5;\n',
        'c.ts': "import { size } from './b';\nexport const twice: number = size;\n",
      },
      async repo => {
        const { outcome } = await fixJson(repo, ['--base-url', server.baseUrl]);
        assert.equal(outcome.diagnostics, { before: 2, after: 0, fixed: 2, introduced: 0 });
        const also = '1 more diagnostic went away with edits for others (c.ts:2 TS2322)';
        assert.ok(outcome.notices.includes(also), outcome.notices.join('\n'));
        const asked = server.requests.filter(({ body }) => JSON.stringify(body).includes('c.ts'));
        assert.is(asked.length, 0, 'the model was asked about c.ts');
      },
    );
  } finally {
    await server.close();
  }
});

test('what two projects of tsc report about the same file is counted, fixed and listed once', async () => {
  const server = await startStandIn({
    policy: scriptedFixer([{ to: 'TS2322', path: 'a.ts', oldText: "'12'", newText: '12' }]),
  });
  const options = '"compilerOptions": {"strict": true, "types": []}';
  try {
    await withProject(
      {
        'package.json': JSON.stringify({
          scripts: { typecheck: 'tsc -p tsconfig.json && tsc -p tsconfig.test.json' },
        }),
        'tsconfig.json': `{${options}, "include": ["a.ts"]}`,
        'tsconfig.test.json': `{${options}, "include": ["a.ts", "b.ts"]}`,
        'a.ts': "export const size: number = '12';\n",
        'b.ts': 'export const name: string = 3;\n',
      },
      async repo => {
        const { outcome } = await fixJson(repo, ['--base-url', server.baseUrl]);
        assert.equal(outcome.diagnostics, { before: 2, after: 1, fixed: 1, introduced: 0 });
        assert.equal(
          outcome.findings.map(({ path }) => path),
          ['b.ts'],
        );
        const made = outcome.edits.filter(({ status }) => status === 'kept');
        assert.equal(
          made.map(({ path, by }) => `${path} ${by}`),
          ['a.ts model'],
        );
        const asked = server.requests.filter(({ body }) => JSON.stringify(body).includes('a.ts'));
        assert.is(asked.length, 1);
      },
    );
  } finally {
    await server.close();
  }
});

test.run();
