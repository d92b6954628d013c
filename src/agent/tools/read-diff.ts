import { cutText } from '../cut-text.js';
import { failed, parameters, stringOf, succeeded, type Tool } from '../tool.js';
import { guardPath } from './path-guard.js';
import type { Source } from './source.js';

export const readDiff = (source: Source): Tool => ({
  name: 'read_diff',
  description: 'What the change under review does to one file, as a unified diff.',
  parameters: parameters({ path: { type: 'string', description: 'file, from the top' } }),
  example: { path: 'src/index.ts' },
  run: async (input, { maxTokens }) => {
    const guarded = guardPath(stringOf(input, 'path'));
    if (!guarded.ok) return failed(guarded.reason);
    const diff = await source.diff(guarded.path);
    if (diff === undefined) {
      return failed(`${guarded.path || 'the top'}: the change does not touch a file of this name`);
    }
    const { text, totalLines, shownLines } = cutText(
      diff,
      maxTokens - 60,
      'read_file shows the file as it is now',
    );
    const header = `${guarded.path}: ${totalLines} lines of diff, ${shownLines} shown`;
    return succeeded(`${header}\n${text}`, { total: totalLines, shown: shownLines });
  },
});
