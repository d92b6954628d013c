import { objectOf, parseJson, wordsOf } from '../../core/json-fields.js';
import type { AuditConversation, AuditRun, Reply, Step, ToolResult, Turn } from '../audit-run.js';
import { withoutOrder } from '../read-conversations.js';
import { type Html, html, TextPool } from './html.js';
import { count, duration, numeral, promptTokens, turnId } from './words.js';

/** A turn adds about three new texts: the request's new part, the reply, the result. */
const TEXTS_OF_TURN = 3;

/** Every conversation, turn by turn. */
export function conversationsView(run: AuditRun): Html {
  const { conversations, isCut } = run;
  const turns = conversations.reduce((sum, conversation) => sum + conversation.turns.length, 0);
  const options = {
    pool: new TextPool(turns * TEXTS_OF_TURN + 2),
    window: run.outcome.model.contextWindow,
  };
  const cut = html`<p class="callout">The transcript was too long to be kept to its end;
later turns are missing.</p>`;
  return html`<section id="conversations" aria-labelledby="conversations-title">
<h2 id="conversations-title">Conversations</h2>
${conversations.length === 0 ? html`<p>${whyNone(run)}</p>` : undefined}${isCut ? cut : undefined}
${conversations.map(conversation => conversationView(conversation, options))}</section>`;
}

function whyNone({ outcome, origin }: AuditRun): string {
  if (!outcome.model.available) return 'No model was asked.';
  if (origin === 'run' && outcome.model.requests === 0) {
    return 'The model was not asked: every answer was in the cache.';
  }
  return origin === 'run'
    ? 'The transcript has been deleted; only the newest are kept.'
    : 'The transcript is only on the machine that ran it.';
}

function conversationView(
  { number, title, turns, end }: AuditConversation,
  options: TurnOptions,
): Html {
  const id = `conversation-${number}`;
  const time = turns.reduce((sum, { reply }) => sum + (reply?.durationMs ?? 0), 0);
  const isFine = end?.reason === 'finished';
  const link = `Link to conversation ${number}`;
  return html`<section class="conversation" id="${id}" aria-labelledby="${id}-title">
<h3 id="${id}-title">${number}. ${title}
<a class="anchor" href="#${id}" aria-label="${link}">#</a></h3>
<p class="meta">${count(turns.length, 'turn')}, ${duration(time)} of answering.
<span class="pill ${isFine ? 'good' : 'bad'}">${end?.reason ?? 'broke off'}</span>
${isFine ? '' : end?.message}</p>
${turns.map(turn => turnView(turn, options))}</section>
`;
}

interface TurnOptions {
  readonly pool: TextPool;
  /** Undefined if the server didn't report it. */
  readonly window: number | undefined;
}

/** What the model saw, what it answered, and the result. */
function turnView(turn: Turn, { pool, window }: TurnOptions): Html {
  const { conversation, number, reply, steps } = turn;
  const id = turnId(turn);
  const where = `turn ${conversation}.${number}`;
  const { kinds, badges, summary } = turnSummary(turn);
  const marks = badges.map(({ tone, words }) => html`<span class="badge ${tone}">${words}</span> `);
  const tokens = promptTokens(turn) + (reply?.completionTokens ?? 0);
  const share = window === undefined ? '' : ` of ${numeral(window)}`;
  const time = reply === undefined ? '' : `, ${duration(reply.durationMs)}`;
  const done = html`<h4>What came of it</h4>${steps.map(step => stepView(step, pool))}`;
  return html`<details class="item turn" id="${id}" data-kinds="${kinds.join(' ')}">
<summary><span class="number">${conversation}.${number}</span> <span class="excerpt">${summary}</span>
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

/** A role comes from a record; only known ones have a style. */
const roleClass = (role: string): string =>
  ['user', 'assistant', 'toolResult'].find(known => role.startsWith(known)) ?? 'unknown';

function replyView(reply: Reply | undefined, pool: TextPool, where: string): Html {
  if (reply === undefined) return html`<p class="muted">Nothing: it broke off here.</p>`;
  const { kind, text, calls, promptTokens: sent, completionTokens: received } = reply;
  const isAnswer = kind === 'answer' || kind === 'tool-calls';
  const tokens =
    sent + received === 0 ? '' : `, ${numeral(sent)} tokens in, ${numeral(received)} out`;
  const asked = calls.map(
    ({ name, input }) => html`<div class="call"><h5>call <code>${name}</code></h5>
${pool.show(input, `Arguments of ${name} in ${where}`, where)}</div>`,
  );
  return html`<p class="meta"><span class="pill ${isAnswer ? 'good' : 'bad'}">${kind}</span>
after ${duration(reply.durationMs)}${tokens}${reply.isCut ? ', cut off' : ''}</p>
${text === '' ? undefined : pool.show(text, `Answer of ${where}`, where)}${asked}`;
}

interface TurnSummary {
  /** What it can be filtered by. */
  readonly kinds: readonly string[];
  readonly badges: ReadonlyArray<{ readonly words: string; readonly tone: string }>;
  /** One line: the call that was made, or how the answer begins. */
  readonly summary: Html;
}

/** What to know about a turn before opening it. */
function turnSummary(turn: Turn): TurnSummary {
  const kinds = ['turn'];
  const badges: Array<{ words: string; tone: string }> = [];
  const add = (kind: string, words: string, tone: string): void => {
    kinds.push(kind);
    badges.push({ words, tone });
  };
  const { steps, reply, compaction } = turn;
  const repairs = steps.flatMap(step => (step.type === 'call' ? step.repairs : []));
  if (repairs.length > 0) add('repair', count(repairs.length, 'repair'), 'warning');
  if (steps.some(step => step.type === 'result' && step.isError)) {
    add('error', 'tool error', 'error');
  }
  for (const step of steps) {
    if (step.type === 'recovery') add('trouble', `${step.problem}: ${step.action}`, 'error');
  }
  if (reply === undefined) add('trouble', 'no reply', 'error');
  if (reply?.isCut) add('trouble', 'cut off', 'warning');
  if (compaction !== 'none') add('compacted', `history ${compaction}`, 'info');
  return { kinds, badges, summary: summaryOf(turn) };
}

function summaryOf({ steps, reply }: Turn): Html {
  const call = steps.find(step => step.type === 'call');
  if (call?.type === 'call') {
    return html`<code>${call.name}</code> ${shortened(withoutBraces(call.input))}`;
  }
  return html`${reply === undefined ? 'no reply' : shortened(withoutBraces(reply.text) || reply.kind)}`;
}

/** `verdict: problem, line: 12, quote: …` is quicker to read than the JSON object. */
function withoutBraces(text: string): string {
  const fields = Object.entries(objectOf(parseJson(text))).map(
    ([key, value]) => [withoutOrder(key), wordsOf(value)] as const,
  );
  // The verdict matters more than the reason, which comes first in the reply.
  const reasonLast = fields.toSorted(
    ([one], [other]) => Number(one === 'reason') - Number(other === 'reason'),
  );
  return reasonLast.map(([key, value]) => `${key}: ${value}`).join(', ') || text;
}

const MAX_READ = 1000;
const MAX_SHOWN = 100;

const shortened = (text: string): string => {
  const line = text.slice(0, MAX_READ).replace(/\s+/g, ' ').trim();
  return line.length > MAX_SHOWN ? `${line.slice(0, MAX_SHOWN)}…` : line;
};

/** A detail is a path, a number, a command; longer ones are shown as separate texts. */
const MAX_DETAIL = 2000;

/** One thing that code did with a reply. */
function stepView(step: Step, pool: TextPool): Html {
  switch (step.type) {
    case 'call':
      return html`<div class="step"><h5>understood as <code>${step.name}</code></h5>
${pool.plain(step.input, `Input of ${step.name}`)}${repairsView(step.repairs)}</div>
`;
    case 'result':
      return resultView(step, pool);
    case 'recovery':
      return html`<div class="step trouble"><h5>not usable: ${step.problem}</h5>
<p>What was done: <strong>${step.action}</strong>. ${step.message}</p></div>
`;
  }
}

function repairsView(repairs: readonly string[]): Html | undefined {
  if (repairs.length === 0) return undefined;
  const names = repairs.map((name, at) => html`${at === 0 ? '' : ', '}<code>${name}</code>`);
  return html`<p class="repairs">Repaired before it could be used: ${names}</p>`;
}

/** The result for the model, and details for people. */
function resultView(result: ToolResult, pool: TextPool): Html {
  const { name, isError, text, durationMs, details } = result;
  const tone = isError ? 'failed' : 'done';
  return html`<div class="step ${tone}"><h5>${isError ? 'error' : 'result'} of
<code>${name}</code> <span class="cost">${duration(durationMs)}</span></h5>
${pool.plain(text, `Result of ${name}`)}
${details.size === 0 ? undefined : detailsView([...details])}</div>
`;
}

function detailsView(details: ReadonlyArray<readonly [string, string]>): Html {
  const rows = details.map(([key, value]) => {
    const shown = value.length > MAX_DETAIL ? `${value.slice(0, MAX_DETAIL)}…` : value;
    return html`<div><dt>${key}</dt><dd><code>${shown}</code></dd></div>`;
  });
  return html`<details class="more"><summary>Details</summary>
<dl class="facts">${rows}</dl></details>`;
}
