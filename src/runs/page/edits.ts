import type { FixEdit } from '../../core/outcome.js';

import type { AuditRun } from '../audit-run.js';
import { diffView } from './findings.js';
import { type Html, html, NOTHING } from './html.js';
import { count } from './words.js';

const MAKERS: Readonly<Record<FixEdit['by'], string>> = {
  linter: "the linter's own fix",
  suggestion: 'a suggestion of the linter',
  model: 'the model',
};
const MOST_EDITS = 1000;

/** Each edit with what became of it, and those that were kept as a diff. */
export function editsView(run: AuditRun): Html {
  const { edits = [], branch } = run.outcome;
  if (run.outcome.edits === undefined) return NOTHING;
  const kept = edits.filter(({ status }) => status === 'kept').length;
  const diffs = run.edits.map(hunk => diffView(hunk, new Map()));
  return html`<section id="edits" aria-labelledby="edits-title"><h2 id="edits-title">Edits</h2>
<p>${count(kept, 'edit')} kept, ${edits.length - kept} rejected.
${branch && html`They are on <code>${branch.name}</code>.`}</p>
${edits.length === 0 ? undefined : table(edits.slice(0, MOST_EDITS))}
${diffs.length === 0 ? undefined : html`<h3>What was kept</h3>${diffs}`}</section>`;
}

const table = (edits: readonly FixEdit[]): Html =>
  html`<div class="scroll" tabindex="0" role="region" aria-label="Edits"><table class="edits">
<thead><tr><th scope="col">Rule</th><th scope="col">Place</th><th scope="col">By</th>
<th scope="col">Result</th></tr></thead><tbody>${edits.map(row)}</tbody></table></div>`;

const row = ({ path, diagnostic, by, status, reason = '' }: FixEdit): Html =>
  html`<tr class="item ${status}" tabindex="-1" data-kinds="edit ${status}">
<th scope="row"><code>${diagnostic.rule}</code></th><td><code>${path}:${diagnostic.line}</code></td>
<td>${MAKERS[by]}</td>
<td><span class="pill ${status === 'kept' ? 'good' : 'bad'}">${status}</span> ${reason}</td></tr>
`;
