import { basename } from 'node:path';
import { objectOf, parseJson } from '../core/json-fields.js';
import {
  type ExpandGlob,
  expandGlob,
  globPattern,
  joinPath,
  readShell,
  type ShellCommand,
} from './shell-words.js';

/** What is known about the project without running anything. */
export interface ProjectFacts {
  /** The tracked paths. */
  readonly paths: readonly string[];
  /** The text of each manifest and of the files that may contain a lint command, by path. */
  readonly manifests: ReadonlyMap<string, string>;
}

/** A program that the project runs to lint, as its own files write it. */
export interface FoundCommand {
  /** Without its path and without its launcher (`npx`, `cross-env`…). */
  readonly program: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** Where it runs, from the top. */
  readonly folder: string;
  /** Where it was found: `package.json, script lint`. */
  readonly source: string;
  /** Only the files that a hook's configuration lets through, if it filters. */
  readonly only?: FileFilter;
}

export interface FileFilter {
  /** Globs from the top. */
  readonly globs?: readonly string[];
  readonly excludedGlobs?: readonly string[];
  /** Each of them must match. */
  readonly files?: readonly RegExp[];
  readonly exclude?: readonly RegExp[];
}

/** A script that couldn't be read. */
interface Unread {
  readonly source: string;
  /** The part that wasn't read; empty if nothing there says what it runs. */
  readonly text: string;
  readonly problem: string;
  readonly isPartlyRead?: boolean;
}

/** For a script named `lint` whose linter isn't one of ours. */
export const notKnown = ({ source, program, args: [word = ''] }: FoundCommand): Unread => ({
  source,
  text: '',
  problem: `what ${[program, word].join(' ').trim()} runs is not known`,
});

/** Nobody nests scripts deeper; only a loop would. */
const MAX_DEPTH = 8;

/** Reads scripts and what they call, without running anything. */
export class ScriptReader {
  readonly unread: Unread[] = [];
  /** Folders of the packages that commands have named so far. */
  readonly chosen = new Set<string>();
  readonly #manifests: ReadonlyMap<string, string>;
  readonly #expand: ExpandGlob;
  readonly #packages = new Map<string, Package>();

  constructor({ paths, manifests }: ProjectFacts) {
    this.#manifests = manifests;
    this.#expand = expandGlob(paths);
    for (const [path, text] of manifests) {
      if (/(?:^|\/)package\.json$/.test(path)) {
        this.#packages.set(path.slice(0, -13), packageOf(text));
      }
    }
  }

  /** Folders with a package.json, the top first. */
  get folders(): string[] {
    return [...this.#packages.keys()].sort((one, other) => one.length - other.length);
  }

  scriptNames(folder: string): string[] {
    return Object.keys(this.#packages.get(folder)?.scripts ?? {});
  }

  /** The programs that a script of package.json runs. */
  async script(folder: string, name: string, depth = 0): Promise<FoundCommand[]> {
    const text = this.#packages.get(folder)?.scripts[name];
    const place = folder === '' ? '' : `${folder}/`;
    const source = `${place}package.json, script ${name}`;
    if (depth > MAX_DEPTH) this.unread.push({ source, text: '', problem: 'it calls itself' });
    if (text === undefined || depth > MAX_DEPTH) return [];
    return this.shell(text, { folder, source, depth });
  }

  /** The programs that a shell line runs; an unreadable line is remembered. */
  async shell(text: string, place: Place): Promise<FoundCommand[]> {
    const { folder, source } = place;
    const { commands, problem, rest = text } = await readShell(text, folder, this.#expand);
    if (problem !== undefined) {
      this.unread.push({ source, text: rest, problem, isPartlyRead: commands.length > 0 });
    }
    const found: FoundCommand[] = [];
    for (const each of commands) {
      found.push(...(await this.#follow(each, { ...place, folder: each.folder })));
    }
    return found;
  }

  /** The programs that these words of a command start. */
  words(words: readonly string[]): Promise<FoundCommand[]> {
    return this.#follow({ words, env: {}, folder: '' }, { folder: '', source: '' });
  }

  async #follow(command: ShellCommand, place: Place): Promise<FoundCommand[]> {
    const { program, args, env } = unwrap(command);
    const called = this.#called(program, args, place);
    if (called === undefined) {
      return program === '' || args.some(word => /^--(?:version|help)$/.test(word))
        ? []
        : [{ program, args, env, folder: place.folder, source: place.source }];
    }
    const depth = (place.depth ?? 0) + 1;
    const found: FoundCommand[] = [];
    for (const each of called) {
      const { folder } = each;
      if ('script' in each) found.push(...(await this.script(folder, each.script, depth)));
      else if ('line' in each) found.push(...(await this.shell(each.line, { ...place, depth })));
      else if (depth <= MAX_DEPTH) {
        const inner = { words: each.words, env, folder };
        found.push(...(await this.#follow(inner, { ...place, folder, depth })));
      }
    }
    // Words after `--` belong to the script's last command.
    const more = called.find(each => 'more' in each)?.more ?? [];
    return found.map((each, at) => ({
      ...each,
      env: { ...each.env, ...env },
      args: at === found.length - 1 ? [...each.args, ...more] : each.args,
    }));
  }

  /** What a script runner calls; undefined for any other program. */
  #called(program: string, args: readonly string[], place: Place): Called[] | undefined {
    const { folder } = place;
    if (/^(?:npm|pnpm|yarn|bun)$/.test(program)) return this.#packageManager(program, args, place);
    if (program === 'node' && args[0] === '--run') {
      const [, script = '', ...more] = args;
      const known = this.#has(folder, script);
      return known.map(each => ({ ...each, more: more.filter(word => word !== '--') }));
    }
    if (/^(?:npm-run-all2?|run-s|run-p)$/.test(program)) {
      return plainWords(args, ['--max-parallel', '--npm-path']).flatMap(word =>
        this.#matching(folder, taskMatcher(word.split(' ')[0] ?? '')),
      );
    }
    if (program === 'concurrently' || program === 'conc') {
      const valued = ['-n', '--names', '-c', '--prefix-colors', '-p', '--prefix', '-m', '-s'];
      return plainWords(args, valued).flatMap((word): Called[] => {
        const name = /^(?:npm|pnpm|yarn|bun|node):(\S+)/.exec(word)?.[1];
        return name === undefined
          ? [{ line: word, folder }]
          : this.#matching(folder, taskMatcher(name));
      });
    }
    if (/^(?:turbo|lerna|nx|wsrun)$/.test(program)) return this.#taskRunner(program, args, place);
    return undefined;
  }

  /** `turbo run lint --filter a`, `lerna run lint --scope a`, `nx run-many -t lint -p a,b`, `nx run a:lint`. */
  #taskRunner(program: string, args: readonly string[], { folder, source }: Place): Called[] {
    const [words, filters]: [string[], string[]] = [[], []];
    const split = args.includes('--') ? args.indexOf('--') : args.length;
    for (let at = 0; at < split; at += 1) {
      const [name = '', given] = (args[at] ?? '').split('=', 2);
      const mark = PACKAGE_OPTIONS[name];
      if (given === undefined && mark !== undefined) at += 1;
      const values = (given ?? args[at] ?? '').split(program === 'nx' ? ',' : '\0');
      if (mark !== undefined) filters.push(...values.map(each => `${mark}${each}`));
      else if (!name.startsWith('-') || (given && /^(?:-t|--targets?)$/.test(name))) {
        words.push(...values);
      }
    }
    const [first = '', second = ''] = words;
    if (program === 'nx' && first === 'run') {
      const [project = '', task = ''] = second.split(':');
      filters.push(project);
      words.splice(0, 2, task);
    } else if (program === 'nx' && !/^(?:run-many|affected)$/.test(first)) {
      filters.push(...words.splice(1));
    }
    const missing = filters.find(
      each =>
        !each.includes('[') && this.#matched(each, folder).some(path => !this.#packages.has(path)),
    );
    if (missing !== undefined) {
      const problem = `it names ${missing.replace(/^!/, '')}, which is not a package here`;
      this.unread.push({ source, text: '', problem });
      return [];
    }
    const places = this.#filtered(filters, folder) ?? this.#workspaces(folder);
    if (first === 'exec')
      return places.map(each => ({ words: args.slice(split + 1), folder: each }));
    const names = words.filter(word => !/^(?:run|run-many|affected)$/.test(word));
    const called = names.flatMap(name => places.flatMap(each => this.#has(each, name)));
    if (called.length === 0) this.#noScript(names, source);
    return called;
  }

  #noScript(names: readonly string[], source: string): void {
    const problem = `no package here has a script ${names.join(' or ')}`;
    this.unread.push({ source, text: '', problem });
  }

  #packageManager(program: string, args: readonly string[], place: Place): Called[] | undefined {
    const { folder, source } = place;
    const { words, more, places, isEverywhere } = this.#managerWords(program, args, folder);
    let [first = '', ...rest] = words;
    if (program === 'yarn' && first === 'workspace') {
      const [name = '', ...inner] = rest;
      const named = { ...place, folder: this.#named(name, folder) };
      return this.#packageManager(program, [...inner, ...more], named);
    }
    const isForeach = program === 'yarn' && first === 'workspaces';
    let folders = places ?? (isEverywhere || isForeach ? this.#workspaces(folder) : [folder]);
    if (isForeach) {
      const at = Math.max(0, rest.indexOf('run'));
      folders = this.#foreach(rest.slice(0, at), folder) ?? folders;
      [first = '', ...rest] = rest.slice(at);
    }
    const isRun = first === 'run' || first === 'run-script';
    if (isRun) [first = '', ...rest] = rest;
    if (!isRun && /^(?:exec|dlx|x)$/.test(first) && this.#has(folder, first).length === 0) {
      return folders.map(each => ({ words: [...rest, ...more], folder: each }));
    }
    if (program === 'npm' && !isRun) {
      if (first !== 'test' && first !== 't') return [];
      first = 'test';
    }
    const called = folders.flatMap((each): Called[] => {
      const isOne = program === 'pnpm' ? pnpmPattern(first) : undefined;
      const known = isOne === undefined ? this.#has(each, first) : this.#matching(each, isOne);
      if (known.length > 0) {
        const inner = program === 'npm' ? more : [...rest, ...more];
        return known.map(one => ({ ...one, ...(inner.length > 0 && { more: inner }) }));
      }
      // All but npm also start programs by name.
      const words = [first, ...rest, ...more];
      return program === 'npm' || first === '' || isEverywhere ? [] : [{ words, folder: each }];
    });
    if (called.length === 0 && isRun && !args.includes('--if-present'))
      this.#noScript([first], source);
    return called;
  }

  /** Options of package managers before or after the script's name. */
  #managerWords(program: string, args: readonly string[], folder: string) {
    const split = args.includes('--') ? args.indexOf('--') : args.length;
    const words: string[] = [];
    const filters: string[] = [];
    let isEverywhere = false;
    for (let at = 0; at < split; at += 1) {
      const word = args[at] ?? '';
      const [name = '', given] = word.split('=', 2);
      // After a program's name, its own options begin.
      const isBefore = words.every(each => RUN.test(each));
      // In pnpm `-w` means the top and takes no value.
      const isTop = program === 'pnpm' && name === '-w';
      const isPlace = PLACE_OPTION.test(name) && !isTop && (isBefore || name !== '-C');
      if (/^(?:-ws|--workspaces|-r|--recursive)$/.test(name)) isEverywhere = true;
      else if (isPlace) {
        const value = given ?? args[at + 1] ?? '';
        if (given === undefined) at += 1;
        filters.push(value);
      } else if (!word.startsWith('-') || !isBefore) words.push(word);
    }
    return {
      words,
      more: args.slice(split + 1),
      places: this.#filtered(filters, folder),
      isEverywhere,
    };
  }

  /** `yarn workspaces foreach --include a --exclude 'b*' run …` */
  #foreach(options: readonly string[], folder: string): string[] | undefined {
    const filters = options.flatMap((word, at) => {
      const [, name = '', given] = /^--(include|exclude)(?:=(.*))?$/s.exec(word) ?? [];
      return name === '' ? [] : [`${name === 'exclude' ? '!' : ''}${given ?? options[at + 1]}`];
    });
    return this.#filtered(filters, folder);
  }

  /**
   * The packages that names, paths and globs match, without those after `!`; undefined if there is
   * no filter.
   */
  #filtered(filters: readonly string[], folder: string): string[] | undefined {
    // What changed since a commit may be any package.
    const known = filters.filter(each => !each.includes('['));
    if (known.length === 0) return filters.length === 0 ? undefined : this.#workspaces(folder);
    const matched = (each: string): string[] => this.#matched(each, folder);
    const wanted = known.filter(each => !each.startsWith('!'));
    const out = known.filter(each => each.startsWith('!')).flatMap(matched);
    const all = wanted.length === 0 ? this.#workspaces(folder) : wanted.flatMap(matched);
    const places = [...new Set(all)].filter(each => !out.includes(each));
    for (const each of places) this.chosen.add(each);
    return places;
  }

  /** The folders for one filter: `a`, `./packages/a`, `@x/*`; `a...` with what it needs, `...a` with what needs it. */
  #matched(filter: string, folder: string): string[] {
    const [, before = '', name = '', after = ''] =
      /^!?(\.{3}\^?)?\{?(.*?)\}?(\^?\.{3})?$/s.exec(filter) ?? [];
    const own = name.includes('*') ? this.#globbed(name, folder) : [this.#named(name, folder)];
    const all = new Set([
      ...(after === '' ? [] : this.#reached(own, (one, other) => this.#needs(one, other))),
      ...(before === '' ? [] : this.#reached(own, (one, other) => this.#needs(other, one))),
    ]);
    for (const each of own) {
      if (/\^/.test(before + after)) all.delete(each);
      else all.add(each);
    }
    return [...all];
  }

  #globbed(name: string, folder: string): string[] {
    const pattern = globPattern(name.replace(/^\.\//, ''), true);
    return this.#workspaces(folder).filter(path => {
      const inside = folder === '' ? path : path.slice(folder.length + 1);
      return pattern.test(this.#packages.get(path)?.name ?? '') || pattern.test(inside);
    });
  }

  #needs(one: string, other: string): boolean {
    const name = this.#packages.get(other)?.name ?? '';
    return name !== '' && this.#packages.get(one)?.dependencies.includes(name) === true;
  }

  /** The packages to which steps lead from others, with those. */
  #reached(from: readonly string[], isStep: (one: string, other: string) => boolean): string[] {
    const reached = new Set(from);
    // A set is walked to its end while it grows.
    for (const one of reached) {
      for (const other of this.#packages.keys()) if (isStep(one, other)) reached.add(other);
    }
    return [...reached];
  }

  #has = (folder: string, name: string): Array<{ script: string; folder: string }> =>
    this.#packages.get(folder)?.scripts[name] === undefined ? [] : [{ script: name, folder }];

  #matching = (folder: string, isOne: (name: string) => boolean): Called[] =>
    this.scriptNames(folder)
      .filter(isOne)
      .map(script => ({ script, folder }));

  /** The folder of a workspace, by the package's name or by its path. */
  #named(name: string, folder: string): string {
    const bare = name.replace(/^\.\//, '').replace(/(?:\.\.\.|\/)$/, '');
    const found = [...this.#packages].find(([, each]) => each.name === bare)?.[0];
    return found ?? joinPath(folder, bare) ?? folder;
  }

  /** The folders of the workspaces, as package.json or pnpm-workspace.yaml name them. */
  #workspaces(folder: string): string[] {
    const prefix = folder === '' ? '' : `${folder}/`;
    const yaml = this.#manifests.get(`${prefix}pnpm-workspace.yaml`) ?? '';
    const listed = /^packages:\s*\n((?:[ \t]*(?:-.*|#.*)?\n?)*)/m.exec(yaml)?.[1] ?? '';
    const fromYaml = [...listed.matchAll(/^[ \t]*-[ \t]*['"]?([^'"#\s]+)/gm)].map(
      ([, glob]) => glob,
    );
    const globs = [...(this.#packages.get(folder)?.workspaces ?? []), ...fromYaml].flatMap(
      glob => glob?.replace(/^\.\//, '').replace(/\/$/, '') ?? [],
    );
    const [out, within] = [
      globs.filter(glob => glob.startsWith('!')),
      globs.filter(glob => !glob.startsWith('!')),
    ];
    const isOne = (list: readonly string[], path: string): boolean =>
      list.some(glob => globPattern(prefix + glob.replace(/^!/, ''), true).test(path));
    return this.folders.filter(path => isOne(within, path) && !isOne(out, path));
  }
}

const RUN = /^(?:run|run-script|exec)$/;
/** Options of task runners that name packages, and what precedes a name that is left out. */
const PACKAGE_OPTIONS: Readonly<Record<string, string>> = {
  ...{ '-F': '', '--filter': '', '--scope': '', '-p': '', '--projects': '' },
  ...{ '--ignore': '!', '--exclude': '!' },
};
/** Options that name the package or folder in which to run. */
const PLACE_OPTION = /^(?:-w|--workspace|-F|--filter|-C|--dir|--cwd|--prefix)$/;

type Called = { readonly folder: string; readonly more?: readonly string[] } & (
  | { readonly script: string }
  | { readonly line: string }
  | { readonly words: readonly string[] }
);

interface Place {
  readonly folder: string;
  readonly source: string;
  readonly depth?: number;
}

interface Package {
  readonly name: string;
  readonly scripts: Readonly<Record<string, string>>;
  readonly workspaces: readonly string[];
  /** Names of the packages that it needs, for whatever. */
  readonly dependencies: readonly string[];
}

/** A broken manifest has no scripts. */
function packageOf(text: string): Package {
  const { name, scripts, workspaces, ...more } = objectOf(parseJson(text));
  const list = Array.isArray(workspaces) ? workspaces : objectOf(workspaces)['packages'];
  return {
    name: typeof name === 'string' ? name : '',
    scripts: Object.fromEntries(
      Object.entries(objectOf(scripts)).filter(
        (entry): entry is [string, string] => typeof entry[1] === 'string',
      ),
    ),
    workspaces: (Array.isArray(list) ? list : []).filter(each => typeof each === 'string'),
    dependencies: Object.entries(more).flatMap(([key, value]) =>
      /dependencies$/i.test(key) ? Object.keys(objectOf(value)) : [],
    ),
  };
}

/** `lint:*` and the like, as npm-run-all reads it. */
function taskMatcher(task: string): (name: string) => boolean {
  const slashed = (each: string): string => each.replaceAll('/', '_').replaceAll(':', '/');
  const pattern = globPattern(slashed(task), true);
  return name => pattern.test(slashed(name));
}

/** `pnpm run "/^lint:/"`; undefined for a plain name. */
function pnpmPattern(word: string): ((name: string) => boolean) | undefined {
  const source = /^\/(.+)\/$/.exec(word)?.[1];
  if (source === undefined) return undefined;
  try {
    const pattern = new RegExp(source);
    return name => pattern.test(name);
  } catch {
    return () => false;
  }
}

const plainWords = (args: readonly string[], valued: readonly string[] = []): string[] =>
  args.filter((word, at) => !word.startsWith('-') && !valued.includes(args[at - 1] ?? ''));

/** Programs that only start another one, with their own options before it. */
const STARTERS =
  /^(?:npx|bunx|pnpx|uvx|time|command|exec|env|cross-env|cross-env-shell|dotenv|nice|strip-ansi)$/;
const TWO_WORD_STARTERS =
  /^(?:bundle exec|poetry run|uv run|pipenv run|pdm run|rye run|hatch run|bun x|mise exec|asdf exec)$/;

/** Without launchers, and without the program's path. */
function unwrap(command: ShellCommand): {
  program: string;
  args: string[];
  env: Record<string, string>;
} {
  const env: Record<string, string> = { ...command.env };
  let words = [...command.words];
  for (;;) {
    const [first = '', second = ''] = words;
    const name = baseName(first);
    if (STARTERS.test(name)) words = words.slice(1);
    else if (TWO_WORD_STARTERS.test(`${name} ${second}`)) words = words.slice(2);
    else if (/^python[\d.]*$/.test(name) && second === '-m') words = words.slice(2);
    else if (name === 'node' && /(?:^|\/)node_modules\//.test(plainWords(words)[1] ?? ''))
      words.shift();
    else break;
    // Options of the launcher, and variables that it sets.
    for (let word = words[0]; word !== undefined; word = words[0]) {
      const [, variable, value = ''] = /^([A-Za-z_]\w*)=(.*)$/s.exec(word) ?? [];
      if (variable !== undefined) env[variable] = value;
      else if (!word.startsWith('-')) break;
      words.shift();
      if (/^(?:-p|--package|-e)$/.test(word)) words.shift();
    }
  }
  const [program = '', ...args] = words;
  return { program: baseName(program), args, env };
}

/** Also without the version that a launcher is to fetch: `npx eslint@9`. */
export const baseName = (word: string): string =>
  basename(word).replace(/(?<=.)@[\w.^~-]+$|\.(?:[cm]?js|cmd|exe)$/, '');
