import type { Finding, Source } from '../core/finding.js';
import type { Talk, Turn } from './audit-run.js';
import { type Html, html } from './html.js';
import { REASONS, turnId } from './words.js';

export interface Card {
  readonly finding: Finding;
  readonly id: string;
  /** Why it was rejected; undefined when it was kept. */
  readonly reason: string | undefined;
}

export interface CardWish {
  readonly reports: readonly Report[];
  /** Without a diff beside it, the card itself shows the line. */
  readonly quotes: boolean;
}

/** One claim: what it says, where, who made it, and why it stands or does not. */
export function findingCard({ finding, id, reason }: Card, { reports, quotes }: CardWish): Html {
  const { path, line, endLine, rule, message, severity, evidence } = finding;
  const isKept = reason === undefined;
  const why = isKept ? whyKept(finding) : whyRejected(reason);
  const place = endLine > line ? `lines ${line}–${endLine}` : `line ${line}`;
  return html`<article class="item card finding ${isKept ? severity : 'rejected'}" id="${id}"
 tabindex="-1" data-kinds="${isKept ? 'finding kept' : 'rejected'} ${severity}">
<header><span class="sev ${severity}">${severity}</span> <code class="rule">${rule}</code>
<span class="place">${place}</span>
<a class="anchor" href="#${id}" aria-label="Link to this finding in ${path} ${place}">#</a></header>
<p class="message">${message}</p>
${quotes && evidence !== undefined ? html`<pre class="quote">${evidence}</pre>` : undefined}
${suggestionView(finding)}<p class="why">${why}</p>
${saidIn(reports.filter(report => pointsAt(report, finding)))}</article>
`;
}

function suggestionView({ suggestion }: Finding): Html | undefined {
  if (suggestion === undefined) return undefined;
  const { startLine, endLine, text } = suggestion;
  const lines = startLine === endLine ? `line ${startLine}` : `lines ${startLine}–${endLine}`;
  return html`<div class="change"><h5>Suggested for ${lines}</h5>
<pre class="after">${text === '' ? '(delete)' : text}</pre></div>
`;
}

const MAKERS: Readonly<Record<Source, string>> = {
  check: 'A deterministic check found it',
  linter: 'The linter still reports it',
  model: 'The model reported it on a changed line and quoted what stands there',
  rule: 'The model answered a rule of the project with it, on a changed line that it quoted',
};

function whyKept({ source, confidence }: Finding): Html {
  if (source === 'linter') return html`<strong>Left.</strong> ${MAKERS.linter}.`;
  // From here on a second look has said so; below, it has merely not said the opposite.
  const second = confidence >= 0.6 ? 'confirmed it' : 'could not refute it';
  const looked = source === 'check' ? '' : `; a second look ${second}`;
  const share = `Confidence ${Math.round(confidence * 100)} %.`;
  return html`<strong>Kept.</strong> ${MAKERS[source]}${looked}. ${share}`;
}

const whyRejected = (reason: string): Html =>
  html`<strong>Rejected</strong> (<code>${reason}</code>). ${REASONS[reason] ?? ''}`;

/** Votes are at most nine; a link to each would be clutter. */
const MOST_LINKS = 5;

function saidIn(reports: readonly Report[]): Html | undefined {
  if (reports.length === 0) return undefined;
  const links = reports.slice(0, MOST_LINKS).map(({ turn }, at) => {
    const name = `turn ${turn.talk}.${turn.number}`;
    return html`${at === 0 ? '' : ', '}<a href="#${turnId(turn)}">${name}</a>`;
  });
  return html`<p class="muted">Said in ${links}</p>`;
}

/** A turn in which the model reported something, and the words it did so with. */
export interface Report {
  readonly turn: Turn;
  readonly input: string;
}

export const reportsIn = (talks: readonly Talk[]): Report[] =>
  talks
    .flatMap(talk => talk.turns)
    .flatMap(turn =>
      turn.steps.flatMap(step =>
        step.type === 'call' && step.name === 'report_finding' ? [{ turn, input: step.input }] : [],
      ),
    );

function pointsAt({ input }: Report, { path, line, source }: Finding): boolean {
  if (source === 'check' || source === 'linter') return false;
  const isLine = [`"line": "${line}#`, `"line": "${line}"`].some(each => input.includes(each));
  return isLine && (input.includes(`"path": ${JSON.stringify(path)}`) || !input.includes('"path"'));
}
