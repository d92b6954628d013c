import type { AuditRun, Origin, ShownOutcome } from './audit-run.js';
import { type Html, html, type Part } from './html.js';
import { count, duration, moment, numeral, shortId } from './words.js';

const ORIGINS: Readonly<Record<Origin, string>> = {
  run: 'kept by the run itself',
  hook: 'left by the pre-commit hook for the commit that is to come',
  note: 'a note on the commit; what was said to the model stayed where it ran',
  file: 'an outcome file; what was said to the model stayed where it ran',
  transcript: 'the run broke off: there is a transcript, but no outcome',
};

type Row = readonly [name: string, value: Part];

/** What was asked, of what, by whom it was answered, and what it cost. */
export function summaryView(run: AuditRun): Html {
  const { outcome, origin, facts } = run;
  const { answer, description, notices = [] } = outcome;
  const rows: readonly Row[] = [
    ['Asked', html`<code>${facts.asked || `apfel-bot ${outcome.task}`}</code>`],
    ...changeRows(outcome),
    ['Model', modelWords(outcome.model)],
    ...spentRows(run),
    ['Run', html`<code>${outcome.run}</code>`],
    ['When', whenWords(outcome)],
    ['Source', ORIGINS[origin]],
  ];
  const list = rows.map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`);
  return html`<section id="summary" aria-labelledby="summary-title">
<h2 id="summary-title">Summary</h2>
<dl class="facts">${list}</dl>
${answer && answerView(answer)}${description && descriptionView(description)}
${notices.length === 0 ? undefined : noticesView(notices)}</section>`;
}

function changeRows({ change }: ShownOutcome): Row[] {
  if (change === undefined) return [];
  const { base, head, repository, pull, files, hunks, added, removed } = change;
  const end = (id: string): Html => html`<code title="${id}">${shortId(id)}</code>`;
  const where = [repository, pull === null ? null : `pull request ${pull}`].filter(Boolean);
  const place = where.length === 0 ? '' : ` in ${where.join(', ')}`;
  const size = `${count(files, 'file')}, ${count(hunks, 'hunk')}`;
  const lines = html`<span class="plus">+${numeral(added)}</span>
<span class="minus">−${numeral(removed)}</span>`;
  return [['Change', html`${end(base ?? 'nothing')} to ${end(head)}${place}; ${size}, ${lines}`]];
}

function modelWords(model: ShownOutcome['model']): Part {
  if (!model.available) return `none: ${model.reason ?? 'it could not be reached'}`;
  const { name = 'unnamed', baseUrl, contextWindow, protocol } = model;
  const more = [
    ...(contextWindow === undefined ? [] : [`window of ${numeral(contextWindow)} tokens`]),
    ...(protocol === undefined ? [] : [`${protocol} protocol`]),
  ];
  const where = baseUrl === undefined ? undefined : html` at <code>${baseUrl}</code>`;
  return html`${name}${where}${more.map(words => `, ${words}`)}`;
}

function spentRows({ outcome: { model }, talks }: AuditRun): Row[] {
  if (!model.available) return [];
  const turns = talks.reduce((sum, talk) => sum + talk.turns.length, 0);
  const tokens = `${numeral(model.promptTokens)} tokens in, ${numeral(model.completionTokens)} out`;
  const { repairs, retries, refusals } = model;
  const trouble = `${count(repairs, 'repair')}, ${retries} retried, ${refusals} refused`;
  const said = `${count(turns, 'turn')} in ${count(talks.length, 'conversation')}`;
  return [
    ['Spent', `${count(model.requests, 'request')}, ${tokens}; ${trouble}`],
    ['Said', turns === 0 ? 'not recorded here' : said],
  ];
}

function whenWords({ startedAt, durationMs }: ShownOutcome): Html {
  const took = durationMs > 0 ? `, took ${duration(durationMs)}` : '';
  return html`<time datetime="${startedAt}">${moment(startedAt)}</time>${took}`;
}

function answerView({ text, sources }: NonNullable<ShownOutcome['answer']>): Html {
  const places = sources.map(({ path, line }) => html`<li><code>${path}:${line}</code></li>`);
  return html`<article class="card"><h3>Answer</h3><pre class="prose">${text}</pre>
${places.length === 0 ? undefined : html`<h4>It rests on</h4><ul>${places}</ul>`}</article>`;
}

const descriptionView = ({ title, body }: NonNullable<ShownOutcome['description']>): Html =>
  html`<article class="card"><h3>${title}</h3><pre class="prose">${body}</pre></article>`;

const noticesView = (notices: readonly string[]): Html =>
  html`<h3>Notices</h3>
<ul class="notices">${notices.map(notice => html`<li>${notice}</li>`)}</ul>`;
