import { forTerminal } from '../core/neutralise.js';
import type { AuditRun } from './audit-run.js';
import { count, duration, isThisMachine, moment, numeral, promptTokens } from './words.js';

/** More conversations than this are counted; the page has them all. */
const MOST_TALKS = 8;

/** Which run, when, and how it was called: one line each, safe for a terminal. */
export function runHead({ outcome, facts, origin }: AuditRun): string[] {
  const { run, task, startedAt, durationMs } = outcome;
  const took = durationMs > 0 ? `, took ${duration(durationMs)}` : '';
  return [
    `run ${run} ${task}`,
    `${moment(startedAt)}${took}${origin === 'run' ? '' : ` (${ORIGINS[origin]})`}`,
    ...(facts.asked === '' ? [] : [facts.asked]),
  ].map(forTerminal);
}

const ORIGINS = {
  hook: 'by the pre-commit hook',
  note: 'from a note',
  file: 'from a file',
  transcript: 'broke off',
};

/** What was said to the model, to whom the run spoke, and where to read all of it. */
export function runFacts(run: AuditRun): string[] {
  const { talks, facts, outcome } = run;
  const lines = talks.slice(0, MOST_TALKS).map(({ number, title, turns, end }) => {
    const how = `${count(turns.length, 'turn')}, ${end?.reason ?? 'broke off'}`;
    return `conversation ${number}: ${forTerminal(title)} (${forTerminal(how)})`;
  });
  const more = talks.length - lines.length;
  return [
    ...lines,
    ...(more > 0 ? [`… ${count(more, 'more conversation')}`] : []),
    ...windowLine(run),
    ...hostLine(facts.hosts),
    forTerminal(`page: apfel-bot show ${outcome.run} --html ${outcome.run}.html`),
  ];
}

function windowLine({ talks, outcome }: AuditRun): string[] {
  const window = outcome.model.contextWindow;
  const used = talks
    .flatMap(talk => talk.turns)
    .reduce(
      (most, turn) => Math.max(most, promptTokens(turn) + (turn.reply?.completionTokens ?? 0)),
      0,
    );
  if (used === 0) return [];
  const share = window === undefined ? '' : ` of ${numeral(window)}`;
  return [`window: at most ${numeral(used)}${share} tokens in one request`];
}

function hostLine(hosts: AuditRun['facts']['hosts']): string[] {
  if (hosts.length === 0) return [];
  const told = hosts.map(({ host, times }) => {
    const where = isThisMachine(host) ? 'this machine' : 'another machine';
    return `${forTerminal(host)} (${where}, ${count(times, 'request')})`;
  });
  return [`hosts: ${told.join(', ')}`];
}
