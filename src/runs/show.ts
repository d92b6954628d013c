import { dirname } from 'node:path';
import { type WorkOptions, workOptions } from '../config/options.js';
import { isBotError } from '../core/bot-error.js';
import { type ParsedArguments, usage } from '../core/task.js';
import { type Git, openGit } from '../git/git.js';
import { notesPlace, readPages } from '../notes/store.js';
import { type NotedCommit, toNoteJson, toNoteText } from '../notes/text.js';
import { writeText } from '../platform/files.js';
import { openFile } from '../platform/open-file.js';
import { asRun } from '../platform/own-command.js';
import { makeOwnFolder, ownPlace, PRIVATE } from '../platform/own-files.js';
import { forTerminal } from '../platform/safe-text.js';
import { jsonText } from '../report/json.js';
import type { CommandEnd, Session } from '../session.js';
import type { AuditRun } from './audit-run.js';
import { dropNews, queuedCommits } from './background-state.js';
import {
  catalog,
  findNewestRun,
  findRunNamed,
  findRunOf,
  findStagedRun,
  listCommits,
  type ShowContext,
} from './find-run.js';
import { keptRuns, knownOutcome, loadFile } from './load-run.js';
import { audit } from './page/page.js';
import { count } from './page/words.js';
import { listedRun, listText, runData, runJson, runText } from './run-text.js';

const MAX_MS = 60_000;

/** `show [RUN | FILE | REV…]`: what is recorded. All of it is untrusted. */
export async function show(parsed: ParsedArguments, session: Session): Promise<CommandEnd> {
  const options = workOptions(parsed);
  session.endAfter(options.deadlineMs ?? MAX_MS);
  const { positionals: words } = parsed;
  const page = parsed.values.get('html') ?? (parsed.switches.has('open') ? '' : undefined);
  if (/^(?:HEAD|@|[0-9a-f]{7,64})(?:[~^].*)?$/.test(page ?? '')) {
    throw usage(`--html takes a file, found the revision ${page}: apfel-bot show ${page} --html`);
  }
  if (parsed.switches.has('list')) {
    if (words.length > 0 || page !== undefined)
      throw usage('--list takes no names, no --html and no --open: apfel-bot show --list');
    const text = await listRuns({ git: await open(session), session }, options);
    return { text, ending: 'done' };
  }
  const run = await findOne(words, { isPage: page !== undefined, session });
  if (run === undefined) {
    const git = await open(session);
    const staged = words.length === 0 && (await findStagedRun({ git, session }));
    if (staged) session.printError(asRun(`to see the staged changes: apfel-bot show ${staged}`));
    return showCommits({ words, options, git, session });
  }
  if (page !== undefined) {
    const file = page === '' ? await ownPage(session) : page;
    const text = await writePage(run, file, page === '' ? PRIVATE : undefined);
    if (parsed.switches.has('open')) await openPage(file, session);
    return { text, ending: 'done' };
  }
  const text = options.format === 'json' ? runJson(run) : runText(run, { session, options });
  return { text, ending: 'done' };
}

const open = (session: Session): Promise<Git> => openGit({ ...session, expectsStaged: false });

/** The run that is meant; undefined if the words name commits. */
async function findOne(
  words: readonly string[],
  { isPage, session }: { readonly isPage: boolean; readonly session: Session },
): Promise<AuditRun | undefined> {
  const [word, ...others] = words;
  if (isPage && others.length > 0) throw usage(`--html shows one run, found ${words.length} names`);
  if (others.length > 0) return undefined;
  if (word?.endsWith('.json')) return loadFile(word, await openIfThere(session));
  const place = { git: await open(session), session };
  if (word === undefined) {
    // Before the first commit, a run is all there is to show.
    const isNewest = isPage || place.git.repository.head === undefined;
    return isNewest ? findNewestRun(place) : undefined;
  }
  return (await findRunNamed(word, place)) ?? (isPage ? findRunOf(word, place) : undefined);
}

/** An outcome file can be shown anywhere, even outside a repository. */
async function openIfThere(session: Session): Promise<Git | undefined> {
  try {
    return await open(session);
  } catch (thrown) {
    if (isBotError(thrown)) return undefined;
    throw thrown;
  }
}

/** Always the same file: nothing accumulates, and the work tree stays clean. */
async function ownPage(session: Session): Promise<string> {
  const git = await openIfThere(session);
  if (git === undefined) throw usage('outside a repository --html needs a file: --html audit.html');
  const file = ownPlace(git.repository.commonDir, 'audit.html');
  makeOwnFolder(dirname(file));
  return file;
}

async function openPage(file: string, { printError: say }: Session): Promise<void> {
  const problem = await openFile(file);
  if (problem !== undefined) say(`apfel-bot: ${problem}; open it yourself: ${forTerminal(file)}`);
}

async function writePage(run: AuditRun, file: string, mode?: number): Promise<string> {
  const text = audit(run);
  await writeText(file, text, mode);
  const turns = run.conversations.reduce((sum, conversation) => sum + conversation.turns.length, 0);
  const facts = [
    count(run.outcome.findings?.length ?? 0, 'finding'),
    count(turns, 'turn'),
    `${Math.ceil(Buffer.byteLength(text) / 1024)} kB`,
  ];
  return `wrote ${forTerminal(file)}: run ${run.outcome.run}, ${facts.join(', ')}\n`;
}

/** `show --list`: the runs that are recorded, newest first. */
async function listRuns(place: ShowContext, { format }: WorkOptions): Promise<string> {
  const entries = await catalog(place);
  const runs = entries.flatMap(entry => {
    const { outcome, origin } = knownOutcome(entry, place.git);
    return listedRun(outcome, origin) ?? [];
  });
  return format === 'json' ? jsonText({ runs }) : listText(runs);
}

/** A longer range is for git log. */
const MAX_COMMITS = 1000;

interface ShowCommitsOptions {
  readonly words: readonly string[];
  readonly options: WorkOptions;
  readonly git: Git;
  readonly session: Session;
}

/** What is recorded about commits: in their notes, otherwise by runs of this clone. */
async function showCommits(request: ShowCommitsOptions): Promise<CommandEnd> {
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
