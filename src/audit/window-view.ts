import type { AuditRun, Turn } from './audit-run.js';
import { type Html, html, NOTHING } from './html.js';
import { numeral, promptTokens, turnId } from './words.js';

const HEIGHT = 160;
const TOP = 18;
const BOTTOM = TOP + HEIGHT;
/** A few turns get broad bars, hundreds narrow ones and a chart that scrolls. */
const BAR = { narrow: 8, broad: 26 };
const FEW_TURNS = 24;
const LEAST_WIDTH = 940;

interface Scale {
  readonly most: number;
  readonly bar: number;
}

/** How full the window was, request by request. */
export function windowView({ talks, outcome }: AuditRun): Html {
  const turns = talks.flatMap(talk => talk.turns);
  const [first] = turns;
  if (first === undefined) return NOTHING;
  const window = outcome.model.contextWindow ?? 0;
  const fullest = turns.reduce((one, other) => (total(other) > total(one) ? other : one), first);
  const scale = {
    most: Math.max(1, window, total(fullest)),
    bar: turns.length <= FEW_TURNS ? BAR.broad : BAR.narrow,
  };
  const room = window === 0 ? '' : `The model's window holds ${numeral(window)} tokens. `;
  return html`<section id="window" aria-labelledby="window-title">
<h2 id="window-title">Use of the window</h2>
<p>${room}Fullest was <a href="#${turnId(fullest)}">turn ${fullest.talk}.${fullest.number}</a>
with ${numeral(total(fullest))}.</p>
<ul class="legend"><li><span class="key prompt"></span> what was sent</li>
<li><span class="key compacted"></span> sent with a shortened history</li>
<li><span class="key reply"></span> what was answered</li>
<li><span class="key room"></span> room kept for the answer</li>
<li><span class="key first"></span> a conversation begins</li></ul>
${chart(turns, window, scale)}
<details class="more"><summary>The same as a table</summary>
${table(turns, window)}</details></section>`;
}

const answered = ({ reply }: Turn): number => reply?.completionTokens ?? 0;
const total = (turn: Turn): number => promptTokens(turn) + answered(turn);
const heightOf = (tokens: number, { most }: Scale): number =>
  Math.round((tokens / most) * HEIGHT * 10) / 10;

function chart(turns: readonly Turn[], window: number, scale: Scale): Html {
  const width = Math.max(LEAST_WIDTH, turns.length * step(scale) + 10);
  const y = BOTTOM - heightOf(window, scale);
  const limit = html`<line class="limit" x1="0" x2="${width}" y1="${y}" y2="${y}"></line>
<text x="2" y="${y - 5}">window: ${numeral(window)} tokens</text>`;
  return html`<div class="chart scroll" tabindex="0" role="region"
 aria-label="Use of the window, a chart; the same as a table follows">
<svg width="${width}" height="${BOTTOM + 10}" viewBox="0 0 ${width} ${BOTTOM + 10}"
 aria-hidden="true" focusable="false">${window === 0 ? undefined : limit}
${turns.map((turn, at) => bar(turn, 4 + at * step(scale), scale))}</svg></div>`;
}

const step = ({ bar: width }: Scale): number => width + Math.ceil(width / 4);

/** Sent, then answered, then what was kept free for a longer answer. */
function bar(turn: Turn, x: number, scale: Scale): Html {
  const sent = heightOf(promptTokens(turn), scale);
  const said = heightOf(answered(turn), scale);
  const most = Math.min(HEIGHT, heightOf(promptTokens(turn) + turn.maxTokens, scale));
  const kept = Math.max(0, most - sent - said);
  const rect = (name: string, y: number, height: number): Html =>
    html`<rect class="${name}" x="${x}" y="${y}" width="${scale.bar}" height="${height}"></rect>`;
  const tokens = `${numeral(promptTokens(turn))} sent, ${numeral(answered(turn))} answered`;
  const words = `turn ${turn.talk}.${turn.number}: ${tokens}`;
  return html`<a href="#${turnId(turn)}" tabindex="-1"><title>${words}</title>
${rect('room', BOTTOM - sent - said - kept, kept)}
${rect(turn.compaction === 'none' ? 'prompt' : 'compacted', BOTTOM - sent, sent)}
${rect('reply', BOTTOM - sent - said, said)}
${turn.number === 1 ? rect('first', BOTTOM + 3, 3) : undefined}</a>
`;
}

const table = (turns: readonly Turn[], window: number): Html =>
  html`<div class="scroll" tabindex="0" role="region" aria-label="Use of the window, a table">
<table><thead><tr><th scope="col">Turn</th><th scope="col" class="n">Estimated</th>
<th scope="col" class="n">Sent</th><th scope="col" class="n">Answered</th>
<th scope="col" class="n">Share</th><th scope="col">History</th></tr></thead>
<tbody>${turns.map(turn => tableRow(turn, window))}</tbody></table></div>`;

function tableRow(turn: Turn, window: number): Html {
  const sent = turn.reply?.promptTokens ? numeral(turn.reply.promptTokens) : '–';
  const share = window === 0 ? '–' : `${Math.round((100 * total(turn)) / window)} %`;
  return html`<tr><th scope="row"><a href="#${turnId(turn)}">${turn.talk}.${turn.number}</a></th>
<td class="n">${numeral(turn.estimatedTokens)}</td><td class="n">${sent}</td>
<td class="n">${numeral(answered(turn))}</td><td class="n">${share}</td>
<td>${turn.compaction === 'none' ? 'whole' : turn.compaction}</td></tr>
`;
}
