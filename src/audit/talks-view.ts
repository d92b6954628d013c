import type { AuditRun, Talk } from './audit-run.js';
import { type Html, html } from './html.js';
import { TextPool } from './text-pool.js';
import { type TurnWish, turnView } from './turn-view.js';
import { count, duration } from './words.js';

/** A turn brings about three new texts: what was added to the request, the reply, the result. */
const TEXTS_OF_TURN = 3;

/** Every conversation, turn by turn. */
export function talksView(run: AuditRun): Html {
  const { talks, isCut } = run;
  const turns = talks.reduce((sum, talk) => sum + talk.turns.length, 0);
  const wish = {
    pool: new TextPool(turns * TEXTS_OF_TURN + 2),
    window: run.outcome.model.contextWindow,
  };
  const cut = html`<p class="callout">The transcript was too long to be kept to its end;
later turns are missing.</p>`;
  return html`<section id="conversations" aria-labelledby="conversations-title">
<h2 id="conversations-title">Conversations</h2>
${talks.length === 0 ? html`<p>${whyNone(run)}</p>` : undefined}${isCut ? cut : undefined}
${talks.map(talk => talkView(talk, wish))}</section>`;
}

function whyNone({ outcome, origin }: AuditRun): string {
  if (!outcome.model.available) return 'No model was asked.';
  if (origin === 'run' && outcome.model.requests === 0) {
    return 'The model had nothing to be asked: every answer was known from before.';
  }
  return origin === 'run'
    ? 'The transcript is no longer there; only the newest are kept.'
    : 'What was said to the model is kept where it ran, and only there.';
}

function talkView({ number, title, turns, end }: Talk, wish: TurnWish): Html {
  const id = `talk-${number}`;
  const time = turns.reduce((sum, { reply }) => sum + (reply?.durationMs ?? 0), 0);
  const isFine = end?.reason === 'finished';
  const link = `Link to conversation ${number}`;
  return html`<section class="talk" id="${id}" aria-labelledby="${id}-title">
<h3 id="${id}-title">${number}. ${title}
<a class="anchor" href="#${id}" aria-label="${link}">#</a></h3>
<p class="meta">${count(turns.length, 'turn')}, ${duration(time)} of answering.
<span class="pill ${isFine ? 'good' : 'bad'}">${end?.reason ?? 'broke off'}</span>
${isFine ? '' : end?.message}</p>
${turns.map(turn => turnView(turn, wish))}</section>
`;
}
