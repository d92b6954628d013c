import type { Step, ToolResult } from './audit-run.js';
import { type Html, html } from './html.js';
import type { TextPool } from './text-pool.js';
import { duration } from './words.js';

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
      return html`<div class="step trouble"><h5>trouble: ${step.trouble}</h5>
<p>Next step of the ladder: <strong>${step.rung}</strong>. ${step.message}</p></div>
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

/** What the model was told, and beside it what only people see. */
function resultView(result: ToolResult, pool: TextPool): Html {
  const { name, isError, text, durationMs, details } = result;
  const edit = editOf(details);
  const rest = [...details].filter(([key]) => edit === undefined || !EDIT_KEYS.includes(key));
  const mood = isError ? 'failed' : 'done';
  return html`<div class="step ${mood}"><h5>${isError ? 'error' : 'result'} of
<code>${name}</code> <span class="cost">${duration(durationMs)}</span></h5>
${pool.plain(text, `Result of ${name}`)}
${edit && beforeAfter(edit, pool)}${rest.length === 0 ? undefined : detailsView(rest)}</div>
`;
}

export interface Edit {
  readonly before: string;
  readonly after: string;
}

const EDIT_KEYS = ['oldText', 'newText'];

/** The edit that a tool made or tried, where its details tell. */
export function editOf(details: ToolResult['details']): Edit | undefined {
  const [before, after] = EDIT_KEYS.map(key => details.get(key));
  return before === undefined || after === undefined ? undefined : { before, after };
}

export const beforeAfter = ({ before, after }: Edit, pool: TextPool): Html =>
  html`<div class="columns"><div class="column before"><h4>Before</h4>
${pool.plain(before, 'Before')}</div><div class="column after"><h4>After</h4>
${pool.plain(after, 'After')}</div></div>`;

function detailsView(details: ReadonlyArray<readonly [string, string]>): Html {
  const rows = details.map(([key, value]) => {
    const shown = value.length > MOST_DETAIL ? `${value.slice(0, MOST_DETAIL)}…` : value;
    return html`<div><dt>${key}</dt><dd><code>${shown}</code></dd></div>`;
  });
  return html`<details class="more"><summary>Details for people</summary>
<dl class="facts">${rows}</dl></details>`;
}
