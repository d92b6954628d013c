import type { LintCommand, LinterSpec } from './linter-spec.js';
import { parseReport } from './parse-report.js';
import { firstLine, withoutColour } from './read-json.js';
import type { ParsedReport, ReportContext } from './report.js';

/** How a linter's process ended. */
export type RunEnd =
  | { readonly kind: 'exit'; readonly code: number }
  | { readonly kind: 'signal'; readonly signal: string }
  | { readonly kind: 'time-up'; readonly afterMs: number }
  | { readonly kind: 'missing' };

export interface LintRun {
  readonly end: RunEnd;
  readonly stdout: string;
  readonly stderr: string;
  /** The output was longer than is kept. */
  readonly isCut: boolean;
}

/** A finished process → its report, or one line that says what went wrong. */
export function readRun(
  spec: LinterSpec,
  command: LintCommand,
  { run, context }: { run: LintRun; context: Omit<ReportContext, 'tool' | 'folder'> },
): ParsedReport {
  const failure = failureOf(spec, command, run);
  if (failure !== undefined) return nothing(`${spec.title} ${failure}`);
  const report = readStreams(command, run, { ...context, tool: spec.name, folder: spec.folder });
  const silent = silentFailure(spec, run, report);
  return {
    ...report,
    problems: [...report.problems, ...(silent === undefined ? [] : [silent])].map(
      problem => `${spec.title}: ${problem}`,
    ),
    isWhole: report.isWhole && silent === undefined,
  };
}

const nothing = (problem: string): ParsedReport => ({
  diagnostics: [],
  problems: [problem],
  notLinted: [],
  isWhole: false,
});

function failureOf(spec: LinterSpec, command: LintCommand, run: LintRun): string | undefined {
  const { end } = run;
  if (end.kind === 'missing') return `is not installed here (${command.argv[0]})`;
  if (end.kind === 'time-up') return `did not finish within ${Math.round(end.afterMs / 1000)} s`;
  if (run.isCut) return 'printed more than is read; its report is incomplete';
  const said = tellingLine(`${run.stderr}\n${run.stdout}`);
  if (end.kind === 'signal') return `was stopped by ${end.signal}${said}`;
  const { exits } = spec;
  if (exits === undefined || exits.clean.includes(end.code)) return undefined;
  return exits.findings.includes(end.code) ? undefined : `ended with exit code ${end.code}${said}`;
}

/** The line a person would look for in a crash. */
function tellingLine(text: string): string {
  const lines = withoutColour(text).split('\n', 200);
  const line = lines.find(each => /\b\w{0,40}(?:error|panic)\w{0,20}\b/i.test(each.slice(0, 500)));
  const quoted = firstLine(line ?? text);
  return quoted === '' ? '' : `: ${quoted}`;
}

/** The first stream that holds a report; when none does, what is wrong with the first that is not empty. */
function readStreams(command: LintCommand, run: LintRun, context: ReportContext): ParsedReport {
  const texts = command.streams.map(stream => run[stream]).filter(text => text.trim() !== '');
  const reports = (texts.length === 0 ? [''] : texts).map(text =>
    parseReport(command.format, text, context),
  );
  const best = reports.find(report => report.isWhole) ?? reports[0];
  return best ?? nothing('no stream to read');
}

/** "There are findings" and none to be seen: the report is not what it seems. */
function silentFailure(spec: LinterSpec, run: LintRun, report: ParsedReport): string | undefined {
  const { diagnostics, problems } = report;
  if (run.end.kind !== 'exit' || diagnostics.length + problems.length > 0) return undefined;
  if (spec.exits === undefined ? run.end.code === 0 : spec.exits.clean.includes(run.end.code)) {
    return undefined;
  }
  return `ended with exit code ${run.end.code}, but reports nothing${tellingLine(run.stderr)}`;
}
