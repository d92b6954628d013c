import { diffHunks } from '../adapters/records/diff-hunks.js';
import { saveRun } from '../adapters/records/saved-runs.js';
import type { DiffHunk } from '../core/diary.js';
import type { Finding } from '../core/finding.js';
import type { Outcome } from '../core/outcome.js';
import type { Parsed } from '../trigger/parse-argv.js';
import type { Git } from '../world.js';
import type { Opened } from './desk.js';

type Kept = { readonly run: string } & Partial<Pick<Outcome, 'change' | 'findings' | 'rejected'>>;

export interface Keeping {
  readonly opened: Pick<Opened, 'git' | 'world'>;
  /** How it was called. */
  readonly command: string;
  readonly parsed: Parsed;
}

/**
 * Keeps a run for `show`. Where findings stand in what is staged, their hunks are kept as well: no
 * commit will hold them as they were. A run never fails for it.
 */
export async function keepRun(outcome: Kept, keeping: Keeping): Promise<void> {
  const { git } = keeping.opened;
  if (git === undefined || keeping.parsed.switches.has('dry-run')) return;
  const texts = outcome.change?.head === 'index' ? await stagedTexts(outcome, git) : [];
  const { diary, clock } = keeping.opened.world;
  const facts = diary.facts(askedText(keeping), texts);
  await saveRun(git.repository.commonDir, { outcome, facts }, clock);
}

async function stagedTexts(outcome: Kept, git: Git): Promise<DiffHunk[]> {
  const lines = linesOf(outcome);
  if (lines.size === 0) return [];
  const from = outcome.change?.base ?? git.repository.emptyTree;
  // Time may be up, or the index may have changed: then the findings stand without their hunks.
  return diffHunks(git, { from, to: 'index', lines }).catch(() => []);
}

/** The lines that anything was said of, by path. */
export function linesOf({
  findings = [],
  rejected = [],
}: Omit<Kept, 'run'>): Map<string, Set<number>> {
  const lines = new Map<string, Set<number>>();
  const all: readonly Finding[] = [...findings, ...rejected.map(({ finding }) => finding)];
  for (const { path, line } of all) {
    lines.set(path, (lines.get(path) ?? new Set<number>()).add(line));
  }
  return lines;
}

/** The command line, put together again. */
function askedText({ command, parsed }: Keeping): string {
  const { words, values, switches, paths } = parsed;
  return [
    'apfel-bot',
    command,
    ...words,
    ...[...values].flatMap(([name, value]) => [`--${name}`, value]),
    ...[...switches].map(name => `--${name}`),
    ...(paths.length === 0 ? [] : ['--', ...paths]),
  ]
    .map(quoted)
    .join(' ');
}

const quoted = (word: string): string =>
  /^[\w@%+=:,./~^-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
