import type { AuditRun, ShownEdit, ToolResult } from './audit-run.js';
import { diffView } from './diff-view.js';
import { type Html, html, NOTHING } from './html.js';
import { beforeAfter, type Edit, editOf } from './step-view.js';
import { TextPool } from './text-pool.js';
import { count, turnId } from './words.js';

const MAKERS: Readonly<Record<ShownEdit['by'], string>> = {
  linter: "the linter's own fix",
  suggestion: 'a suggestion of the linter',
  model: 'the model',
};
const MOST_EDITS = 1000;

/** Edits before and after: what was kept as a diff, and each try with what became of it. */
export function editsView(run: AuditRun): Html {
  const { edits = [], branch } = run.outcome;
  const tries = triesIn(run);
  if (run.outcome.edits === undefined && tries.length === 0) return NOTHING;
  const pool = new TextPool(tries.length * 2);
  const kept = edits.filter(({ status }) => status === 'kept').length;
  const diffs = run.edits.map(hunk => diffView(hunk, new Map()));
  const tried = tries.map(each => tryView(each, pool));
  return html`<section id="edits" aria-labelledby="edits-title"><h2 id="edits-title">Edits</h2>
<p>${count(kept, 'edit')} kept, ${edits.length - kept} rejected.
${branch && html`They are on <code>${branch.name}</code>.`}</p>
${edits.length === 0 ? undefined : table(edits.slice(0, MOST_EDITS))}
${diffs.length === 0 ? undefined : html`<h3>What was kept</h3>${diffs}`}
${tried.length === 0 ? undefined : html`<h3>What the model tried</h3>${tried}`}</section>`;
}

const table = (edits: readonly ShownEdit[]): Html =>
  html`<div class="scroll" tabindex="0" role="region" aria-label="Edits"><table class="edits">
<thead><tr><th scope="col">Rule</th><th scope="col">Place</th><th scope="col">By</th>
<th scope="col">Result</th></tr></thead><tbody>${edits.map(row)}</tbody></table></div>`;

const row = ({ path, diagnostic, by, status, reason = '' }: ShownEdit): Html =>
  html`<tr class="item ${status}" tabindex="-1" data-kinds="edit ${status}">
<th scope="row"><code>${diagnostic.rule}</code></th><td><code>${path}:${diagnostic.line}</code></td>
<td>${MAKERS[by]}</td>
<td><span class="pill ${status === 'kept' ? 'good' : 'bad'}">${status}</span> ${reason}</td></tr>
`;

interface Try {
  readonly id: string;
  readonly where: string;
  readonly step: ToolResult;
  readonly edit: Edit;
}

const triesIn = ({ talks }: AuditRun): Try[] =>
  talks
    .flatMap(talk => talk.turns)
    .flatMap(turn =>
      turn.steps.flatMap(step => {
        const edit = step.type === 'result' ? editOf(step.details) : undefined;
        if (step.type !== 'result' || edit === undefined) return [];
        return [{ id: turnId(turn), where: `turn ${turn.talk}.${turn.number}`, step, edit }];
      }),
    );

function tryView({ id, where, step, edit }: Try, pool: TextPool): Html {
  const { details, isError, text } = step;
  const state = isError ? 'rejected' : 'kept';
  const place = [details.get('path'), details.get('line')].filter(Boolean).join(':');
  return html`<article class="item card ${state}" tabindex="-1" data-kinds="edit ${state}">
<header><span class="pill ${isError ? 'bad' : 'good'}">${isError ? 'not kept' : 'kept'}</span>
<code>${place}</code> <a href="#${id}">${where}</a></header>
${beforeAfter(edit, pool)}
<p class="why">${text}</p></article>
`;
}
