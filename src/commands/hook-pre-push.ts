import { askGit } from '../adapters/commit/git-commit-ask.js';
import { writingSpot } from '../adapters/commit/git-commit-spot.js';
import { openGit } from '../adapters/git/git.js';
import { nodeClock } from '../adapters/node-clock.js';
import { notesPlace, readPages } from '../adapters/notes/note-book.js';
import type { Config } from '../config.js';
import { isSettled, saysNothing } from '../core/note.js';
import { anchored } from '../core/note-rewrite.js';
import { toNotePush } from '../publish/to-note-push.js';
import type { NotedCommit } from '../publish/to-note-text.js';
import type { Git } from '../world.js';
import type { CommandEnd } from './desk.js';
import { type HookCall, inputLines, NOTHING, reasonOf } from './hook-call.js';
import { readHookConfig } from './hook-settings.js';
import { reviewCommit } from './review-commit.js';
import { textsAt } from './texts-at.js';

/** More commits than this nobody pushes in one day. */
const MOST_COMMITS = 200;

/** Shows what the notes of the outgoing commits say, reviews what is missing, stops for what is grave. */
export async function prePush(call: HookCall): Promise<CommandEnd> {
  const { parsed, desk } = call;
  const pushes = pushesIn(await inputLines(desk));
  if (pushes.length === 0) return NOTHING;
  const git = await openGit({ ...desk, expectsStaged: false });
  const { config, settings } = await readHookConfig(parsed, git);
  call.failsClosed = settings.failClosed;
  desk.endAfter(config.hooks.deadlineMs);
  const { repository } = git;
  const listing = await askGit(writingSpot({ ...desk, repository }), [
    'rev-list',
    '--ignore-missing',
    `--max-count=${MOST_COMMITS + 1}`,
    ...pushes.map(({ local }) => local),
    '--not',
    ...pushes.flatMap(({ remote }) => (isNothing(remote) ? [] : [remote])),
    ...remoteRefs(parsed.words[1]),
    '--',
  ]);
  const commits = listing.toString('latin1').split('\n').filter(Boolean);
  const pages = await pagesOf(commits.slice(0, MOST_COMMITS), { call, config, git });
  const tips = pushes.map(({ local }) => local);
  const { text, blocks } = toNotePush(await withoutMended(git, pages.map(asTold), tips), {
    failOn: config.hooks.failOn,
    color: desk.color,
    columns: desk.columns,
    isCut: commits.length > MOST_COMMITS,
  });
  return { text: `${text}${partly(pages)}`, ending: blocks ? 'findings' : 'done' };
}

const isUnfinished = ({ record }: NotedCommit): boolean =>
  record !== undefined && !saysNothing(record) && !isSettled(record);

/** A record that claims nothing and has found nothing is no review. */
const asTold = (page: NotedCommit): NotedCommit =>
  page.record !== undefined && saysNothing(page.record) && page.record.findings.length === 0
    ? { ...page, record: undefined }
    : page;

/** Which of them somebody has begun to look at, and not come to the end. */
function partly(pages: readonly NotedCommit[]): string {
  const some = pages.filter(({ record }) => record !== undefined && !isSettled(record));
  if (some.length === 0) return '';
  const names = some.slice(0, MOST_NAMES).map(({ commit }) => commit.slice(0, 12));
  const more = some.length > names.length ? ` and ${some.length - names.length} more` : '';
  return `apfel-bot: reviewed only in part: ${names.join(', ')}${more}\n`;
}

/** Three fit on a line. */
const MOST_NAMES = 3;

interface Asked {
  readonly call: HookCall;
  readonly config: Config;
  readonly git: Git;
}

/** What is noted of the commits. What nobody has looked at is reviewed now, as far as time allows. */
async function pagesOf(
  commits: readonly string[],
  { call, config, git: { repository } }: Asked,
): Promise<NotedCommit[]> {
  const { desk, startedAt } = call;
  // What was found is read and told even if the time is up by then.
  const place = notesPlace({ repository, env: desk.env, signal: new AbortController().signal });
  const known = await readPages(place, commits);
  // What has no review at all comes first: of the others, the checks at least were made.
  const missing = [
    ...known.filter(({ record }) => record === undefined || saysNothing(record)),
    ...known.filter(isUnfinished),
  ];
  if (missing.length === 0) return known;
  for (const { commit } of missing) {
    const deadlineMs = startedAt + config.hooks.deadlineMs - nodeClock.now();
    if (deadlineMs <= 0 || desk.signal.aborted) break;
    try {
      await reviewCommit(call, { commit, deadlineMs, isBackground: false });
    } catch (thrown) {
      // The summary counts a commit without a record; why is told here, once.
      desk.say(`apfel-bot: ${reasonOf(thrown, desk.signal)}; ${commit.slice(0, 12)} has no review`);
      break;
    }
  }
  return readPages(place, commits);
}

interface Push {
  readonly local: string;
  readonly remote: string;
}

/** Deletions bring nothing out; notes are no code. */
const pushesIn = (lines: readonly string[]): Push[] =>
  lines.flatMap(line => {
    const [ref = '', local = '', , remote = ''] = line.split(' ');
    const areIds = [local, remote].every(id => /^([0-9a-f]{40}|[0-9a-f]{64})$/.test(id));
    const isWanted = areIds && !isNothing(local) && !ref.startsWith('refs/notes/');
    return isWanted ? [{ local, remote }] : [];
  });

const isNothing = (id: string): boolean => /^0+$/.test(id);

/** What the remote is known to have; an address without a name is known for nothing. */
const remoteRefs = (name: string | undefined): string[] =>
  name !== undefined && /^[\w.-]+$/.test(name) ? [`--remotes=${name}`] : [];

/** What a later commit of the same push has mended needs no word, but a secret stays in history. */
async function withoutMended(
  git: Git,
  pages: readonly NotedCommit[],
  tips: readonly string[],
): Promise<NotedCommit[]> {
  const paths = pages.flatMap(({ record }) => record?.findings.map(({ path }) => path) ?? []);
  const [tip, ...others] = new Set(tips);
  // With several branches at once, what is mended in one may still stand in another.
  if (paths.length === 0 || tip === undefined || others.length > 0) return [...pages];
  const texts = await textsAt(git, tip, paths);
  return pages.map(page => {
    if (page.record === undefined) return page;
    const findings = page.record.findings.filter(
      finding =>
        finding.rule.startsWith('secret/') ||
        finding.side === 'old' ||
        anchored(finding, texts.get(finding.path)) !== undefined,
    );
    return { ...page, record: { ...page.record, findings } };
  });
}
