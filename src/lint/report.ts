import type { Diagnostic, Fix, OffsetRange, Unit } from '../core/diagnostic.js';
import type { Severity } from '../core/finding.js';
import { foldName } from '../core/fold-name.js';
import { joinPath } from './shell-words.js';

/** The formats that a `lint` entry of the configuration can use. */
export const GENERAL_FORMATS = [
  'eslint-json',
  'sarif',
  'checkstyle',
  'rdjson',
  'rdjsonl',
  'gcc',
  'github',
] as const;

/** Formats that only known linters write. */
const OWN_FORMATS = [
  'biome-json',
  'oxlint-json',
  'tsc',
  'stylelint-json',
  'markdownlint',
  'prettier',
  'ruff-json',
  'shellcheck-json',
  'swiftlint-json',
  'golangci-json',
  'rubocop-json',
  'clippy-json',
  'remark',
  'unformatted',
] as const;

export const REPORT_FORMATS = [...GENERAL_FORMATS, ...OWN_FORMATS] as const;
export type ReportFormat = (typeof REPORT_FORMATS)[number];

/** Where the linter ran. */
export interface ReportContext {
  /** The linter's name as users see it; without it the name in the report is used. */
  readonly tool?: string;
  /** Absolute: the folder with the commit's files. */
  readonly root: string;
  /** Other names of the same folder: on macOS /tmp is also /private/tmp. */
  readonly aliases?: readonly string[];
  /** The working directory, relative to the root; relative paths in the report start there. */
  readonly folder?: string;
  /** The paths of the commit; diagnostics about other paths are dropped and counted. */
  readonly files?: ReadonlySet<string>;
  /** A file that was read from standard input, and its name in the report. */
  readonly stdin?: { readonly as: string | undefined; readonly path: string };
}

export interface ParsedReport {
  readonly diagnostics: readonly Diagnostic[];
  /** One line each, for the user. */
  readonly problems: readonly string[];
  /** Paths that the linter was given and skipped. */
  readonly notLinted: readonly string[];
  /** Paths on which it failed, although it continued with others. */
  readonly unfinished: readonly string[];
  /**
   * False if something is missing from the report: then the absence of a diagnostic proves nothing.
   */
  readonly isWhole: boolean;
  /** It found something, but nothing in files of the commit. */
  readonly isElsewhere?: boolean;
}

/** A parsed report, and what is known about its text. */
export interface ReadReport extends ParsedReport {
  /** False if the text is something else. */
  readonly isReport: boolean;
  /** The number of diagnostics that aren't about a file of the commit. */
  readonly lost: number;
}

/** A diagnostic whose path hasn't been checked yet. */
export interface RawDiagnostic {
  /** As the report spells it. */
  readonly file: string | undefined;
  readonly rule: string | null;
  readonly severity: Severity;
  readonly message: string;
  readonly line?: number | undefined;
  readonly column?: number | undefined;
  readonly endLine?: number | undefined;
  readonly endColumn?: number | undefined;
  readonly span?: OffsetRange | undefined;
  readonly docs?: string | undefined;
  readonly isFixable?: boolean | undefined;
  readonly fix?: Fix | undefined;
  readonly suggestions?: readonly Fix[] | undefined;
}

/** The result of a parser, before paths are checked. */
export interface RawReport {
  readonly tool: string;
  readonly unit: Unit;
  readonly rawDiagnostics: readonly RawDiagnostic[];
  readonly problems: readonly string[];
  /** As the report spells them. */
  readonly notLinted: readonly string[];
  readonly unfinished: readonly string[];
  readonly isWhole: boolean;
  readonly isReport: boolean;
}

export type ReportParser = (text: string) => RawReport;

/** A report with defaults. */
export const rawReport = (
  tool: string,
  unit: Unit,
  more: Partial<Omit<RawReport, 'tool' | 'unit' | 'isReport'>>,
): RawReport => ({
  tool,
  unit,
  rawDiagnostics: [],
  problems: [],
  notLinted: [],
  unfinished: [],
  isWhole: true,
  isReport: true,
  ...more,
});

/** For an unreadable report. */
export const noReport = (tool: string, problem: string): RawReport => ({
  ...rawReport(tool, 'utf16', { problems: [problem], isWhole: false }),
  isReport: false,
});

export type Located =
  | { readonly ok: true; readonly path: string }
  | { readonly ok: false; readonly why: 'no file' | 'outside' | 'not in the commit' };

/** A path as a report spells it → a path of the repository. */
export function locatePath(file: string | undefined, context: ReportContext): Located {
  const { stdin } = context;
  if (stdin?.as !== undefined && file === stdin.as) return { ok: true, path: stdin.path };
  const name = file?.startsWith('file://') ? fromFileUrl(file) : file;
  if (name === undefined || name === '' || /^<[^>]{0,80}>$/.test(name)) {
    return { ok: false, why: 'no file' };
  }
  const path = isAbsolute(name) ? belowRoot(name, context) : plain(context.folder ?? '', name);
  if (path === undefined || path === '') return { ok: false, why: 'outside' };
  return inCommit(path, context.files);
}

/** Undefined for an address that isn't a local file. */
function fromFileUrl(address: string): string | undefined {
  const path = address.slice('file://'.length).replace(/^localhost(?=\/)/, '');
  if (!path.startsWith('/')) return undefined;
  return decode(/^\/[a-z]:/i.test(path) ? path.slice(1) : path);
}

export function decode(address: string): string {
  try {
    return decodeURIComponent(address);
  } catch {
    // With a stray percent sign, the address was never encoded.
    return address;
  }
}

/** `C:\` is absolute too, and always outside the repository. */
const isAbsolute = (name: string): boolean => name.startsWith('/') || /^[a-z]:[\\/]/i.test(name);

function belowRoot(name: string, context: ReportContext): string | undefined {
  const file = withoutPrivate(name);
  for (const root of [context.root, ...(context.aliases ?? [])].map(withoutPrivate)) {
    const folder = root.endsWith('/') ? root : `${root}/`;
    if (file.startsWith(folder)) return plain('', file.slice(folder.length));
  }
  return undefined;
}

/** On macOS `/var` links to `/private/var`; SwiftLint reports the short name, Node the long one. */
const withoutPrivate = (path: string): string =>
  path.replace(/^\/private(?=\/(?:etc|tmp|var)\/)/, '');

/** Without `.` and `..`; undefined if it is outside. */
function plain(folder: string, name: string): string | undefined {
  const path = joinPath(folder, name);
  const isGits = path?.split('/').some(part => foldName(part) === '.git');
  return isGits || name.includes('\0') ? undefined : path;
}

function inCommit(path: string, files: ReadonlySet<string> | undefined): Located {
  if (files === undefined || files.has(path)) return { ok: true, path };
  const slashed = path.replaceAll('\\', '/');
  if (files.has(slashed)) return { ok: true, path: slashed };
  const other = inOtherForm(path, files);
  return other === undefined ? { ok: false, why: 'not in the commit' } : { ok: true, path: other };
}

/**
 * On macOS a linter may spell a name in another Unicode form than the commit; undefined if several
 * match.
 */
function inOtherForm(path: string, files: ReadonlySet<string>): string | undefined {
  if (/^[\x00-\x7f]*$/.test(path)) return undefined;
  const wanted = path.normalize('NFC');
  const fitting = [...files].filter(file => file.normalize('NFC') === wanted);
  return fitting.length === 1 ? fitting[0] : undefined;
}
