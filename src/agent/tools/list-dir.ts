import { cutText } from '../cut-text.js';
import { failed, parameters, stringOf, succeeded, type Tool } from '../tool.js';
import { guardPath } from './path-guard.js';
import type { Entry, Source } from './source.js';

export const listDir = (source: Source): Tool => ({
  name: 'list_dir',
  description: 'Names of the tracked files and folders directly in a folder. "." is the top.',
  parameters: parameters({ path: { type: 'string', description: 'folder, from the top' } }),
  example: { path: 'src' },
  run: async (input, { maxTokens }) => {
    const guarded = guardPath(stringOf(input, 'path'));
    if (!guarded.ok) return failed(guarded.reason);
    const where = guarded.path === '' ? '.' : guarded.path;
    const entries = await source.list(guarded.path);
    if (entries.length === 0) {
      return failed(`${where}: there is no such folder. List the folder above it`);
    }
    const folders = entries.filter(entry => entry.kind === 'folder').length;
    const header = `${where}: ${entries.length} entries, ${folders} of them folders`;
    const names = [...entries].sort(byKindThenName).map(shownName).join('\n');
    const { text, shownLines } = cutText(names, maxTokens - 40, 'list a subfolder or search');
    return succeeded(`${header}\n${text}`, {
      path: where,
      total: entries.length,
      shown: shownLines,
    });
  },
});

const byKindThenName = (one: Entry, other: Entry): number =>
  Number(other.kind === 'folder') - Number(one.kind === 'folder') ||
  (one.name < other.name ? -1 : 1);

const MARKS: Readonly<Record<Entry['kind'], string>> = {
  file: '',
  folder: '/',
  symlink: ' (symbolic link)',
  submodule: ' (submodule)',
};

/** A name may hold anything; a line feed in it would read as two files. */
const shownName = (entry: Entry): string =>
  `${entry.name.replace(/[\p{Cc}]/gu, '?').replace(/\/$/, '')}${MARKS[entry.kind]}`;
