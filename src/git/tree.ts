import { BotError } from '../core/bot-error.js';
import { pathFromBytes } from '../core/path-bytes.js';
import { askGit, type GitContext, runGit } from './spawn.js';

export interface TreeEntry {
  readonly mode: string;
  readonly id: string;
}

export const isRegular = (mode: string): boolean => mode === '100644' || mode === '100755';

/** Every file, link and submodule of a commit by its path. */
export async function listTree(
  context: GitContext,
  commit: string,
): Promise<Map<string, TreeEntry>> {
  const listing = await askGit(context, ['ls-tree', '-r', '-z', '--full-tree', commit]);
  const entries = new Map<string, TreeEntry>();
  for (const record of splitAtNul(listing)) {
    const tab = record.indexOf(9);
    const [mode = '', , id = ''] = record.subarray(0, tab).toString('latin1').split(' ');
    entries.set(pathFromBytes(record.subarray(tab + 1)), { mode, id });
  }
  return entries;
}

interface TreeChange {
  readonly path: string;
  /** One letter: M for a modification, A, D, T for the rest. */
  readonly status: string;
  readonly before: TreeEntry;
  readonly after: TreeEntry;
}

/** What differs between two commits, renames as a deletion and an addition. */
export async function listChanges(
  context: GitContext,
  before: string,
  after: string,
): Promise<TreeChange[]> {
  const args = ['diff-tree', '-r', '-z', '--raw', '--no-renames', '--no-abbrev', '--no-relative'];
  const records = splitAtNul(await askGit(context, [...args, before, after, '--']));
  const changes: TreeChange[] = [];
  for (let at = 0; at + 1 < records.length; at += 2) {
    const [oldMode = '', mode = '', oldId = '', id = '', status = ''] =
      records[at]?.toString('latin1').slice(1).split(' ') ?? [];
    changes.push({
      path: pathFromBytes(records[at + 1] ?? new Uint8Array(0)),
      status,
      before: { mode: oldMode, id: oldId },
      after: { mode, id },
    });
  }
  return changes;
}

/** Why a change isn't a plain edit of an existing file; undefined if it is. */
export function whyNotAnEdit({ path, status, before, after }: TreeChange): string | undefined {
  const name = JSON.stringify(path);
  if (status === 'A') return `${name} is new`;
  if (status === 'D') return `${name} is deleted`;
  if (!isRegular(before.mode) || !isRegular(after.mode)) return `${name} is not a regular file`;
  if (before.mode !== after.mode) return `${name} goes from mode ${before.mode} to ${after.mode}`;
  return status === 'M' ? undefined : `${name} has the unknown status ${status}`;
}

/** Objects by their ids; missing ones are left out. */
export async function readObjects(
  context: GitContext,
  ids: readonly string[],
): Promise<Map<string, Buffer>> {
  const objects = new Map<string, Buffer>();
  if (ids.length === 0) return objects;
  const asked = Buffer.from(`${ids.map(asObjectId).join('\n')}\n`);
  const answer = await askGit(context, ['cat-file', '--batch', '--buffer'], asked);
  for (let from = 0; from < answer.length; ) {
    const end = answer.indexOf(10, from);
    const [id = '', type, size] = answer.toString('latin1', from, end).split(' ');
    from = end + 1;
    if (type === 'missing') continue;
    objects.set(id, answer.subarray(from, from + Number(size)));
    from += Number(size) + 1;
  }
  return objects;
}

/** Only full ids are passed on to git. */
export function asObjectId(text: string): string {
  if (/^([0-9a-f]{40}|[0-9a-f]{64})$/.test(text)) return text;
  throw new BotError('git', `${JSON.stringify(text.slice(0, 100))} is not an object id`);
}

/** The full id of the commit that a revision names; undefined if it isn't here. */
export async function findCommit(
  context: GitContext,
  revision: string,
): Promise<string | undefined> {
  const args = ['rev-parse', '--verify', '--quiet', '--end-of-options', `${revision}^{commit}`];
  const { code, stdout } = await runGit(context, args);
  // Git 2.39 echoes --end-of-options; the id is the last line.
  return code === 0 ? stdout.toString('latin1').trim().split('\n').pop() : undefined;
}

export function splitAtNul(bytes: Buffer): Buffer[] {
  const parts: Buffer[] = [];
  for (let from = 0; from < bytes.length; ) {
    const end = bytes.indexOf(0, from);
    if (end < 0) break;
    parts.push(bytes.subarray(from, end));
    from = end + 1;
  }
  return parts;
}
