import { readFileSync } from 'node:fs';
import * as assert from 'uvu/assert';
import type { Line } from '../../src/core/change.js';
import { corpus, readJsonLines } from '../support/corpus.js';
import { suite } from '../support/suite.js';
import { applied, eventsOf, type FileReading, randomFrom, readingOf } from './diff-reading.js';

/** Facts of `git diff-tree --raw` and `--numstat`; ranges are [first line, count]. */
interface FileFacts {
  status: string;
  oldMode: string;
  newMode: string;
  oldPath: string;
  newPath: string;
  binary: boolean;
  hunks: number;
  added: number[][];
  deleted: number[][];
  noNewlineMarkers: number;
}
interface DiffFacts {
  id: string;
  kind: 'diff' | 'combined';
  diff: string;
  files: FileFacts[];
  raw: Array<{ path: string }>;
}
interface GitReading {
  file: string;
  gitApply: string;
  files: Array<{ path: string; additions: number | null; deletions: number | null }>;
  summary?: string[];
}
interface ReviewdogLine {
  Type: 0 | 1 | 2;
  Content: string;
  LnumOld: number;
  LnumNew: number;
}
interface ReviewdogFile {
  PathNew: string;
  Hunks: Array<{ Section: string; Lines: ReviewdogLine[] }> | null;
}
interface PatchCase {
  id: string;
  original: string;
  patch: string;
  expected: string | null;
  oracle: { 'git-apply': string };
}

/** Where we read on purpose what git does not, and what we read. */
const UNLIKE_GIT: Record<string, string> = {
  'go-diff/delete_empty_file.diff': 'no prefix: git takes off a real directory',
  'go-diff/empty_multi.diff': 'no prefix: git takes off a real directory',
  'python-unidiff/debdiff.diff': 'binary files of diff -r: git passes over them',
  'python-unidiff/git_filenames_with_spaces_prefix.diff': 'dst://: git leaves a slash',
};

/** Its line numbers are wrong on purpose; git looks for the lines elsewhere. */
const NEEDS_OFFSET = 'jsdiff/039';

const realDiffs = corpus('real-diffs');
const fixtures = corpus('diff-fixtures');
const patches = corpus('unified-patch-apply');

const test = suite('diff/parse-diff-corpora');

test.unless(realDiffs.absent, 'every real two-way diff says what git says', () => {
  const rows = realRows('diff');
  assert.is(rows.length, 165);
  for (const row of rows) {
    const reading = readingOf(readFileSync(realDiffs.path(row.diff)));
    assert.equal(reading.broken, [], row.id);
    const parts = [...reading.files];
    for (const facts of row.files) {
      // A change of type is two sections of a diff and one entry of the raw list.
      const sections = parts.splice(0, facts.status === 'T' ? 2 : 1);
      assert.equal(factsOf(sections, facts), comparable(facts), `${row.id}: ${facts.newPath}`);
    }
    assert.equal(parts, [], `${row.id} has no more files`);
  }
});

test.unless(
  realDiffs.absent,
  'every real merge is read from its first parent to its result',
  () => {
    const rows = realRows('combined');
    assert.is(rows.length, 14);
    for (const row of rows) {
      const diff = readFileSync(realDiffs.path(row.diff));
      const reading = readingOf(diff);
      assert.equal(reading.broken, [], row.id);
      assert.is(reading.files.length, diff.toString('latin1').split('\ndiff --cc ').length, row.id);
      for (const file of reading.files) {
        assert.ok(
          row.raw.some(entry => entry.path === file.path),
          `${row.id}: ${file.path}`,
        );
        assert.ok(file.hunks.length > 0);
        assertNumbered(file);
      }
    }
  },
);

test.unless(realDiffs.absent, 'every real diff is read the same in any parts', () => {
  const random = randomFrom(7);
  for (const row of [...realRows('diff'), ...realRows('combined')]) {
    const diff = readFileSync(realDiffs.path(row.diff));
    const cuts = Array.from({ length: 40 }, () => Math.floor(random() * diff.length)).sort(
      (one, other) => one - other,
    );
    assert.equal(eventsOf(diff, cuts), eventsOf(diff), row.id);
  }
});

test.unless(
  fixtures.absent,
  'what git accepts of other projects’ diffs is read as git does',
  () => {
    const accepted = gitReadings().filter(row => row.gitApply === 'ok');
    assert.is(accepted.length, 92);
    for (const row of accepted.filter(({ file }) => !(file in UNLIKE_GIT))) {
      const { files } = readingOf(readFileSync(fixtures.path(row.file)));
      assert.equal(files.map(numstat), row.files, row.file);
      assert.equal(files.flatMap(summary).sort(), statuses(row.summary).sort(), row.file);
    }
  },
);

test.unless(
  fixtures.absent,
  'what git refuses of other projects’ diffs is reported, or read sensibly',
  () => {
    const refused = gitReadings().filter(row => row.gitApply !== 'ok');
    assert.is(refused.length, 33);
    for (const row of refused) {
      const { files, broken } = readingOf(readFileSync(fixtures.path(row.file)));
      if (/corrupt patch/.test(row.gitApply) && !row.file.endsWith('sample5.diff')) {
        assert.ok(broken.length > 0 && files.length > 0, row.file);
      }
      if (/fragment without header/.test(row.gitApply)) {
        assert.match(broken[0] ?? '', /^no file header before the hunk/, row.file);
      }
      if (/No valid patches/.test(row.gitApply)) assert.equal(broken, [], row.file);
    }
  },
);

test.unless(fixtures.absent, 'lines are numbered as reviewdog numbers them', () => {
  let compared = 0;
  for (const { file } of gitReadings().filter(row => row.file.startsWith('reviewdog/'))) {
    const expected: ReviewdogFile[] | null = JSON.parse(
      readFileSync(fixtures.path(`${file}.json`), 'utf8'),
    );
    const { files } = readingOf(readFileSync(fixtures.path(file)));
    assert.is(files.length, expected?.length ?? 0, file);
    for (const [index, { PathNew, Hunks }] of (expected ?? []).entries()) {
      if (Hunks === null || Hunks.length === 0) continue;
      assert.is(files[index]?.path, PathNew.replace(/^b\//, ''), file);
      const lines = Hunks.flatMap(hunk => hunk.Lines);
      assert.equal(
        files[index]?.hunks.flatMap(hunk => hunk.lines).map(asReviewdog),
        lines.map(own),
      );
      compared += lines.length;
    }
  }
  assert.is(compared, 87);
});

for (const [file, count] of [
  ['jsdiff.jsonl', 22],
  ['go-gitdiff.jsonl', 15],
] as const) {
  test.unless(patches.absent, `${file}: what git applies, our reading applies to the same`, () => {
    const rows = readJsonLines<PatchCase>(patches.path(file)).filter(
      row => row.oracle['git-apply'] === 'same' && row.expected !== null && row.id !== NEEDS_OFFSET,
    );
    assert.is(rows.length, count);
    for (const row of rows) {
      const [change] = readingOf(row.patch).files;
      assert.is(
        change === undefined ? row.original : applied(row.original, change),
        row.expected,
        row.id,
      );
    }
  });
}

function realRows(kind: DiffFacts['kind']): DiffFacts[] {
  return readJsonLines<DiffFacts>(realDiffs.path('cases.jsonl')).filter(row => row.kind === kind);
}

function gitReadings(): GitReading[] {
  return JSON.parse(readFileSync(fixtures.path('git-apply-oracle.json'), 'utf8'));
}

/** Our reading in the terms of the facts; what the text of a diff cannot say is taken from them. */
function factsOf(sections: readonly FileReading[], facts: FileFacts): unknown {
  const first = sections[0];
  const last = sections.at(-1);
  const hunks = sections.flatMap(section => section.hunks);
  const lines = hunks.flatMap(hunk => hunk.lines);
  const isMoveOnly = /^[RC]100$/.test(facts.status);
  return {
    status: facts.status === 'T' ? 'T' : first?.status.slice(0, 1).toUpperCase(),
    oldMode: isMoveOnly ? (first?.oldMode ?? facts.oldMode) : (first?.oldMode ?? '000000'),
    newMode: isMoveOnly ? (last?.newMode ?? facts.newMode) : (last?.newMode ?? '000000'),
    oldPath: first?.oldPath ?? last?.path,
    newPath: last?.path,
    binary: isMoveOnly ? facts.binary : sections.some(section => section.isBinary),
    hunks: hunks.length,
    added: ranges(lines.flatMap(line => (line.kind === 'added' ? line.newLine : []))),
    deleted: ranges(lines.flatMap(line => (line.kind === 'removed' ? line.oldLine : []))),
    noNewlineMarkers: hunks.flatMap(hunk => hunk.unended).length,
  };
}

function comparable(facts: FileFacts): unknown {
  const { oldMode, newMode, oldPath, newPath, binary, hunks, added, deleted } = facts;
  const status = facts.status.slice(0, 1);
  const noNewlineMarkers = facts.noNewlineMarkers;
  return {
    status,
    oldMode,
    newMode,
    oldPath,
    newPath,
    binary,
    hunks,
    added,
    deleted,
    noNewlineMarkers,
  };
}

function ranges(numbers: readonly number[]): number[][] {
  const found: Array<[number, number]> = [];
  for (const number of numbers) {
    const last = found.at(-1);
    if (last !== undefined && last[0] + last[1] === number) last[1] += 1;
    else found.push([number, 1]);
  }
  return found;
}

/** Old and new numbers each count on without a gap, and end where the header says. */
function assertNumbered(file: FileReading): void {
  for (const hunk of file.hunks) {
    const old = hunk.lines.flatMap(line => ('oldLine' in line ? line.oldLine : []));
    const result = hunk.lines.flatMap(line => ('newLine' in line ? line.newLine : []));
    assert.equal(ranges(old), hunk.oldLines === 0 ? [] : [[hunk.oldStart, hunk.oldLines]]);
    assert.equal(ranges(result), hunk.newLines === 0 ? [] : [[hunk.newStart, hunk.newLines]]);
  }
}

function numstat(file: FileReading): GitReading['files'][number] {
  const kinds = file.hunks.flatMap(hunk => hunk.lines).map(line => line.kind);
  const count = (kind: string): number => kinds.filter(each => each === kind).length;
  const counts = { additions: count('added'), deletions: count('removed') };
  return { path: file.path, ...(file.isBinary ? { additions: null, deletions: null } : counts) };
}

/** In the words of `git apply --summary`, names left out: it shortens them. */
function summary(file: FileReading): string[] {
  const { status, oldMode, newMode } = file;
  if (status === 'added') return ['create'];
  if (status === 'deleted') return ['delete'];
  const isModeChange = oldMode !== undefined && newMode !== undefined && oldMode !== newMode;
  const modes = isModeChange ? [`mode change ${oldMode} => ${newMode}`] : [];
  if (status === 'modified') return modes;
  return [status === 'renamed' ? 'rename' : 'copy', ...modes];
}

const statuses = (lines: readonly string[] = []): string[] =>
  lines.flatMap(
    line => /^ ?(create|delete|rename|copy|mode change \d+ => \d+)/.exec(line)?.[1] ?? [],
  );

const asReviewdog = (line: Line): unknown => ({
  Type: { context: 0, added: 1, removed: 2 }[line.kind],
  Content: line.text,
  LnumOld: 'oldLine' in line ? line.oldLine : 0,
  LnumNew: 'newLine' in line ? line.newLine : 0,
});

const own = ({ Type, Content, LnumOld, LnumNew }: ReviewdogLine): unknown => ({
  Type,
  Content,
  LnumOld,
  LnumNew,
});

test.run();
