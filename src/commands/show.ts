import { askGit } from '../adapters/commit/git-commit-ask.js';
import { writingSpot } from '../adapters/commit/git-commit-spot.js';
import { openGit } from '../adapters/git/git.js';
import { notesPlace, readPages } from '../adapters/notes/note-book.js';
import { toNoteJson, toNoteText } from '../publish/to-note-text.js';
import type { Parsed } from '../trigger/parse-argv.js';
import { workOptions } from '../trigger/work-options.js';
import type { Git } from '../world.js';
import type { CommandEnd, Desk } from './desk.js';

/** A longer range is for the log, not for reading. */
const MOST_COMMITS = 1000;
const LONGEST_MS = 60_000;

/** `show [REV…]`: what is recorded of commits. Notes may come from anybody. */
export async function show(parsed: Parsed, desk: Desk): Promise<CommandEnd> {
  const options = workOptions(parsed);
  desk.endAfter(options.deadlineMs ?? LONGEST_MS);
  const git = await openGit({ ...desk, expectsStaged: false });
  const commits = new Set<string>();
  for (const word of parsed.words.length === 0 ? ['HEAD'] : parsed.words) {
    for (const commit of await commitsOf(word, git, desk)) commits.add(commit);
  }
  const shown = [...commits].slice(0, MOST_COMMITS);
  if (shown.length < commits.size) {
    desk.say(`apfel-bot: ${commits.size} commits; shown are the first ${MOST_COMMITS}`);
  }
  const place = notesPlace({ ...desk, repository: git.repository });
  const pages = await readPages(place, shown);
  const { color, columns } = desk;
  const isQuiet = options.isQuiet;
  const text =
    options.format === 'json' ? toNoteJson(pages) : toNoteText(pages, { color, columns, isQuiet });
  return { text, ending: 'done' };
}

/** One commit, or those of a range as git lists them. */
async function commitsOf(word: string, git: Git, desk: Desk): Promise<string[]> {
  const [, from, dots, to] = /^(.*?)(\.{2,3})(?!\.)(.*)$/s.exec(word) ?? [];
  if (dots === undefined) return [await git.resolve(word)];
  const start = await git.resolve(from || 'HEAD');
  const end = await git.resolve(to || 'HEAD');
  const spot = writingSpot({ ...desk, repository: git.repository });
  const asked = ['rev-list', `--max-count=${MOST_COMMITS + 1}`, `${start}${dots}${end}`, '--'];
  return (await askGit(spot, asked)).toString('latin1').split('\n').filter(Boolean);
}
