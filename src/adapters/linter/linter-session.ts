import type { Diagnostic } from '../../core/diagnostic.js';
import type { Linter, LintReport } from '../../fix/workshop.js';
import { addSuggestions } from '../../lint/add-suggestions.js';
import { anchorDiagnostics } from '../../lint/anchor-diagnostics.js';
import { lintCommand } from '../../lint/lint-command.js';
import type { LintCommand, LinterSpec } from '../../lint/linter-spec.js';
import { type LintRun, readRun } from '../../lint/read-run.js';
import type { ParsedReport } from '../../lint/report.js';

/** What a linter needs of the scratch copy. */
export interface LintRoom {
  /** Absolute names of the copy: free of links, and as the temporary folder was given. */
  readonly root: string;
  readonly aliases: readonly string[];
  readonly tracked: ReadonlySet<string>;
  run(argv: readonly string[], folder: string): Promise<LintRun>;
  read(path: string): Promise<string | undefined>;
}

/** One linter of the project, asked as often as one likes. */
export function linterSession(spec: LinterSpec, files: readonly string[], room: LintRoom): Linter {
  // The way that gave a report is the way from then on.
  let way: LintCommand = spec.check;
  return {
    name: spec.name,
    title: spec.title,
    files,
    isForAll: spec.scope === 'project',
    canFix: spec.fix !== undefined,
    check: async (paths, wish) => {
      let parsed = await ask(spec, way, { paths, room });
      if (isSilent(parsed) && spec.otherwise !== undefined && way === spec.check) {
        const second = await ask(spec, spec.otherwise, { paths, room });
        if (!isSilent(second)) {
          way = spec.otherwise;
          parsed = second;
        }
      }
      const report = await anchored(parsed, room);
      if (spec.suggest === undefined || wish?.withSuggestions !== true) return report;
      if (report.diagnostics.length === 0) return report;
      const richer = await anchored(await ask(spec, spec.suggest, { paths, room }), room);
      return { ...report, diagnostics: addSuggestions(report.diagnostics, richer.diagnostics) };
    },
    fix: async paths => {
      for (const argv of lintCommand(spec, spec.fix ?? [], paths)) {
        const { end, isCut } = await room.run(argv, spec.folder);
        if (isCut) return `${spec.title}: its own fix printed more than is read`;
        if (end.kind !== 'exit') return `${spec.title}: its own fix ${endingWords(end)}`;
      }
      return undefined;
    },
  };
}

const isSilent = ({ isWhole, diagnostics }: ParsedReport): boolean =>
  !isWhole && diagnostics.length === 0;

function endingWords(end: Exclude<LintRun['end'], { kind: 'exit' }>): string {
  if (end.kind === 'missing') return 'could not be started';
  return end.kind === 'signal' ? `was stopped by ${end.signal}` : 'did not finish in time';
}

/** One report out of as many runs as the command line needs. */
async function ask(
  spec: LinterSpec,
  command: LintCommand,
  { paths, room }: { readonly paths: readonly string[]; readonly room: LintRoom },
): Promise<ParsedReport> {
  const context = { root: room.root, aliases: room.aliases, files: room.tracked };
  const parts: ParsedReport[] = [];
  for (const argv of lintCommand(spec, command.argv, paths)) {
    const run = await room.run(argv, spec.folder);
    parts.push(readRun(spec, command, { run, context }));
  }
  return {
    diagnostics: parts.flatMap(part => part.diagnostics),
    problems: parts.flatMap(part => part.problems),
    notLinted: parts.flatMap(part => part.notLinted),
    isWhole: parts.every(part => part.isWhole),
  };
}

async function anchored(parsed: ParsedReport, room: LintRoom): Promise<LintReport> {
  const texts = new Map<string, string | undefined>();
  for (const { path } of parsed.diagnostics) {
    if (!texts.has(path)) texts.set(path, await room.read(path));
  }
  const diagnostics: readonly Diagnostic[] = anchorDiagnostics(parsed.diagnostics, path =>
    texts.get(path),
  );
  return { diagnostics, problems: parsed.problems, isWhole: parsed.isWhole };
}
