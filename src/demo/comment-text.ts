import { forTerminalLines } from '../platform/safe-text.js';
import type { Colors } from './story.js';

export interface CommentStyle {
  readonly title: string;
  /** What a suggested change takes the place of. */
  readonly replaced?: readonly string[];
  readonly columns: number;
  readonly colors: Colors;
}

type Look = 'plain' | 'bold' | 'dim' | 'good' | 'error';
interface Row {
  readonly text: string;
  readonly look: Look;
  /** Code keeps its blanks and is never broken. */
  readonly isCode?: boolean;
}

/** A comment of ours as the browser would show it, with a bar at its side. Folded parts stay folded. */
export function commentText(markdown: string, look: CommentStyle): string {
  const { title, columns, colors } = look;
  const { bold, dim } = colors;
  const width = Math.min(columns, WIDEST) - 2;
  const rows = rowsOf(unfolded(markdown), look.replaced ?? []).flatMap(row => broken(row, width));
  const painted = rows.map(({ text, look: how }) => {
    const shown = forTerminalLines(text);
    return how === 'plain' ? shown : colors[how](shown);
  });
  return [bold(title), ...painted.map(text => `${dim('│')} ${text}`.trimEnd()), ''].join('\n');
}

const WIDEST = 80;

/** Without what nobody sees, and with the title alone of what is folded. */
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
    else if (fence !== undefined) rows.push({ text: `+ ${line}`, look: 'good', isCode: true });
    else if (ticks !== undefined) {
      fence = ticks;
      if (language === 'suggestion') rows.push(...takenAway(replaced));
    } else rows.push(...lineRows(line));
  }
  return rows.filter(({ text }, at) => text !== '' || !isSpare(rows, at));
}

const takenAway = (replaced: readonly string[]): Row[] => [
  { text: 'Suggested change:', look: 'dim' },
  ...replaced.map(line => ({ text: `- ${line}`, look: 'error' as const, isCode: true })),
];

/** One empty line keeps things apart; between what is folded there is nothing to keep apart. */
function isSpare(rows: readonly Row[], at: number): boolean {
  const [before = '', after = ''] = [rows[at - 1]?.text, rows[at + 1]?.text];
  return before === '' || (before.startsWith('▸') && after.startsWith('▸'));
}

function lineRows(line: string): Row[] {
  if (/^\| *\|/.test(line) || /^\|[-| ]+\|$/.test(line)) return [];
  const [, severity, cell] = /^\| (\S+) \| (.*) \|$/.exec(line) ?? [];
  if (severity === undefined || cell === undefined) return [wordRow(line)];
  const [place = '', ...rest] = cell.split('<br>');
  return [{ text: plain(`${severity} ${place}`), look: 'bold' }, ...rest.map(wordRow)];
}

function wordRow(line: string): Row {
  if (line.startsWith('<sub>')) return { text: plain(line), look: 'dim' };
  const isWhole = /^\*\*[^*]*\*\*$/.test(line);
  return { text: plain(line), look: isWhole ? 'bold' : line.startsWith('▸') ? 'dim' : 'plain' };
}

/** Markup off; what was escaped so that it is no markup reads as it did. */
const plain = (text: string): string =>
  text.replace(MARKUP, (markup, kept?: string, label?: string, code?: string) => {
    if (code !== undefined) return String.fromCharCode(Number.parseInt(code, 16));
    return kept ?? (label === undefined ? (ENTITIES[markup] ?? '') : plain(label));
  });

const MARKUP =
  /\\([\\`*_[\]~+=:/-])|\[([^[\]]*)\]\([^()\s]*\)|&#x200b;|&#x([0-9a-f]{2});|&(?:lt|gt|amp);|<\/?(?:sub|code)>|\*\*|`+/g;
const ENTITIES: Readonly<Record<string, string>> = { '&lt;': '<', '&gt;': '>', '&amp;': '&' };

function broken({ text, look, isCode }: Row, width: number): Row[] {
  if (isCode) return [{ text, look }];
  const lines = [''];
  for (const word of text.split(' ')) {
    const line = lines.at(-1) ?? '';
    if (line !== '' && line.length + 1 + word.length > width) lines.push(word);
    else lines[lines.length - 1] = line === '' ? word : `${line} ${word}`;
  }
  return lines.map(each => ({ text: each, look }));
}
