import parseDiff from 'parse-diff';
import * as assert from 'uvu/assert';
import { openBareGit } from '../../fixtures/github/bare-git.js';
import { type Diff, diffFiles } from '../../fixtures/github/diff-files.js';
import { followLine } from '../../fixtures/github/follow-line.js';
import { findLine, parseHunks } from '../../fixtures/github/hunks.js';
import type { ReviewCommentRecord, Side } from '../../fixtures/github/state.js';
import { suite } from '../support/suite.js';
import { type Repo, withRepo } from '../support/with-repo.js';

const test = suite('stand-in/github-diff');

/** Always the same numbers. */
function chance(seed: number): (below: number) => number {
  let state = seed;
  return below => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return (state >>> 8) % below;
  };
}

/** Lines go, come and change, and no line is ever there twice. */
function edited(lines: readonly string[], next: (below: number) => number, mark: string): string[] {
  return lines.flatMap((line, index) => {
    switch (next(12)) {
      case 0:
        return [];
      case 1:
        return [`${mark} changed ${index}`];
      case 2:
        return [`${mark} new ${index}`, line];
      default:
        return [line];
    }
  });
}

const FILES = 40;

const textOf = (lines: readonly string[], isEnded: boolean): string =>
  `${lines.join('\n')}${isEnded && lines.length > 0 ? '\n' : ''}`;

async function commitAll(repo: Repo, versions: ReadonlyArray<readonly string[]>): Promise<string> {
  for (const [index, lines] of versions.entries())
    await repo.write(`file ${index}.txt`, textOf(lines, index % 3 !== 2));
  await repo.git('add', '--all');
  return repo.commit({});
}

async function diffOf(repo: Repo, base: string, head: string): Promise<Diff> {
  return diffFiles(openBareGit(`${repo.dir}/.git`), { base, head }, 10_000);
}

test('the lines of a diff are the same as those that another parser reads', () =>
  withRepo(async repo => {
    const next = chance(7);
    const first = Array.from({ length: FILES }, (_, file) =>
      Array.from({ length: next(60) }, (_, line) => `line ${file} ${line}`),
    );
    const base = await commitAll(repo, first);
    const head = await commitAll(
      repo,
      first.map((lines, file) => edited(lines, next, `second ${file}`)),
    );
    const { files } = await diffOf(repo, base, head);
    const theirs = parseDiff(await repo.git('diff', base, head));
    assert.ok(files.length > FILES / 2);
    assert.is(files.length, theirs.length);
    for (const [index, file] of files.entries()) {
      const hunks = parseHunks(file.patch ?? '');
      const sides = linesOf(theirs[index]);
      for (const side of ['LEFT', 'RIGHT'] as const)
        for (let line = 0; line < 90; line += 1)
          assert.is(
            findLine(hunks, side, line) !== undefined,
            sides[side].has(line),
            `${file.path} ${side} ${line}`,
          );
    }
  }));

function linesOf(file: parseDiff.File | undefined): Record<Side, Set<number>> {
  const sides = { LEFT: new Set<number>(), RIGHT: new Set<number>() };
  for (const change of file?.chunks.flatMap(chunk => chunk.changes) ?? []) {
    // The note about a missing newline is a change of its own there.
    if (change.content.startsWith('\\')) continue;
    if (change.type !== 'add') sides.LEFT.add(change.type === 'normal' ? change.ln1 : change.ln);
    if (change.type !== 'del') sides.RIGHT.add(change.type === 'normal' ? change.ln2 : change.ln);
  }
  return sides;
}

const commentOn = (place: { path: string; line: number; side: Side; commit: string }) =>
  ({ ...place, startLine: null, mergeBase: place.commit }) as unknown as ReviewCommentRecord;

test('a comment goes where its line went, and nowhere else', () =>
  withRepo(async repo => {
    const git = openBareGit(`${repo.dir}/.git`);
    const next = chance(11);
    const first = [Array.from({ length: 120 }, (_, line) => `line ${line}`)];
    const base = await commitAll(repo, first);
    const second = first.map(lines => edited(lines, next, 'second'));
    const commit = await commitAll(repo, second);
    const third = second.map(lines => edited(lines, next, 'third'));
    const head = await commitAll(repo, third);
    const diff = await diffOf(repo, base, head);
    const path = 'file 0.txt';
    const hunks = parseHunks(diff.files.find(file => file.path === path)?.patch ?? '');
    const before = second[0] ?? [];
    const after = third[0] ?? [];
    let followed = 0;
    for (const [index, text] of before.entries()) {
      const comment = commentOn({ path, line: index + 1, side: 'RIGHT', commit });
      const { line } = await followLine(git, comment, { diff, head });
      const expected = after.indexOf(text) + 1;
      const isShown = expected > 0 && findLine(hunks, 'RIGHT', expected) !== undefined;
      assert.is(line, isShown ? expected : null, text);
      if (isShown) followed += 1;
    }
    assert.ok(followed > 30 && followed < before.length, `${followed} of ${before.length}`);
  }));

test('lines that look like diff headers stay content', () =>
  withRepo(async repo => {
    const lines = ['-- a/x', '++ b/x', '@@ -1 +1 @@', 'diff --git a/x b/x', 'a\r@@ -9 +9 @@'];
    const base = await commitAll(repo, [['start']]);
    const head = await commitAll(repo, [['start', ...lines, 'a\rdiff --git a/y b/y']]);
    const { files } = await diffOf(repo, base, head);
    assert.is(files.length, 1);
    const [hunk, ...others] = parseHunks(files[0]?.patch ?? '');
    assert.is(others.length, 0);
    assert.is(hunk?.lines.at(-1)?.RIGHT, 7);
    assert.is(hunk?.lines.at(-1)?.text, '+a\rdiff --git a/y b/y');
    const comment = commentOn({ path: 'file 0.txt', line: 1, side: 'RIGHT', commit: base });
    const git = openBareGit(`${repo.dir}/.git`);
    assert.is((await followLine(git, comment, { diff: { files, mergeBase: base }, head })).line, 1);
  }));

test.run();
