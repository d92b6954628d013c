import { foldName } from '../core/fold-name.js';

/** Why the bot may not write there, or undefined if it may. Ignores case, as some disks do. */
export function protectedPath(path: string): string | undefined {
  const parts = foldName(path).split('/');
  const name = parts.at(-1) ?? '';
  const folders = parts.slice(0, -1);
  if (AGENT_FILES.has(name) || /\.(?:instructions|prompt|agent|chatmode)\.md$|\.mdc$/.test(name)) {
    return 'instructions for agents';
  }
  if (folders.some(folder => folder.startsWith('.'))) return 'a folder that begins with a dot';
  if (isCi(name, folders)) return 'continuous integration';
  if (LOCKFILES.has(name) || LOCK_NAME.test(name)) return 'a lockfile';
  if (isManifest(name, folders)) return 'a manifest';
  if (isHook(name, folders)) return 'git hooks';
  if (isDeployed(name, folders)) return 'a container or deployment';
  if (isBuildScript(name, folders)) return 'a build or release script';
  if (name.startsWith('.') || CONFIG_NAME.test(name)) return 'configuration';
  return folders.some(folder => INSTALLED.has(folder)) ? 'an installed package' : undefined;
}

const words = (text: string): ReadonlySet<string> => new Set(text.trim().split(/\s+/));

const AGENT_FILES = words(`
  claude.md claude.local.md agents.md agents.override.md agent.md gemini.md qwen.md skill.md
  copilot-instructions.md conventions.md .cursorrules .windsurfrules .clinerules .roorules .goosehints
  .aider.conf.yml .mcp.json mcp.json warp.md codex.md
`);

const CI_FILES = words(`
  codeowners action.yml action.yaml dependabot.yml renovate.json renovate.json5 codecov.yml netlify.toml
  vercel.json now.json buildspec.yml buildspec.yaml wercker.yml bors.toml mergify.yml release-please-config.json
  sonar-project.properties fly.toml render.yaml app.yaml app.json heroku.yml procfile firebase.json
  amplify.yml wrangler.toml wrangler.json wrangler.jsonc earthfile tiltfile snapcraft.yaml
`);
const CI_NAME =
  /^(?:jenkinsfile|(?:azure|bitbucket)-pipelines?|appveyor|cloudbuild|codemagic|bitrise|concourse|dagger|drone|taskcluster|goreleaser)(?:[.-].*)?$/;

/** `src/ci/parse.ts` is code like any other. */
const isCi = (name: string, [top]: readonly string[]): boolean =>
  CI_FILES.has(name) || CI_NAME.test(name) || top === 'ci';

const LOCKFILES = words(`
  package-lock.json npm-shrinkwrap.json pnpm-lock.yaml bun.lockb go.sum go.work.sum package.resolved
  cartfile.resolved gradle.lockfile packages.lock.json buildscript-gradle.lockfile verification-metadata.xml
  cabal.project.freeze stack.yaml.lock module.bazel.lock manifest.toml
`);
const LOCK_NAME = /\.lock$/;

const MANIFESTS = words(`
  package.json pnpm-workspace.yaml lerna.json nx.json turbo.json rush.json deno.json deno.jsonc jsr.json
  bunfig.toml bower.json binding.gyp import_map.json importmap.json importmap.rb
  pyproject.toml setup.py setup.cfg pipfile tox.ini noxfile.py manifest.in environment.yml environment.yaml
  conda.yml meta.yaml pixi.toml pdm.toml uv.toml
  cargo.toml build.rs rust-toolchain rust-toolchain.toml go.mod go.work gemfile gems.rb rakefile
  composer.json package.swift podfile cartfile mintfile brewfile project.yml project.swift workspace.swift shard.yml opam
  pom.xml build.xml ivy.xml build.sbt build.sc mix.exs rebar.config pubspec.yaml
  flake.nix default.nix shell.nix guix.scm project.clj deps.edn build.boot stack.yaml cabal.project
  build.zig build.zig.zon dune-project directory.build.props directory.build.targets directory.packages.props
  nuget.config global.json packages.config conanfile.txt conanfile.py vcpkg.json meson.build
  cmakelists.txt configure configure.ac makefile.am sconstruct wscript waf dodo.py tasks.py caddyfile
  build build.bazel module.bazel workspace workspace.bazel buck project.toml
`);

/** By extension: each belongs to one kind of package or project. */
const MANIFEST_NAME =
  /^(?:requirements|constraints)[\w.-]*\.(?:txt|in)$|\.(?:gemspec|podspec|csproj|fsproj|vbproj|vcxproj|sln|slnx|proj|props|targets|nuspec|cabal|nimble|rockspec|opam|gradle|gradle\.kts|cmake|gyp|gypi|bzl|sbt|podspec\.json|xcconfig|pbxproj|xcscheme)$|^gradle(?:\.properties|-wrapper\.(?:properties|jar))$|^(?:gradlew|mvnw)(?:\.bat|\.cmd)?$/;

/** `requirements/base.txt` as well as `requirements.txt`. */
const isManifest = (name: string, folders: readonly string[]): boolean =>
  MANIFESTS.has(name) ||
  MANIFEST_NAME.test(name) ||
  folders.includes('tuist') ||
  (/^(?:requirements|constraints|deps)$/.test(folders.at(-1) ?? '') &&
    /\.(?:txt|in|ya?ml|toml)$/.test(name));

/** What goes into an image, or is deployed to a server; `values.ts` is ordinary code. */
const isDeployed = (name: string, folders: readonly string[]): boolean =>
  /^(?:(?:docker|container|vagrant)file|crontab)(?:[.-].*)?$|\.(?:dockerfile|containerfile|tf|tfvars|hcl|bicep|cron|service|socket|timer)$/.test(
    name,
  ) ||
  /^(?:(?:docker-)?compose|docker-bake|kustomization|chart|values|skaffold|serverless|helmfile|pulumi|ansible|playbook|nginx|supervisord)(?:[.-].*)?\.(?:ya?ml|json|cfg|conf|hcl|ini)$/.test(
    name,
  ) ||
  (folders.some(folder => DEPLOYED.has(folder)) &&
    /^[^.]+$|\.(?:ya?ml|json|tpl|j2|cfg|conf|ini|plist)$/.test(name));

const DEPLOYED = words(
  'k8s kubernetes helm charts ansible playbooks group_vars host_vars cron.d systemd launchagents launchdaemons',
);

const TASK_FILE =
  /^(?:gulp|grunt|jake|cake|fast|app|match|deliver|gym|danger|task|just|guard|cap|fab|rake|(?:gnu|bsd)?make|mage)file(?:\..*)?$|\.mk$/;
const BUILD_SCRIPT =
  /^(?:build|release|publish|deploy|ship|(?:pre|post|un)?install|prepare|prepublish|(?:pre|post)pack|setup|bootstrap|autogen|bump|version|sign|notarize|package|dist|ci|entrypoint|docker-entrypoint)(?:[-_.].*)?$/;
const SHELL = /\.(?:sh|bash|zsh|fish|ps1|psm1|bat|cmd|command)$/;
const SCRIPT_FOLDERS = words(
  'script scripts tool tools ci bin hack release build deploy packaging',
);

/** A program that people or machines run to build or publish; `src/build.ts` is ordinary code. */
const isBuildScript = (name: string, folders: readonly string[]): boolean =>
  TASK_FILE.test(name) ||
  (BUILD_SCRIPT.test(name) && (SHELL.test(name) || SCRIPT_FOLDERS.has(folders.at(-1) ?? 'bin')));

const INSTALLED = words('node_modules bower_components vendor pods carthage site-packages');

const GIT_HOOK =
  /^(?:pre|post|prepare|applypatch|commit|update|push|fsmonitor|sendemail|reference)[a-z-]{0,30}$/;
const HOOK_FILES = words('lefthook.yml lefthook.yaml simple-git-hooks.json');

/** `hooks/pre-commit` is one; `hooks/use-state.ts` is React code. */
function isHook(name: string, folders: readonly string[]): boolean {
  if (HOOK_FILES.has(name) || folders.some(folder => /^git-?hooks$/.test(folder))) return true;
  return folders.at(-1) === 'hooks' && GIT_HOOK.test(name);
}

/** What decides how the project is linted, built and tested; `app.config.ts` is Angular code. */
const CONFIG_NAME =
  /^(?:[tj]sconfig(?:\.[\w-]+)?\.json|biome\.jsonc?|ruff\.toml|clippy\.toml|rustfmt\.toml|shellcheckrc|(?!app\.)[\w-]+\.conf(?:ig)?(?:\.[\w-]+)?\.(?:[cm]?[jt]sx?|json|toml)|\w+\.(?:setup|preset|workspace)\.[cm]?[jt]s|pytest\.ini|mypy\.ini|pylintrc|(?:conftest|sitecustomize|usercustomize)\.py|.+\.pth|phpunit\.xml)$/;
