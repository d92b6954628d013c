import type { SavedOutcome } from '../../core/outcome.js';
import { moment } from '../../report/style.js';
import type { AuditRun, Origin, Turn } from '../audit-run.js';
import type { StageTime } from '../run-log.js';
import { type Html, html, NOTHING, type Part } from './html.js';
import { count, duration, fullestRequest, numeral, shortId, turnId } from './words.js';

const ORIGINS: Readonly<Record<Origin, string>> = {
  run: 'saved by the run itself',
  hook: 'left by the pre-commit hook for the next commit',
  note: 'a note on the commit; the transcript is on the machine where it ran',
  file: 'an outcome file; the transcript is on the machine where it ran',
  running: 'the run is still in progress: there is a transcript, but no outcome yet',
  transcript: 'the run was interrupted: there is a transcript, but no outcome',
};

type Row = readonly [name: string, value: Part];

/** The command, the change, the model, and what it took. */
export function summaryView(run: AuditRun): Html {
  const { outcome, origin, facts } = run;
  const { answer, description, notices = [] } = outcome;
  const rows: readonly Row[] = [
    ['Command', html`<code>${facts.asked || `apfel-bot ${outcome.task}`}</code>`],
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

function changeRows({ change }: SavedOutcome): Row[] {
  if (change === undefined) return [];
  const { base, head, repository, pull, files, hunks, added, removed } = change;
  const end = (id: string): Html => html`<code title="${id}">${shortId(id)}</code>`;
  const where = [repository, pull === null ? null : `pull request ${pull}`].filter(Boolean);
  const place = where.length === 0 ? '' : ` in ${where.join(', ')}`;
  const size = `${count(files, 'file')}, ${count(hunks, 'hunk')}`;
  // A note has neither the base nor the lines.
  if (base === null && added + removed === 0)
    return [['Change', html`${end(head)}${place}; ${size}`]];
  const lines = html`<span class="plus">+${numeral(added)}</span>
<span class="minus">−${numeral(removed)}</span>`;
  return [['Change', html`${end(base ?? 'nothing')} to ${end(head)}${place}; ${size}, ${lines}`]];
}

function modelWords(model: SavedOutcome['model']): Part {
  if (!model.available) return `none: ${model.reason ?? 'it could not be reached'}`;
  const { name = 'unnamed', baseUrl, contextWindow, protocol } = model;
  const more = [
    ...(contextWindow === undefined ? [] : [`window of ${numeral(contextWindow)} tokens`]),
    ...(protocol === undefined ? [] : [`${protocol} protocol`]),
  ];
  const where = baseUrl === undefined ? undefined : html` at <code>${baseUrl}</code>`;
  return html`${name}${where}${more.map(words => `, ${words}`)}`;
}

function spentRows({ outcome: { model }, conversations }: AuditRun): Row[] {
  if (!model.available) return [];
  const turns = conversations.reduce((sum, conversation) => sum + conversation.turns.length, 0);
  const tokens = `${numeral(model.promptTokens)} tokens in, ${numeral(model.completionTokens)} out`;
  const { repairs, retries, refusals } = model;
  const trouble = `${count(repairs, 'repair')}, ${retries} retried, ${refusals} refused by the model`;
  const max = fullestRequest(conversations, model.contextWindow);
  const transcript = `${count(turns, 'turn')} in ${count(conversations.length, 'conversation')}${max === undefined ? '' : `, ${max}`}`;
  return [
    ['Usage', `${count(model.requests, 'request')}, ${tokens}; ${trouble}`],
    ['Transcript', turns === 0 ? 'not recorded here' : transcript],
  ];
}

function whenWords({ startedAt, durationMs }: SavedOutcome): Html {
  const took = durationMs > 0 ? `, took ${duration(durationMs)}` : '';
  return html`<time datetime="${startedAt}">${moment(startedAt)}</time>${took}`;
}

function answerView({ text, sources }: NonNullable<SavedOutcome['answer']>): Html {
  const places = sources.map(({ path, line }) => html`<li><code>${path}:${line}</code></li>`);
  return html`<article class="card"><h3>Answer</h3><pre class="prose">${text}</pre>
${places.length === 0 ? undefined : html`<h4>Sources</h4><ul>${places}</ul>`}</article>`;
}

const descriptionView = ({ title, body }: NonNullable<SavedOutcome['description']>): Html =>
  html`<article class="card"><h3>${title}</h3><pre class="prose">${body}</pre></article>`;

const noticesView = (notices: readonly string[]): Html =>
  html`<h3>Notices</h3>
<ul class="notices">${notices.map(notice => html`<li>${notice}</li>`)}</ul>`;

/** One bar of the timeline. */
interface Event {
  readonly title: Html;
  readonly atMs: number;
  readonly durationMs: number;
  readonly tone: string;
}

/** The bars use their own scale and are stretched to the page. */
const UNITS = 1000;
const MIN_UNITS = 3;

/** When each step ran, and how long it took. */
export function timelineView({ facts, conversations }: AuditRun): Html {
  const turns = conversations.flatMap(conversation => conversation.turns);
  const requests = turns.filter(({ atMs }) => atMs > 0).map(requestEvent);
  const stages = facts.stages.map(stageEvent);
  if (stages.length + requests.length === 0) return NOTHING;
  const all = [...stages, ...requests];
  const start = all.reduce((least, { atMs }) => Math.min(least, atMs), Number.POSITIVE_INFINITY);
  const end = all.reduce((max, { atMs, durationMs }) => Math.max(max, atMs + durationMs), start);
  const span = { start, length: Math.max(1, end - start) };
  const rows = stages.map(stage => row([stage], span, stage.title));
  return html`<section id="timeline" aria-labelledby="timeline-title">
<h2 id="timeline-title">Timeline</h2>
<p>${duration(span.length)} from the first step to the last.</p>
<ol class="timeline">${rows}
${requests.length === 0 ? undefined : row(requests, span, html`Requests to the model`)}</ol>
${requests.length === 0 ? undefined : requestTable(requests, start)}</section>`;
}

function requestTable(requests: readonly Event[], start: number): Html {
  const rows = requests.map(
    ({ title, atMs, durationMs }) => html`<tr><th scope="row">${title}</th>
<td class="n">${duration(atMs - start)}</td><td class="n">${duration(durationMs)}</td></tr>
`,
  );
  return html`<details class="more"><summary>Each request</summary>
<div class="scroll" tabindex="0" role="region" aria-label="Each request"><table><thead><tr>
<th scope="col">Turn</th><th scope="col" class="n">After</th><th scope="col" class="n">Took</th>
</tr></thead><tbody>${rows}</tbody></table></div></details>`;
}

const stageEvent = ({ title, atMs, durationMs }: StageTime): Event => ({
  title: html`${title}`,
  atMs,
  durationMs,
  tone: 'stage',
});

const requestEvent = (turn: Turn): Event => {
  const isAnswer = turn.reply?.kind === 'answer' || turn.reply?.kind === 'tool-calls';
  return {
    title: html`<a href="#${turnId(turn)}">${turn.conversation}.${turn.number}</a>`,
    atMs: turn.atMs,
    durationMs: turn.reply?.durationMs ?? 0,
    tone: isAnswer ? 'request' : 'trouble',
  };
};

interface Span {
  readonly start: number;
  readonly length: number;
}

function row(events: readonly Event[], span: Span, title: Html): Html {
  const time = events.reduce((sum, { durationMs }) => sum + durationMs, 0);
  return html`<li><span class="title">${title}</span>
<svg viewBox="0 0 ${UNITS} 10" preserveAspectRatio="none" aria-hidden="true" focusable="false">
${events.map(event => bar(event, span))}</svg><span class="n">${duration(time)}</span></li>
`;
}

function bar({ atMs, durationMs, tone }: Event, { start, length }: Span): Html {
  const width = Math.max(MIN_UNITS, Math.round((durationMs / length) * UNITS));
  const x = Math.min(UNITS - width, Math.round(((atMs - start) / length) * UNITS));
  return html`<rect class="${tone}" x="${Math.max(0, x)}" y="0" width="${width}" height="10"></rect>
`;
}
