import type { Reply, Turn } from './audit-run.js';
import { type Html, html } from './html.js';
import { stepView } from './step-view.js';
import type { TextPool } from './text-pool.js';
import { turnGist } from './turn-gist.js';
import { count, duration, numeral, promptTokens, turnId } from './words.js';

export interface TurnWish {
  readonly pool: TextPool;
  /** Undefined when the server did not tell. */
  readonly window: number | undefined;
}

/** What the model saw, what it answered, and what came of it. */
export function turnView(turn: Turn, { pool, window }: TurnWish): Html {
  const { talk, number, reply, steps } = turn;
  const id = turnId(turn);
  const where = `turn ${talk}.${number}`;
  const { kinds, badges, gist } = turnGist(turn);
  const marks = badges.map(({ mood, words }) => html`<span class="badge ${mood}">${words}</span> `);
  const tokens = promptTokens(turn) + (reply?.completionTokens ?? 0);
  const share = window === undefined ? '' : ` of ${numeral(window)}`;
  const time = reply === undefined ? '' : `, ${duration(reply.durationMs)}`;
  const done = html`<h4>What came of it</h4>${steps.map(step => stepView(step, pool))}`;
  return html`<details class="item turn" id="${id}" data-kinds="${kinds.join(' ')}">
<summary><span class="number">${talk}.${number}</span> <span class="gist">${gist}</span>
${marks}<span class="cost">${numeral(tokens)}${share} tokens${time}</span></summary>
<div class="body">${seenView(turn, pool, where)}
<h4>What it answered</h4>${replyView(reply, pool, where)}
${steps.length === 0 ? undefined : done}
<p class="links"><a href="#${id}">Link to ${where}</a></p></div></details>
`;
}

function seenView(turn: Turn, pool: TextPool, where: string): Html {
  const { system, messages, offered } = turn;
  const message = (role: string, name: string, text: string): Html =>
    html`<div class="message ${name}"><h5>${role}</h5>
${pool.show(text, `${role} message of ${where}`, where)}</div>
`;
  return html`<h4>What the model saw</h4>
<p class="meta">${frameWords(turn, pool)}</p>
${message('system', 'system', system)}
${messages.map(({ role, text }) => message(role, roleClass(role), text))}
${offered.text === '' ? undefined : offerView(offered.text, pool, where)}`;
}

function frameWords({ protocol, messages, maxTokens, offered }: Turn, pool: TextPool): Html {
  const repeated = messages.filter(({ text }) => pool.knows(text)).length;
  const before = repeated === 0 ? '' : ` (${repeated} as before)`;
  const names = offered.names.map(
    (name, at) => html`${at === 0 ? '; it could choose ' : ', '}<code>${name}</code>`,
  );
  return html`${protocol || 'unknown'} protocol, ${count(messages.length, 'message')}${before},
at most ${numeral(maxTokens)} tokens to answer${names}`;
}

const offerView = (text: string, pool: TextPool, where: string): Html =>
  html`<details class="more"><summary>What it was offered</summary>
${pool.show(text, `What was offered in ${where}`, where)}</details>`;

/** A role comes from a record; only ours have a style. */
const roleClass = (role: string): string =>
  ['user', 'assistant', 'toolResult'].find(known => role.startsWith(known)) ?? 'unknown';

function replyView(reply: Reply | undefined, pool: TextPool, where: string): Html {
  if (reply === undefined) return html`<p class="muted">Nothing: it broke off here.</p>`;
  const { kind, text, calls, promptTokens: sent, completionTokens: said } = reply;
  const isAnswer = kind === 'answer' || kind === 'tool-calls';
  const tokens = sent + said === 0 ? '' : `, ${numeral(sent)} tokens in, ${numeral(said)} out`;
  const asked = calls.map(
    ({ name, input }) => html`<div class="call"><h5>call <code>${name}</code></h5>
${pool.show(input, `Arguments of ${name} in ${where}`, where)}</div>`,
  );
  return html`<p class="meta"><span class="pill ${isAnswer ? 'good' : 'bad'}">${kind}</span>
after ${duration(reply.durationMs)}${tokens}${reply.isCut ? ', cut off' : ''}</p>
${text === '' ? undefined : pool.show(text, `Answer of ${where}`, where)}${asked}`;
}
