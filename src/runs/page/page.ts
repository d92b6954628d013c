import { createHash } from 'node:crypto';
import { SCRIPT, STYLE } from '../../generated/page-text.js';
import { moment } from '../../report/style.js';
import type { AuditRun } from '../audit-run.js';
import { mapView } from './change-map.js';
import { conversationsView } from './conversations.js';
import { editsView, findingsView } from './findings.js';
import { type Html, html, inline, NOTHING } from './html.js';
import { summaryView, timelineView } from './summary.js';
import { count, isThisMachine, numeral, verdict } from './words.js';

/** The parts of the page in order; empty ones are left out. */
const VIEWS: ReadonlyArray<readonly [id: string, title: string, view: (run: AuditRun) => Html]> = [
  ['summary', 'Summary', summaryView],
  ['map', 'Map', mapView],
  ['findings', 'Findings', run => (isAboutFindings(run) ? findingsView(run) : NOTHING)],
  ['edits', 'Edits', editsView],
  ['conversations', 'Conversations', conversationsView],
  ['timeline', 'Timeline', timelineView],
  ['limits', 'Limits and hosts', limitsView],
];

const isAboutFindings = ({ outcome }: AuditRun): boolean =>
  outcome.task === 'review' || (outcome.findings ?? []).length > 0;

/**
 * A run as one self-contained page: no network, no other file, no external script. Everything
 * recorded is shown as text; only our own style and script, identified by their hash, are active.
 */
export function audit(run: AuditRun): string {
  const { outcome } = run;
  const views = VIEWS.map(([id, title, view]) => ({ id, title, body: view(run) })).filter(
    ({ body }) => body !== NOTHING,
  );
  const links = views.map(
    ({ id, title }) => html`<li><a href="#${id}">${title}${amount(id, run)}</a></li>`,
  );
  const page = html`<!doctype html>
<html lang="en"><head><meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy()}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer"><meta name="color-scheme" content="light dark">
<title>apfel-bot ${outcome.task}: ${verdict(outcome)}</title>
${inline('style', STYLE)}</head>
<body><a class="skip" href="#main">Skip to the content</a>
${header(run)}
<div class="layout"><nav aria-label="Parts of this page"><ol>${links}</ol></nav>
<main id="main" tabindex="-1">${filterBar()}
${views.map(({ body }) => body)}</main></div>
${inline('script', SCRIPT)}</body></html>
`;
  return page.toString();
}

const policy = (): string =>
  [
    "default-src 'none'",
    `style-src ${sourceHash(STYLE)}`,
    `script-src ${sourceHash(SCRIPT)}`,
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ');

function header({ outcome }: AuditRun): Html {
  const { task, complete, startedAt, run } = outcome;
  const worst = ['error', 'warning', 'info'].find(severity =>
    outcome.findings?.some(finding => finding.severity === severity),
  );
  const tone = complete ? (worst ?? 'good') : worst === 'error' ? 'error' : 'warning';
  const state = complete ? 'complete' : 'incomplete';
  return html`<header class="top ${tone}"><p class="brand">apfel-bot <span>${task}</span></p>
<h1>${verdict(outcome)}</h1>
<p class="state"><span class="pill ${complete ? 'good' : 'bad'}">${state}</span>
${moment(startedAt)} <code>${run}</code></p></header>`;
}

function amount(id: string, { outcome, conversations }: AuditRun): Html | undefined {
  const amounts: Readonly<Record<string, number | undefined>> = {
    map: outcome.ledger?.total,
    findings: outcome.findings?.length,
    edits: outcome.edits?.length,
    conversations: conversations.length,
  };
  const found = amounts[id];
  return found === undefined ? undefined : html` <span class="amount">${found}</span>`;
}

/** The limits, which of them were reached, and the hosts that the run contacted. */
function limitsView(run: AuditRun): Html {
  const { limits, complete } = run.outcome;
  const rows = limits.map(({ limit, value, hit }) => {
    const mark = pill(hit ? 'reached' : 'not reached', !hit);
    return html`<li>${mark} ${limit}: ${value}</li>`;
  });
  const ends = endsOf(run).map(
    ([reason, amount]) =>
      html`<li>${pill(reason, false)} ended ${count(amount, 'conversation')}</li>`,
  );
  const state = complete ? 'The run is complete.' : 'The run is incomplete.';
  return html`<section id="limits" aria-labelledby="limits-title">
<h2 id="limits-title">Limits and hosts</h2>
<div class="columns"><div class="column"><h3>Limits</h3>
<p>${state}</p>
<ul class="plain">${rows}${ends}</ul></div>
<div class="column"><h3>Hosts contacted</h3>${hostsView(run)}</div></div></section>`;
}

const pill = (words: string, isGood: boolean): Html =>
  html`<span class="pill ${isGood ? 'good' : 'bad'}">${words}</span>`;

/** Conversations that were ended early, by cause. */
function endsOf({ conversations }: AuditRun): Array<readonly [string, number]> {
  const ends = new Map<string, number>();
  for (const { end } of conversations) {
    const reason = end?.reason ?? 'broke off';
    if (reason !== 'finished') ends.set(reason, (ends.get(reason) ?? 0) + 1);
  }
  return [...ends];
}

function hostsView({ facts, outcome, origin }: AuditRun): Html {
  // The server is also asked about itself; without that remark the numbers would seem to differ.
  const asked =
    facts.hosts.length === 1 && outcome.model.requests > 0
      ? `, ${numeral(outcome.model.requests)} of them questions to the model`
      : '';
  const rows = facts.hosts.map(({ host, times }) => {
    const isHere = isThisMachine(host);
    const where = pill(isHere ? 'this machine' : 'another machine', isHere);
    return html`<li><code>${host}</code> ${where} ${count(times, 'HTTP request')}${asked}</li>`;
  });
  if (rows.length > 0) {
    return html`<ul class="plain">${rows}</ul><p class="muted">Nothing else was contacted.</p>`;
  }
  if (origin === 'run') return html`<p>None.</p>`;
  const { available, baseUrl } = outcome.model;
  return available && baseUrl !== undefined
    ? html`<p>The model's server, <code>${baseUrl}</code>.</p>`
    : html`<p>Not recorded: only runs saved on this machine have this.</p>`;
}

const KINDS: ReadonlyArray<readonly [kind: string, label: string]> = [
  ['finding', 'Findings'],
  ['rejected', 'Rejected'],
  ['edit', 'Edits'],
  ['error', 'Errors'],
  ['repair', 'Repairs'],
  ['trouble', 'Not usable'],
];

/** Hidden until the script shows it, because it needs the script. */
function filterBar(): Html {
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

/** A style or script in a content security policy: `'sha256-…'`. */
export const sourceHash = (text: string): string =>
  `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
