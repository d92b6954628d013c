import type { WorkOptions } from '../config/options.js';
import { writeContext } from '../git/commit-plan.js';
import type { Git } from '../git/git.js';
import { askGit } from '../git/spawn.js';
import { notesPlace, readPages } from '../notes/store.js';
import { type NotedCommit, toNoteJson, toNoteText } from '../notes/text.js';
import type { CommandEnd, Session } from '../session.js';
import { dropNews, queuedCommits } from './background-state.js';
import { keptRuns } from './load-run.js';
import { runData, runText } from './run-text.js';

/** A longer range is for git log. */
const MAX_COMMITS = 1000;

interface ShowCommitsOptions {
  readonly words: readonly string[];
  readonly options: WorkOptions;
  readonly git: Git;
  readonly session: Session;
}

/** What is recorded about commits: in their notes, otherwise by runs of this clone. */
export async function showCommits(request: ShowCommitsOptions): Promise<CommandEnd> {
  const { words, options, git, session } = request;
  const commits = new Set<string>();
  for (const word of words.length === 0 ? ['HEAD'] : words) {
    for (const commit of await commitsOf(word, git, session)) commits.add(commit);
  }
  const shown = [...commits].slice(0, MAX_COMMITS);
  if (shown.length < commits.size) {
    session.printError(`apfel-bot: ${commits.size} commits; showing the first ${MAX_COMMITS}`);
  }
  const place = notesPlace({ ...session, repository: git.repository });
  const kept = await withKeptRuns(await readPages(place, shown, 'all'), request);
  const queued = await queuedCommits(git.repository.commonDir);
  const pages = kept.map(page => ({ ...page, background: queued.get(page.commit) }));
  await dropNews(git.repository.commonDir, shown);
  const { color, columns } = session;
  const { isQuiet } = options;
  const text =
    options.format === 'json' ? toNoteJson(pages) : toNoteText(pages, { color, columns, isQuiet });
  return { text, ending: 'done' };
}

async function withKeptRuns(
  pages: readonly NotedCommit[],
  { git, session, options }: ShowCommitsOptions,
): Promise<NotedCommit[]> {
  const silent = pages.filter(({ record }) => record === undefined);
  const runs = await keptRuns(
    silent.map(({ commit }) => commit),
    git,
  );
  return pages.map(page => {
    const run = runs.get(page.commit);
    if (run === undefined) return page;
    return { ...page, kept: { data: runData(run), text: runText(run, { session, options }) } };
  });
}

/** One commit, or those of a range as git lists them. */
async function commitsOf(word: string, git: Git, session: Session): Promise<string[]> {
  const [, from, dots, to] = /^(.*?)(\.{2,3})(?!\.)(.*)$/s.exec(word) ?? [];
  if (dots === undefined) return [await git.resolve(word)];
  const start = await git.resolve(from || 'HEAD');
  const end = await git.resolve(to || 'HEAD');
  return listCommits(`${start}${dots}${end}`, { git, session, max: MAX_COMMITS + 1 });
}

export async function listCommits(
  range: string,
  { git, session, max }: { readonly git: Git; readonly session: Session; readonly max: number },
): Promise<string[]> {
  const context = writeContext({ ...session, repository: git.repository });
  const asked = ['rev-list', `--max-count=${max}`, range, '--'];
  return (await askGit(context, asked)).toString('latin1').split('\n').filter(Boolean);
}
