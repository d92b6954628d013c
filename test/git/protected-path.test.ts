import * as assert from 'uvu/assert';
import { protectedPath } from '../../src/git/protected-path.js';
import { suite } from '../support/suite.js';

const test = suite('protected-path');

const PROTECTED: Readonly<Record<string, string>> = {
  'continuous integration': 'Jenkinsfile azure-pipelines.yml docs/CODEOWNERS action.yml',
  'a folder that begins with a dot':
    '.github/workflows/ci.yml .husky/pre-commit a/.vscode/x.json .git/config',
  'git hooks': 'hooks/pre-commit githooks/x.sh lefthook.yml tools/git-hooks/run.sh',
  'a manifest':
    'package.json web/package.json pyproject.toml Cargo.toml requirements-dev.txt a.gemspec setup.py build.rs',
  'a lockfile': 'package-lock.json yarn.lock go.sum sub/Cargo.lock',
  'instructions for agents':
    'CLAUDE.md AGENTS.md docs/agents.md GEMINI.md .cursorrules .windsurfrules a/x.instructions.md rules/a.mdc .github/copilot-instructions.md',
  configuration:
    'eslint.config.js .eslintrc.json tsconfig.json tsconfig.build.json biome.json .prettierrc vite.config.ts .gitattributes .env Makefile conftest.py',
  'an installed package': 'node_modules/x/index.js',
};

for (const [ground, paths] of Object.entries(PROTECTED)) {
  for (const path of paths.split(' ')) {
    test(`${path}: ${ground}`, () => {
      assert.is(protectedPath(path), ground);
      assert.is(protectedPath(path.toUpperCase()), ground, 'on a disk that ignores case');
    });
  }
}

for (const path of [
  'src/index.ts',
  'src/hooks/use-state.ts',
  'hooks/useThing.tsx',
  'docs/claude.ts',
  'src/package.ts',
  'src/config.ts',
  'src/app/app.config.ts',
  'my-package.json.ts',
  'src/agents.ts',
  'scripts/build.sh',
  'README.md',
  'src/a.setup-x.ts',
  'lib/lockfile.rb',
]) {
  test(`${path} may be changed`, () => assert.is(protectedPath(path), undefined));
}

test.run();
