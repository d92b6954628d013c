import { askGit } from '../adapters/commit/git-commit-ask.js';
import { writingSpot } from '../adapters/commit/git-commit-spot.js';
import { notesPlace, readPages } from '../adapters/notes/note-book.js';
import { type NotedCommit, toNoteJson, toNoteText } from '../publish/to-note-text.js';
import type { WorkOptions } from '../trigger/work-options.js';
import type { Git } from '../world.js';
import type { CommandEnd, Desk } from './desk.js';
import { keptRuns } from './show-kept.js';
import { runData, runText } from './show-run.js';

/** A longer range is for the log, not for reading. */
const MOST_COMMITS = 1000;

interface CommitsWish {
  readonly words: readonly string[];
  readonly options: WorkOptions;
  readonly git: Git;
  readonly desk: Desk;
}

/** What is recorded of commits: by their notes, or else by the runs of this clone. */
export async function showCommits(wish: CommitsWish): Promise<CommandEnd> {
  const { words, options, git, desk } = wish;
  const commits = new Set<string>();
  for (const word of words.length === 0 ? ['HEAD'] : words) {
    for (const commit of await commitsOf(word, git, desk)) commits.add(commit);
  }
  const shown = [...commits].slice(0, MOST_COMMITS);
  if (shown.length < commits.size) {
    desk.say(`apfel-bot: ${commits.size} commits; shown are the first ${MOST_COMMITS}`);
  }
  const place = notesPlace({ ...desk, repository: git.repository });
  const pages = await withKeptRuns(await readPages(place, shown), wish);
  const { color, columns } = desk;
  const { isQuiet } = options;
  const text =
    options.format === 'json' ? toNoteJson(pages) : toNoteText(pages, { color, columns, isQuiet });
  return { text, ending: 'done' };
}

async function withKeptRuns(
  pages: readonly NotedCommit[],
  { git, desk, options }: CommitsWish,
): Promise<NotedCommit[]> {
  const silent = pages.filter(({ record }) => record === undefined);
  const runs = await keptRuns(
    silent.map(({ commit }) => commit),
    git,
  );
  return pages.map(page => {
    const run = runs.get(page.commit);
    if (run === undefined) return page;
    return { ...page, kept: { data: runData(run), text: runText(run, { desk, options }) } };
  });
}

/** One commit, or those of a range as git lists them. */
async function commitsOf(word: string, git: Git, desk: Desk): Promise<string[]> {
  const [, from, dots, to] = /^(.*?)(\.{2,3})(?!\.)(.*)$/s.exec(word) ?? [];
  if (dots === undefined) return [await git.resolve(word)];
  const start = await git.resolve(from || 'HEAD');
  const end = await git.resolve(to || 'HEAD');
  return listCommits(`${start}${dots}${end}`, { git, desk, most: MOST_COMMITS + 1 });
}

export async function listCommits(
  range: string,
  { git, desk, most }: { readonly git: Git; readonly desk: Desk; readonly most: number },
): Promise<string[]> {
  const spot = writingSpot({ ...desk, repository: git.repository });
  const asked = ['rev-list', `--max-count=${most}`, range, '--'];
  return (await askGit(spot, asked)).toString('latin1').split('\n').filter(Boolean);
}
