import { type Html, html } from './html.js';

const KINDS: ReadonlyArray<readonly [kind: string, label: string]> = [
  ['finding', 'Findings'],
  ['rejected', 'Rejected'],
  ['edit', 'Edits'],
  ['error', 'Errors'],
  ['repair', 'Repairs'],
  ['trouble', 'Trouble'],
];

const KEYS: ReadonlyArray<readonly [keys: readonly string[], what: string]> = [
  [['/'], 'filter'],
  [['j', 'k'], 'next, previous'],
  [['n'], 'next finding'],
  [['o'], 'open or close'],
  [['Esc'], 'clear the filter'],
];

/** Hidden until the script shows it: without one it could do nothing. */
export function filterBar(): Html {
  const kinds = KINDS.map(
    ([kind, label]) =>
      html`<button type="button" data-kind="${kind}" aria-pressed="false">${label}</button>`,
  );
  return html`<div class="filter" role="search" hidden><label for="filter">Filter</label>
<input id="filter" type="search" autocomplete="off" spellcheck="false"
 placeholder="path, rule, word…">
<div class="kinds" role="group" aria-label="Show only">${kinds}</div>
<div class="acts"><button type="button" data-act="open">Open all</button>
<button type="button" data-act="close">Close all</button></div>
<output aria-live="polite" for="filter"></output></div>`;
}

/** The keys that the script listens to. */
export function keysView(): Html {
  const rows = KEYS.map(([keys, what]) => {
    const caps = keys.map(key => html`<kbd>${key}</kbd> `);
    return html`<div><dt>${caps}</dt><dd>${what}</dd></div>`;
  });
  return html`<details class="keys" hidden><summary>Keys</summary><dl>${rows}</dl></details>`;
}
