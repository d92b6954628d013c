import type { DiffHunk } from '../core/diary.js';
import type { Finding } from '../core/finding.js';
import type { AuditRun } from './audit-run.js';
import { diffView, type LineNote } from './diff-view.js';
import { type Card, findingCard, type Report, reportsIn } from './finding-card.js';
import { type Html, html } from './html.js';
import { count } from './words.js';

/** More than this nobody reads; the outcome has them all. */
const MOST_CARDS = 600;

/** Findings in their diff: what was kept beside what was rejected, each with its reason. */
export function findingsView({ outcome, hunks, talks }: AuditRun): Html {
  const { findings = [], rejected = [] } = outcome;
  const all: Card[] = [
    ...findings.map(finding => ({ finding, id: `finding-${finding.id}`, reason: undefined })),
    ...rejected.map(({ finding, reason }, at) => ({ finding, id: `rejected-${at + 1}`, reason })),
  ];
  const cards = all.slice(0, MOST_CARDS);
  const more = all.length - cards.length;
  const reports = reportsIn(talks);
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

/** By hunk where its text is there, else by file; in the order of the change. */
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

const holds = (hunk: DiffHunk, { path, line, side }: Finding): boolean =>
  side === 'new' &&
  hunk.path === path &&
  hunk.lines.some(each => each.kind !== 'removed' && each.newLine === line);

function groupView({ path, hunk, cards }: Group, reports: readonly Report[]): Html {
  const kept = cards.filter(({ reason }) => reason === undefined);
  const turned = cards.filter(({ reason }) => reason !== undefined);
  const wish = { reports, quotes: hunk === undefined };
  // Two columns with one of them empty are one column too many.
  const column = (title: string, own: readonly Card[]): Html | undefined =>
    own.length === 0
      ? undefined
      : html`<div class="column"><h4>${title}</h4>
${own.map(card => findingCard(card, wish))}</div>`;
  const areLeft = kept.every(({ finding }) => finding.source === 'linter');
  return html`<div class="group"><h3><code>${path}</code></h3>
${hunk === undefined ? undefined : diffView(hunk, notesOf(cards))}
<div class="columns">${column(areLeft ? 'Left' : 'Kept', kept)}
${column('Rejected', turned)}</div></div>
`;
}

function notesOf(cards: readonly Card[]): Map<number, LineNote[]> {
  const notes = new Map<number, LineNote[]>();
  for (const { finding, id, reason } of cards) {
    const severity = reason === undefined ? finding.severity : 'rejected';
    notes.set(finding.line, [
      ...(notes.get(finding.line) ?? []),
      { severity, id, label: severity },
    ]);
  }
  return notes;
}
