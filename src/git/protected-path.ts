/** Why the bot may not write there, or undefined where it may. Disks that ignore case are fooled by none. */
export function protectedPath(path: string): string | undefined {
  const parts = path.toLowerCase().split('/');
  const name = parts.at(-1) ?? '';
  const folders = parts.slice(0, -1);
  if (AGENT_FILES.has(name) || /\.(?:instructions|prompt|agent|chatmode)\.md$|\.mdc$/.test(name)) {
    return 'instructions for agents';
  }
  if (folders.some(folder => folder.startsWith('.'))) return 'a folder that begins with a dot';
  if (CI_FILES.has(name)) return 'continuous integration';
  if (LOCKFILES.has(name)) return 'a lockfile';
  if (isManifest(name)) return 'a manifest';
  if (isHook(name, folders)) return 'git hooks';
  if (name.startsWith('.') || CONFIG_NAME.test(name)) return 'configuration';
  return folders.includes('node_modules') ? 'an installed package' : undefined;
}

const words = (text: string): ReadonlySet<string> => new Set(text.trim().split(/\s+/));

const AGENT_FILES = words(`
  claude.md claude.local.md agents.md agents.override.md agent.md gemini.md qwen.md skill.md
  copilot-instructions.md conventions.md .cursorrules .windsurfrules .clinerules .roorules .goosehints
  .aider.conf.yml .mcp.json mcp.json warp.md codex.md
`);

const CI_FILES = words(`
  codeowners jenkinsfile azure-pipelines.yml azure-pipelines.yaml bitbucket-pipelines.yml appveyor.yml
  cloudbuild.yaml cloudbuild.yml buildspec.yml action.yml action.yaml dependabot.yml renovate.json
  renovate.json5 codecov.yml netlify.toml vercel.json fastfile appfile
`);

const LOCKFILES = words(`
  package-lock.json npm-shrinkwrap.json yarn.lock pnpm-lock.yaml bun.lock bun.lockb deno.lock
  composer.lock gemfile.lock cargo.lock poetry.lock pipfile.lock pdm.lock uv.lock go.sum go.work.sum
  podfile.lock package.resolved cartfile.resolved mix.lock pubspec.lock flake.lock gradle.lockfile
  packages.lock.json conan.lock buf.lock
`);

const MANIFESTS = words(`
  package.json pnpm-workspace.yaml lerna.json nx.json turbo.json deno.json deno.jsonc jsr.json bunfig.toml
  pyproject.toml setup.py setup.cfg pipfile tox.ini noxfile.py cargo.toml build.rs go.mod go.work gemfile
  rakefile composer.json package.swift podfile cartfile build.gradle build.gradle.kts settings.gradle
  settings.gradle.kts gradle.properties pom.xml mix.exs pubspec.yaml build.sbt flake.nix
`);

const isManifest = (name: string): boolean =>
  MANIFESTS.has(name) || /^requirements.*\.(?:txt|in)$|\.(?:gemspec|podspec|csproj)$/.test(name);

const GIT_HOOK =
  /^(?:pre|post|prepare|applypatch|commit|update|push|fsmonitor|sendemail|reference)[a-z-]{0,30}$/;
const HOOK_FILES = words('lefthook.yml lefthook.yaml simple-git-hooks.json');

/** `hooks/pre-commit` is one; `hooks/use-state.ts` belongs to an interface. */
function isHook(name: string, folders: readonly string[]): boolean {
  if (HOOK_FILES.has(name) || folders.some(folder => /^git-?hooks$/.test(folder))) return true;
  return folders.at(-1) === 'hooks' && GIT_HOOK.test(name);
}

/** What decides how the project is linted, built and tested; `app.config.ts` is Angular's code. */
const CONFIG_NAME =
  /^(?:[tj]sconfig(?:\.[\w-]+)?\.json|biome\.jsonc?|ruff\.toml|clippy\.toml|rustfmt\.toml|shellcheckrc|(?!app\.)[\w-]+\.config\.(?:[cm]?[jt]sx?|json|toml)|\w+\.setup\.[cm]?[jt]s|pytest\.ini|mypy\.ini|pylintrc|conftest\.py|phpunit\.xml|makefile)$/;
