import { cutLine, cutText } from '../cut-text.js';
import { failed, parameters, stringOf, succeeded, type Tool } from '../tool.js';
import { guardPath, isSecretBearing } from './path-guard.js';
import type { Match, Source } from './source.js';

export const searchCode = (source: Source): Tool => ({
  name: 'search_code',
  description: 'Lines of tracked files that contain a text, as path:line: text. Not a pattern.',
  parameters: parameters(
    {
      query: { type: 'string', description: 'the text to look for, as it stands in the code' },
      path: { type: 'string', description: 'only in this file or folder' },
    },
    ['query'],
  ),
  example: { query: 'parseConfig(' },
  run: async (input, { maxTokens }) => {
    const query = stringOf(input, 'query');
    if (query.trim() === '') return failed('the query is empty. Give a text to look for');
    const guarded = guardPath(stringOf(input, 'path'));
    if (!guarded.ok) return failed(guarded.reason);
    const within = guarded.path === '' ? undefined : guarded.path;
    const { matches, isTruncated } = await source.search(query, within);
    const visible = matches.filter(match => !isSecretBearing(match.path));
    if (visible.length === 0) return succeeded(nothingFound(query, within, matches.length));
    const files = new Set(visible.map(match => match.path)).size;
    const count = `${visible.length}${isTruncated ? ' or more' : ''}`;
    const header = `${count} matches in ${files} files for "${cutLine(query, 20)}"`;
    const { text, shownLines } = cutText(
      visible.map(shownMatch).join('\n'),
      maxTokens - 60,
      'narrow the query or give a path',
    );
    return succeeded(`${header}\n${text}`, {
      total: visible.length,
      shown: shownLines,
      hidden: matches.length - visible.length,
      isTruncated,
    });
  },
});

function nothingFound(query: string, within: string | undefined, hidden: number): string {
  const where = within === undefined ? '' : ` in ${within}`;
  if (hidden > 0) return `0 matches${where}: the text is only in files that are never shown`;
  return `0 matches for "${cutLine(query, 20)}"${where}. Try a shorter or another text`;
}

const shownMatch = (match: Match): string =>
  `${match.path}:${match.line}: ${cutLine(match.text.trim(), MATCH_TOKENS)}`;

/** One match must not push out the others. */
const MATCH_TOKENS = 50;
