import type { FixEdit } from '../../core/outcome.js';

import type { AuditRun, Step, ToolResult } from '../audit-run.js';
import { diffView } from './findings.js';
import { type Html, html, NOTHING, TextPool } from './html.js';
import { count, duration, turnId } from './words.js';

const MAKERS: Readonly<Record<FixEdit['by'], string>> = {
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

interface Try {
  readonly id: string;
  readonly where: string;
  readonly step: ToolResult;
  readonly edit: Edit;
}

const triesIn = ({ conversations }: AuditRun): Try[] =>
  conversations
    .flatMap(conversation => conversation.turns)
    .flatMap(turn =>
      turn.steps.flatMap(step => {
        const edit = step.type === 'result' ? editOf(step.details) : undefined;
        if (step.type !== 'result' || edit === undefined) return [];
        return [
          { id: turnId(turn), where: `turn ${turn.conversation}.${turn.number}`, step, edit },
        ];
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

/** A detail is a path, a number, a command; what is longer is a text of its own. */
const MOST_DETAIL = 2000;

/** One thing that code did about a reply. */
export function stepView(step: Step, pool: TextPool): Html {
  switch (step.type) {
    case 'call':
      return html`<div class="step"><h5>understood as <code>${step.name}</code></h5>
${pool.plain(step.input, `Input of ${step.name}`)}${repairsView(step.repairs)}</div>
`;
    case 'result':
      return resultView(step, pool);
    case 'rung':
      return html`<div class="step trouble"><h5>not usable: ${step.trouble}</h5>
<p>What was done: <strong>${step.rung}</strong>. ${step.message}</p></div>
`;
    default: {
      const never: never = step;
      return never;
    }
  }
}

function repairsView(repairs: readonly string[]): Html | undefined {
  if (repairs.length === 0) return undefined;
  const names = repairs.map((name, at) => html`${at === 0 ? '' : ', '}<code>${name}</code>`);
  return html`<p class="repairs">Repaired before it could be used: ${names}</p>`;
}

/** The result the model got, and details that only people see. */
function resultView(result: ToolResult, pool: TextPool): Html {
  const { name, isError, text, durationMs, details } = result;
  const edit = editOf(details);
  const rest = [...details].filter(([key]) => edit === undefined || !EDIT_KEYS.includes(key));
  const tone = isError ? 'failed' : 'done';
  return html`<div class="step ${tone}"><h5>${isError ? 'error' : 'result'} of
<code>${name}</code> <span class="cost">${duration(durationMs)}</span></h5>
${pool.plain(text, `Result of ${name}`)}
${edit && beforeAfter(edit, pool)}${rest.length === 0 ? undefined : detailsView(rest)}</div>
`;
}

interface Edit {
  readonly before: string;
  readonly after: string;
}

const EDIT_KEYS = ['oldText', 'newText'];

/** The edit that a tool made or tried, if its details hold one. */
function editOf(details: ToolResult['details']): Edit | undefined {
  const [before, after] = EDIT_KEYS.map(key => details.get(key));
  return before === undefined || after === undefined ? undefined : { before, after };
}

const beforeAfter = ({ before, after }: Edit, pool: TextPool): Html =>
  html`<div class="columns"><div class="column before"><h4>Before</h4>
${pool.plain(before, 'Before')}</div><div class="column after"><h4>After</h4>
${pool.plain(after, 'After')}</div></div>`;

function detailsView(details: ReadonlyArray<readonly [string, string]>): Html {
  const rows = details.map(([key, value]) => {
    const shown = value.length > MOST_DETAIL ? `${value.slice(0, MOST_DETAIL)}…` : value;
    return html`<div><dt>${key}</dt><dd><code>${shown}</code></dd></div>`;
  });
  return html`<details class="more"><summary>Details</summary>
<dl class="facts">${rows}</dl></details>`;
}
