import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chance } from '../../../fixtures/apfel/chance.js';
import type { Outcome } from '../../../src/core/outcome.js';
import { merge } from '../../../src/review/merge.js';
import { testSession } from '../../support/session.js';
import { type Reviewed, reviewDiff } from './known-bugs.js';
import type { Script } from './scripted-model.js';

const PLANTED = 'index <= list.length';

/** A change of so many hunks: most are small, one in a hundred is large, some have a bug in them. */
export function largeChange(hunks: number): string {
  const rows: string[] = [];
  for (let hunk = 0, file = 0; hunk < hunks; file += 1) {
    const path = `src/part${file}.js`;
    rows.push(`diff --git a/${path} b/${path}`, `--- a/${path}`, `+++ b/${path}`);
    const inFile = Math.min(hunks - hunk, 1 + Math.floor(chance('files', file) * 9));
    let line = 1;
    for (let at = 0; at < inFile; at += 1, hunk += 1) {
      const size = sizeOf(hunk);
      rows.push(
        `@@ -${line},2 +${line},${size + 2} @@`,
        ' before();',
        ...addedLines(hunk, size),
        ' after();',
      );
      line += size + 20;
    }
  }
  return `${rows.join('\n')}\n`;
}

const hasBug = (hunk: number): boolean => chance('a bug', hunk) < 0.003;

function sizeOf(hunk: number): number {
  if (chance('large', hunk) < 0.01) return 120;
  return 1 + Math.floor(chance('size', hunk) ** 3 * 40);
}

const addedLines = (hunk: number, size: number): string[] =>
  Array.from({ length: size }, (_, at) =>
    at === 0 && hasBug(hunk)
      ? `+  for (let index = 0; ${PLANTED}; index += 1) use(list[index], ${hunk});`
      : `+  const value${at} = compute(input${hunk}, ${at}, options.limit);`,
  );

const SEES: Script = {
  reports: shown =>
    shown
      .filter(({ text }) => text.includes(PLANTED))
      .map(({ line }) => ({ line: String(line), quote: PLANTED })),
  refutes: () => false,
};

interface Pool {
  readonly alone: Reviewed;
  readonly runners: readonly Reviewed[];
  readonly merged: Outcome;
  readonly withoutOne: Outcome;
}

/** One runner, then several with a shard each; their outcomes merged, and merged again with one lost. */
export async function runPool(diff: string, count: number): Promise<Pool> {
  const alone = await reviewDiff(diff, SEES);
  const runners: Reviewed[] = [];
  for (let index = 1; index <= count; index += 1) {
    runners.push(await reviewDiff(diff, SEES, `${index}/${count}`));
  }
  const outcomes = runners.map(({ outcome }) => outcome);
  const lost = outcomes.filter((_, at) => at !== 2);
  return { alone, runners, merged: await mergeAll(outcomes), withoutOne: await mergeAll(lost) };
}

async function mergeAll(outcomes: readonly Outcome[]): Promise<Outcome> {
  const folder = mkdtempSync(join(tmpdir(), 'apfel-bot-'));
  try {
    const files = outcomes.map((outcome, at) => {
      const file = join(folder, `${at}.json`);
      writeFileSync(file, JSON.stringify(outcome));
      return file;
    });
    const values = new Map([['format', 'json']]);
    const { text } = await merge(
      { values, switches: new Set(), positionals: files, paths: [] },
      testSession('/'),
    );
    return JSON.parse(text);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
