import * as assert from 'uvu/assert';
import { pathFromBytes } from '../../src/core/path-bytes.js';
import { suite } from '../support/suite.js';
import { type AskGit, type Commit, type Entry, type Tree, withHistory } from './diff-history.js';
import {
  applied,
  type FileReading,
  type HunkReading,
  randomFrom,
  readingOf,
} from './diff-reading.js';

type Random = () => number;

const ROUNDS = 60;

const NAMES = [
  'plain.txt',
  'src/deep/er.ts',
  'with space.md',
  'x b/x',
  'tab\tand "quotes"',
  'back\\slash',
  'new\nline',
  'ümläut.txt',
  '\udcff\udce4 not utf-8',
  'a/a',
  'b/dev/null',
  'end.txt ',
];

/** Lines that look like something else, and a few that do not. */
const LINES = [
  '',
  ' ',
  '-- a/x',
  '++ b/x',
  '- ',
  '@@ -1 +1 @@',
  'diff --git a/x b/x',
  '\\ No newline at end of file',
  'function f() {',
  '\tüber 𝄞',
  '}\r',
  '\r',
  'one',
  'two',
  'three',
  'four',
];

const SETTINGS = [
  'core.quotePath=true',
  'core.quotePath=false',
  'diff.suppressBlankEmpty=true',
  'diff.mnemonicPrefix=true',
  'diff.noprefix=true',
];

const FILE_MODES = ['100644', '100755', '120000'];

const test = suite('diff/parse-diff-git');

test('random changes, parsed and applied, give what git has, byte for byte', () => {
  const random = randomFrom(2024);
  const commits: Commit[] = [{ tree: new Map(), parents: [] }];
  for (let round = 1; round <= ROUNDS; round += 1) {
    const before = commits.at(-1)?.tree ?? new Map();
    commits.push({ tree: changed(before, random), parents: [round - 1] });
  }
  return withHistory(commits, git => {
    for (let round = 1; round <= ROUNDS; round += 1) {
      const ends = [`n${round - 1}`, `n${round}`];
      const moves = pick([['-M50%'], ['-C', '-C'], ['--no-renames']], random);
      const setting = pick(SETTINGS, random);
      const context = pick(['-U3', '-U0', '-U30'], random);
      const flags = ['--full-index', '--no-color', context, ...moves, ...ends];
      const { files, broken } = readingOf(git('-c', setting, 'diff', ...flags));
      const name = `round ${round}, ${setting} ${flags.join(' ')}`;
      assert.equal(broken, [], name);
      const [before, after] = [commits[round - 1]?.tree, commits[round]?.tree];
      if (before === undefined || after === undefined) throw new Error(`no commits for ${name}`);
      assert.equal(sorted(patched(before, files, after)), sorted(after), name);
      assert.equal(files.map(asRaw), rawEntries(git, flags), name);
    }
  });
});

for (const parents of [2, 3]) {
  test(`a merge of ${parents} reads as the change from its first parent`, () => {
    const random = randomFrom(parents);
    const commits: Commit[] = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      const number = commits.length;
      const base = textTree(random);
      const sides = Array.from({ length: parents }, (_, side) => number + 1 + side);
      commits.push({ tree: base, parents: [] });
      for (const _ of sides) commits.push({ tree: retouched(base, random), parents: [number] });
      commits.push({ tree: retouched(base, random), parents: sides });
    }
    return withHistory(commits, git => {
      let hunks = 0;
      for (const [number, { tree, parents: sides }] of commits.entries()) {
        const first = commits[sides[0] ?? -1]?.tree;
        if (first === undefined || sides.length === 1) continue;
        const show = (form: string): FileReading[] => {
          const reading = readingOf(git('diff-tree', '-p', '--no-commit-id', form, `n${number}`));
          assert.equal(reading.broken, [], `n${number}`);
          return reading.files;
        };
        // Without --cc nothing is left out, so that the hunks make the result from the parent.
        for (const file of show('-c')) {
          const made = applied(first.get(file.path)?.content ?? '', file);
          assert.is(made, tree.get(file.path)?.content, `${file.path} of n${number}`);
          hunks += file.hunks.length;
        }
        for (const file of show('--cc')) assertPlaced(file, first, tree);
      }
      assert.ok(hunks > ROUNDS, 'there was something to read');
    });
  });
}

/** The tree after, by the diff alone; only what git does not show is taken from `after`. */
function patched(before: Tree, files: readonly FileReading[], after: Tree): Tree {
  const result = new Map(before);
  for (const { status, oldPath = '' } of files) {
    if (status === 'deleted' || status === 'renamed') result.delete(oldPath);
  }
  for (const file of files.filter(({ status }) => status !== 'deleted')) {
    const old = before.get(file.oldPath ?? '') ?? { mode: '', content: '' };
    const content = file.isBinary ? hidden(file, old, after) : applied(old.content, file);
    result.set(file.path, { mode: file.newMode ?? old.mode, content });
  }
  return result;
}

function hidden(file: FileReading, old: Entry, after: Tree): string {
  const content = after.get(file.path)?.content ?? '';
  assert.ok(`${old.content}${content}`.includes('\0'), `${file.path} is binary`);
  assert.equal(file.hunks, []);
  return content;
}

const sorted = (tree: Tree): Array<[string, Entry]> =>
  Array.from(tree).sort(([one], [other]) => (one < other ? -1 : 1));

/** Status, modes and paths; a file that only moved has no modes in its header. */
function asRaw(file: FileReading): string {
  const { status, oldMode = '-', newMode = '-', oldPath = '', path } = file;
  return [status.slice(0, 1).toUpperCase(), oldMode, newMode, oldPath, path].join('|');
}

function rawEntries(git: AskGit, flags: readonly string[]): string[] {
  const bytes = git('diff', '--raw', '-z', ...flags.filter(flag => !flag.startsWith('-U')));
  const parts = bytes.toString('latin1').split('\0');
  const entries: string[] = [];
  while (parts.length > 1) {
    const [oldMode = '', newMode = '', , , status = ''] = (parts.shift() ?? '').slice(1).split(' ');
    const oldPath = asPath(parts.shift());
    const path = /^[RC]/.test(status) ? asPath(parts.shift()) : oldPath;
    const isSame = /^[RC]100$/.test(status) && oldMode === newMode;
    const removed = `D|${oldMode}|-|${path}|${path}`;
    const added = `A|-|${newMode}||${path}`;
    const modes = isSame ? '-|-' : `${oldMode}|${newMode}`;
    if (status === 'T') entries.push(removed, added);
    else if (status === 'D') entries.push(removed);
    else if (status === 'A') entries.push(added);
    else entries.push(`${status.slice(0, 1)}|${modes}|${oldPath}|${path}`);
  }
  return entries;
}

const asPath = (latin1 = ''): string => pathFromBytes(Buffer.from(latin1, 'latin1'));

/** Every line stands where its numbers say, in the first parent and in the result. */
function assertPlaced(file: FileReading, first: Tree, result: Tree): void {
  const oldLines = first.get(file.path)?.content.split('\n') ?? [];
  const newLines = result.get(file.path)?.content.split('\n') ?? [];
  for (const hunk of file.hunks) {
    const from = firstSureLine(hunk);
    for (const [index, line] of hunk.lines.entries()) {
      const hasOld = 'oldLine' in line && index >= from;
      if (hasOld) assert.is(oldLines[line.oldLine - 1], line.text, `old line ${line.oldLine}`);
      if ('newLine' in line) assert.is(newLines[line.newLine - 1], line.text);
    }
  }
}

/** Where git hides lines of a parent it does not say after which; none is hidden at the end. */
function firstSureLine({ lines, oldLines }: HunkReading): number {
  if (lines.filter(line => 'oldLine' in line).length === oldLines) return 0;
  const lastChange = lines.findLastIndex(line => line.kind !== 'context');
  return lines.slice(0, lastChange).findLastIndex(line => line.kind === 'context') + 1;
}

function changed(before: Tree, random: Random): Tree {
  const after = new Map(before);
  for (const path of NAMES.filter(() => random() < 0.4)) {
    const entry = after.get(path);
    const dice = random();
    if (entry === undefined) after.set(path, newEntry(random));
    else if (dice < 0.1) after.delete(path);
    else if (dice < 0.25) move(after, path, random);
    else if (dice < 0.35) after.set(path, newEntry(random));
    else if (dice < 0.45) after.set(path, { ...entry, mode: pick(FILE_MODES, random) });
    else after.set(path, { ...entry, content: retouchedText(entry.content, random) });
  }
  return after;
}

function move(tree: Map<string, Entry>, path: string, random: Random): void {
  const target = pick(NAMES, random);
  const entry = tree.get(path);
  if (entry === undefined || tree.has(target)) return;
  tree.delete(path);
  const content = random() < 0.5 ? entry.content : retouchedText(entry.content, random);
  tree.set(target, { ...entry, content });
}

function newEntry(random: Random): Entry {
  const mode = pick(FILE_MODES, random);
  const dice = random();
  const end = dice < 0.3 ? '' : '\n';
  const binary = mode !== '120000' && dice > 0.9 ? '\0' : '';
  return { mode, content: dice < 0.1 ? '' : `${binary}${text(random)}${end}` };
}

const text = (random: Random): string =>
  Array.from({ length: Math.ceil(random() * 40) }, () => pick(LINES, random)).join('\n');

function retouchedText(content: string, random: Random): string {
  const lines = content.split('\n');
  for (let count = Math.ceil(random() * 4); count > 0; count -= 1) {
    const at = Math.floor(random() * lines.length);
    const added = Array.from({ length: Math.floor(random() * 4) }, () => pick(LINES, random));
    lines.splice(at, Math.floor(random() * 3), ...added);
  }
  return lines.join('\n');
}

const textTree = (random: Random): Tree =>
  new Map(['one', 'tab\tthree'].map(path => [path, entryOf(text(random))]));

const retouched = (tree: Tree, random: Random): Tree =>
  new Map(
    Array.from(tree, ([path, { content }]) => [path, entryOf(retouchedText(content, random))]),
  );

// Git's diff of a merge does not tell whether a last line has its newline: here it always has.
const entryOf = (content: string): Entry => ({
  mode: '100644',
  content: content.endsWith('\n') ? content : `${content}\n`,
});

function pick<Choice>(choices: readonly Choice[], random: Random): Choice {
  const choice = choices[Math.floor(random() * choices.length)];
  if (choice === undefined) throw new Error('nothing to choose from');
  return choice;
}

test.run();
