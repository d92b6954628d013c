import {
  field,
  isObject,
  listOf,
  objectOf,
  objectsOf,
  parseJson,
  stringOf,
} from '../core/json-fields.js';
import { syntaxYaml } from '../platform/syntax-yaml.js';
import { formOf } from './linter-options.js';
import { type FoundCommand, notKnown, type ProjectFacts, type ScriptReader } from './scripts.js';
import { folderOf } from './shell-words.js';

/** The command of a hook from a public repository, if its id isn't the program's name. */
const PRE_COMMIT: Readonly<Record<string, string>> = {
  ruff: 'ruff check',
  'ruff-check': 'ruff check',
  'ruff-format': 'ruff format',
  'biome-check': 'biome check --write',
  'biome-ci': 'biome ci',
  'biome-lint': 'biome lint --write',
  'biome-format': 'biome format --write',
  clippy: 'cargo clippy',
  'golangci-lint': 'golangci-lint run',
  'golangci-lint-full': 'golangci-lint run',
  prettier: 'prettier --write',
  'markdownlint-fix': 'markdownlint --fix',
  'go-vet': 'go vet',
  swiftlint: 'swiftlint lint',
};

export async function fromPreCommit(
  { manifests }: ProjectFacts,
  reader: ScriptReader,
): Promise<FoundCommand[]> {
  const file = '.pre-commit-config.yaml';
  const config = await yamlOf(manifests.get(file));
  const found: FoundCommand[] = [];
  for (const repo of objectsOf(field(config, 'repos'))) {
    for (const hook of objectsOf(repo['hooks'])) {
      const id = stringOf(hook['id']) ?? '';
      const line = stringOf(hook['entry']) ?? PRE_COMMIT[id] ?? id;
      const args = listOf(hook['args']).filter(each => typeof each === 'string');
      const patterns = (key: string): RegExp[] =>
        [hook[key], field(config, key)].flatMap(patternOf);
      const only = { files: patterns('files'), exclude: patterns('exclude') };
      const place = { folder: '', source: `${file}, hook ${id}` };
      const commands = await reader.shell(line, place);
      found.push(...commands.map(each => ({ ...each, args: [...each.args, ...args], only })));
    }
  }
  return found;
}

/** Python's patterns are close to JavaScript's; one that isn't valid here filters nothing. */
function patternOf(value: unknown): RegExp[] {
  const source = stringOf(value)?.trim() ?? '';
  try {
    if (source === '') return [];
    return [new RegExp(source.startsWith('(?x)') ? source.slice(4).replace(/\s+/g, '') : source)];
  } catch {
    return [];
  }
}

const LEFTHOOK = /^\.?(?:lefthook|config\/lefthook|\.config\/lefthook)\.(?:ya?ml|json)$/;
/** Where lefthook puts file names; the linter gets its own list. */
const PLACEHOLDER = /^\{(?:staged_files|push_files|all_files|files|cmd)\}$/;

export async function fromLefthook(
  { manifests }: ProjectFacts,
  reader: ScriptReader,
): Promise<FoundCommand[]> {
  const found: FoundCommand[] = [];
  for (const [path, text] of manifests) {
    if (!LEFTHOOK.test(path)) continue;
    for (const [hook, settings] of Object.entries(objectOf(await yamlOf(text)))) {
      const named = Object.entries(objectOf(field(settings, 'commands')));
      for (const [name, command] of [...named, ...lefthookJobs(settings)]) {
        const source = `${path}, ${[hook, name].filter(Boolean).join(' ')}`;
        found.push(...(await lefthookCommands(command, source, reader)));
      }
    }
  }
  return found;
}

/** With those of groups, which inherit what they don't set themselves. */
const lefthookJobs = (holder: unknown): Array<readonly [name: string, job: unknown]> =>
  objectsOf(field(holder, 'jobs')).flatMap(({ group, ...job }) => {
    if (group === undefined) return [[stringOf(job['name']) ?? '', job] as const];
    return lefthookJobs(group).map(
      ([name, inner]) => [name, { ...job, ...objectOf(inner) }] as const,
    );
  });

async function lefthookCommands(
  command: unknown,
  source: string,
  reader: ScriptReader,
): Promise<FoundCommand[]> {
  const run = stringOf(field(command, 'run'));
  if (run === undefined) return [];
  const folder = (stringOf(field(command, 'root')) ?? '').replace(/\/$/, '');
  const prefix = folder === '' ? '' : `${folder}/`;
  const globs = (key: string): string[] =>
    [field(command, key)]
      .flat()
      .flatMap(each => (typeof each === 'string' ? anywhere(each, prefix) : []));
  const [taken, left] = [globs('glob'), globs('exclude')];
  const only = {
    ...(taken.length > 0 && { globs: taken }),
    ...(left.length > 0 && { excludedGlobs: left }),
  };
  const commands = await reader.shell(run.trim(), { folder, source });
  return commands.map(each => ({
    ...each,
    args: each.args.filter(word => !PLACEHOLDER.test(word)),
    only,
  }));
}

const LINT_STAGED = /(?:^|\/)(?:\.lintstagedrc(?:\.(?:json|ya?ml))?|package\.json)$/;
const LINT_STAGED_SCRIPT = /(?:^|\/)(?:\.lintstagedrc|lint-staged\.config)\.[cm]?[jt]s$/;

export async function fromLintStaged(
  { manifests, paths }: ProjectFacts,
  reader: ScriptReader,
): Promise<FoundCommand[]> {
  const found: FoundCommand[] = [];
  for (const [path, text] of manifests) {
    if (!LINT_STAGED.test(path)) continue;
    const isManifest = path.endsWith('package.json');
    const config = isManifest ? field(parseJson(text), 'lint-staged') : await yamlOf(text);
    const folder = folderOf(path);
    const prefix = folder === '' ? '' : `${folder}/`;
    for (const [glob, commands] of Object.entries(objectOf(config))) {
      for (const line of [commands].flat()) {
        if (typeof line !== 'string') continue;
        const source = `${path}${isManifest ? ', lint-staged' : ''}`;
        const only = { globs: [anywhere(glob, prefix)] };
        const read = await reader.shell(line, { folder, source });
        found.push(...read.map(each => ({ ...each, only })));
      }
    }
  }
  const script = paths.find(path => LINT_STAGED_SCRIPT.test(path));
  if (script !== undefined) {
    reader.unread.push({ source: script, text: '', problem: 'it is a program' });
  }
  return found;
}

/** A glob without a slash matches in any folder. */
const anywhere = (glob: string, prefix: string): string =>
  glob.includes('/') ? `${prefix}${glob.replace(/^\.?\//, '')}` : `${prefix}**/${glob}`;

/** Longer lines aren't recipes but data. */
const MAKE_TARGET = /^([A-Za-z0-9_.-]{1,80})[ \t]{0,9}:(?!=)([^\n#]{0,2000})$/;
const LINT_TARGET =
  /^(?:lint|check|typecheck|codestyle|style|vet|golangci-lint|flake8|pylint|ruff|rubocop|shellcheck)(?:[-_.:]|$)/;

/** The linters that the lint, check and typecheck targets of a Makefile run. */
export async function fromMakefile(
  { manifests }: ProjectFacts,
  reader: ScriptReader,
): Promise<FoundCommand[]> {
  const found: FoundCommand[] = [];
  for (const [path, targets] of makefiles(manifests)) {
    const wanted = [...targets.keys()].filter(name => LINT_TARGET.test(name));
    const seen = new Set<string>();
    const follow = async (name: string): Promise<void> => {
      const target = targets.get(name);
      if (target === undefined || seen.has(name)) return;
      seen.add(name);
      for (const each of target.needs) await follow(each);
      for (const line of target.recipe) {
        const place = { folder: '', source: `${path}, target ${name}` };
        found.push(...(await reader.shell(line, place)));
      }
    };
    for (const name of wanted) {
      const before = found.length;
      await follow(name);
      const last = found.at(-1);
      const isKnown = found.slice(before).some(each => formOf(each) !== undefined);
      if (name === 'lint' && last?.source.endsWith(' lint') && !isKnown) {
        reader.unread.push(notKnown(last));
      }
    }
  }
  return found;
}

/** Whether `fromMakefile` reads this target. */
export const isLintTarget = (name: string, { manifests }: ProjectFacts): boolean =>
  LINT_TARGET.test(name) && makefiles(manifests).some(([, targets]) => targets.has(name));

const makefiles = (manifests: ProjectFacts['manifests']) =>
  [...manifests].flatMap(([path, text]) =>
    /^(?:GNUm|[Mm])akefile$/.test(path) ? [[path, makeTargets(withVariables(text))] as const] : [],
  );

const MAKE_VARIABLE =
  /^(?:export[ \t]{1,9})?(\w{1,80})[ \t]{0,9}(?:[:?]{0,2})=[ \t]{0,9}(.{0,2000})$/gm;
const MAKE_USE = /\$[({](\w{1,80})[)}]/g;
/** How deeply variables may refer to variables. */
const MAX_NESTED = 4;

/** The Makefile with plain variables expanded; the location of a program doesn't matter. */
function withVariables(text: string): string {
  const values = new Map([...text.matchAll(MAKE_VARIABLE)].map(([, name, value]) => [name, value]));
  let result = text;
  for (let turn = 1; turn <= MAX_NESTED; turn += 1) {
    result = result.replace(MAKE_USE, (use, name: string) => values.get(name)?.trim() ?? use);
  }
  return result.replace(/(?<=^\t[@+-]*)\S*\/(?=[\w-]+[ \t])/gm, '');
}

function makeTargets(text: string): Map<string, { needs: string[]; recipe: string[] }> {
  const targets = new Map<string, { needs: string[]; recipe: string[] }>();
  let current: { needs: string[]; recipe: string[] } | undefined;
  for (const line of text.replace(/\\\n[ \t]*/g, ' ').split('\n')) {
    if (line.startsWith('\t')) {
      const command = line.trim().replace(/^[@+-]+[ \t]*/, '');
      if (command !== '' && !command.startsWith('#')) current?.recipe.push(command);
      continue;
    }
    const [, name, needs = ''] = MAKE_TARGET.exec(line) ?? [];
    if (name === undefined) {
      if (line.trim() !== '' && !line.startsWith('#')) current = undefined;
      continue;
    }
    current = targets.get(name) ?? { needs: [], recipe: [] };
    current.needs.push(...needs.split(/\s+/).filter(Boolean));
    targets.set(name, current);
  }
  return targets;
}

/** A section, and a setting with the indented lines below it. */
const TOX_SECTION = /^\[testenv:([\w.-]{1,80})\]\s*\n((?:(?!\[).*\n?)*)/gm;
const TOX_COMMANDS = /^commands[ \t]{0,9}=(.*(?:\n(?:[ \t].*|[ \t]*))*)/m;

/** The linters that the lint environments of tox run. */
export async function fromTox(
  { manifests }: ProjectFacts,
  reader: ScriptReader,
): Promise<FoundCommand[]> {
  const found: FoundCommand[] = [];
  const text = manifests.get('tox.ini')?.replace(/\r\n/g, '\n') ?? '';
  for (const [, name = '', body = ''] of text.matchAll(TOX_SECTION)) {
    if (!LINT_TARGET.test(name)) continue;
    const place = { folder: '', source: `tox.ini, testenv:${name}` };
    const lines = (TOX_COMMANDS.exec(body)?.[1] ?? '').replace(/\\\n/g, ' ').split('\n');
    for (const line of lines.map(each => each.trim().replace(/^- /, ''))) {
      if (line === '' || line.startsWith('#')) continue;
      const plain = line
        .replace(/\{posargs(?::([^{}]*))?\}/g, (_, given?: string) => given ?? '')
        .replace(/\{(?:toxinidir|tox_root)\}\/?/g, './');
      const [unknown] = /\{.*?\}/.exec(plain) ?? [];
      if (unknown === undefined) found.push(...(await reader.shell(plain, place)));
      else {
        const problem = `it uses ${unknown}, which only tox knows`;
        reader.unread.push({ source: place.source, text: line, problem });
      }
    }
  }
  return found;
}

/** Undefined if the text isn't valid YAML, which includes JSON. */
async function yamlOf(text: string | undefined): Promise<unknown> {
  if (text === undefined || (await syntaxYaml(text)) !== undefined) return undefined;
  const { parse } = await import('yaml');
  try {
    const value: unknown = parse(text, { logLevel: 'silent' });
    return isObject(value) ? value : undefined;
  } catch {
    // Too many aliases: not a real configuration.
    return undefined;
  }
}
