import type { Line } from '../core/change.js';
import type { DiffHunk } from '../core/diary.js';
import { type Html, html } from './html.js';

/** Longer lines are cut: a page is for reading. */
const MOST_CHARACTERS = 600;

export interface LineNote {
  /** Decides the colour. */
  readonly severity: string;
  /** Where its card is, and what a reader is told of it. */
  readonly id: string;
  readonly label: string;
}

/** A piece of a diff as a table; `notes` lead from new lines to what is said of them. */
export function diffView(hunk: DiffHunk, notes: ReadonlyMap<number, readonly LineNote[]>): Html {
  const { path, section, lines } = hunk;
  const where = section === '' ? undefined : html` <span class="muted">${section}</span>`;
  const rows = lines.map(line =>
    row(line, line.kind === 'removed' ? [] : (notes.get(line.newLine) ?? [])),
  );
  const name = `Diff of ${path}, hunk ${hunk.hunk}`;
  return html`<div class="scroll" tabindex="0" role="region" aria-label="${name}">
<table class="diff"><caption><code>${path}</code>${where}</caption>
<thead class="sr"><tr><th scope="col">old line</th><th scope="col">new line</th>
<th scope="col">change</th><th scope="col">text</th></tr></thead>
<tbody>${rows}</tbody></table></div>`;
}

const SIGNS = { added: '+', removed: '−', context: '' };

function row(line: Line, notes: readonly LineNote[]): Html {
  const [first] = notes;
  const hit = first === undefined ? '' : ` hit ${first.severity}`;
  const marks = notes.map(
    ({ id, label, severity }) => html` <a class="mark ${severity}" href="#${id}">${label}</a>`,
  );
  const { kind } = line;
  const text =
    line.text.length > MOST_CHARACTERS ? `${line.text.slice(0, MOST_CHARACTERS)}…` : line.text;
  return html`<tr class="${kind}${hit}"><td class="no">${kind === 'added' ? '' : line.oldLine}</td>
<td class="no">${kind === 'removed' ? '' : line.newLine}</td><td class="sign">${SIGNS[kind]}</td>
<td class="code">${text}${marks}</td></tr>
`;
}
