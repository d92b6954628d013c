import { count } from '../core/count.js';
import { listOf, objectOf, stringOf } from '../core/json-fields.js';
import {
  findLinters,
  fromUser,
  isBelow,
  type LintCommand,
  type LinterSpec,
  NOT_OURS,
  ownInstallation,
  type UserLinter,
} from './find.js';
import {
  fromLefthook,
  fromLintStaged,
  fromMakefile,
  fromPreCommit,
  fromTox,
  isLintTarget,
} from './hook-commands.js';
import { KNOWN_LINTERS, MARKDOWNLINT_CLI } from './known-linters.js';
import { COMMAND_FORMS, type CommandForm, formOf } from './linter-options.js';
import {
  baseName,
  type FoundCommand,
  notKnown,
  type ProjectFacts,
  ScriptReader,
} from './scripts.js';
import { folderOf, joinPath } from './shell-words.js';

/** Files whose text `planLinters` needs. */
export const MANIFEST =
  /(?:^|\/)(?:package\.json|pyproject\.toml|setup\.cfg|tox\.ini|Gemfile\.lock|go\.mod|pnpm-workspace\.yaml|[jt]sconfig[^/]*\.json|\.eslintrc(?:\.(?:[cm]?js|jsonc?|ya?ml))?|eslint\.config\.[cm]?[jt]s|\.lintstagedrc(?:\.(?:json|ya?ml))?)$|^(?:\.pre-commit-config\.yaml|(?:GNUm|[Mm])akefile|\.?(?:config\/|\.config\/)?\.?lefthook\.(?:ya?ml|json))$/;

export interface LinterPlan {
  readonly specs: readonly LinterSpec[];
  /** Scripts that could not be read and may run a linter. */
  readonly unread: readonly string[];
  /** Linters that are configured but not run, and what else could not be read. */
  readonly left: readonly string[];
}

/**
 * The linters that the project's own lint commands run, with their files, options and environment.
 * Configuration files count only if no command names a linter.
 */
export async function planLinters(
  facts: ProjectFacts,
  entries: readonly UserLinter[],
): Promise<LinterPlan> {
  const reader = new ScriptReader(facts);
  const named = new NamedLinters(facts, await linterNames(entries, facts));
  await named.addScripts(reader, LINT_SCRIPTS);
  for (const find of OTHER_SOURCES) await named.add(await find(facts, reader));
  for (const kind of [PROGRAM_SCRIPT, TEST_SCRIPT]) {
    if (named.isEmpty) await named.addScripts(reader, [kind]);
  }
  const unread = reader.unread.filter(mayBeLinter);
  const others = reader.unread.filter(each => !mayBeLinter(each));
  const shown = findLinters(facts).filter(
    ({ name, folder }) => !named.has(name) && (folder === '' || named.isChosen(folder)),
  );
  const isAdded = ({ name }: LinterSpec): boolean => named.isEmpty || isMentioned(name, unread);
  const added = await Promise.all(shown.filter(isAdded).map(spec => asItsOwnCommand(spec, facts)));
  const left = shown.filter(spec => !isAdded(spec));
  const formatters = quietFormatters(left, [...named.specs, ...added]);
  return {
    // In the order in which they run: one that nobody named must not use up the time of the others.
    specs: [...named.specs, ...entries.map(fromUser), ...added, ...formatters],
    unread: unreadLines(unread),
    left: [
      ...left
        .filter(
          ({ name, foundBy }) =>
            foundBy !== 'files' && !formatters.some(each => each.name === name),
        )
        .map(({ title, reason }) => `${title} isn't run: ${reason}, but no lint command names it`),
      ...unreadLines(others),
    ],
  };
}

/** After the scripts. Later ones only add linters that earlier ones don't name. */
const OTHER_SOURCES = [fromPreCommit, fromLefthook, fromLintStaged, fromMakefile, fromTox];

/** The names of the configuration's linters, and of those that their commands start, however they are called. */
async function linterNames(
  entries: readonly UserLinter[],
  facts: ProjectFacts,
): Promise<ReadonlySet<string>> {
  const reader = new ScriptReader(facts);
  const names = new Set(entries.map(({ name }) => name));
  for (const { command } of entries) {
    for (const found of await reader.words(command)) names.add(nameOf(found) ?? '');
  }
  return names;
}

/** Several scripts may have the same problem. */
function unreadLines(unread: ScriptReader['unread']): string[] {
  const sources = new Map<string, Set<string>>();
  for (const { source, problem, isPartlyRead } of unread) {
    const end = `${isPartlyRead ? 'only partly' : 'not'} read: ${problem}`;
    sources.set(end, (sources.get(end) ?? new Set()).add(source));
  }
  return [...sources].map(([end, [first, ...others]]) =>
    others.length === 0
      ? `${first} was ${end}`
      : `${first} and ${count(others.length, 'other')} were ${end}`,
  );
}

/** Later ones only add linters that earlier ones don't name. */
const LINT_SCRIPTS = [
  /^(?:pre|post)?lint$/,
  /^lint[:\-_.]/,
  /^(?!.*fix).*[:\-_.]lint$/,
  /^check(?:[:\-_.]|$)|^(?:format|prettier)[:\-_.]check$|^test[:\-_.](?:format|prettier|eslint|oxlint|biome|xo|standard|stylelint)$/,
  /^(?:test[:\-_.])?(?:typecheck|type-check|types)(?:[:\-_.]|$)/,
];
/** If no other script names a linter: one named after its program, and the tests. */
const PROGRAM_SCRIPT = new RegExp(
  `^(?:${COMMAND_FORMS.map(({ program }) => program).join('|')})(?:[:\\-_.]|$)`,
);
const TEST_SCRIPT = /^(?:pre|post)?test(?:[:\-_.]|$)/;

/** The linters that commands name; the first command of each linter counts. */
class NamedLinters {
  readonly specs: LinterSpec[] = [];
  readonly #facts: ProjectFacts;
  readonly #taken: Set<string>;
  /** The configuration names linters. */
  readonly #hasEntries: boolean;
  /** The packages that the top-level lint script names; undefined before it is read. */
  #chosen: readonly string[] | undefined;

  constructor(facts: ProjectFacts, taken: ReadonlySet<string>) {
    this.#facts = facts;
    this.#taken = new Set(taken);
    this.#hasEntries = taken.size > 0;
  }

  get isEmpty(): boolean {
    return this.specs.length === 0 && !this.#hasEntries;
  }

  has(name: string): boolean {
    return this.#taken.has(name);
  }

  /** If the top-level lint script names packages, only those count. */
  isChosen(folder: string): boolean {
    const chosen = this.#chosen ?? [];
    return chosen.length === 0 || chosen.some(each => isBelow(`${folder}/`, each));
  }

  /** The top-level scripts, or those of every package if they name no linter. */
  async addScripts(reader: ScriptReader, kinds: readonly RegExp[]): Promise<void> {
    const folders = reader.folders.filter(folder => !NOT_OURS.test(`${folder}/`));
    const before = this.specs.length;
    const top = folders.filter(folder => folder === '');
    for (const kind of kinds) {
      await this.add(await this.#scriptCommands(reader, top, kind));
      this.#chosen ??= [...reader.chosen];
    }
    if (this.specs.length > before) return;
    const others = folders.filter(folder => folder !== '' && this.isChosen(folder));
    // What the top runs is wider: its configuration decides where its command can't be read.
    const unread = [...reader.unread];
    for (const kind of kinds) {
      const commands = await this.#scriptCommands(reader, others, kind);
      await this.add(commands.filter(each => !isMentioned(formOf(each)?.name ?? '', unread)));
    }
  }

  async #scriptCommands(
    reader: ScriptReader,
    folders: readonly string[],
    kind: RegExp,
  ): Promise<FoundCommand[]> {
    const found: FoundCommand[] = [];
    for (const folder of folders) {
      for (const name of reader.scriptNames(folder).filter(each => kind.test(each))) {
        const commands = await reader.script(folder, name);
        found.push(...commands);
        const hasLinter = commands.some(each => formOf(each) !== undefined);
        for (const [at, each] of commands.entries()) {
          const [word = ''] = each.args;
          if (formOf(each) !== undefined || isReadAnyway(each, this.#facts)) continue;
          const isOnlyOne = name === 'lint' && !hasLinter && at === commands.length - 1;
          if (isOnlyOne || /^lint\b/.test(word)) reader.unread.push(notKnown(each));
          else if (hasLinter && kind !== TEST_SCRIPT) reader.unread.push(besideLinters(each));
        }
      }
    }
    return found;
  }

  async add(commands: readonly FoundCommand[]): Promise<void> {
    const fresh: LinterSpec[] = [];
    for (const command of commands) {
      const spec = await specOf(command, this.#facts);
      if (spec === undefined || this.#taken.has(spec.name)) continue;
      if (![...fresh, ...this.specs].some(each => isSame(each, spec))) fresh.push(spec);
    }
    // A command that checks takes precedence over one that only writes.
    const checking = new Set(fresh.flatMap(each => (each.formatter ? [] : [each.name])));
    for (const spec of fresh) {
      if (spec.formatter && checking.has(spec.name)) continue;
      this.specs.push(spec);
      this.#taken.add(spec.name);
    }
  }
}

const isMentioned = (name: string, unread: ScriptReader['unread']): boolean =>
  unread.some(({ text }) => new RegExp(`(?:^|[\\s/"'])${name}\\b`).test(text));

/** What it prints or deletes may be named after a linter. */
const SHELL_HELPER = /^(?:echo|printf|rm|rimraf|touch|exit|mkdir|cp|mv)$/;

const besideLinters = (found: FoundCommand): ScriptReader['unread'][number] => {
  const { program, args } = found;
  const text = SHELL_HELPER.test(program) ? program : [program, ...args].join(' ');
  return { ...notKnown(found), text, isPartlyRead: true };
};

const isLintName = (name: string): boolean =>
  LINT_SCRIPTS.slice(0, 3).some(kind => kind.test(name));

/** A whole lint script, or text that names a linter or a lint script, whatever else was read. */
function mayBeLinter({ source, text, isPartlyRead }: ScriptReader['unread'][number]): boolean {
  const [, script = ''] = /, script (\S+)$/.exec(source) ?? [];
  if (text === '' || (!isPartlyRead && isLintName(script))) return true;
  const words = text.split(/[\s;&|<>(){}"'`$]+/).map(baseName);
  return words.some(
    (program, at) =>
      isLintName(program) || formOf({ program, args: words.slice(at + 1) }) !== undefined,
  );
}

/** Programs whose own configuration is read. */
const READ_ANYWAY = /^(?:pre-commit|lefthook|lint-staged|tox)$/;
const isReadAnyway = ({ program, args: [word = ''] }: FoundCommand, facts: ProjectFacts): boolean =>
  READ_ANYWAY.test(program) || (program === 'make' && isLintTarget(word, facts));

/** The same linter on the same files, as `lint` and `lint:fix` usually are. */
const isSame = (one: LinterSpec, other: LinterSpec): boolean =>
  one.name === other.name &&
  one.folder === other.folder &&
  JSON.stringify([one.check.argv, one.targets, one.env, one.formatter]) ===
    JSON.stringify([other.check.argv, other.targets, other.env, other.formatter]);

/** The name in `known-linters.ts` of what a command starts. */
function nameOf(found: FoundCommand): string | undefined {
  const name = formOf(found)?.name;
  return name === 'markdownlint-cli' ? 'markdownlint' : name;
}

/** A linter as the project's command runs it; undefined for any other program. */
async function specOf(found: FoundCommand, facts: ProjectFacts): Promise<LinterSpec | undefined> {
  const form = formOf(found);
  const name = nameOf(found);
  const known = KNOWN_LINTERS.find(each => each.name === name);
  if (form === undefined || known === undefined) return undefined;
  const read = readWords(found.args, form);
  const { folder, source, env, only } = found;
  const plain: LinterSpec = {
    ...known,
    ...(form.name === 'markdownlint-cli' ? MARKDOWNLINT_CLI : {}),
    folder,
    foundBy: 'command',
    reason: source,
    ...(Object.keys(env).length > 0 && { env }),
    ...(only && { only }),
    ...(isWriting(form, read) && { formatter: 'named' }),
  };
  const installed = form.name === 'markdownlint-cli' ? plain : ownInstallation(plain, facts);
  if (known.name === 'tsc')
    return tscSpec({ ...installed, title: form.program }, { ...read, args: found.args }, facts);
  const spec = withWords(installed, read);
  const targets = read.targets
    .map(each => fromTop(known.scope === 'folders' ? goFolder(each, facts) : each, folder))
    .filter(each => each !== undefined);
  const extensions =
    known.name === 'eslint' ? eslintExtensions(found, facts) : optionValues(found.args, '--ext');
  return {
    ...spec,
    ...(targets.length > 0 && { targets }),
    ...(extensions && { extensions }),
  };
}

interface ReadWords {
  /** Its subcommand. */
  readonly word: string | undefined;
  readonly targets: readonly string[];
  /** Options that are passed on. */
  readonly flags: readonly string[];
  /** The names of all options. */
  readonly given: ReadonlySet<string>;
  /** `cargo clippy -- …` */
  readonly rest: readonly string[];
}

function readWords(args: readonly string[], form: CommandForm): ReadWords {
  const targets: string[] = [];
  const flags: string[] = [];
  const given = new Set<string>();
  let word: string | undefined;
  let rest: readonly string[] = [];
  for (let at = 0; at < args.length; at += 1) {
    const each = args[at] ?? '';
    if (each === '--') {
      rest = args.slice(at + 1);
      break;
    }
    if (!each.startsWith('-')) {
      if (word === undefined && form.word?.test(each)) word = each;
      else if (!form.ours.has(each)) targets.push(each);
      continue;
    }
    const [name = ''] = each.split('=', 1);
    given.add(name);
    const value = form.valued.has(name) && !each.includes('=') ? args.slice(at + 1, at + 2) : [];
    at += value.length;
    if (!isOurs(name, form)) flags.push(each, ...value);
  }
  if (form.name === 'clippy') return { word, targets, flags, given, rest };
  return { word, targets: [...targets, ...rest], flags, given, rest: [] };
}

/** Also several in one word: `remark -qf`. */
const isOurs = (name: string, { ours }: CommandForm): boolean =>
  ours.has(name) ||
  (/^-\w{2,}$/.test(name) && [...name.slice(1)].every(each => ours.has(`-${each}`)));

function isWriting({ writes, checks }: CommandForm, { given, word = '' }: ReadWords): boolean {
  if (checks !== undefined) return ![...given, word].some(each => checks.has(each));
  return writes !== undefined && [...given].some(each => writes.has(each));
}

/** The linter's commands with the project's own options. */
function withWords(spec: LinterSpec, { word, flags, rest }: ReadWords): LinterSpec {
  const tail = rest.length === 0 ? [] : ['--', ...rest];
  const put = (argv: readonly string[]): string[] => {
    const named = argv.map(each =>
      spec.name === 'biome' && each === 'check' && word === 'lint' ? word : each,
    );
    const at = named.indexOf('{files}');
    if (at === -1) return [...named, ...flags, ...tail];
    return [...named.slice(0, at), ...flags, ...named.slice(at), ...tail];
  };
  const command = (each: LintCommand): LintCommand => ({ ...each, argv: put(each.argv) });
  return {
    ...spec,
    flags,
    check: command(spec.check),
    ...(spec.otherwise && { otherwise: command(spec.otherwise) }),
    ...(spec.suggest && { suggest: command(spec.suggest) }),
    ...(spec.fix && { fix: put(spec.fix) }),
    ...(spec.stdin && { stdin: { ...spec.stdin, argv: [...spec.stdin.argv, ...flags] } }),
  };
}

/**
 * An argument of the command as a target from the top: `.` is the folder itself, `./...` everything
 * in it.
 */
function fromTop(word: string, folder: string): string | undefined {
  const isOut = /^[!#]/.test(word);
  const bare = word.replace(/^[!#]|^:/, '').replace(/(?:^|\/)\.\.\.$/, '');
  // A path outside stays as it is and matches nothing.
  const path = joinPath(folder, bare) ?? (isOut ? undefined : bare);
  return path === undefined ? undefined : `${isOut ? '!' : ''}${path}`;
}

/** Go's commands also take package names: an import path, or the module's name and a folder. */
function goFolder(word: string, { manifests }: ProjectFacts): string {
  const module = /^module[ \t]{1,9}(\S{1,500})/m.exec(manifests.get('go.mod') ?? '')?.[1] ?? word;
  const isPackage = /^[\w-]+(?:\.[\w-]+)+\//.test(word) && `${word}/`.startsWith(`${module}/`);
  return isPackage ? `./${word.slice(module.length + 1)}` : word;
}

function optionValues(args: readonly string[], option: string): string[] | undefined {
  const values = args.flatMap((word, at) => {
    if (word === option) return args[at + 1]?.split(',') ?? [];
    return word.startsWith(`${option}=`) ? word.slice(option.length + 1).split(',') : [];
  });
  return values.length === 0
    ? undefined
    : values.map(each => `.${each.trim().replace(/^\.|^\*\./, '')}`);
}

const FLAT_CONFIG = /(?:^|\/)eslint\.config\.[cm]?[jt]s$/;
const RC_CONFIG = /(?:^|\/)(?:\.eslintrc[^/]*|package\.json)$/;

/**
 * Without a flat configuration ESLint takes from a folder the `.js` files, those with extensions in
 * `--ext`, and those that an override matches. With a flat configuration it reports which files it
 * leaves out.
 */
function eslintExtensions(
  { args, env, folder }: Pick<FoundCommand, 'args' | 'env' | 'folder'>,
  { paths, manifests }: ProjectFacts,
): string[] | undefined {
  const asked = optionValues(args, '--ext');
  const config = args.find((_, at) => /^(?:-c|--config)$/.test(args[at - 1] ?? ''));
  const isAbove = (path: string): boolean => {
    const place = folderOf(path);
    return place === '' || place === folder || folder.startsWith(`${place}/`);
  };
  const isFlat =
    env['ESLINT_USE_FLAT_CONFIG'] !== 'false' &&
    (paths.some(path => FLAT_CONFIG.test(path) && isAbove(path)) ||
      (config !== undefined && /\.[cm]?[jt]s$/.test(config) && !/eslintrc/.test(config)));
  const texts = [...manifests].flatMap(([path, text]) =>
    (isFlat ? FLAT_CONFIG : RC_CONFIG).test(path) ? [text] : [],
  );
  const isMentioned = (ending: string): boolean => texts.some(text => mentionsEnding(text, ending));
  if (isFlat) {
    const more = FLAT_ENDINGS.filter(isMentioned);
    return more.length + (asked?.length ?? 0) === 0
      ? undefined
      : [...SCRIPTS, ...(asked ?? []), ...more];
  }
  return [...(asked ?? ['.js']), ...RC_ENDINGS.filter(isMentioned)];
}

const SCRIPTS = '.js .mjs .cjs .jsx .ts .mts .cts .tsx .vue .svelte .astro'.split(' ');
const RC_ENDINGS = SCRIPTS.slice(1);
/** What plugins of a flat configuration lint besides scripts. */
const FLAT_ENDINGS = '.md .json .jsonc .json5 .css .html .yml .yaml .toml .graphql'.split(' ');

/** `'**\/*.{md,mdx}'` and the like. */
const mentionsEnding = (text: string, ending: string): boolean =>
  new RegExp(`["'\`][^"'\`\\n]*\\*\\.[^"'\`\\n]*\\b${ending.slice(1)}\\b`).test(text);

/** The files of a linter found by its configuration: as its plain command would take them. */
async function asItsOwnCommand(spec: LinterSpec, facts: ProjectFacts): Promise<LinterSpec> {
  if (spec.name === 'tsc') {
    return tscSpec(spec, { targets: [], flags: [], given: new Set(), args: [] }, facts);
  }
  if (spec.name !== 'eslint') return spec;
  const extensions = eslintExtensions({ args: [], env: {}, folder: spec.folder }, facts);
  return extensions === undefined ? spec : { ...spec, extensions };
}

interface TscWords extends Pick<ReadWords, 'given' | 'targets' | 'flags'> {
  readonly args: readonly string[];
}

/** tsc checks a project: which one, and whether it has references. */
async function tscSpec(
  spec: LinterSpec,
  { given, targets: [target], flags, args }: TscWords,
  facts: ProjectFacts,
): Promise<LinterSpec> {
  const [program = '', , , ...own] = spec.check.argv;
  const isVue = spec.title === 'vue-tsc';
  const tool = program.replace(/tsc$/, spec.title);
  const asked = args.findIndex(word => word === '-p' || word === '--project');
  const named = (asked === -1 ? target : args[asked + 1]) ?? 'tsconfig.json';
  const project = named.endsWith('.json') ? named : `${named.replace(/\/$/, '')}/tsconfig.json`;
  const path = joinPath(spec.folder, project) ?? project;
  const config = await tsconfig(path, facts);
  const isSolution =
    given.has('-b') ||
    given.has('--build') ||
    (config.references.length > 0 && config.files?.length === 0 && config.include === undefined);
  const isNamed = project !== 'tsconfig.json';
  const argv = isSolution
    ? [tool, '--build', project, '--pretty', 'false']
    : [tool, '--project', project, ...own, ...flags, ...(isVue ? [] : incremental(project))];
  const allowsJs = config.allowsJs || /(?:^|\/)jsconfig\.json$/.test(path);
  const scripts = allowsJs ? ',js,mjs,cjs,jsx' : '';
  const vue = isVue ? ',vue' : '';
  const base = folderOf(path);
  const within = isSolution ? undefined : (config.include ?? (config.files ? [] : undefined));
  const targets =
    within === undefined
      ? [base]
      : [...within, ...(config.files ?? [])].flatMap(each => joinPath(base, each) ?? []);
  const excluded = (config.exclude ?? []).flatMap(each => joinPath(base, each) ?? []);
  return {
    ...spec,
    files: [`**/*.{ts,mts,cts,tsx${scripts}${vue}}`],
    flags: [...argv.slice(1, isNamed ? 3 : isSolution ? 2 : 1), ...flags],
    check: { ...spec.check, argv },
    targets: [...targets, ...excluded.map(each => `!${each}`)],
  };
}

/**
 * After an edit, only what depends on it is checked again. The build info file is in the copy's own
 * cache.
 */
const incremental = (project: string): string[] => [
  '--incremental',
  '--tsBuildInfoFile',
  `node_modules/.cache/apfel-bot/${project.replace(/[^\w.-]+/g, '-')}.tsbuildinfo`,
];

interface Tsconfig {
  readonly files: readonly string[] | undefined;
  readonly include: readonly string[] | undefined;
  readonly exclude: readonly string[] | undefined;
  readonly references: readonly unknown[];
  readonly allowsJs: boolean;
}

async function tsconfig(path: string, { manifests }: ProjectFacts): Promise<Tsconfig> {
  const { parse } = await import('jsonc-parser');
  const read = (file: string, depth: number): Record<string, unknown> => {
    const own = objectOf(parse(manifests.get(file) ?? '', [], { allowTrailingComma: true }));
    const base = folderOf(file);
    const above = [own['extends']].flat().flatMap(each => {
      const name = stringOf(each);
      if (name === undefined || !name.startsWith('.') || depth > 5) return [];
      const place = joinPath(base, name) ?? '';
      return [read(place.endsWith('.json') ? place : `${place}.json`, depth + 1)];
    });
    const inherited: Record<string, unknown> = Object.assign({}, ...above);
    const options = {
      ...objectOf(inherited['compilerOptions']),
      ...objectOf(own['compilerOptions']),
    };
    // Paths of an extended configuration are relative to its own folder, which we don't follow.
    const { files: _, include: __, exclude: ___, references: ____, ...rest } = inherited;
    return { ...rest, ...own, compilerOptions: options };
  };
  const config = read(path, 0);
  const options = objectOf(config['compilerOptions']);
  const texts = (value: unknown): string[] | undefined =>
    Array.isArray(value) ? value.filter(each => typeof each === 'string') : undefined;
  return {
    files: texts(config['files']),
    include: texts(config['include']),
    exclude: texts(config['exclude']),
    references: listOf(config['references']),
    allowsJs: options['checkJs'] === true,
  };
}

/** Configured formatters: files that were formatted stay formatted after an edit. */
function quietFormatters(left: readonly LinterSpec[], used: readonly LinterSpec[]): LinterSpec[] {
  const found = left.filter(({ isFormatter }) => isFormatter);
  const ruff = [...used, ...left].find(({ name }) => name === 'ruff');
  const known = KNOWN_LINTERS.find(({ name }) => name === 'ruff-format');
  if (ruff !== undefined && known !== undefined && !used.some(({ name }) => name === known.name)) {
    found.push({ ...known, folder: ruff.folder, foundBy: ruff.foundBy, reason: ruff.reason });
  }
  return found.map(spec => ({ ...spec, formatter: 'quiet' }));
}
