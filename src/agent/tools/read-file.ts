import type { Source } from '../../git/source.js';
import { estimateTokens } from '../../model/tokens.js';
import { cutLine } from '../cut-text.js';
import {
  failed,
  integerOf,
  parameters,
  stringOf,
  succeeded,
  type Tool,
  type ToolInput,
} from '../tool.js';
import { readSource } from './source.js';

/** With line numbers, so that an answer can name the line it rests on. */
export const readFile = (source: Source): Tool => ({
  name: 'read_file',
  description: 'Read a tracked text file. A long one is shown in parts; startLine gives the next.',
  parameters: parameters(
    {
      path: { type: 'string', description: 'file, from the top of the repository' },
      startLine: { type: 'integer', description: 'first line to show, from 1' },
      endLine: { type: 'integer', description: 'last line to show' },
    },
    ['path'],
  ),
  example: { path: 'src/index.ts' },
  run: async (input, { maxTokens }) => {
    const file = await readSource(source, stringOf(input, 'path'));
    if (!file.ok) return file.outcome;
    const lines = linesOf(file.text);
    if (lines.length === 0) return succeeded(`${file.path}: the file is empty`, { total: 0 });
    const range = rangeOf(input, lines.length);
    if (range.start > lines.length) {
      return failed(
        `${file.path} has ${lines.length} lines; startLine=${range.start} is behind the end`,
      );
    }
    if (range.start > range.end)
      return failed(`startLine=${range.start} is behind endLine=${range.end}`);
    const shown = takePart(lines, range, maxTokens - FRAME_TOKENS);
    const details = { path: file.path, total: lines.length, start: range.start, end: shown.end };
    return succeeded(page(file.path, lines.length, { ...range, ...shown }), details);
  },
});

/** Header and footer, with a long path in each. */
const FRAME_TOKENS = 90;

/** Lines without their endings; a byte order mark is not the model's business. */
function linesOf(text: string): string[] {
  const lines = text.replace(/^\ufeff/, '').split(/\r?\n/);
  if (lines.at(-1) === '') lines.pop();
  return lines;
}

interface Range {
  readonly start: number;
  readonly end: number;
}

const rangeOf = (input: ToolInput, total: number): Range => ({
  start: Math.max(1, integerOf(input, 'startLine') ?? 1),
  end: Math.min(total, Math.max(1, integerOf(input, 'endLine') ?? total)),
});

/** As many whole lines as fit; one that does not fit alone is shown cut. */
function takePart(
  lines: readonly string[],
  range: Range,
  maxTokens: number,
): { text: string; end: number; cutLines: number } {
  const shown: string[] = [];
  let tokens = 0;
  let cutLines = 0;
  for (let number = range.start; number <= range.end; number += 1) {
    const line = lines[number - 1] ?? '';
    const kept = cutLine(line, LINE_TOKENS);
    const text = `${number}| ${kept}`;
    tokens += estimateTokens(text) + 1;
    if (tokens > maxTokens && shown.length > 0) break;
    shown.push(text);
    if (kept !== line) cutLines += 1;
  }
  return { text: shown.join('\n'), end: range.start + shown.length - 1, cutLines };
}

/** Minified code: the beginning of such a line says what it is, more of it says nothing. */
const LINE_TOKENS = 200;

function page(
  path: string,
  total: number,
  part: { text: string; start: number; end: number; cutLines: number },
): string {
  const header = `${path}: lines ${part.start}-${part.end} of ${total}`;
  const more =
    part.end < total
      ? `[${total - part.end} more lines: read_file with startLine=${part.end + 1}]`
      : '';
  const cut = part.cutLines > 0 ? `[${part.cutLines} very long lines are cut]` : '';
  return [header, part.text, more, cut].filter(text => text !== '').join('\n');
}
