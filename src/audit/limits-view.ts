import type { AuditRun } from './audit-run.js';
import { type Html, html } from './html.js';
import { count, isThisMachine } from './words.js';

/** Which limits there were and which were reached, and whom the run spoke to. */
export function limitsView(run: AuditRun): Html {
  const { limits, complete } = run.outcome;
  const rows = limits.map(({ limit, value, hit }) => {
    const mark = pill(hit ? 'reached' : 'not reached', !hit);
    return html`<li>${mark} ${limit}: ${value}</li>`;
  });
  const ends = endsOf(run).map(
    ([reason, amount]) =>
      html`<li>${pill(reason, false)} ended ${count(amount, 'conversation')}</li>`,
  );
  const state = complete
    ? 'Everything that was asked for was done.'
    : 'The run is incomplete: not everything that was asked for was done.';
  return html`<section id="limits" aria-labelledby="limits-title">
<h2 id="limits-title">Limits and hosts</h2>
<div class="columns"><div class="column"><h3>Limits</h3>
<p>${state}</p>
<ul class="plain">${rows}${ends}</ul></div>
<div class="column"><h3>Hosts contacted</h3>${hostsView(run)}</div></div></section>`;
}

const pill = (words: string, isGood: boolean): Html =>
  html`<span class="pill ${isGood ? 'good' : 'bad'}">${words}</span>`;

/** Conversations that did not come to their own end, by what ended them. */
function endsOf({ talks }: AuditRun): Array<readonly [string, number]> {
  const ends = new Map<string, number>();
  for (const { end } of talks) {
    const reason = end?.reason ?? 'broke off';
    if (reason !== 'finished') ends.set(reason, (ends.get(reason) ?? 0) + 1);
  }
  return [...ends];
}

function hostsView({ facts, outcome, origin }: AuditRun): Html {
  const rows = facts.hosts.map(({ host, times }) => {
    const isHere = isThisMachine(host);
    const where = pill(isHere ? 'this machine' : 'another machine', isHere);
    return html`<li><code>${host}</code> ${where} ${count(times, 'request')}</li>`;
  });
  if (rows.length > 0) {
    return html`<ul class="plain">${rows}</ul><p class="muted">Nothing else was spoken to.</p>`;
  }
  if (origin === 'run') return html`<p>None. The run spoke to nobody.</p>`;
  const { available, baseUrl } = outcome.model;
  return available && baseUrl !== undefined
    ? html`<p>The model's server, <code>${baseUrl}</code>.</p>`
    : html`<p>Not recorded: only a run that is kept here tells.</p>`;
}
