import { type Hit, type LineCheck, type LineJudge, NO_HITS } from './check.js';
import { fileRole } from './language.js';
import type { CodeView } from './lexer.js';

/**
 * Conflict markers that git leaves in a file. One finding per conflict: on the opening line if the
 * change adds it, otherwise on the first marker it does add.
 */
export const conflictMarker: LineCheck = {
  rules: { 'conflict-marker': 'error' },
  guards: true,
  open: ({ path }, view) => openJudge(path, view),
};

function openJudge(path: string, view: CodeView | undefined): LineJudge {
  const isProse = /\.(?:md|mdx|markdown|rst|adoc)$/i.test(path);
  const { isTest, isSample } = fileRole(path);
  // Tests of tools that merge have conflicts as data.
  const isData = isSample && view === undefined && !isProse;
  let isOpen = false;
  let isReported = false;
  let isInFence = false;
  const hit = (sign: string): Hit => ({ ...toHit(sign), ...(isData && { severity: 'warning' }) });
  return line => {
    if (line.startsHunk) {
      isOpen = false;
      isReported = false;
      isInFence = false;
    }
    if (isProse && FENCE.test(line.text)) isInFence = !isInFence;
    const marker = markerOf(line.text);
    if (marker !== undefined && (isInFence || (isTest && view?.isInString() === true))) {
      return NO_HITS;
    }
    if (marker === undefined) return NO_HITS;
    if (marker === OPENING) {
      isOpen = true;
      isReported = line.isAdded;
      return [hit(marker)];
    }
    const wasOpen = isOpen;
    const wasReported = isReported;
    if (marker === CLOSING) {
      isOpen = false;
      isReported = false;
    }
    // Seven equals signs alone underline a title in Markdown and reStructuredText.
    const counts = marker === CLOSING || wasOpen;
    return counts && !wasReported ? [hit(marker)] : NO_HITS;
  };
}

const FENCE = /^\s{0,3}(?:```|~~~)/;
const LENGTH = 7;
const OPENING = '<';
const CLOSING = '>';

// Edit blocks for language models use the same markers with these fixed words.
const EDIT_BLOCK_LINES: ReadonlySet<string> = new Set(['<<<<<<< SEARCH', '>>>>>>> REPLACE']);

function markerOf(text: string): string | undefined {
  const sign = text.charAt(0);
  if (sign !== OPENING && sign !== CLOSING && sign !== '=' && sign !== '|') return undefined;
  if (!text.startsWith(sign.repeat(LENGTH))) return undefined;
  const after = text.charAt(LENGTH);
  if (after !== '' && after !== ' ' && after !== '\r') return undefined;
  return EDIT_BLOCK_LINES.has(text.trimEnd()) ? undefined : sign;
}

const toHit = (sign: string): Hit => ({
  rule: 'conflict-marker',
  message: `Unresolved merge conflict: ${sign.repeat(LENGTH)} is a conflict marker. Resolve the conflict and remove the markers.`,
  column: 1,
  endColumn: LENGTH + 1,
});
