import type { Diagnostic } from '../core/diagnostic.js';
import { messageLine } from '../git/commit-message.js';
import type { PlannedCommit } from '../git/commit-plan.js';
import { redact } from '../secrets/redact.js';
import { type EditRecord, type EditSession, type EditSource, ownerOf } from './edit-session.js';

/** More places than this are counted, not listed. */
const MOST_LISTED = 50;

const BY: Readonly<Record<EditSource, string>> = {
  linter: "by the linter's own fix",
  suggestion: "by the linter's suggestion",
  model: 'by the model',
};

/** One commit for each rule, or one for all; the last one has every edit that was kept. */
export function planCommits(editSession: EditSession, isSingle: boolean): PlannedCommit[] {
  const kept = editSession.records.filter(record => record.status === 'kept');
  const owners = [...new Set(kept.map(({ diagnostic, by }) => ownerOf(diagnostic, by)))].sort(
    safeFirst,
  );
  if (owners.length === 0) return [];
  if (isSingle) {
    const rules = new Set(owners.map(ruleOf));
    const subject = rules.size === 1 ? `Fix ${[...rules][0]}` : `Fix ${rules.size} lint rules`;
    return [{ message: messageOf(subject, kept), files: filesWith(editSession, () => true) }];
  }
  const commitOf = commitsOf(editSession, owners);
  const commits = owners.filter(owner => commitOf.get(owner) === owner);
  return commits.map((owner, at) => {
    const taken = new Set(commits.slice(0, at + 1));
    const isTaken = (each: ReadonlySet<string>): boolean => taken.has(commitOwner(each, commits));
    const mine = kept.filter(
      ({ diagnostic, by }) => commitOf.get(ownerOf(diagnostic, by)) === owner,
    );
    const subject = `Fix ${ruleOf(owner)}`;
    return { message: messageOf(subject, mine), files: filesWith(editSession, isTaken) };
  });
}

const [ruleOf, isSafe] = [
  (owner: string): string => owner.split('\0', 1)[0] ?? owner,
  (owner: string): boolean => !owner.includes('\0'),
];

/** What is worth a look comes last, in commits of its own. */
const safeFirst = (one: string, other: string): number =>
  Number(isSafe(other)) - Number(isSafe(one));

/** A line that several rules changed goes with the first of them. */
const commitOwner = (each: ReadonlySet<string>, owners: readonly string[]): string =>
  owners.find(owner => each.has(owner)) ?? owners[0] ?? '';

/** The commit of each rule: its own, or the one that has all of its lines. */
function commitsOf(editSession: EditSession, owners: readonly string[]): Map<string, string> {
  const changes = editSession.edited().flatMap(([, file]) => file.changes());
  const commitOf = new Map<string, string>();
  for (const owner of owners) {
    const places = changes.filter(change => change.owners.has(owner));
    const found = places.map(change => commitOwner(change.owners, owners));
    commitOf.set(owner, found.includes(owner) ? owner : (found[0] ?? owners[0] ?? owner));
  }
  return commitOf;
}

function filesWith(
  editSession: EditSession,
  isTaken: (owners: ReadonlySet<string>) => boolean,
): Map<string, Uint8Array> {
  const files = new Map<string, Uint8Array>();
  for (const [path, file] of editSession.edited()) {
    const text = file.textWith(isTaken);
    if (text !== file.base) files.set(path, new TextEncoder().encode(text));
  }
  return files;
}

function messageOf(subject: string, records: readonly EditRecord[]): string {
  const groups = new Map<EditSource, EditRecord[]>();
  for (const record of records) {
    const group = groups.get(record.by);
    if (group === undefined) groups.set(record.by, [record]);
    else group.push(record);
  }
  const what = ` (${records.length === 1 ? '1 place' : `${records.length} places`})`;
  const look = records.some(({ by }) => by !== 'linter') ? ', worth a look' : '';
  const body = [...groups].map(([by, group]) => {
    const listed = group.slice(0, MOST_LISTED).map(record => `- ${placeLine(record.diagnostic)}`);
    const more = group.length > MOST_LISTED ? [`- and ${group.length - MOST_LISTED} more`] : [];
    return [`${group.length} ${BY[by]}:`, ...listed, ...more].join('\n');
  });
  return [plain(`${subject}${what}${look}`, MOST_SUBJECT), ...body].join('\n\n');
}

/** Git's own tools cut a subject at about this length. */
const MOST_SUBJECT = 72;
const MOST_LINE = 160;

const placeLine = ({ path, line, tool, rule, message }: Diagnostic): string =>
  plain(
    `${path}${line === undefined ? '' : `:${line}`} ${tool} ${rule ?? 'syntax'}: ${message}`,
    MOST_LINE,
  );

const plain = (text: string, most: number): string => messageLine(redact(text), most);
