import { sourceHash } from '../core/source-hash.js';
import type { AuditRun } from './audit-run.js';
import { editsView } from './edits-view.js';
import { filterBar, keysView } from './filter-view.js';
import { findingsView } from './findings-view.js';
import { type Html, html, inline, NOTHING } from './html.js';
import { limitsView } from './limits-view.js';
import { mapView } from './map-view.js';
import { SCRIPT } from './page-script.js';
import { STYLE } from './page-style.js';
import { summaryView } from './summary-view.js';
import { talksView } from './talks-view.js';
import { timelineView } from './timeline-view.js';
import { windowView } from './window-view.js';
import { moment, verdict } from './words.js';

/** The parts of the page in their order; one that has nothing to say is left out. */
const VIEWS: ReadonlyArray<readonly [id: string, title: string, view: (run: AuditRun) => Html]> = [
  ['summary', 'Summary', summaryView],
  ['map', 'Map', mapView],
  ['findings', 'Findings', run => (isAboutFindings(run) ? findingsView(run) : NOTHING)],
  ['edits', 'Edits', editsView],
  ['conversations', 'Conversations', talksView],
  ['window', 'Window', windowView],
  ['timeline', 'Timeline', timelineView],
  ['limits', 'Limits and hosts', limitsView],
];

const isAboutFindings = ({ outcome }: AuditRun): boolean =>
  outcome.task === 'review' || (outcome.findings ?? []).length > 0;

/**
 * A run as one page that needs nothing else: no network, no file beside it, no script to be read.
 * Whatever was recorded is text on it; only our own style and script, named by their hash, count.
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
<div class="layout"><nav aria-label="Parts of this page"><ol>${links}</ol>${keysView()}</nav>
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
  const mood = complete ? (worst ?? 'good') : worst === 'error' ? 'error' : 'warning';
  const state = complete ? 'complete' : 'incomplete';
  return html`<header class="top ${mood}"><p class="brand">apfel-bot <span>${task}</span></p>
<h1>${verdict(outcome)}</h1>
<p class="state"><span class="pill ${complete ? 'good' : 'bad'}">${state}</span>
${moment(startedAt)} <code>${run}</code></p></header>`;
}

function amount(id: string, { outcome, talks }: AuditRun): Html | undefined {
  const amounts: Readonly<Record<string, number | undefined>> = {
    map: outcome.ledger?.total,
    findings: outcome.findings?.length,
    edits: outcome.edits?.length,
    conversations: talks.length,
  };
  const found = amounts[id];
  return found === undefined ? undefined : html` <span class="amount">${found}</span>`;
}
