import { count } from '../core/count.js';
import { countOf, field, objectOf, stringOf } from '../core/json-fields.js';
import { namesIn } from '../platform/files.js';
import { asRun } from '../platform/own-command.js';
import { ownPlace, readOwnFile, removeOwnFile, writeOwnFile } from '../platform/own-files.js';
import { isAlive } from '../platform/processes.js';

const MAX_BYTES = 16 * 1024;

/** The state of a commit that is queued for a background review. */
type Background = 'running' | 'waiting';

/** The queued commits; `hooks/queue` writes the files. */
export async function queuedCommits(commonDir: string): Promise<ReadonlyMap<string, Background>> {
  const names = namesIn(ownPlace(commonDir, 'queue'));
  const commits = names.flatMap(name => /^([0-9a-f]{40,64})\.json$/.exec(name)?.[1] ?? []);
  if (commits.length === 0) return new Map();
  const state = (await isAtWork(commonDir)) ? 'running' : 'waiting';
  return new Map(commits.map(commit => [commit, state]));
}

/** Whether the process that holds the background lock is alive. */
async function isAtWork(commonDir: string): Promise<boolean> {
  const lock = await readOwnFile(ownPlace(commonDir, 'background.lock'), MAX_BYTES);
  const pid = countOf(field(lock, 'pid')) ?? 0;
  return pid > 0 && isAlive(pid, stringOf(field(lock, 'start')));
}

/** The number of background findings that nobody has seen yet, by commit. */
type News = Readonly<Record<string, number>>;

const newsFile = (commonDir: string): string => ownPlace(commonDir, 'news.json');

async function readNews(commonDir: string): Promise<News> {
  const found = objectOf(await readOwnFile(newsFile(commonDir), MAX_BYTES));
  return Object.fromEntries(
    Object.entries(found).flatMap(([commit, findings]) => {
      const amount = countOf(findings) ?? 0;
      return /^[0-9a-f]{40,64}$/.test(commit) && amount > 0 ? [[commit, amount]] : [];
    }),
  );
}

/** Older ones are in the notes anyway. */
const MAX_COMMITS = 20;

/** Saves what the next command or hook should print. */
export async function addNews(commonDir: string, commit: string, findings: number): Promise<void> {
  const { [commit]: _, ...others } = await readNews(commonDir);
  const kept = Object.entries(others).slice(1 - MAX_COMMITS);
  await writeOwnFile(newsFile(commonDir), Object.fromEntries([...kept, [commit, findings]]));
}

/** Removes those that have been shown. */
export async function dropNews(commonDir: string, shown: readonly string[]): Promise<void> {
  const news = await readNews(commonDir);
  const left = Object.entries(news).filter(([commit]) => !shown.includes(commit));
  if (left.length === 0) await removeOwnFile(newsFile(commonDir));
  else if (left.length < Object.keys(news).length) {
    await writeOwnFile(newsFile(commonDir), Object.fromEntries(left));
  }
}

/** One line about background findings since the last time; undefined if there are none. */
export async function takeBackgroundFindings(commonDir: string): Promise<string | undefined> {
  const news = Object.entries(await readNews(commonDir));
  const [newest] = news.toReversed();
  if (newest === undefined) return undefined;
  await removeOwnFile(newsFile(commonDir));
  const total = news.reduce((sum, [, findings]) => sum + findings, 0);
  const where = news.length === 1 ? newest[0].slice(0, 7) : count(news.length, 'commit');
  const found = `the background review found ${count(total, 'problem')} in ${where}`;
  const names = news.map(([commit]) => commit.slice(0, 7)).slice(-3);
  return asRun(`apfel-bot: ${found}; see: apfel-bot show ${names.join(' ')}`);
}
