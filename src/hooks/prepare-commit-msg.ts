import { formatDuration } from '../core/deadline.js';
import type { DescriptionOutcome } from '../core/outcome.js';
import { describe } from '../describe/command.js';
import { PLAIN_TITLE } from '../describe/summarise.js';
import { type Git, openGit, userGitContext } from '../git/git.js';
import { runGit } from '../git/spawn.js';
import { type HandOver, isUnderWay, readHandOver, stagedDigest } from '../notes/hand-over.js';
import { readText, writeText } from '../platform/files.js';
import { forTerminal, forTerminalLines } from '../platform/safe-text.js';
import type { CommandEnd, Session } from '../session.js';
import { type HookCall, NOTHING } from './call.js';
import { readHookConfig } from './settings.js';

/**
 * Drafts a commit message where git opens an editor on an empty one. Never over existing text, and
 * never when the message comes from elsewhere: -m, a template, a merge, an amend.
 */
export async function prepareCommitMsg(call: HookCall): Promise<CommandEnd> {
  const { session, parsed } = call;
  const [, file, source] = parsed.positionals;
  if (file === undefined || source !== undefined) return NOTHING;
  const git = await openGit({ ...session, expectsStaged: false });
  if (isUnderWay(git.repository)) return NOTHING;
  const text = await readText(file);
  const place = text === undefined ? undefined : placeFor(text);
  if (text === undefined || place === undefined) return NOTHING;
  const { draft, deadlineMs } = (await readHookConfig(call, git)).hooks;
  const isSafe = !(await keepsComments(session));
  if (draft === 'comment' && !isSafe) return NOTHING;
  const { at, sign } = place;
  const write = (before: string, lines: readonly string[]): Promise<void> =>
    writeText(file, `${before}${lines.join('\n')}\n${text.slice(at)}`);
  // Keeps an empty line at the top, where the user starts typing.
  const comment = (lines: readonly string[]): Promise<void> =>
    write(text.slice(0, at), commented(lines, sign));
  /** The editor soon covers what is printed. */
  const noDraft = async (why: string): Promise<CommandEnd> => {
    const line = `apfel-bot: no draft of the message: ${why}`;
    session.printError(line);
    if (isSafe) await comment([forTerminal(line)]);
    return NOTHING;
  };
  const checked = await preCommitResult(git, session);
  if (checked !== undefined && hadNoModel(checked)) {
    return noDraft('pre-commit found no model or ran out of time');
  }
  const history = await readHistory(session);
  const described = await describeStaged(
    call,
    history.subjects,
    Math.min(deadlineMs, MAX_DRAFT_MS),
  );
  if (described.notices.includes(PLAIN_TITLE)) return noDraft(whyNot(described));
  const { title, body } = described.description;
  const message = messageOf({ title: inStyle(title, history), body });
  if (draft === 'text') await write('', [...message, '']);
  else {
    const what = `Draft by apfel-bot: remove the ${sign} in front of the lines you want to keep.`;
    await comment([what, '', ...message, '']);
  }
  return NOTHING;
}

/** A draft in comments would become part of the message. */
async function keepsComments(session: Session): Promise<boolean> {
  const { stdout } = await runGit(userGitContext(session), ['config', 'commit.cleanup']);
  return /^(?:verbatim|whitespace)$/m.test(stdout.toString('utf8'));
}

/** After pre-commit, nobody wants to wait long for a draft. */
const MAX_DRAFT_MS = 5_000;

/** What pre-commit found, if it has just checked this change. */
async function preCommitResult(
  { repository }: Git,
  session: Session,
): Promise<HandOver | undefined> {
  const handOver = await readHandOver(repository);
  if (handOver?.head !== (repository.head ?? repository.emptyTree)) return undefined;
  const isSame = handOver.digest === (await stagedDigest(userGitContext(session)));
  return isSame ? handOver : undefined;
}

const hadNoModel = ({ finished: { complete, ledger } }: HandOver): boolean =>
  !complete && ledger.outOfTime + ledger.checked > 0;

/** The model's failure, if there was one; otherwise its title was rejected. */
const whyNot = ({ notices, limits }: DescriptionOutcome): string => {
  const deadline = limits.find(({ limit, hit }) => limit === 'deadline' && hit);
  if (deadline !== undefined) return `out of time after ${deadline.value}`;
  const [trouble = 'the model gave no title that fits the change'] = notices.filter(
    notice => notice !== PLAIN_TITLE && !/described by code|^left out /.test(notice),
  );
  return trouble;
};

/** Enough to show the language and the style, in few tokens. */
const MAX_EXAMPLES = 5;

/** `describe --staged`, in the time that a draft has. */
async function describeStaged(
  { session, parsed }: HookCall,
  subjects: readonly string[],
  mostMs: number,
): Promise<DescriptionOutcome> {
  const values = new Map([
    ['deadline', formatDuration(mostMs)],
    ...parsed.values,
    ['format', 'json'],
  ]);
  const quiet = session.isWatched ? [] : ['quiet'];
  const switches = new Set([...parsed.switches, 'staged', ...quiet]);
  const asked = { values, switches, positionals: [], paths: [] };
  const { text } = await describe(asked, session, subjects.slice(0, MAX_EXAMPLES));
  return JSON.parse(text);
}

/**
 * Where git's own comment begins, and what its lines begin with; undefined where a draft would be in
 * the way.
 */
export function placeFor(text: string): { at: number; sign: string } | undefined {
  const at = text.search(/^\S/m);
  // `core.commentString` may have several characters.
  const [sign] = /^[^\s\p{L}\p{N}]+(?!\S)/u.exec(text.slice(at)) ?? [];
  if (at === -1 || sign === undefined) return undefined;
  const rest = text.slice(at).split('\n');
  const [first = ''] = rest;
  // Comments above a scissors line would stay in the message.
  if (isCut(first, sign)) return undefined;
  const end = rest.findIndex(line => isCut(line, sign));
  const comment = rest.slice(0, end === -1 ? rest.length : end);
  return comment.every(line => line === '' || line.startsWith(sign)) ? { at, sign } : undefined;
}

const isCut = (line: string, sign: string): boolean =>
  line.startsWith(`${sign} `) && / >8 -/.test(line);

function messageOf({ title, body }: DescriptionOutcome['description']): string[] {
  // Git lists the files itself, and a body that repeats the title adds nothing.
  const paragraphs = body
    .split('\n\n')
    .filter(each => !/^\d+ files? changed, \+/.test(each) && !isSaying(title, each));
  const text = forTerminalLines(paragraphs.join('\n\n')).trim();
  return [
    forTerminalLines(title).replaceAll('\n', ' '),
    ...(text === '' ? [] : ['', ...text.split('\n')]),
  ];
}

const isSaying = (title: string, words: string): boolean =>
  title.toLowerCase().endsWith(words.toLowerCase().replace(/\.\s*$/, ''));

const commented = (lines: readonly string[], sign: string): string[] =>
  lines.map(line => `${sign} ${line}`.trimEnd());

/** What the style of the next subject is derived from. */
interface History {
  /** Of the last commits, newest first. */
  readonly subjects: readonly string[];
  /** The files of the next commit. */
  readonly paths: readonly string[];
  readonly branch: string;
}

const MAX_COMMITS = 50;
/** Fewer commits don't show a habit. */
const MIN_COMMITS = 5;

async function readHistory(session: Session): Promise<History> {
  const context = userGitContext(session);
  const ask = async (...args: string[]): Promise<string> =>
    (await runGit(context, args)).stdout.toString('utf8');
  const [log, paths, branch] = await Promise.all([
    ask('log', `-${MAX_COMMITS}`, '--no-merges', '--format=%s'),
    ask('diff', '--cached', '--name-only', '-z'),
    ask('symbolic-ref', '--short', '--quiet', 'HEAD'),
  ]);
  const subjects = log.split('\n').filter(line => line !== '' && !GENERATED.test(line));
  return {
    subjects: subjects.length < MIN_COMMITS ? [] : subjects,
    paths: paths.split('\0').filter(Boolean),
    branch: branch.trim(),
  };
}

/** Subjects that git generates. */
const GENERATED = /^(?:fixup!|squash!|amend!|Revert ")/;

/** Rewrites a subject in the style of this repository: prefix, first letter, length. */
export function inStyle(title: string, history: History): string {
  const { subjects } = history;
  if (subjects.length === 0) return title;
  const words = title.replace(PREFIX, '');
  const prefix = prefixFor(words, history);
  const bare = subjects.map(subject => subject.replace(PREFIX, ''));
  const isLower = mostOf(bare, subject => /^\p{Ll}/u.test(subject));
  const [first = ''] = words;
  // An acronym or a name isn't changed.
  const isWord = /^\p{Lu}\p{Ll}* /u.test(words);
  const cased = isWord && isLower ? first.toLowerCase() + words.slice(first.length) : words;
  return cutAtWord(`${prefix}${cased}`, usualLength(subjects));
}

/** `feat: `, `fix(api)!: `, `JIRA-12: `, `[JIRA-12] `, `net/http: `. */
const PREFIX = /^(?:\[?[A-Z][A-Z0-9]+-\d+\]?:? |[\w./-]+(?:\([^)]{1,40}\))?!?: )/;
const TICKET = /^(\[?)[A-Z][A-Z0-9]+-\d+(\]?:? )/;
const TYPES = 'feat|fix|docs|test|refactor|chore|build|ci|perf|style|revert';
const TYPE = new RegExp(`^(?:${TYPES})(?:\\([^)]{1,40}\\))?!?: `);

function prefixFor(words: string, { subjects, paths, branch }: History): string {
  if (mostOf(subjects, subject => TICKET.test(subject))) {
    // Only the branch name says which ticket it is.
    const [, open = '', close = ''] = subjects.map(each => TICKET.exec(each)).find(Boolean) ?? [];
    const ticket = /(?:^|[/_-])([A-Z][A-Z0-9]+-\d+)/.exec(branch)?.[1];
    return ticket === undefined ? '' : `${open}${ticket}${close}`;
  }
  if (mostOf(subjects, subject => TYPE.test(subject))) return `${typeOf(words, paths)}: `;
  if (!mostOf(subjects, subject => PREFIX.test(subject))) return '';
  const areas = new Set(subjects.map(subject => /^([\w./-]+): /.exec(subject)?.[1] ?? ''));
  const area = [...areas].find(each => each !== '' && paths.every(path => isIn(path, each)));
  return area === undefined ? '' : `${area}: `;
}

/** One or more folders of the path, or the file name without its extension. */
const isIn = (path: string, area: string): boolean =>
  `/${path.replace(/\.\w+$/, '')}/`.includes(`/${area}/`);

function typeOf(words: string, paths: readonly string[]): string {
  const areAll = (pattern: RegExp): boolean => paths.every(path => pattern.test(path));
  if (areAll(/\.(?:md|rst|adoc|txt)$|^docs\//i)) return 'docs';
  if (areAll(/(?:^|\/)(?:tests?|spec|__tests__)\/|[._-](?:test|spec)\.\w+$/i)) return 'test';
  if (areAll(/^\.github\/|^\.gitlab-ci/)) return 'ci';
  const [verb = ''] = words.toLowerCase().split(' ');
  return VERBS[verb] ?? 'chore';
}

const VERBS: Readonly<Record<string, string>> = {
  add: 'feat',
  allow: 'feat',
  support: 'feat',
  introduce: 'feat',
  implement: 'feat',
  fix: 'fix',
  correct: 'fix',
  prevent: 'fix',
  handle: 'fix',
  refactor: 'refactor',
  rename: 'refactor',
  move: 'refactor',
  extract: 'refactor',
  simplify: 'refactor',
};

const mostOf = (subjects: readonly string[], is: (subject: string) => boolean): boolean =>
  subjects.filter(is).length * 2 > subjects.length;

/** The length that nine in ten stay within, at most 72: tools cut longer subjects. */
function usualLength(subjects: readonly string[]): number {
  const lengths = subjects.map(({ length }) => length).sort((one, other) => one - other);
  const usual = lengths[Math.floor(lengths.length * 0.9)] ?? 72;
  return Math.min(72, Math.max(40, usual));
}

function cutAtWord(text: string, max: number): string {
  if (text.length <= max) return text;
  const space = text.lastIndexOf(' ', max);
  return text.slice(0, space > 0 ? space : max).replace(/[\s,;:]+$/, '');
}
