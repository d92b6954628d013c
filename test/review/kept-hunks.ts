import type { KeptHunk } from '../../src/checks/survey.js';
import type { DiffEvent, Line } from '../../src/core/change.js';
import { DiffParser } from '../../src/diff/parse.js';

/** The hunks of a diff that a model would be asked about. */
export function keptHunks(diff: Uint8Array): KeptHunk[] {
  const parser = new DiffParser();
  const kept: Array<KeptHunk & { lines: Line[] }> = [];
  let file = '';
  const take = (event: DiffEvent): void => {
    if (event.type === 'file') file = event.file.path;
    if (event.type === 'hunk')
      kept.push({
        path: file,
        number: event.hunk.number,
        section: event.hunk.section,
        lines: [],
        blob: undefined,
      });
    if (event.type === 'lines') kept.at(-1)?.lines.push(...event.lines);
  };
  for (const event of [...parser.push(diff), ...parser.end()]) take(event);
  return kept.filter(hunk => hunk.lines.some(line => line.kind === 'added'));
}
