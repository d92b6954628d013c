import type { StageTime } from '../core/diary.js';
import type { AuditRun, Turn } from './audit-run.js';
import { type Html, html, NOTHING } from './html.js';
import { duration, turnId } from './words.js';

/** One bar of the timeline. */
interface Event {
  readonly title: Html;
  readonly atMs: number;
  readonly durationMs: number;
  readonly mood: string;
}

/** The bars are drawn on a scale of their own and stretched to the page. */
const UNITS = 1000;
const LEAST_UNITS = 3;

/** When what was done, and how long it took. */
export function timelineView({ facts, talks }: AuditRun): Html {
  const turns = talks.flatMap(talk => talk.turns);
  const requests = turns.filter(({ atMs }) => atMs > 0).map(requestEvent);
  const stages = facts.stages.map(stageEvent);
  if (stages.length + requests.length === 0) return NOTHING;
  const all = [...stages, ...requests];
  const start = all.reduce((least, { atMs }) => Math.min(least, atMs), Number.POSITIVE_INFINITY);
  const end = all.reduce((most, { atMs, durationMs }) => Math.max(most, atMs + durationMs), start);
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
  mood: 'stage',
});

const requestEvent = (turn: Turn): Event => {
  const isAnswer = turn.reply?.kind === 'answer' || turn.reply?.kind === 'tool-calls';
  return {
    title: html`<a href="#${turnId(turn)}">${turn.talk}.${turn.number}</a>`,
    atMs: turn.atMs,
    durationMs: turn.reply?.durationMs ?? 0,
    mood: isAnswer ? 'request' : 'trouble',
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

function bar({ atMs, durationMs, mood }: Event, { start, length }: Span): Html {
  const width = Math.max(LEAST_UNITS, Math.round((durationMs / length) * UNITS));
  const x = Math.min(UNITS - width, Math.round(((atMs - start) / length) * UNITS));
  return html`<rect class="${mood}" x="${Math.max(0, x)}" y="0" width="${width}" height="10"></rect>
`;
}
