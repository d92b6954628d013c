import { lookalikeWords } from '../checks/hidden-unicode.js';
import { BotError } from '../core/bot-error.js';
import type { BuiltCommit } from '../git/commit-plan.js';
import { askGit, type GitContext } from '../git/spawn.js';
import { listChanges, readObjects } from '../git/tree.js';
import { replaceHidden } from '../platform/safe-text.js';
import { findSecrets } from '../secrets/scan.js';

/** A larger file isn't source that people read. */
const MAX_FILE_BYTES = 8 * 1024 * 1024;
/** Lines that a file has after the edits but not before: more is a rewrite. */
const MAX_FILE_LINES = 4000;
const MAX_NEW_CHARACTERS = 1024 * 1024;
const MAX_LINES = 40_000;

/**
 * Checks what the commits add, not only where: size, secrets, hidden characters, lookalikes. Each
 * commit separately, since all of them are published. What was in the file before doesn't count.
 */
export async function checkContents(
  context: GitContext,
  base: string,
  commits: readonly BuiltCommit[],
): Promise<void> {
  let parent = base;
  let lines = 0;
  for (const { id } of commits) {
    for (const { path, before, after } of await listChanges(context, parent, id)) {
      await refuseLarge(context, path, [before.id, after.id]);
      const texts = await readObjects(context, [before.id, after.id]);
      const [old, now] = [before.id, after.id].map(each => texts.get(each)?.toString('utf8') ?? '');
      lines += checkText(path, old ?? '', now ?? '');
      if (lines > MAX_LINES) throw refused(`its commits add more than ${MAX_LINES} lines`);
    }
    parent = id;
  }
}

/** By the size that git has recorded, so that nothing large has to be read. */
async function refuseLarge(
  context: GitContext,
  path: string,
  ids: readonly string[],
): Promise<void> {
  const format = '--batch-check=%(objectsize)';
  const sizes = await askGit(context, ['cat-file', format], Buffer.from(`${ids.join('\n')}\n`));
  for (const size of sizes.toString('latin1').trim().split('\n')) {
    if (Number(size) <= MAX_FILE_BYTES) continue;
    throw refused(`${JSON.stringify(path)} has ${size} bytes, more than ${MAX_FILE_BYTES}`);
  }
}

function checkText(path: string, old: string, now: string): number {
  const name = JSON.stringify(path);
  const added = onlyNew(now.split('\n'), old.split('\n'));
  if (added.length > MAX_FILE_LINES) {
    throw refused(`${added.length} lines of ${name} are new, more than ${MAX_FILE_LINES}`);
  }
  const characters = added.reduce((sum, line) => sum + line.length, 0);
  if (characters > MAX_NEW_CHARACTERS) {
    throw refused(
      `the new lines of ${name} have ${characters} characters, more than ${MAX_NEW_CHARACTERS}`,
    );
  }
  if (onlyNew(secretsOf(now), secretsOf(old)).length > 0)
    throw refused(`${name} has a new secret`, REMOVE_IT);
  if (onlyNew(hiddenIn(now), hiddenIn(old)).length > 0) {
    throw refused(`${name} has new hidden characters`, REMOVE_IT);
  }
  if (onlyNew(lookalikeWords(now), lookalikeWords(old)).length > 0) {
    throw refused(`${name} has a new word that looks Latin and mixes scripts`, REMOVE_IT);
  }
  return added.length;
}

/** Those that aren't among the others, counting repeats. */
function onlyNew(these: readonly string[], others: readonly string[]): string[] {
  const left = new Map<string, number>();
  for (const each of others) left.set(each, (left.get(each) ?? 0) + 1);
  return these.filter(each => {
    const there = left.get(each) ?? 0;
    if (there > 0) left.set(each, there - 1);
    return there === 0;
  });
}

const secretsOf = (text: string): string[] =>
  findSecrets(text).map(({ start, end }) => text.slice(start, end));

/** Invisible, bidirectional and control characters. */
function hiddenIn(text: string): string[] {
  const found: string[] = [];
  replaceHidden(text, char => {
    if (!/[\t\n\f\r]/.test(char)) found.push(char);
    return '';
  });
  return found;
}

const FIX_FEWER =
  'Fix fewer at a time with fix-lint --max-fixes N, or push the commits yourself: git fetch BUNDLE';
const REMOVE_IT = 'Find out which edit added it, and run fix-lint again without that one';

const refused = (reason: string, hint = FIX_FEWER): BotError =>
  new BotError('not-permitted', `the bundle is refused: ${reason}`, { hint });
