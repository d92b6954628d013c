import { userGitContext } from '../git/git.js';
import { runGit } from '../git/spawn.js';
import type { Session } from '../session.js';

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
const FEWEST_COMMITS = 5;

export async function readHistory(session: Session): Promise<History> {
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
    subjects: subjects.length < FEWEST_COMMITS ? [] : subjects,
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
