import { runOfMessage, type Signature } from '../../core/commit-plan.js';
import { type GitSpot, runGit } from '../git/git-spawn.js';
import { askGit } from './git-commit-ask.js';

/** More commits than this on a branch of ours means it is not ours any more. */
const MOST_COMMITS = 1000;

export interface Line {
  readonly base: string;
  readonly tip: string;
  /** Whose commits may be replaced. */
  readonly committer: Pick<Signature, 'name' | 'email'>;
}

/** Why the commits from `base` to `tip` are not ours to replace; undefined when they are. */
export async function whyForeign(
  spot: GitSpot,
  { base, tip, committer }: Line,
): Promise<string | undefined> {
  const ancestry = await runGit(spot, ['merge-base', '--is-ancestor', base, tip]);
  if (ancestry.code !== 0) return 'it starts from another commit';
  const format = '--format=%cn <%ce>%n%B';
  const asked = ['log', '-z', '--encoding=UTF-8', `--max-count=${MOST_COMMITS + 1}`, format];
  const listing = await askGit(spot, [...asked, `${base}..${tip}`, '--']);
  const commits = listing.toString('utf8').split('\0').filter(Boolean);
  if (commits.length === 0 || commits.length > MOST_COMMITS) return 'it holds no commits of ours';
  const ours = `${committer.name} <${committer.email}>`;
  const isOurs = (text: string): boolean =>
    text.slice(0, text.indexOf('\n')) === ours && runOfMessage(text) !== undefined;
  return commits.every(isOurs) ? undefined : 'it holds commits of somebody else';
}
