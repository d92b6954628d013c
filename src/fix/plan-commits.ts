import { groupBy } from '../core/group-by.js';
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
  const kept = editSession.records.filter(
    ({ status, path }) => status === 'kept' && editSession.file(path)?.isEdited === true,
  );
  if (kept.length === 0) return [];
  if (isSingle) return [{ message: messageOf(kept), files: filesWith(editSession, 'look') }];
  const rules = [...new Set(kept.map(ruleKey))];
  const commits = LAYERS.flatMap(layer => {
    const changes = editSession.edited().flatMap(([path, file]) => {
      const all = file.layer(layer).changes();
      return all.map(({ owners }) => ({ path, owners, rule: ruleOfChange(owners, rules) }));
    });
    const byRule = groupBy(changes, change => change.rule);
    const taken = new Set<string>();
    return rules.flatMap(rule => {
      const own = byRule.get(rule);
      if (own === undefined) return [];
      taken.add(rule);
      const isTaken = (owners: Owners): boolean => taken.has(ruleOfChange(owners, rules));
      const owners = new Set(own.flatMap(each => [...each.owners]));
      const paths = new Set(own.map(({ path }) => path));
      return [{ rule, owners, paths, files: filesWith(editSession, layer, isTaken) }];
    });
  });
  const inOrder = new Set([...commits.flatMap(({ owners }) => [...owners]), ...kept]);
  const listed = [...inOrder].filter(({ status }) => status === 'kept');
  const recordsOf = groupBy(listed, record => commitOf(record, commits));
  return commits.map(commit => ({
    // Without a record of its own, it is the rest of edits that an earlier commit lists.
    message: messageOf(recordsOf.get(commit) ?? [...commit.owners]),
    files: commit.files,
  }));
}

interface RuleCommit {
  readonly rule: string;
  readonly owners: Owners;
  readonly paths: ReadonlySet<string>;
}

/** The commit that lists a record: one that has its edit, or else edits its file; its rule's first. */
function commitOf<Commit extends RuleCommit>(
  record: EditRecord,
  commits: readonly Commit[],
): Commit | undefined {
  const own = ruleKey(record);
  const having = commits.filter(({ owners }) => owners.has(record));
  const there = commits.filter(({ paths }) => paths.has(record.path));
  const isOwn = ({ rule }: Commit): boolean => rule === own;
  return having.find(isOwn) ?? having[0] ?? there.find(isOwn) ?? there.at(-1);
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

/** `eslint semi, no-var and 2 more`; then with fewer rules, without the tool, without the plugin. */
function rulesOf(records: readonly EditRecord[]): string[] {
  const named = new Map(
    records.map(each => [ruleKey(each).replace(/\0.*$/, ''), each.diagnostic.tool]),
  );
  const rules = [...named].map(([name, tool]) => ({ tool, bare: name.slice(tool.length + 1) }));
  const full = rules.map(({ tool, bare }, at) =>
    tool === rules[at - 1]?.tool ? bare : `${tool} ${bare}`,
  );
  const bare = rules.map(each => each.bare);
  const short = bare.map(name => name.slice(name.lastIndexOf('/') + 1));
  return [full, bare, short].flatMap(names =>
    [3, 2, 1].map(length => {
      const more = names.length > length ? [`${names.length - length} more`] : [];
      const parts = [...names.slice(0, length), ...more];
      return [parts.slice(0, -1).join(', '), ...parts.slice(-1)].filter(Boolean).join(' and ');
    }),
  );
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
