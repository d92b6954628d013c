import { count } from '../core/count.js';
import { countOf, field, objectOf, stringOf } from '../core/json-fields.js';
import { namesIn } from '../platform/files.js';
import { asRun } from '../platform/own-command.js';
import { ownPlace, readOwnFile, removeOwnFile, writeOwnFile } from '../platform/own-files.js';
import { isAlive } from '../platform/processes.js';

const MOST_BYTES = 16 * 1024;

/** What becomes of a commit that is queued for a review in the background. */
type Background = 'running' | 'waiting';

/** The commits that are queued; `hooks/queue` writes the files. */
export async function queuedCommits(commonDir: string): Promise<ReadonlyMap<string, Background>> {
  const names = namesIn(ownPlace(commonDir, 'queue'));
  const commits = names.flatMap(name => /^([0-9a-f]{40,64})\.json$/.exec(name)?.[1] ?? []);
  if (commits.length === 0) return new Map();
  const state = (await isAtWork(commonDir)) ? 'running' : 'waiting';
  return new Map(commits.map(commit => [commit, state]));
}

/** Whether the process that holds the lock of the background is alive. */
async function isAtWork(commonDir: string): Promise<boolean> {
  const lock = await readOwnFile(ownPlace(commonDir, 'background.lock'), MOST_BYTES);
  const pid = countOf(field(lock, 'pid')) ?? 0;
  return pid > 0 && isAlive(pid, stringOf(field(lock, 'start')));
}

/** How many findings the background found, by commit, that nobody has seen yet. */
type News = Readonly<Record<string, number>>;

const newsFile = (commonDir: string): string => ownPlace(commonDir, 'news.json');

async function readNews(commonDir: string): Promise<News> {
  const found = objectOf(await readOwnFile(newsFile(commonDir), MOST_BYTES));
  return Object.fromEntries(
    Object.entries(found).flatMap(([commit, findings]) => {
      const amount = countOf(findings) ?? 0;
      return /^[0-9a-f]{40,64}$/.test(commit) && amount > 0 ? [[commit, amount]] : [];
    }),
  );
}

/** Older ones are in the notes anyway. */
const MOST_COMMITS = 20;

/** Remembers what the next command or hook is to say. */
export async function addNews(commonDir: string, commit: string, findings: number): Promise<void> {
  const { [commit]: _, ...others } = await readNews(commonDir);
  const kept = Object.entries(others).slice(1 - MOST_COMMITS);
  await writeOwnFile(newsFile(commonDir), Object.fromEntries([...kept, [commit, findings]]));
}

/** These have been shown now. */
export async function dropNews(commonDir: string, shown: readonly string[]): Promise<void> {
  const news = await readNews(commonDir);
  const left = Object.entries(news).filter(([commit]) => !shown.includes(commit));
  if (left.length === 0) await removeOwnFile(newsFile(commonDir));
  else if (left.length < Object.keys(news).length) {
    await writeOwnFile(newsFile(commonDir), Object.fromEntries(left));
  }
}

/** One line on what was found in the background since the last time; undefined if nothing was. */
export async function takeNews(commonDir: string): Promise<string | undefined> {
  const news = Object.entries(await readNews(commonDir));
  const [newest] = news.toReversed();
  if (newest === undefined) return undefined;
  await removeOwnFile(newsFile(commonDir));
  const total = news.reduce((sum, [, findings]) => sum + findings, 0);
  const where = news.length === 1 ? newest[0].slice(0, 7) : count(news.length, 'commit');
  const found = `the review in the background found ${count(total, 'problem')} in ${where}`;
  const names = news.map(([commit]) => commit.slice(0, 7)).slice(-3);
  return asRun(`apfel-bot: ${found}; see: apfel-bot show ${names.join(' ')}`);
}
