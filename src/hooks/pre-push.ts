import type { Config } from '../config/config.js';
import { count } from '../core/count.js';
import { type FailOn, type Finding, isFailing, SEVERITIES } from '../core/finding.js';
import { writeContext } from '../git/commit-plan.js';
import { type Git, openGit } from '../git/git.js';
import { askGit } from '../git/spawn.js';
import { anchored, isSettled, saysNothing } from '../notes/record.js';
import { notesPlace, readPages } from '../notes/store.js';
import type { NotedCommit } from '../notes/text.js';
import { nodeClock } from '../platform/clock.js';
import { asRun } from '../platform/own-command.js';
import { forTerminal, guardLineStart } from '../platform/safe-text.js';
import { paint, placeOf } from '../report/style.js';
import type { CommandEnd } from '../session.js';
import { type HookCall, inputLines, NOTHING, reasonOf } from './call.js';
import { reviewCommit, textsAt } from './review-commit.js';
import { readHookConfig } from './settings.js';

/** More than anyone pushes in a day. */
const MAX_COMMITS = 200;

/** Shows the notes of the outgoing commits, reviews what is missing, and blocks on findings. */
export async function prePush(call: HookCall): Promise<CommandEnd> {
  const { parsed, session } = call;
  const pushes = pushesIn(await inputLines(session));
  if (pushes.length === 0) return NOTHING;
  const git = await openGit({ ...session, expectsStaged: false });
  const config = await readHookConfig(call, git);
  call.failsClosed = config.hooks.failClosed;
  session.endAfter(config.hooks.deadlineMs);
  const { repository } = git;
  const listing = await askGit(writeContext({ ...session, repository }), [
    'rev-list',
    '--ignore-missing',
    `--max-count=${MAX_COMMITS + 1}`,
    ...pushes.map(({ local }) => local),
    '--not',
    ...pushes.flatMap(({ remote }) => (isNothing(remote) ? [] : [remote])),
    ...remoteRefs(parsed.positionals[1]),
    '--',
  ]);
  const commits = listing.toString('latin1').split('\n').filter(Boolean);
  const pages = await pagesOf(commits.slice(0, MAX_COMMITS), { call, config, git });
  const tips = pushes.map(({ local }) => local);
  const { text, blocks } = toNotePush(await withoutFixed(git, pages.map(asShown), tips), {
    failOn: config.hooks.failOn,
    color: session.color,
    columns: session.columns,
    isCut: commits.length > MAX_COMMITS,
  });
  return { text: `${text}${partlyReviewed(pages)}`, ending: blocks ? 'findings' : 'done' };
}

const isUnfinished = ({ record }: NotedCommit): boolean =>
  record !== undefined && !saysNothing(record) && !isSettled(record);

/** An empty record isn't a review. */
const asShown = (page: NotedCommit): NotedCommit =>
  page.record !== undefined && saysNothing(page.record) && page.record.findings.length === 0
    ? { ...page, record: undefined }
    : page;

/** Names the commits whose review is unfinished. */
function partlyReviewed(pages: readonly NotedCommit[]): string {
  const some = pages.filter(({ record }) => record !== undefined && !isSettled(record));
  if (some.length === 0) return '';
  const names = some.slice(0, MAX_NAMES).map(({ commit }) => commit.slice(0, 12));
  const more = some.length > names.length ? ` and ${some.length - names.length} more` : '';
  return `apfel-bot: reviewed only in part: ${names.join(', ')}${more}\n`;
}

/** Three fit on a line. */
const MAX_NAMES = 3;

/** The notes of the commits. Those without a review get one now, as far as time allows. */
async function pagesOf(
  commits: readonly string[],
  {
    call,
    config,
    git: { repository },
  }: { readonly call: HookCall; readonly config: Config; readonly git: Git },
): Promise<NotedCommit[]> {
  const { session, startedAt } = call;
  // Findings are read and shown even if the time is up by then.
  const place = notesPlace({ repository, env: session.env, signal: new AbortController().signal });
  const known = await readPages(place, commits, 'own');
  // Commits without any review come first: on the others, at least the checks ran.
  const missing = [
    ...known.filter(({ record }) => record === undefined || saysNothing(record)),
    ...known.filter(isUnfinished),
  ];
  if (missing.length === 0) return known;
  for (const { commit } of missing) {
    const deadlineMs = startedAt + config.hooks.deadlineMs - nodeClock.now();
    if (deadlineMs <= 0 || session.signal.aborted) break;
    try {
      await reviewCommit(call, { commit, deadlineMs, isBackground: false });
    } catch (thrown) {
      // The summary counts commits without a record; this says why, once.
      session.printError(
        `apfel-bot: ${reasonOf(thrown, session.signal)}; ${commit.slice(0, 12)} has no review`,
      );
      break;
    }
  }
  return readPages(place, commits, 'own');
}

interface Push {
  readonly local: string;
  readonly remote: string;
}

/** Deletions push no commits, and notes aren't code. */
const pushesIn = (lines: readonly string[]): Push[] =>
  lines.flatMap(line => {
    const [ref = '', local = '', , remote = ''] = line.split(' ');
    const areIds = [local, remote].every(id => /^([0-9a-f]{40}|[0-9a-f]{64})$/.test(id));
    const isWanted = areIds && !isNothing(local) && !ref.startsWith('refs/notes/');
    return isWanted ? [{ local, remote }] : [];
  });

const isNothing = (id: string): boolean => /^0+$/.test(id);

/** What the remote is known to have; nothing for a bare URL. */
const remoteRefs = (name: string | undefined): string[] =>
  name !== undefined && /^[\w.-]+$/.test(name) ? [`--remotes=${name}`] : [];

/** Drops what a later commit of the same push fixed, except secrets, which stay in history. */
async function withoutFixed(
  git: Git,
  pages: readonly NotedCommit[],
  tips: readonly string[],
): Promise<NotedCommit[]> {
  const paths = pages.flatMap(({ record }) => record?.findings.map(({ path }) => path) ?? []);
  const [tip, ...others] = new Set(tips);
  // With several branches at once, what one fixed may still be in another.
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

interface PrePushOptions {
  readonly failOn: FailOn;
  readonly color: boolean;
  readonly columns: number;
  /** There are more commits than were checked. */
  readonly isCut: boolean;
}

/** A terminal has 24 lines; the prompt and git's own output need some. */
const MAX_LINES = 16;

/** The notes of outgoing commits, on one screen. Empty when there is nothing to report. */
export function toNotePush(
  noted: readonly NotedCommit[],
  options: PrePushOptions,
): { readonly text: string; readonly blocks: boolean } {
  const reported = noted.filter(({ record }) => (record?.findings.length ?? 0) > 0);
  const blocking = reported.flatMap(({ record }) =>
    (record?.findings ?? []).filter(finding => isFailing(finding, options.failOn)),
  );
  const unreviewed = noted.filter(({ record }) => record === undefined).length;
  if (reported.length + unreviewed === 0) return { text: '', blocks: false };
  const rows = reported.flatMap(each => commitRows(each, options));
  const shown = rows.slice(0, MAX_LINES);
  const rest = rows.length - shown.length;
  const lines = [
    ...shown,
    ...(rest > 0 ? [asRun(`  … ${count(rest, 'line')} more: apfel-bot show COMMIT`)] : []),
    summary(noted, { withFindings: reported.length, unreviewed }, options),
    ...(blocking.length > 0 ? nextSteps(blocking.length, options) : []),
  ];
  return { text: `${guardLineStart(lines.join('\n'))}\n`, blocks: blocking.length > 0 };
}

function commitRows({ commit, subject, record }: NotedCommit, options: PrePushOptions): string[] {
  const { bold } = paint(options.color);
  const findings = (record?.findings ?? []).toSorted(
    (one, other) => SEVERITIES.indexOf(other.severity) - SEVERITIES.indexOf(one.severity),
  );
  const head = cut(`${commit.slice(0, 12)} ${forTerminal(subject)}`, options.columns);
  return [bold(head), ...findings.map(finding => findingRow(finding, options))];
}

function findingRow(finding: Finding, { color, columns }: PrePushOptions): string {
  const { severity, rule, message } = finding;
  const place = forTerminal(placeOf(finding));
  const row = cut(`${place}  ${forTerminal(rule)}  ${forTerminal(message)}`, columns - 12);
  return `  ${paint(color)[severity](severity)} ${row}`;
}

/** Counts code units; with wide characters a line may wrap. */
const cut = (text: string, max: number): string =>
  text.length > max
    ? `${text.slice(0, Math.max(1, max - 1)).replace(/\p{Surrogate}$/u, '')}…`
    : text;

function summary(
  noted: readonly NotedCommit[],
  { withFindings, unreviewed }: { withFindings: number; unreviewed: number },
  { isCut }: PrePushOptions,
): string {
  const words = [
    `${count(noted.length, 'outgoing commit')}${isCut ? ' checked (there are more)' : ''}`,
    `${withFindings} with findings`,
    ...(unreviewed > 0 ? [`${unreviewed} not reviewed`] : []),
  ];
  return `apfel-bot: ${words.join(', ')}`;
}

const nextSteps = (amount: number, { color }: PrePushOptions): string[] => [
  paint(color).bold(`apfel-bot blocked this push: ${count(amount, 'finding')} to fix.`),
  asRun('  see them in full:  apfel-bot show COMMIT'),
  '  fix them, or skip the hooks this once:  git push --no-verify',
];
