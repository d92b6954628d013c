import type { AuditHunk } from '../core/diary.js';
import { type Html, html } from './html.js';
import { count, numeral } from './words.js';

const MOST_QUESTIONS = 300;

/** Which hunks were asked about together; nothing where no model was to be asked. */
export function planTable(hunks: readonly AuditHunk[]): Html | undefined {
  const questions = new Map<number, AuditHunk[]>();
  for (const hunk of hunks) {
    if (hunk.bite === null) continue;
    const known = questions.get(hunk.bite);
    if (known === undefined) questions.set(hunk.bite, [hunk]);
    else known.push(hunk);
  }
  if (questions.size === 0) return undefined;
  const rows = [...questions].sort(([one], [other]) => one - other).slice(0, MOST_QUESTIONS);
  return html`<details class="more">
<summary>The plan: ${count(questions.size, 'question')} for the model</summary>
<div class="scroll" tabindex="0" role="region" aria-label="The plan"><table>
<thead><tr><th scope="col">Question</th><th scope="col">Shows</th>
<th scope="col" class="n">Lines</th></tr></thead>
<tbody>${rows.map(([bite, own]) => row(bite, own))}</tbody></table></div></details>`;
}

function row(bite: number, hunks: readonly AuditHunk[]): Html {
  const lines = hunks.reduce((sum, { added, removed }) => sum + added + removed, 0);
  const shows = hunks.map(({ path, hunk }) => html`<div><code>${path}</code> hunk ${hunk}</div>`);
  return html`<tr><th scope="row">${bite}</th><td>${shows}</td>
<td class="n">${numeral(lines)}</td></tr>
`;
}
