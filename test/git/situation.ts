import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { CLI } from '../support/cli.js';
import type { Repo } from '../support/with-repo.js';

/** One line that the checks always find. */
export const DEBUGGER = 'debugger;\n';

/** Installs a pre-commit hook that writes the review of what it sees to a file. */
export async function reviewInHook(repo: Repo): Promise<string> {
  const seen = join(repo.dir, '.git', 'seen.json');
  const hook = join(repo.dir, '.git', 'hooks', 'pre-commit');
  const lines = [
    '#!/bin/sh',
    `"${process.execPath}" "${CLI}" review --no-model --format json --fail-on never > "${seen}"`,
  ];
  await writeFile(hook, `${lines.join('\n')}\n`, { mode: 0o755 });
  return seen;
}

/** What the hook's review found, as `path:line`. */
export async function seenInHook(seen: string): Promise<string[]> {
  const outcome = JSON.parse(await readFile(seen, 'utf8'));
  assert.is(outcome.change.head, 'index');
  return placesOf(outcome);
}

export const placesOf = (outcome: {
  findings: ReadonlyArray<{ path: string; line: number }>;
}): string[] => outcome.findings.map(({ path, line }) => `${path}:${line}`);

/** Two branches that conflict in `a.js`, merged with markers left for the test to resolve. */
export async function conflictingMerge(repo: Repo): Promise<void> {
  await repo.commit({ 'a.js': 'one;\ntwo;\nthree;\n' });
  await repo.git('checkout', '--quiet', '-b', 'side');
  await repo.commit({ 'a.js': 'one;\ntwo-side;\nthree;\n', 'side.js': DEBUGGER });
  await repo.git('checkout', '--quiet', 'main');
  await repo.commit({ 'a.js': 'one;\ntwo-main;\nthree;\n' });
  await repo.git('merge', '--quiet', 'side').catch(() => undefined);
}
