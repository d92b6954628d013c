import * as assert from 'uvu/assert';
import { protectedPath } from '../../src/git/protected-path.js';
import { suite } from '../support/suite.js';

const test = suite('git/protected-path');

const PROTECTED: Readonly<Record<string, string>> = {
  'continuous integration':
    'Jenkinsfile Jenkinsfile.release azure-pipelines.yml azure-pipelines-nightly.yml docs/CODEOWNERS action.yml fly.toml Procfile cloudbuild.prod.yaml ci/test.py ci/lib/env.sh dagger.cue',
  'a folder that begins with a dot':
    '.github/workflows/ci.yml .husky/pre-commit a/.vscode/x.json .git/config',
  'git hooks': 'hooks/pre-commit githooks/x.sh lefthook.yml tools/git-hooks/run.sh',
  'a manifest':
    'package.json web/package.json pyproject.toml Cargo.toml requirements-dev.txt a.gemspec setup.py build.rs requirements/base.txt constraints.txt binding.gyp build.gradle.kts app/build.gradle gradlew gradle/wrapper/gradle-wrapper.properties a.csproj Directory.Build.props CMakeLists.txt a.cmake environment.yml flake.nix Brewfile MODULE.bazel vcpkg.json App.xcodeproj/project.pbxproj WORKSPACE lib/BUILD opam shard.yml pdm.toml uv.toml Project.swift Tuist/Config.swift importmap.json config/importmap.rb',
  'a lockfile': 'package-lock.json yarn.lock go.sum sub/Cargo.lock uv.lock pnpm-lock.yaml',
  'a container or deployment':
    'Dockerfile Dockerfile.dev api.dockerfile docker/Containerfile docker-compose.yml compose.override.yaml k8s/kustomization.yaml charts/x/values.yaml main.tf Pulumi.yaml Pulumi.prod.yaml k8s/api/deployment.yml helm/x/templates/_helpers.tpl ansible/roles/web/tasks/main.yml ansible.cfg playbook.yml crontab etc/cron.d/backup backup.timer deploy/LaunchAgents/a.plist',
  'a build or release script':
    'gulpfile.js Gruntfile.coffee scripts/build.sh scripts/release.mjs tools/publish-packages.ts release.sh deploy.py bin/install fastlane/Fastfile Taskfile.yml justfile rules.mk docker-entrypoint.sh Makefile Rakefile.rb autogen.sh',
  'instructions for agents':
    'CLAUDE.md AGENTS.md docs/agents.md GEMINI.md .cursorrules .windsurfrules a/x.instructions.md rules/a.mdc .github/copilot-instructions.md',
  configuration:
    'eslint.config.js .eslintrc.json tsconfig.json tsconfig.build.json biome.json .prettierrc vite.config.ts .gitattributes .env conftest.py sitecustomize.py a/usercustomize.py paths.pth karma.conf.js test/wdio.conf.ts web-test-runner.config.mjs vitest.workspace.ts webpack.config.prod.js jest.preset.js',
  'an installed package': 'node_modules/x/index.js',
};

for (const [ground, paths] of Object.entries(PROTECTED)) {
  for (const path of paths.split(' ')) {
    test(`${path} is protected: ${ground}`, () => {
      assert.is(protectedPath(path), ground);
      assert.is(protectedPath(path.toUpperCase()), ground, 'on a disk that ignores case');
    });
  }
}

for (const [path, ground] of [
  ['pip\ufb01le', 'a manifest'],
  ['pac\u200dkage.json', 'a manifest'],
  ['requirement\u017f.txt', 'a manifest'],
] as const) {
  test(`${JSON.stringify(path)} is protected, because a Mac's disk may take it for another name`, () =>
    assert.is(protectedPath(path), ground));
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
  'scripts/count-lines.sh',
  'src/build.ts',
  'src/release/index.ts',
  'src/values.ts',
  'src/compose.ts',
  'docs/chart.md',
  'requirements.md',
  'src/lock.ts',
  'README.md',
  'src/a.setup-x.ts',
  'lib/lockfile.rb',
  'src/ci/parse.ts',
  'src/charts/bar.ts',
  'src/kubernetes/client.go',
  'site/manage.py',
  'src/opam.ml',
  'src/workspace.ts',
]) {
  test(`${path} may be changed`, () => assert.is(protectedPath(path), undefined));
}

test.run();
