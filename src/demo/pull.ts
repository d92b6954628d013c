import type { GithubComment, GithubReview, GithubReviewComment } from '../github/comments.js';
import type { Github } from '../github/github.js';
import type { GithubFile, GithubPull } from '../github/pulls.js';
import { forTerminalLines } from '../platform/safe-text.js';
import type { Paint } from '../report/style.js';

export type DemoComment = Pick<GithubReviewComment, 'path' | 'body'> & {
  readonly startLine: number;
  readonly line: number;
};

const AUTHOR = 'apfel-bot';
const WEB = 'https://github.example';
const REPOSITORY = 'demo/shop';

/** A pull request in memory that stores what `post` writes. */
export function openDemoGithub({
  base,
  head,
  branch,
  files,
}: {
  readonly base: string;
  readonly head: string;
  readonly branch: string;
  readonly files: readonly GithubFile[];
}) {
  const comments: GithubComment[] = [];
  const remarks: Array<GithubReviewComment & DemoComment> = [];
  const pull: GithubPull = {
    number: 1,
    url: `${WEB}/${REPOSITORY}/pull/1`,
    isOpen: true,
    isLocked: false,
    head: { sha: head, ref: branch, repository: REPOSITORY },
    base: { sha: base, ref: 'main' },
    title: '',
    body: '',
  };
  const comment = (body: string): GithubComment => ({
    id: comments.length + remarks.length + 1,
    body,
    author: AUTHOR,
    isBot: true,
    createdAt: EPOCH,
    updatedAt: EPOCH,
    url: pull.url,
  });
  // Only the calls that a first review of a pull request makes.
  const github = {
    repository: REPOSITORY,
    webUrl: WEB,
    login: async () => AUTHOR,
    pull: async () => pull,
    pullFiles: async () => files,
    comments: async () => comments,
    reviewComments: async () => remarks,
    fileAt: async () => ({ state: 'absent' }),
    createComment: async (_pull: number, body: string) => {
      const made = comment(body);
      comments.push(made);
      return made;
    },
    createReview: async (_pull: number, review: GithubReview) => {
      for (const { path, line, startLine, side, body } of review.comments) {
        remarks.push({ ...comment(body), path, startLine, line, side, inReplyTo: null });
      }
    },
  } as unknown as Github;
  /** What people would see on the pull request. */
  const posted = (): { readonly remarks: readonly DemoComment[]; readonly summary: string } => ({
    remarks,
    summary: comments.at(-1)?.body ?? '',
  });
  return { github, posted };
}

const EPOCH = '1970-01-01T00:00:00Z';

interface CommentOptions {
  readonly title: string;
  /** The lines that a suggested change replaces. */
  readonly replaced?: readonly string[];
  readonly columns: number;
  readonly colors: Paint;
}

type Style = 'plain' | 'bold' | 'dim' | 'good' | 'error';
interface Row {
  readonly text: string;
  readonly style: Style;
  /** Code keeps its spaces and is never wrapped. */
  readonly isCode?: boolean;
}

/**
 * One of our comments as a browser would show it, with a bar on the left. Collapsed parts stay
 * collapsed.
 */
export function commentText(markdown: string, options: CommentOptions): string {
  const { title, columns, colors } = options;
  const { bold, dim } = colors;
  const width = Math.min(columns, MAX_COLUMNS) - 2;
  const rows = rowsOf(unfolded(markdown), options.replaced ?? []).flatMap(row =>
    wrapped(row, width),
  );
  const painted = rows.map(({ text, style: rowStyle }) => {
    const shown = forTerminalLines(text);
    return rowStyle === 'plain' ? shown : colors[rowStyle](shown);
  });
  return [bold(title), ...painted.map(text => `${dim('│')} ${text}`.trimEnd()), ''].join('\n');
}

const MAX_COLUMNS = 80;

/** Without invisible parts, and with only the titles of collapsed ones. */
const unfolded = (markdown: string): string =>
  markdown
    .replace(/^<!--.*?-->\n?/, '')
    .replace(/^<details><summary>([^\n]*)<\/summary>\n.*?\n<\/details>/gms, '▸ $1');

function rowsOf(markdown: string, replaced: readonly string[]): Row[] {
  const rows: Row[] = [];
  let fence: string | undefined;
  for (const line of markdown.trim().split('\n')) {
    const [, ticks, language] = /^(`{3,})(\w*)$/.exec(line) ?? [];
    if (fence !== undefined && ticks === fence) fence = undefined;
    else if (fence !== undefined) rows.push({ text: `+ ${line}`, style: 'good', isCode: true });
    else if (ticks !== undefined) {
      fence = ticks;
      if (language === 'suggestion') rows.push(...removedRows(replaced));
    } else rows.push(...lineRows(line));
  }
  return rows.filter(({ text }, at) => text !== '' || !isExtra(rows, at));
}

const removedRows = (replaced: readonly string[]): Row[] => [
  { text: 'Suggested change:', style: 'dim' },
  ...replaced.map(line => ({ text: `- ${line}`, style: 'error' as const, isCode: true })),
];

/** One empty line separates parts; collapsed parts need none between them. */
function isExtra(rows: readonly Row[], at: number): boolean {
  const [before = '', after = ''] = [rows[at - 1]?.text, rows[at + 1]?.text];
  return before === '' || (before.startsWith('▸') && after.startsWith('▸'));
}

function lineRows(line: string): Row[] {
  if (/^\| *\|/.test(line) || /^\|[-| ]+\|$/.test(line)) return [];
  const [, severity, cell] = /^\| (\S+) \| (.*) \|$/.exec(line) ?? [];
  if (severity === undefined || cell === undefined) return [wordRow(line)];
  const [place = '', ...rest] = cell.split('<br>');
  return [{ text: plain(`${severity} ${place}`), style: 'bold' }, ...rest.map(wordRow)];
}

function wordRow(line: string): Row {
  if (line.startsWith('<sub>')) return { text: plain(line), style: 'dim' };
  const isWhole = /^\*\*[^*]*\*\*$/.test(line);
  return { text: plain(line), style: isWhole ? 'bold' : line.startsWith('▸') ? 'dim' : 'plain' };
}

/** Without markup; escaped characters are restored. */
const plain = (text: string): string =>
  text.replace(MARKUP, (markup, kept?: string, label?: string, code?: string) => {
    if (code !== undefined) return String.fromCharCode(Number.parseInt(code, 16));
    return kept ?? (label === undefined ? (ENTITIES[markup] ?? '') : plain(label));
  });

const MARKUP =
  /\\([\\`*_[\]~+=:/-])|\[([^[\]]*)\]\([^()\s]*\)|&#x200b;|&#x([0-9a-f]{2});|&(?:lt|gt|amp);|<\/?(?:sub|code)>|\*\*|`+/g;
const ENTITIES: Readonly<Record<string, string>> = { '&lt;': '<', '&gt;': '>', '&amp;': '&' };

function wrapped({ text, style, isCode }: Row, width: number): Row[] {
  if (isCode) return [{ text, style }];
  const lines = [''];
  for (const word of text.split(' ')) {
    const line = lines.at(-1) ?? '';
    if (line !== '' && line.length + 1 + word.length > width) lines.push(word);
    else lines[lines.length - 1] = line === '' ? word : `${line} ${word}`;
  }
  return lines.map(each => ({ text: each, style }));
}
