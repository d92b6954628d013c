import { groupBy } from '../../core/group-by.js';
import { HUNK_STATES, type Ledger } from '../../core/ledger.js';
import type { AuditRun } from '../audit-run.js';
import type { AuditHunk } from '../run-log.js';
import { type Html, html, NOTHING } from './html.js';
import { count, numeral, STATES } from './words.js';

/** More files than this are only counted. */
const MAX_FILES = 400;

/** The plan and its result: each hunk of the change, by file, with its state. */
export function mapView(run: AuditRun): Html {
  const { ledger } = run.outcome;
  const { hunks } = run.facts;
  if (ledger === undefined || (ledger.total === 0 && hunks.length === 0)) return NOTHING;
  const files = groupBy(hunks.length > 0 ? hunks : listed(ledger), ({ path }) => path);
  const placed = [...files.values()].reduce((sum, own) => sum + own.length, 0);
  const found = findingsByPath(run);
  const rows = [...files]
    .slice(0, MAX_FILES)
    .map(([path, own], at) => fileRow({ path, hunks: own, found: found.get(path) ?? 0, at }));
  const more = files.size - rows.length;
  const left = ledger.total - placed;
  return html`<section id="map" aria-labelledby="map-title">
<h2 id="map-title">Map of the change</h2>
<p>${count(ledger.total, 'hunk')}. Each block is one.</p>
${legend(ledger)}
<ol class="files">${rows}</ol>
${more > 0 ? html`<p class="muted">${count(more, 'more file')} in the ledger</p>` : undefined}
${left > 0 ? html`<p class="muted">${count(left, 'hunk')} known by number only</p>` : undefined}
${planTable(hunks)}</section>`;
}

function legend(ledger: Ledger): Html {
  const states = HUNK_STATES.filter(state => ledger[state] > 0).map(state => {
    const { mark, words } = STATES[state];
    const block = html`<span class="block s-${state}" aria-hidden="true">${mark}</span>`;
    return html`<li>${block} ${numeral(ledger[state])} ${words}</li>`;
  });
  return html`<ul class="legend">${states}</ul>`;
}

/** A ledger alone lists only the hunks that weren't done. */
const listed = ({ items }: Ledger): AuditHunk[] =>
  items.map(item => ({ ...item, line: 0, added: 0, removed: 0, chunk: null, tokens: 0 }));

function findingsByPath({ outcome: { findings = [] } }: AuditRun): Map<string, number> {
  const found = new Map<string, number>();
  for (const { path } of findings) found.set(path, (found.get(path) ?? 0) + 1);
  return found;
}

interface FileRow {
  readonly path: string;
  readonly hunks: readonly AuditHunk[];
  readonly found: number;
  readonly at: number;
}

function fileRow({ path, hunks, found, at }: FileRow): Html {
  const added = hunks.reduce((sum, hunk) => sum + hunk.added, 0);
  const removed = hunks.reduce((sum, hunk) => sum + hunk.removed, 0);
  const kinds = [...new Set(hunks.map(({ state }) => state))].join(' ');
  // A record has no line counts, and neither has a mode change.
  const size = html`<span class="plus">+${numeral(added)}</span>
<span class="minus">−${numeral(removed)}</span>`;
  const badge = html` <span class="badge">${count(found, 'finding')}</span>`;
  return html`<li class="item file" id="file-${at + 1}" tabindex="-1" data-kinds="${kinds}">
<span class="path">${path}</span>
<span class="size">${added + removed === 0 ? undefined : size}${found === 0 ? undefined : badge}</span>
<ol class="blocks">${hunks.map(block)}</ol></li>
`;
}

function block({ hunk, line, added, removed, state, reason, chunk }: AuditHunk): Html {
  const { mark, words: stateWords } = STATES[state];
  const words = [
    `hunk ${hunk}`,
    ...(line > 0 ? [`line ${line}`] : []),
    stateWords,
    ...(reason === '' ? [] : [reason]),
    ...(added + removed > 0 ? [`+${added} −${removed}`] : []),
    ...(chunk === null ? [] : [`question ${chunk}`]),
  ].join(', ');
  return html`<li class="block s-${state}" title="${words}">
<span aria-hidden="true">${mark}</span><span class="sr">${words}</span></li>`;
}

const MAX_QUESTIONS = 300;

/** Which hunks were asked about together; nothing if no model was to be asked. */
function planTable(hunks: readonly AuditHunk[]): Html | undefined {
  const questions = new Map<number, AuditHunk[]>();
  for (const hunk of hunks) {
    if (hunk.chunk === null) continue;
    const known = questions.get(hunk.chunk);
    if (known === undefined) questions.set(hunk.chunk, [hunk]);
    else known.push(hunk);
  }
  if (questions.size === 0) return undefined;
  const rows = [...questions].sort(([one], [other]) => one - other).slice(0, MAX_QUESTIONS);
  return html`<details class="more">
<summary>The plan: ${count(questions.size, 'question')} for the model</summary>
<div class="scroll" tabindex="0" role="region" aria-label="The plan"><table>
<thead><tr><th scope="col">Question</th><th scope="col">Shows</th>
<th scope="col" class="n">Lines</th></tr></thead>
<tbody>${rows.map(([chunk, own]) => row(chunk, own))}</tbody></table></div></details>`;
}

function row(chunk: number, hunks: readonly AuditHunk[]): Html {
  const lines = hunks.reduce((sum, { added, removed }) => sum + added + removed, 0);
  const shows = hunks.map(({ path, hunk }) => html`<div><code>${path}</code> hunk ${hunk}</div>`);
  return html`<tr><th scope="row">${chunk}</th><td>${shows}</td>
<td class="n">${numeral(lines)}</td></tr>
`;
}
