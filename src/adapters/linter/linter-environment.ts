import { devNull, tmpdir } from 'node:os';
import { delimiter } from 'node:path';
import type { Environment } from '../git/git-flags.js';

/** What programs need to be found and to find their own installation; tokens are not among it. */
const KEPT = new Set(
  `PATH HOME USER LOGNAME SHELL LANG LANGUAGE TZ TMPDIR TMP TEMP CI NODE_OPTIONS NVM_DIR VOLTA_HOME
  ASDF_DIR ASDF_DATA_DIR PYENV_ROOT VIRTUAL_ENV RBENV_ROOT GEM_HOME GEM_PATH BUNDLE_PATH
  BUNDLE_GEMFILE GOPATH GOROOT GOCACHE GOMODCACHE GOFLAGS CARGO_HOME RUSTUP_HOME RUSTUP_TOOLCHAIN
  JAVA_HOME DEVELOPER_DIR SDKROOT TOOLCHAINS XDG_CACHE_HOME XDG_CONFIG_HOME XDG_DATA_HOME`.split(
    /\s+/,
  ),
);

/**
 * The environment of a linter or of a command that verifies: it runs the project's code, so it gets
 * nothing that opens a door. `bins` come first on the PATH.
 */
export function linterEnvironment(
  env: Environment,
  bins: readonly string[],
): Record<string, string> {
  const kept: Record<string, string> = {};
  for (const [name, value] of Object.entries(env)) {
    if (value !== undefined && (KEPT.has(name) || name.startsWith('LC_'))) kept[name] = value;
  }
  return {
    ...kept,
    PATH: [...bins, kept['PATH'] ?? ''].filter(part => part !== '').join(delimiter),
    // Reports are read by a program.
    NO_COLOR: '1',
    // Nobody is there to answer, and nobody's own configuration may change what git says.
    GIT_TERMINAL_PROMPT: '0',
    GIT_CONFIG_GLOBAL: devNull,
    GIT_CONFIG_NOSYSTEM: '1',
  };
}

/** Where scratch copies go: outside every repository, as a rule. */
export const temporaryFolder = (): string => tmpdir();
