import { basename } from 'node:path';
import type { Config } from '../config/config.js';
import { globMatcher } from '../platform/globs.js';
import { KNOWN_LINTERS, type KnownLinter, MARKDOWNLINT_CLI } from './known-linters.js';
import type { ReportFormat } from './report.js';
import type { FileFilter, ProjectFacts } from './scripts.js';
import { folderOf } from './shell-words.js';

/** Configuration in these folders is a sample or third-party. */
export const NOT_OURS =
  /(?:^|\/)(?:node_modules|vendor|third_party|bower_components|fixtures|__fixtures__|testdata)\//;

/** The linters that configuration files indicate, each in the topmost folders that configure it. */
export const findLinters = (facts: ProjectFacts): LinterSpec[] =>
  KNOWN_LINTERS.flatMap(known => specs(known, facts));

function specs(known: KnownLinter, facts: ProjectFacts): LinterSpec[] {
  const { enough } = known;
  const found = findFolders(known, facts);
  const chosen = topmost([...found.keys()]).flatMap(folder => found.get(folder) ?? []);
  const script = enough && facts.paths.find(path => enough.test(path) && !NOT_OURS.test(path));
  if (chosen.length === 0 && script !== undefined) {
    return [{ ...known, folder: '', foundBy: 'files', reason: `${script} exists` }];
  }
  return chosen.map(place => ownInstallation({ ...known, ...place }, facts));
}

type Found = Pick<LinterSpec, 'folder' | 'foundBy' | 'reason'>;

function findFolders({ config, manifest }: KnownLinter, facts: ProjectFacts): Map<string, Found> {
  const found = new Map<string, Found>();
  for (const path of facts.paths) {
    const [folder, name] = [folderOf(path), basename(path)];
    if (found.has(folder) || NOT_OURS.test(path)) continue;
    if (config?.test(name)) {
      found.set(folder, { folder, foundBy: 'config', reason: `${path} exists` });
    } else if (manifest?.file.test(name) && manifest.has(facts.manifests.get(path) ?? '')) {
      found.set(folder, { folder, foundBy: 'manifest', reason: `${path} configures it` });
    }
  }
  return found;
}

/** Without folders that are inside another one in the list. */
function topmost(folders: readonly string[]): string[] {
  const chosen: string[] = [];
  for (const folder of [...folders].sort((one, other) => one.length - other.length)) {
    if (!chosen.some(above => isBelow(folder, above))) chosen.push(folder);
  }
  return chosen.sort();
}

export const isBelow = (path: string, folder: string): boolean =>
  folder === '' || path.startsWith(`${folder}/`);

/** Two linters can be installed in more than one way; the manifests show which. */
export function ownInstallation(spec: LinterSpec, facts: ProjectFacts): LinterSpec {
  if (
    spec.name === 'markdownlint' &&
    mentions(facts, spec, ['package.json', '"markdownlint-cli"'])
  ) {
    return { ...spec, ...MARKDOWNLINT_CLI };
  }
  if (spec.name === 'rubocop' && mentions(facts, spec, ['Gemfile.lock', ' rubocop ('])) {
    const { fix, stdin } = spec;
    return {
      ...spec,
      check: { ...spec.check, argv: bundled(spec.check.argv) },
      ...(fix && { fix: bundled(fix) }),
      ...(stdin && { stdin: { ...stdin, argv: bundled(stdin.argv) } }),
    };
  }
  return spec;
}

const bundled = (argv: readonly string[]): string[] => ['bundle', 'exec', ...argv];

/** Whether a manifest in the linter's folder or above it contains the text. */
function mentions(
  { manifests }: ProjectFacts,
  { folder }: LinterSpec,
  [file, needle]: readonly [file: string, needle: string],
): boolean {
  return [...manifests].some(([path, text]) => {
    const place = folderOf(path);
    const isAbove = place === folder || isBelow(folder, place);
    return basename(path) === file && isAbove && text.includes(needle);
  });
}

export function fromUser(entry: UserLinter): LinterSpec {
  const { name, command, format, fix, stdin } = entry;
  const known = KNOWN_LINTERS.find(each => each.name === name);
  return {
    name,
    title: name,
    files: entry.files ?? known?.files ?? ['**'],
    scope: 'files',
    check: { argv: command, format, streams: ['stdout', 'stderr'] },
    ...(fix && { fix }),
    ...(stdin && { stdin: { argv: stdin } }),
    folder: '',
    foundBy: 'user',
    reason: 'the configuration names it',
  };
}

type ReadFile = (path: string) => Promise<Uint8Array | undefined>;

/** Enough for a shebang line. */
const SHEBANG_BYTES = 200;

/** The paths that a linter checks: those its command names, of types it supports. */
export async function linterFiles(
  spec: LinterSpec,
  paths: readonly string[],
  readFile: ReadFile,
): Promise<string[]> {
  const { targets = [spec.folder], extensions, only } = spec;
  const isKnown = await globMatcher(spec.files);
  const [out, named] = [targets.filter(isExcluded), targets.filter(each => !isExcluded(each))];
  const isGlob = await globMatcher(named.filter(each => GLOB.test(each)));
  const isOut = await globMatcher([
    ...out.map(each => each.slice(1)),
    ...(only?.excludedGlobs ?? []),
  ]);
  const isOnly = only?.globs === undefined ? () => true : await globMatcher(only.globs);
  // The command may name exclusions only.
  const places = named.length === 0 ? [spec.folder] : named;
  const chosen: string[] = [];
  for (const path of paths) {
    if (!isBelow(path, spec.folder) || isOut(path)) continue;
    if (out.some(each => isBelow(path, each.slice(1)))) continue;
    if (!isOnly(path) || only?.exclude?.some(each => each.test(path))) continue;
    if (only?.files?.some(each => !each.test(path))) continue;
    const isNamed = places.includes(path) || isGlob(path);
    const isInFolder =
      places.some(place => isBelow(path, place)) &&
      (extensions?.some(each => path.endsWith(each)) ??
        (isKnown(path) || (await isScript(path, spec, readFile))));
    // tsc takes only its own file types, whatever a glob matches.
    if ((isNamed && (spec.scope !== 'project' || isKnown(path))) || isInFolder) chosen.push(path);
  }
  return chosen;
}

const isExcluded = (target: string): boolean => target.startsWith('!');
const GLOB = /[*?[{]/;

async function isScript(
  path: string,
  { interpreters }: LinterSpec,
  readFile: ReadFile,
): Promise<boolean> {
  if (interpreters === undefined || basename(path).includes('.')) return false;
  const bytes = await readFile(path).catch(() => undefined);
  const head = Buffer.from(bytes?.subarray(0, SHEBANG_BYTES) ?? []).toString('latin1');
  const [, program, argument] = /^#![ \t]*(\S+)(?:[ \t]+(?:-S[ \t]+)?(\S+))?/.exec(head) ?? [];
  const base = program && basename(program);
  return interpreters.includes((base === 'env' ? argument : base) ?? '');
}

type Stream = 'stdout' | 'stderr';

/** One way to run a linter. */
export interface LintCommand {
  /**
   * The program and its arguments, never a shell line. `{files}` marks where paths go. A program
   * `node_modules/.bin/…` is the project's own: searched for in the folder, then in those above it.
   */
  readonly argv: readonly string[];
  readonly format: ReportFormat;
  /** Where the report may be, likeliest first. */
  readonly streams: readonly Stream[];
}

/** What is known about a linter in any project. */
export interface LinterKind {
  readonly name: string;
  /** As its authors spell it. */
  readonly title: string;
  /** Globs of the files it checks. */
  readonly files: readonly string[];
  /** It also checks scripts without an extension whose first line names one of these programs. */
  readonly interpreters?: readonly string[];
  /** What it can be limited to: `project` checks everything, whatever paths it gets. */
  readonly scope: 'files' | 'folders' | 'project';
  readonly check: LintCommand;
  /** For versions without the first command: tried if that gives no report. */
  readonly otherwise?: LintCommand;
  /** A second report that only adds suggestions to the first. */
  readonly suggest?: LintCommand;
  /** It only reports that a file isn't formatted. */
  readonly isFormatter?: boolean;
  /** Its own fix, written into the files. */
  readonly fix?: readonly string[];
  /** The fix prints the check's report about the files after fixing, with their new lines. */
  readonly fixReports?: boolean;
  /** For the text of one file on standard input; `{path}` marks where its path goes. */
  readonly stdin?: {
    readonly argv: readonly string[];
    /** The report's name for the file, if not its path. */
    readonly as?: string;
  };
  /** Its report about a file depends on that file only. */
  readonly isPerFile?: boolean;
  /** How many bytes of files to pass at once; a larger file goes alone. */
  readonly batchBytes?: number;
  /** Per run; the default suits the slowest linters on a large project. */
  readonly timeoutMs?: number;
  /** Put before each path, for a linter that would read it as a pattern. */
  readonly pathPrefix?: string;
  /** Exit codes of a successful run; any other is a crash. If absent, the report alone decides. */
  readonly exits?: { readonly clean: readonly number[]; readonly findings: readonly number[] };
}

/** A linter that this project uses. */
export interface LinterSpec extends LinterKind {
  /** Where it runs and what it may check, relative to the repository; empty for the top. */
  readonly folder: string;
  readonly foundBy: 'config' | 'manifest' | 'files' | 'user' | 'command';
  /** For the user: why it is run. */
  readonly reason: string;
  /**
   * Files, folders and globs from the top that its command names; `!` excludes. If absent,
   * everything.
   */
  readonly targets?: readonly string[];
  /** Extensions of the files that it takes from a folder; if absent, all of its files. */
  readonly extensions?: readonly string[];
  readonly only?: FileFilter;
  /** The options of the project's own command that are passed on. */
  readonly flags?: readonly string[];
  /** Variables that the project's command sets. */
  readonly env?: Readonly<Record<string, string>>;
  /**
   * It only formats files that were edited: those the project's command would write (`named`), or only
   * files that were formatted before (`quiet`).
   */
  readonly formatter?: 'named' | 'quiet';
}

/** An entry of `lint` in the configuration. */
export type UserLinter = Config['lint'][number];
