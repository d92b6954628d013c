import { formatDuration } from '../core/deadline.js';
import type { DescriptionOutcome } from '../core/outcome.js';
import { describe } from '../describe/command.js';
import { PLAIN_TITLE } from '../describe/summarise.js';
import { type Git, openGit, userGitContext } from '../git/git.js';
import { runGit } from '../git/spawn.js';
import { isUnderWay, readHandOver, stagedDigest } from '../notes/hand-over.js';
import { readText, writeText } from '../platform/files.js';
import { forTerminalLines } from '../platform/safe-text.js';
import type { CommandEnd, Session } from '../session.js';
import { type HookCall, NOTHING } from './call.js';
import { inStyle, readHistory } from './commit-style.js';
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
  if (await hadNoModel(git, session)) {
    session.printError('apfel-bot: there is no draft of the message, for the same reason');
    return NOTHING;
  }
  const { draft, deadlineMs } = (await readHookConfig(call, git)).hooks;
  if (draft === 'comment' && (await keepsComments(session))) return NOTHING;
  const history = await readHistory(session);
  const most = Math.min(deadlineMs ?? MOST_DRAFT_MS, MOST_DRAFT_MS);
  const described = await describeStaged(call, history.subjects, most);
  if (described.notices.includes(PLAIN_TITLE)) {
    session.printError(`apfel-bot: there is no draft of the message: ${whyNot(described)}`);
    return NOTHING;
  }
  const { title, body } = described.description;
  const message = messageOf({ title: inStyle(title, history), body });
  const { at, sign } = place;
  // Keeps an empty line at the top, where the user starts typing.
  const [before, lines] =
    draft === 'text' ? ['', [...message, '']] : [text.slice(0, at), commented(message, sign)];
  await writeText(file, `${before}${lines.join('\n')}\n${text.slice(at)}`);
  return NOTHING;
}

/** A draft in comments would become part of the message. */
async function keepsComments(session: Session): Promise<boolean> {
  const { stdout } = await runGit(userGitContext(session), ['config', 'commit.cleanup']);
  return /^(?:verbatim|whitespace)$/m.test(stdout.toString('utf8'));
}

/** After pre-commit, nobody wants to wait long for a draft. */
const MOST_DRAFT_MS = 5_000;

/** Pre-commit has just checked this change, and found no model or ran out of time. */
async function hadNoModel({ repository }: Git, session: Session): Promise<boolean> {
  const left = await readHandOver(repository);
  if (left === undefined || left.head !== (repository.head ?? repository.emptyTree)) return false;
  const { complete, ledger } = left.finished;
  if (complete || ledger.outOfTime + ledger.checked === 0) return false;
  return left.digest === (await stagedDigest(userGitContext(session)));
}

/** The model's failure, if there was one; otherwise its title was rejected. */
const whyNot = ({ notices, limits }: DescriptionOutcome): string => {
  const deadline = limits.find(({ limit, hit }) => limit === 'deadline' && hit);
  if (deadline !== undefined) return `out of time after ${deadline.value}`;
  const [trouble = 'the model gave no title that fits the change'] = notices.filter(
    notice => notice !== PLAIN_TITLE && !notice.includes('described by code'),
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

const commented = (message: readonly string[], sign: string): string[] =>
  ['A draft by apfel-bot; uncomment what you want to keep:', '', ...message, ''].map(line =>
    `${sign} ${line}`.trimEnd(),
  );
