import type { Overlay } from '../../core/overlay.js';
import type { Source } from './source.js';

/** The commit's files as the edits have left them; searching and history know the commit only. */
export const overlaySource = (source: Source, overlay: Overlay): Source => ({
  list: path => source.list(path),
  search: (query, path) => source.search(query, path),
  diff: path => source.diff(path),
  history: path => source.history(path),
  read: async path => {
    const bytes = overlay.read(path);
    return bytes === undefined ? source.read(path) : { kind: 'file', bytes };
  },
});
