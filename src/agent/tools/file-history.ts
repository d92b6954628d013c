import { cutLine, cutText } from '../cut-text.js';
import { failed, parameters, stringOf, succeeded, type Tool } from '../tool.js';
import { guardPath } from './path-guard.js';
import type { HistoryEntry, Source } from './source.js';

export const fileHistory = (source: Source): Tool => ({
  name: 'file_history',
  description: 'The last commits that changed a file: when, and the subject line.',
  parameters: parameters({ path: { type: 'string', description: 'file, from the top' } }),
  example: { path: 'src/index.ts' },
  run: async (input, { maxTokens }) => {
    const guarded = guardPath(stringOf(input, 'path'));
    if (!guarded.ok) return failed(guarded.reason);
    if (guarded.path === '') return failed('name a file; list_dir shows what there is');
    const entries = await source.history(guarded.path);
    if (entries.length === 0) {
      return failed(`${guarded.path}: no commit has touched it. Check the path with list_dir`);
    }
    const lines = entries.map(shownEntry).join('\n');
    const { text, shownLines } = cutText(lines, maxTokens - 40);
    const header = `${guarded.path}: ${entries.length} commits, ${shownLines} shown, newest first`;
    return succeeded(`${header}\n${text}`, { total: entries.length, shown: shownLines });
  },
});

const shownEntry = (entry: HistoryEntry): string =>
  `${entry.commit.slice(0, 10)} ${entry.date.slice(0, 10)}: ${cutLine(entry.subject, 30)}`;
