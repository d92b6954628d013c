import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { FixOutcome } from '../../../src/core/outcome.js';

import type { Repo } from '../../support/with-repo.js';
import type { ProjectFile } from './case-project.js';
import { complaintsOf } from './cases.js';

export interface Score {
  readonly files: number;
  /** Files without any complaint on the branch. */
  readonly clean: number;
  readonly notClean: readonly string[];
  readonly changed: number;
  /** Complaints on the branch that the commit did not have. */
  readonly introduced: readonly string[];
  /** Files that were changed, though ESLint complains as much as before, or cannot read them. */
  readonly unverified: readonly string[];
  /** What each file is on the branch. */
  readonly texts: ReadonlyMap<string, string>;
}

/** Looks at the branch with an ESLint of its own: what the run says of itself does not count. */
export async function score(
  repo: Repo,
  files: readonly ProjectFile[],
  { branch }: Pick<FixOutcome, 'branch'>,
): Promise<Score> {
  const texts = await textsOn(repo, files, branch?.name);
  const introduced: string[] = [];
  const unverified: string[] = [];
  const notClean: string[] = [];
  let changed = 0;
  for (const file of files) {
    const text = texts.get(file.path) ?? '';
    const [then, now] = [complaintsOf(file.text, file), complaintsOf(text, file)];
    const [before, after] = [then ?? [], now ?? []].map(all => all.map(each => each.message));
    introduced.push(...surplus(before ?? [], after ?? []).map(each => `${file.path}: ${each}`));
    if ((now ?? []).length > 0) notClean.push(file.path);
    if (text === file.text) continue;
    changed += 1;
    const isWorse = now === undefined || now.some(({ fatal }) => fatal);
    if (isWorse || (now?.length ?? 0) >= (then?.length ?? 0)) unverified.push(file.path);
  }
  const clean = files.length - notClean.length;
  return { files: files.length, clean, notClean, changed, introduced, unverified, texts };
}

async function textsOn(
  repo: Repo,
  files: readonly ProjectFile[],
  branch: string | undefined,
): Promise<Map<string, string>> {
  if (branch !== undefined) await repo.git('checkout', '--quiet', '--detach', branch);
  const texts = new Map<string, string>();
  for (const { path } of files) texts.set(path, await readFile(join(repo.dir, path), 'utf8'));
  if (branch !== undefined) await repo.git('checkout', '--quiet', 'main');
  return texts;
}

/** What is in `after` more often than in `before`. */
function surplus(before: readonly string[], after: readonly string[]): string[] {
  const left = [...before];
  return after.filter(each => {
    const at = left.indexOf(each);
    if (at >= 0) left.splice(at, 1);
    return at < 0;
  });
}
