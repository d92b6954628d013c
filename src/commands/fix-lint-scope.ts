import { BotError } from '../core/failure.js';
import type { ChangeSummary } from '../core/outcome.js';
import { byPath, type ReadyMade } from '../fix/ready-made.js';
import { changedLines, type Scope } from '../fix/scope.js';
import { gather } from '../gather/gather.js';
import { readReady } from '../lint/read-ready.js';
import { GENERAL_FORMATS } from '../lint/report.js';
import { type Parsed, usage } from '../trigger/parse-argv.js';
import type { Git } from '../world.js';
import type { Opened } from './desk.js';

/** What the command line asks to be mended, and in which commit. */
export interface FixAsked {
  readonly commit: string;
  readonly scope: Scope;
  readonly change: ChangeSummary;
  readonly notices: readonly string[];
}

/** The range's head with its changed lines, or HEAD with everything; narrowed by the options. */
export async function fixAsked(parsed: Parsed, opened: Opened): Promise<FixAsked> {
  const { git, task } = opened;
  if (git === undefined) throw new BotError('bug', 'fix-lint has no repository');
  const { selector, paths, repository, pull } = task;
  const isRange = selector.kind === 'range';
  const change = isRange ? await gather({ selector, paths }, git) : undefined;
  const commit = change?.head ?? git.repository.head;
  if (commit === undefined) {
    throw new BotError('git', 'this repository has no commit yet', {
      hint: 'fix-lint works on a commit, never on the work tree',
    });
  }
  const touched = change === undefined ? undefined : await changedLines(change.events);
  const ready = await readyMade(parsed, { commit, git, opened });
  const rules = parsed.values.get('rule')?.split(',').filter(Boolean) ?? [];
  const changed = parsed.switches.has('all') ? undefined : touched?.lines;
  const only = ready?.made;
  return {
    commit,
    scope: { changed, paths, rules, only, maxFixes: maxFixes(parsed.values.get('max-fixes')) },
    change: {
      base: change?.base ?? null,
      head: commit,
      repository,
      pull,
      ...(touched?.size ?? NOTHING_CHANGED),
    },
    notices: [...(change?.notices ?? []), ...(ready?.notices ?? [])],
  };
}

/** Without a range there is a commit, but no change. */
const NOTHING_CHANGED = { files: 0, hunks: 0, added: 0, removed: 0 };

interface Place {
  readonly commit: string;
  readonly git: Git;
  readonly opened: Opened;
}

/** `--diagnostics FILE`: which complaints to mend; the linter still has the last word on each edit. */
async function readyMade(
  { values }: Parsed,
  { commit, git, opened }: Place,
): Promise<{ made: ReadyMade; notices: readonly string[] } | undefined> {
  const file = values.get('diagnostics');
  if (file === undefined) return undefined;
  const text = await opened.world.files.read(file);
  if (text === undefined) throw noReport(file, 'and there is no such file');
  const { top, prefix } = git.repository;
  const files = new Set(await git.listPaths(commit));
  // A linter writes paths from where it was started: here, or at the top.
  const read = [...new Set([prefix.replace(/\/$/, ''), ''])].map(folder =>
    readReady(text, { root: top ?? '/', files, folder }),
  );
  const reports = read.flatMap(each => (each.ok ? [each.report] : []));
  const [report] = reports.toSorted((one, other) => one.lost - other.lost);
  if (report === undefined) {
    const [problem] = read.flatMap(each => (each.ok ? [] : [each.problem]));
    throw noReport(file, `which cannot be read as a report: ${problem}`);
  }
  const { diagnostics, problems, isWhole, lost } = report;
  const isEmpty = diagnostics.length + problems.length === 0;
  return {
    made: { file, byPath: byPath(diagnostics), isWhole: isWhole && lost === 0 },
    notices: isEmpty
      ? [`${file} complains of nothing`]
      : problems.map(problem => `${file}: ${problem}`),
  };
}

const noReport = (file: string, problem: string): BotError =>
  new BotError('usage', `--diagnostics names ${file}, ${problem}`, {
    hint: `It takes a report in one of these formats: ${GENERAL_FORMATS.join(', ')}`,
  });

function maxFixes(text: string | undefined): number {
  if (text === undefined) return Number.POSITIVE_INFINITY;
  const most = Number(text);
  if (Number.isInteger(most) && most >= 1) return most;
  throw usage(`--max-fixes must be a whole number from 1 on, found ${JSON.stringify(text)}`);
}
