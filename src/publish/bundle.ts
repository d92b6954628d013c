import { lookalikeWords } from '../checks/hidden-unicode.js';
import { BotError, isBotError } from '../core/bot-error.js';
import type { FixBranch } from '../core/outcome.js';
import { checkBundle } from '../git/bundle.js';
import { whyNotOurMessage } from '../git/commit.js';
import { type BuiltCommit, OWN_SIGNATURE } from '../git/commit-plan.js';
import { askGit, type GitContext } from '../git/spawn.js';
import { listChanges, readObjects } from '../git/tree.js';
import { replaceHidden } from '../platform/safe-text.js';
import { findSecrets } from '../secrets/scan.js';
import { edited } from './pull-text.js';
import { fetchBase, localContext, type Remote, type RemoteRepo } from './remote-repo.js';

/** A bundle that was checked, unpacked into a repository that has only it and its base. */
export interface OpenBundle {
  readonly remote: Remote;
  readonly context: GitContext;
  readonly base: string;
  readonly branch: string;
  readonly tip: string;
  /** Oldest first. */
  readonly commits: readonly BundleCommit[];
}

export interface BundleCommit extends CommitText {
  readonly id: string;
  readonly paths: readonly string[];
}

interface CommitText {
  /** `name <address>` */
  readonly author: string;
  readonly committer: string;
  readonly message: string;
}

/** Opens the bundle as if an attacker had written it: a straight line of edits, or a failure. */
export async function openBundle(
  { remote, folder }: RemoteRepo,
  options: {
    readonly path: string;
    readonly base: string;
    readonly mayEdit: (path: string) => boolean;
  },
): Promise<OpenBundle> {
  const { path, base, mayEdit } = options;
  const checked = checkBundle({
    repository: await fetchBase({ remote, folder }, base),
    env: localContext(remote, folder).env,
    signal: remote.signal,
    temp: folder,
    // Its scratch folder is inside ours and is removed with it.
    announce: async () => undefined,
    path,
    base,
    allow: mayEdit,
  });
  const { context, branch, tip, commits } = await asPublishing(checked);
  await checkContents(context, base, commits);
  const texts = await commitTexts(context, base, tip);
  return {
    remote,
    context,
    base,
    branch,
    tip,
    commits: commits.map(commit => ({ ...commit, ...(texts.get(commit.id) ?? NO_TEXT) })),
  };
}

/** Here an unreadable file means that publishing failed, not that the command line is wrong. */
async function asPublishing<Value>(work: Promise<Value>): Promise<Value> {
  try {
    return await work;
  } catch (thrown) {
    if (!isBotError(thrown) || (thrown.code !== 'usage' && thrown.code !== 'git')) throw thrown;
    throw new BotError('publish-failed', thrown.message, {
      hint: thrown.hint ?? 'Keep the bundle next to the outcome, where fix-lint --out wrote it',
      cause: thrown,
    });
  }
}

const NO_TEXT: CommitText = { author: '', committer: '', message: '' };

async function commitTexts(
  context: GitContext,
  base: string,
  tip: string,
): Promise<Map<string, CommitText>> {
  const format = '--format=%H%x01%an <%ae>%x01%cn <%ce>%x01%B';
  const args = ['log', '-z', '--encoding=UTF-8', format, `${base}..${tip}`];
  const records = (await askGit(context, args)).toString('utf8').split('\0').filter(Boolean);
  return new Map(
    records.map(record => {
      const [id = '', author = '', committer = '', ...message] = record.split('\x01');
      return [id, { author, committer, message: message.join('\x01') }];
    }),
  );
}

/** The bundle must contain what the outcome says, made by us in that run. */
export function checkBundleMatches(bundle: OpenBundle, branch: FixBranch, run: string): void {
  if (bundle.branch !== branch.name) {
    throw edited(`it names the branch ${branch.name}, but its bundle has ${bundle.branch}`);
  }
  if (bundle.tip !== branch.commit) {
    throw edited(`it names the commit ${branch.commit}, but its bundle ends at ${bundle.tip}`);
  }
  for (const commit of bundle.commits) {
    const problem = problemOf(commit, run);
    if (problem === undefined) continue;
    throw new BotError('not-permitted', `the bundle is refused: commit ${commit.id} ${problem}`, {
      hint: 'Make it again with: apfel-bot fix-lint --out FILE',
    });
  }
}

function problemOf({ author, committer, message }: BundleCommit, run: string): string | undefined {
  if (author !== OWN_SIGNATURE || committer !== OWN_SIGNATURE)
    return `is by ${author}, not by ${OWN_SIGNATURE}`;
  if (findSecrets(message).length > 0) return 'has a secret in its message';
  const [subject = ''] = message.split('\n', 1);
  if (lookalikeWords(subject).length > 0)
    return 'has a word in its subject that looks Latin and mixes scripts';
  return whyNotOurMessage(message, run);
}

/** A larger file isn't source that people read. */
const MAX_FILE_BYTES = 8 * 1024 * 1024;
/** Lines that a file has after the edits but not before: more is a rewrite. */
const MAX_FILE_LINES = 4000;
const MAX_NEW_CHARACTERS = 1024 * 1024;
const MAX_LINES = 40_000;

/**
 * Checks what the commits add, not only where: size, secrets, hidden characters, lookalikes. Each
 * commit separately, since all of them are published. What was in the file before doesn't count.
 */
async function checkContents(
  context: GitContext,
  base: string,
  commits: readonly BuiltCommit[],
): Promise<void> {
  let parent = base;
  let lines = 0;
  for (const { id } of commits) {
    for (const { path, before, after } of await listChanges(context, parent, id)) {
      await refuseLarge(context, path, [before.id, after.id]);
      const texts = await readObjects(context, [before.id, after.id]);
      const [old, now] = [before.id, after.id].map(each => texts.get(each)?.toString('utf8') ?? '');
      lines += checkText(path, old ?? '', now ?? '');
      if (lines > MAX_LINES) throw refused(`its commits add more than ${MAX_LINES} lines`);
    }
    parent = id;
  }
}

/** By the size that git has recorded, so that nothing large has to be read. */
async function refuseLarge(
  context: GitContext,
  path: string,
  ids: readonly string[],
): Promise<void> {
  const format = '--batch-check=%(objectsize)';
  const sizes = await askGit(context, ['cat-file', format], Buffer.from(`${ids.join('\n')}\n`));
  for (const size of sizes.toString('latin1').trim().split('\n')) {
    if (Number(size) <= MAX_FILE_BYTES) continue;
    throw refused(`${JSON.stringify(path)} has ${size} bytes, more than ${MAX_FILE_BYTES}`);
  }
}

function checkText(path: string, old: string, now: string): number {
  const name = JSON.stringify(path);
  const added = onlyNew(now.split('\n'), old.split('\n'));
  if (added.length > MAX_FILE_LINES) {
    throw refused(`${added.length} lines of ${name} are new, more than ${MAX_FILE_LINES}`);
  }
  const characters = added.reduce((sum, line) => sum + line.length, 0);
  if (characters > MAX_NEW_CHARACTERS) {
    throw refused(
      `the new lines of ${name} have ${characters} characters, more than ${MAX_NEW_CHARACTERS}`,
    );
  }
  if (onlyNew(secretsOf(now), secretsOf(old)).length > 0)
    throw refused(`${name} has a new secret`, REMOVE_IT);
  if (onlyNew(hiddenIn(now), hiddenIn(old)).length > 0) {
    throw refused(`${name} has new hidden characters`, REMOVE_IT);
  }
  if (onlyNew(lookalikeWords(now), lookalikeWords(old)).length > 0) {
    throw refused(`${name} has a new word that looks Latin and mixes scripts`, REMOVE_IT);
  }
  return added.length;
}

/** Those that aren't among the others, counting repeats. */
function onlyNew(these: readonly string[], others: readonly string[]): string[] {
  const left = new Map<string, number>();
  for (const each of others) left.set(each, (left.get(each) ?? 0) + 1);
  return these.filter(each => {
    const there = left.get(each) ?? 0;
    if (there > 0) left.set(each, there - 1);
    return there === 0;
  });
}

const secretsOf = (text: string): string[] =>
  findSecrets(text).map(({ start, end }) => text.slice(start, end));

/** Invisible, bidirectional and control characters. */
function hiddenIn(text: string): string[] {
  const found: string[] = [];
  replaceHidden(text, char => {
    if (!/[\t\n\f\r]/.test(char)) found.push(char);
    return '';
  });
  return found;
}

const FIX_FEWER =
  'Fix fewer at a time with fix-lint --max-fixes N, or push the commits yourself: git fetch BUNDLE';
const REMOVE_IT = 'Find out which edit added it, and run fix-lint again without that one';

const refused = (reason: string, hint = FIX_FEWER): BotError =>
  new BotError('not-permitted', `the bundle is refused: ${reason}`, { hint });
