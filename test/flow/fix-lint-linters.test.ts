import * as assert from 'uvu/assert';
import { fixJson, withProject } from '../fix/lint-project.js';
import { suite } from '../support/suite.js';

const test = suite('fix-lint with the other linters');

test('Biome, oxlint, Stylelint, markdownlint and Prettier mend what they can; tsc is listed', () =>
  withProject(
    {
      'biome/biome.json': '{"formatter":{"enabled":false},"linter":{"rules":{"recommended":true}}}',
      'biome/a.js': 'export const a = "x" + 1;\nlet b = 2;\nexport { b };\n',
      'ox/.oxlintrc.json': '{"rules":{"no-debugger":"error","no-useless-escape":"error"}}',
      'ox/a.js': 'export const a = "\\d";\n',
      'style/.stylelintrc.json': '{"rules":{"color-hex-length":"short"}}',
      'style/a.css': 'a {\n  color: #ffffff;\n}\n',
      'docs/.markdownlint.json': '{"default":false,"MD009":true}',
      'docs/a.md': '# Title\n\nText with an end   \n',
      'pretty/.prettierrc': '{"singleQuote":true}',
      'pretty/a.js': 'const a   =  "x"\nmodule.exports = a\n',
      'types/tsconfig.json': '{"compilerOptions":{"strict":true,"noEmit":true,"types":[]}}',
      'types/a.ts': 'export const a: number = "x";\n',
    },
    async repo => {
      const { outcome, code, stderr } = await fixJson(repo, ['--no-model']);
      assert.is(code, 1, stderr);
      const kept = outcome.edits.filter(({ status }) => status === 'kept').map(({ path }) => path);
      for (const path of ['style/a.css', 'docs/a.md', 'pretty/a.js']) {
        assert.ok(kept.includes(path), `${path}\n${JSON.stringify(outcome, null, 1)}`);
      }
      assert.ok(
        outcome.findings.some(({ rule, path }) => rule === 'TS2322' && path === 'types/a.ts'),
      );
      assert.is(outcome.diagnostics.introduced, 0);
      const show = (path: string): Promise<string> =>
        repo.git('show', `${outcome.branch?.name}:${path}`);
      assert.match(await show('style/a.css'), /#fff;/);
      assert.match(await show('pretty/a.js'), /^const a = 'x';\n/);
      assert.not.match(await show('docs/a.md'), / $/m);
    },
  ));

test.run();
