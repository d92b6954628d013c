import type { Diagnostic } from '../core/diagnostic.js';
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

/** More places than this are counted, not listed. */
const MOST_LISTED = 50;

const BY: Readonly<Record<EditSource, string>> = {
  linter: "by the linter's own fix",
  suggestion: "by the linter's suggestion",
  model: 'by the model',
};

/**
 * One commit for each rule, or one for all; the last one has every edit that was kept. What is worth a
 * look comes after the linters' own fixes, in commits of its own.
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
  // What disappeared with the edits of another diagnostic.
  for (const record of open) {
    const own = commits.find(({ rule }) => rule === ruleKey(record)) ?? commits.at(-1);
    own?.records.push(record);
  }
  return commits.map(({ records, files }) => ({ message: messageOf(records), files }));
}

type Owners = ReadonlySet<EditRecord>;

/** A line that several rules changed goes with the first of them. */
function ruleOfChange(owners: Owners, rules: readonly string[]): string {
  const own = new Set([...owners].map(ruleKey));
  return rules.find(rule => own.has(rule)) ?? rules[0] ?? '';
}

/** The edited files with a layer's edits and all below it. */
function filesWith(
  editSession: EditSession,
  layer: (typeof LAYERS)[number],
  isTaken: (owners: Owners) => boolean = () => true,
): Map<string, Uint8Array> {
  const files = new Map<string, Uint8Array>();
  for (const [path, file] of editSession.edited()) {
    const text = file.layer(layer).textWith(isTaken);
    // The upper layer may bring back what the lower one changed.
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
    const listed = group.slice(0, MOST_LISTED).map(record => `- ${placeLine(record.diagnostic)}`);
    const more = group.length > MOST_LISTED ? [`- and ${group.length - MOST_LISTED} more`] : [];
    return [`${group.length} ${BY[maker]}:`, ...listed, ...more].join('\n');
  });
  const room = MOST_SUBJECT - places.length - look.length;
  return [`${plain(`Fix ${rulesOf(records)}`, room)}${places}${look}`, ...body].join('\n\n');
}

/** `eslint semi`, `eslint semi and no-var`, `eslint semi and 2 more rules`. */
function rulesOf(records: readonly EditRecord[]): string {
  const [first = '', ...others] = new Set(records.map(each => ruleKey(each).replace(/\0.*$/, '')));
  const [second] = others;
  if (second === undefined) return first;
  const tool = `${records[0]?.diagnostic.tool} `;
  const named = second.startsWith(tool) ? second.slice(tool.length) : second;
  return `${first} and ${others.length === 1 ? named : `${others.length} more rules`}`;
}

/** Git's own tools cut a subject at about this length. */
const MOST_SUBJECT = 72;
const MOST_LINE = 160;

const placeLine = ({ path, line, tool, rule, message }: Diagnostic): string =>
  plain(
    `${path}${line === undefined ? '' : `:${line}`} ${[tool, rule ?? []].flat().join(' ')}: ${message}`,
    MOST_LINE,
  );

const plain = (text: string, most: number): string => messageLine(redact(text), most);
