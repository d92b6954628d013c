import { isAt, type Line } from '../../core/change.js';
import type { Finding, Source } from '../../core/finding.js';
import type { FixEdit } from '../../core/outcome.js';
import type { AuditConversation, AuditRun, Turn } from '../audit-run.js';
import type { DiffHunk } from '../run-log.js';
import { type Html, html, NOTHING } from './html.js';
import { count, REASONS, turnId } from './words.js';

/** Nobody reads more; the outcome has them all. */
const MAX_CARDS = 600;

/** Findings in their diff: kept and rejected side by side, each with its reason. */
export function findingsView({ outcome, hunks, conversations }: AuditRun): Html {
  const { findings = [], rejected = [] } = outcome;
  const all: Card[] = [
    ...findings.map(finding => ({ finding, id: `finding-${finding.id}`, reason: undefined })),
    ...rejected.map(({ finding, reason }, at) => ({ finding, id: `rejected-${at + 1}`, reason })),
  ];
  const cards = all.slice(0, MAX_CARDS);
  const more = all.length - cards.length;
  const reports = reportsIn(conversations);
  return html`<section id="findings" aria-labelledby="findings-title">
<h2 id="findings-title">Findings</h2>
<p>${count(findings.length, 'finding')} kept, ${rejected.length} rejected.</p>
${groupCards(cards, hunks).map(group => groupView(group, reports))}
${more > 0 ? html`<p class="muted">${more} more are in the outcome</p>` : undefined}</section>`;
}

interface Group {
  readonly path: string;
  readonly hunk: DiffHunk | undefined;
  readonly cards: Card[];
}

/** By hunk if its text is available, otherwise by file; in the order of the change. */
function groupCards(cards: readonly Card[], hunks: readonly DiffHunk[]): Group[] {
  const groups = new Map<DiffHunk | string, Group>();
  for (const card of cards) {
    const { path } = card.finding;
    const hunk = hunks.find(each => holds(each, card.finding));
    const key = hunk ?? path;
    const known = groups.get(key);
    if (known === undefined) groups.set(key, { path, hunk, cards: [card] });
    else known.cards.push(card);
  }
  return [...groups.values()].sort(byPlace);
}

const byPlace = (one: Group, other: Group): number => {
  if (one.path !== other.path) return one.path < other.path ? -1 : 1;
  return (one.cards[0]?.finding.line ?? 0) - (other.cards[0]?.finding.line ?? 0);
};

const holds = (hunk: DiffHunk, finding: Finding): boolean =>
  hunk.path === finding.path && hunk.lines.some(line => isAt(line, finding));

function groupView({ path, hunk, cards }: Group, reports: readonly Report[]): Html {
  const kept = cards.filter(({ reason }) => reason === undefined);
  const turned = cards.filter(({ reason }) => reason !== undefined);
  const options = { reports, quotes: hunk === undefined };
  // Show one column if the other would be empty.
  const column = (title: string, own: readonly Card[]): Html | undefined =>
    own.length === 0
      ? undefined
      : html`<div class="column"><h4>${title}</h4>
${own.map(card => findingCard(card, options))}</div>`;
  const areLeft = kept.every(({ finding }) => finding.source === 'linter');
  return html`<div class="group"><h3><code>${path}</code></h3>
${hunk === undefined ? undefined : diffView(hunk, notesOf(cards))}
<div class="columns">${column(areLeft ? 'Left' : 'Kept', kept)}
${column('Rejected', turned)}</div></div>
`;
}

const notesOf = (cards: readonly Card[]): LineNote[] =>
  cards.map(({ finding, id, reason }) => ({
    finding,
    id,
    severity: reason === undefined ? finding.severity : 'rejected',
  }));

interface Card {
  readonly finding: Finding;
  readonly id: string;
  /** Why it was rejected; undefined if it was kept. */
  readonly reason: string | undefined;
}

interface CardOptions {
  readonly reports: readonly Report[];
  /** Without a diff next to it, the card itself shows the line. */
  readonly quotes: boolean;
}

/** One finding: its message, its place, its source, and why it was kept or rejected. */
function findingCard({ finding, id, reason }: Card, { reports, quotes }: CardOptions): Html {
  const { path, line, endLine, side, rule, message, severity, evidence } = finding;
  const isKept = reason === undefined;
  const why = isKept ? whyKept(finding) : whyRejected(reason);
  const lines = endLine > line ? `lines ${line}–${endLine}` : `line ${line}`;
  const place = side === 'old' ? `removed ${lines}` : lines;
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
  model: 'The model reported it on a changed line and quoted that line',
  rule: 'The model reported it for a rule of the project, on a changed line that it quoted',
};

function whyKept({ source, confidence }: Finding): Html {
  if (source === 'linter') return html`<strong>Left.</strong> ${MAKERS.linter}.`;
  // From this confidence on a second check confirmed it; below, it only didn't refute it.
  const second = confidence >= 0.6 ? 'confirmed it' : 'could not refute it';
  const looked = source === 'check' ? '' : `; a second check ${second}`;
  const share = `Confidence ${Math.round(confidence * 100)} %.`;
  return html`<strong>Kept.</strong> ${MAKERS[source]}${looked}. ${share}`;
}

const whyRejected = (reason: string): Html =>
  html`<strong>Rejected</strong> (<code>${reason}</code>). ${REASONS[reason] ?? ''}`;

/** There can be nine votes; a link to each would be clutter. */
const MAX_LINKS = 5;

function saidIn(reports: readonly Report[]): Html | undefined {
  if (reports.length === 0) return undefined;
  const links = reports.slice(0, MAX_LINKS).map(({ turn }, at) => {
    const name = `turn ${turn.conversation}.${turn.number}`;
    return html`${at === 0 ? '' : ', '}<a href="#${turnId(turn)}">${name}</a>`;
  });
  return html`<p class="muted">Reported in ${links}</p>`;
}

/** A turn in which the model reported a problem, and the line it named. */
interface Report {
  readonly turn: Turn;
  readonly line: number;
}

const reportsIn = (conversations: readonly AuditConversation[]): Report[] =>
  conversations
    .flatMap(({ turns }) => turns)
    .flatMap(turn => {
      const answer = turn.reply?.text ?? '';
      if (!/"(?:[a-z]_)?verdict":\s*"problem"/.test(answer)) return [];
      const [, line] = /"(?:[a-z]_)?line":\s*"?(\d{1,9})\b/.exec(answer) ?? [];
      return line === undefined ? [] : [{ turn, line: Number(line) }];
    });

const pointsAt = ({ turn, line }: Report, finding: Finding): boolean =>
  (line === finding.line || finding.side === 'old') &&
  (finding.source === 'model' || finding.source === 'rule') &&
  turn.messages.some(({ text }) => text.split('\n').includes(`File: ${finding.path}`));

/** Longer lines are cut: a page is for reading. */
const MAX_CHARACTERS = 600;

interface LineNote {
  readonly finding: Finding;
  /** Decides the colour, and is the text of the link. */
  readonly severity: string;
  /** Where its card is. */
  readonly id: string;
}

/** A hunk of a diff as a table; `notes` link its lines to their findings. */
function diffView(hunk: DiffHunk, notes: readonly LineNote[]): Html {
  const { path, section, lines } = hunk;
  const where = section === '' ? undefined : html` <span class="muted">${section}</span>`;
  const rows = lines.map(line => {
    const own = notes.filter(({ finding }) => isAt(line, finding));
    return row(line, own);
  });
  const name = `Diff of ${path}, hunk ${hunk.hunk}`;
  return html`<div class="scroll" tabindex="0" role="region" aria-label="${name}">
<table class="diff"><caption><code>${path}</code>${where}</caption>
<thead class="sr"><tr><th scope="col">old line</th><th scope="col">new line</th>
<th scope="col">change</th><th scope="col">text</th></tr></thead>
<tbody>${rows}</tbody></table></div>`;
}

const SIGNS = { added: '+', removed: '−', context: '' };

function row(line: Line, notes: readonly LineNote[]): Html {
  const [first] = notes;
  const hit = first === undefined ? '' : ` hit ${first.severity}`;
  const marks = notes.map(
    ({ id, severity }) => html` <a class="mark ${severity}" href="#${id}">${severity}</a>`,
  );
  const { kind } = line;
  const text =
    line.text.length > MAX_CHARACTERS ? `${line.text.slice(0, MAX_CHARACTERS)}…` : line.text;
  return html`<tr class="${kind}${hit}"><td class="no">${kind === 'added' ? '' : line.oldLine}</td>
<td class="no">${kind === 'removed' ? '' : line.newLine}</td><td class="sign">${SIGNS[kind]}</td>
<td class="code">${text}${marks}</td></tr>
`;
}

const FIXERS: Readonly<Record<FixEdit['by'], string>> = {
  linter: "the linter's own fix",
  suggestion: "the linter's suggestion",
  model: 'the model',
};
const MAX_EDITS = 1000;

/** Each edit with its result, and the kept ones as a diff. */
export function editsView(run: AuditRun): Html {
  const { edits = [], branch } = run.outcome;
  if (run.outcome.edits === undefined) return NOTHING;
  const kept = edits.filter(({ status }) => status === 'kept').length;
  const diffs = run.edits.map(hunk => diffView(hunk, []));
  return html`<section id="edits" aria-labelledby="edits-title"><h2 id="edits-title">Edits</h2>
<p>${count(kept, 'edit')} kept, ${edits.length - kept} rejected.
${branch && html`They are on <code>${branch.name}</code>.`}</p>
${edits.length === 0 ? undefined : editTable(edits.slice(0, MAX_EDITS))}
${diffs.length === 0 ? undefined : html`<h3>What was kept</h3>${diffs}`}</section>`;
}

const editTable = (edits: readonly FixEdit[]): Html =>
  html`<div class="scroll" tabindex="0" role="region" aria-label="Edits"><table class="edits">
<thead><tr><th scope="col">Rule</th><th scope="col">Place</th><th scope="col">By</th>
<th scope="col">Result</th></tr></thead><tbody>${edits.map(editRow)}</tbody></table></div>`;

const editRow = ({ path, diagnostic, by, status, reason = '' }: FixEdit): Html =>
  html`<tr class="item ${status}" tabindex="-1" data-kinds="edit ${status}">
<th scope="row"><code>${diagnostic.rule}</code></th><td><code>${path}:${diagnostic.line}</code></td>
<td>${FIXERS[by]}</td>
<td><span class="pill ${status === 'kept' ? 'good' : 'bad'}">${status}</span> ${reason}</td></tr>
`;
