import type { Diagnostic, Fix, OffsetRange, Unit } from '../core/diagnostic.js';
import type { Severity } from '../core/finding.js';

/** What a `lint` entry of the configuration may name. */
export const GENERAL_FORMATS = [
  'eslint-json',
  'sarif',
  'checkstyle',
  'rdjson',
  'rdjsonl',
  'gcc',
  'github',
] as const;

/** The formats that only the linters we know by name write. */
const OWN_FORMATS = [
  'biome-json',
  'oxlint-json',
  'tsc',
  'stylelint-json',
  'markdownlint-json',
  'markdownlint-text',
  'prettier',
  'ruff-json',
  'shellcheck-json',
  'swiftlint-json',
  'golangci-json',
  'rubocop-json',
  'clippy-json',
] as const;

export const REPORT_FORMATS = [...GENERAL_FORMATS, ...OWN_FORMATS] as const;
export type ReportFormat = (typeof REPORT_FORMATS)[number];

/** Where the linter ran. */
export interface ReportContext {
  /** The linter's name as users see it; without it the report's own word is taken. */
  readonly tool?: string;
  /** Absolute: the folder that holds the commit's files. */
  readonly root: string;
  /** Other names of the same folder: on a Mac /tmp is also /private/tmp. */
  readonly aliases?: readonly string[];
  /** The working directory, relative to the root; relative paths in the report start there. */
  readonly folder?: string;
  /** The paths of the commit; what the report says about others is dropped and counted. */
  readonly files?: ReadonlySet<string>;
  /** A file that was read from standard input, and what the report may call it. */
  readonly stdin?: { readonly as: string | undefined; readonly path: string };
}

export interface ParsedReport {
  readonly diagnostics: readonly Diagnostic[];
  /** One line each, for people. */
  readonly problems: readonly string[];
  /** Paths that the linter was asked about and passed over. */
  readonly notLinted: readonly string[];
  /** False when something is missing from the report: then the absence of a complaint says nothing. */
  readonly isWhole: boolean;
}

/** The same, and how much of a report the text is. */
export interface ReadReport extends ParsedReport {
  /** False when the text is something else. */
  readonly isReport: boolean;
  /** Diagnostics that are about no file of the commit. */
  readonly lost: number;
}

/** A diagnostic before its path is known to be one of ours. */
export interface Sighting {
  /** As the report has it. */
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

/** What a parser makes of a text, paths not yet looked at. */
export interface RawReport {
  readonly tool: string;
  readonly unit: Unit;
  readonly sightings: readonly Sighting[];
  readonly problems: readonly string[];
  /** As the report spells them. */
  readonly notLinted: readonly string[];
  readonly isWhole: boolean;
  readonly isReport: boolean;
}

export type ReportParser = (text: string) => RawReport;

/** A report, given what is not as usual. */
export const rawReport = (
  tool: string,
  unit: Unit,
  more: Partial<Omit<RawReport, 'tool' | 'unit' | 'isReport'>>,
): RawReport => ({
  tool,
  unit,
  sightings: [],
  problems: [],
  notLinted: [],
  isWhole: true,
  isReport: true,
  ...more,
});

/** A report that could not be read, and why. */
export const noReport = (tool: string, problem: string): RawReport => ({
  ...rawReport(tool, 'utf16', { problems: [problem], isWhole: false }),
  isReport: false,
});
