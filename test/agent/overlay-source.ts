import type { Overlay } from '../../src/agent/tools/edit-file.js';
import type { Source } from '../../src/git/source.js';

/** The files as the edits have left them. */
export const overlaySource = (source: Source, overlay: Overlay): Source => ({
  ...source,
  read: async path => {
    const change = overlay.changes().find(changed => changed.path === path);
    return change === undefined ? source.read(path) : { kind: 'file', bytes: change.after };
  },
});
