import { count } from '../core/count.js';
import { messageLine } from '../git/commit.js';
import type { PlannedCommit } from '../git/commit-plan.js';
import { redact } from '../secrets/redact.js';
import {
  type EditRecord,
  type EditSession,
  type EditSource,
  LAYERS,
  ruleKey,
} from './edit-session.js';

/** Beyond this, places are counted instead of listed. */
const MAX_LISTED = 50;

const BY: Readonly<Record<EditSource, string>> = {
  linter: "by the linter's own fix",
  suggestion: "by the linter's suggestion",
  model: 'by the model',
};

/**
 * One commit per rule, or one for all; the last one has every kept edit. Edits that need a look
 * come after the linters' own fixes, in separate commits.
 */
export function planCommits(editSession: EditSession, isSingle: boolean): PlannedCommit[] {
  const kept = editSession.records.filter(record => record.status === 'kept');
  if (kept.length === 0) return [];
  if (isSingle) return [{ message: messageOf(kept), files: filesWith(editSession, 'look') }];
  const rules = [...new Set(kept.map(ruleKey))];
  const open = new Set(kept);
  const commits = LAYERS.flatMap(layer => {
    const changes = editSession.edited().flatMap(([, file]) => file.layer(layer).changes());
    const used = new Set(changes.map(({ owners }) => ruleOfChange(owners, rules)));
    const taken = new Set<string>();
    return rules
      .filter(rule => used.has(rule))
      .map(rule => {
        taken.add(rule);
        const isTaken = (owners: Owners): boolean => taken.has(ruleOfChange(owners, rules));
        const own = changes.filter(({ owners }) => ruleOfChange(owners, rules) === rule);
        const records = own.flatMap(({ owners }) => [...owners].filter(each => open.delete(each)));
        return { rule, records, files: filesWith(editSession, layer, isTaken) };
      });
  });
  // Diagnostics that disappeared with another one's edits.
  for (const record of open) {
    const own = commits.find(({ rule }) => rule === ruleKey(record)) ?? commits.at(-1);
    own?.records.push(record);
  }
  return commits.map(({ records, files }) => ({ message: messageOf(records), files }));
}

type Owners = ReadonlySet<EditRecord>;

/** A line that several rules changed goes into the commit of the first. */
function ruleOfChange(owners: Owners, rules: readonly string[]): string {
  const own = new Set([...owners].map(ruleKey));
  return rules.find(rule => own.has(rule)) ?? '';
}

/** The edited files with the edits of a layer and those below it. */
function filesWith(
  editSession: EditSession,
  layer: (typeof LAYERS)[number],
  isTaken: (owners: Owners) => boolean = () => true,
): Map<string, Uint8Array> {
  const files = new Map<string, Uint8Array>();
  for (const [path, file] of editSession.edited()) {
    const text = file.layer(layer).textWith(isTaken);
    // The upper layer may restore what the lower one changed.
    if (layer === 'look' || text !== file.base) files.set(path, new TextEncoder().encode(text));
  }
  return files;
}

function messageOf(records: readonly EditRecord[]): string {
  const places = ` (${records.length === 1 ? '1 place' : `${records.length} places`})`;
  const look = records.some(({ by }) => by !== 'linter') ? ', worth a look' : '';
  const makers = [...new Set(records.map(({ by }) => by))];
  const body = makers.map(maker => {
    const group = records.filter(({ by }) => by === maker);
    const listed = group.slice(0, MAX_LISTED).map(record => `- ${placeLine(record)}`);
    const more = group.length > MAX_LISTED ? [`- and ${group.length - MAX_LISTED} more`] : [];
    return [`${group.length} ${BY[maker]}:`, ...listed, ...more].join('\n');
  });
  const space = MAX_SUBJECT - places.length - look.length;
  const subjects = rulesOf(records).map(rules => plain(`Fix ${rules}`, MAX_LINE));
  const subject = subjects.find(({ length }) => length <= space) ?? subjects.at(-1) ?? '';
  return [`${messageLine(subject, space)}${places}${look}`, ...body].join('\n\n');
}

/** `eslint semi`, `eslint semi and no-var`, `eslint semi and 2 more rules`; then shorter ones for long names. */
function rulesOf(records: readonly EditRecord[]): string[] {
  const rules = [...new Set(records.map(each => ruleKey(each).replace(/\0.*$/, '')))];
  const [first = '', second] = rules;
  if (second === undefined) return [first];
  const tools = [...new Set(records.map(({ diagnostic }) => diagnostic.tool))];
  const named = second.startsWith(`${tools[0]} `) ? second.slice(`${tools[0]} `.length) : second;
  return [
    ...(rules.length === 2 ? [`${first} and ${named}`] : []),
    `${first} and ${count(rules.length - 1, 'more rule')}`,
    `${rules.length} rules of ${tools.join(', ')}`,
  ];
}

/** Git's own tools cut a subject at about this length. */
const MAX_SUBJECT = 72;
const MAX_LINE = 160;

const placeLine = ({ path, line, diagnostic: { tool, rule, message } }: EditRecord): string =>
  plain(
    `${path}${line === undefined ? '' : `:${line}`} ${[tool, rule ?? []].flat().join(' ')}: ${message}`,
    MAX_LINE,
  );

const plain = (text: string, max: number): string => messageLine(redact(text), max);
