import { field, objectOf, parseJson } from '../core/json-fields.js';
import { type LineCheck, NO_HITS } from './check.js';

/** Packages that are fetched over http. Lockfiles are skipped files, so this is a guard. */
export const insecureLockfile: LineCheck = {
  rules: { 'lockfile/insecure': 'warning' },
  guards: true,
  open: ({ path }) =>
    LOCKFILE.test(path)
      ? ({ text }) => {
          const found = text.includes('http://') ? INSECURE.exec(text) : null;
          if (found === null) return NO_HITS;
          return [
            {
              rule: 'lockfile/insecure',
              message:
                'This package is fetched over http, so anyone in between can change it. Set the registry to https and lock again.',
              column: found.index + 1,
              endColumn: found.index + found[0].length + 1,
            },
          ];
        }
      : undefined,
};

const LOCKFILE =
  /(?:^|\/)(?:package-lock\.json|npm-shrinkwrap\.json|yarn\.lock|pnpm-lock\.yaml|bun\.lock|Gemfile\.lock|composer\.lock|poetry\.lock|uv\.lock|Pipfile\.lock|Podfile\.lock|Package\.resolved)$/;
const INSECURE =
  /(?:"?resolved"?(?::\s*|\s+)|"?tarball"?:\s*|remote:\s*|"?url"?\s*[:=]\s*|"?location"\s*:\s*)"?http:\/\/(?!localhost|127\.|\[::1\])/;

/** A script that runs on every machine that installs the package. */
export const installScript: LineCheck = {
  rules: { 'package/install-script': 'warning' },
  guards: false,
  open: ({ path }) =>
    /(?:^|\/)package\.json$/.test(path)
      ? ({ text }) => {
          const found = INSTALL.exec(text);
          if (found === null) return NO_HITS;
          const [whole, indent = '', name = ''] = found;
          return [
            {
              rule: 'package/install-script',
              message: `The script ${name} runs on every machine that installs this package. Make sure that it is needed and harmless.`,
              column: indent.length + 1,
              endColumn: whole.length + 1,
            },
          ];
        }
      : undefined,
};

const INSTALL = /^(\s*|.*"scripts"\s*:\s*\{\s*)"((?:pre|post)?install)"\s*:\s*"/;

const PACKAGE_LOCKS = [
  'package-lock.json',
  'npm-shrinkwrap.json',
  'yarn.lock',
  'pnpm-lock.yaml',
  'bun.lock',
  'bun.lockb',
];

/** The lockfile that doesn't match a `package.json` with other dependencies; undefined if none. */
export function staleLockfile(
  path: string,
  changed: ReadonlySet<string>,
  tree: readonly string[],
): string | undefined {
  const paths = new Set(tree);
  let folder = path.slice(0, path.lastIndexOf('/') + 1);
  while (true) {
    const locks = PACKAGE_LOCKS.map(name => folder + name).filter(lock => paths.has(lock));
    if (locks.length > 0) return locks.some(lock => changed.has(lock)) ? undefined : locks[0];
    if (folder === '') return undefined;
    folder = folder.slice(0, folder.lastIndexOf('/', folder.length - 2) + 1);
  }
}

/** Dependencies whose version a `package.json` adds or changes. */
export function changedDependencies(oldText: string, newText: string): string[] {
  const before = dependenciesOf(oldText);
  return [...dependenciesOf(newText)]
    .filter(([name, version]) => before.get(name) !== version && !LOCAL.test(version))
    .map(([name]) => name);
}

/** Parts of the same repository. */
const LOCAL = /^(?:workspace|link|file|portal|catalog):/;

function dependenciesOf(text: string): Map<string, string> {
  // A manifest that doesn't parse is reported as invalid.
  const manifest = parseJson(text);
  const named = ['dependencies', 'devDependencies', 'optionalDependencies'].flatMap(key =>
    Object.entries(objectOf(field(manifest, key))),
  );
  return new Map(named.map(([name, version]) => [name, String(version)]));
}

export const packageName = (text: string): unknown => field(parseJson(text), 'name');
