import * as assert from 'uvu/assert';
import type { Diagnostic } from '../../src/core/diagnostic.js';
import { EditSession } from '../../src/fix/edit-session.js';
import { Formatters } from '../../src/fix/formatters.js';
import { takeSuggestions } from '../../src/fix/suggestions.js';
import type { Linter, LintSandbox } from '../../src/lint/sandbox.js';
import { suite } from '../support/suite.js';

const test = suite('fix/suggestions');

/** `[x]` is a diagnostic that suggests `(x)`; `judge` gives further ones. */
interface Scenario {
  readonly files: Readonly<Record<string, string>>;
  /** Further diagnostics of a text, or `broken` when it can't be linted. */
  readonly judge?: (text: string) => readonly string[] | 'broken';
}

async function taken({ files, judge = () => [] }: Scenario) {
  const texts = new Map(Object.entries(files));
  const runs: string[][] = [];
  const fake: Pick<Linter, 'name' | 'title' | 'files' | 'has' | 'canFix' | 'isForAll' | 'check'> = {
    name: 'own',
    title: 'Own',
    files: [...texts.keys()],
    has: path => texts.has(path),
    canFix: false,
    isForAll: false,
    check: async paths => {
      runs.push([...paths]);
      const said = paths.map(path => judge(texts.get(path) ?? ''));
      const isWhole = !said.includes('broken');
      const diagnostics = paths.flatMap((path, at) => [
        ...complaints(path, texts.get(path) ?? ''),
        // What is judged has no rule, as of linters that don't name theirs.
        ...[said[at] ?? []].flat().map(message => ({ ...complaint(path, message), rule: null })),
      ]);
      const nothing = { lost: [], notLinted: [] };
      return {
        diagnostics: isWhole ? diagnostics : [],
        problems: ['it fails'],
        isWhole,
        ...nothing,
      };
    },
  };
  const write = async (path: string, text: string) => void texts.set(path, text);
  // Suggestions need nothing else of them.
  const read = async (path: string) => texts.get(path);
  const reset = async (path: string) => void texts.set(path, files[path] ?? '');
  const [linter, sandbox] = [fake as Linter, { write, read, reset } as LintSandbox];
  const formatters = new Formatters({ formatters: [] }, [], true);
  const editSession = new EditSession();
  for (const [path, text] of texts) {
    editSession.open(path, text);
    editSession.setReported(linter, [path], complaints(path, text));
  }
  const wanted = (): Diagnostic[] => editSession.all();
  const fixing = { sandbox, linters: [linter], formatters, editSession, wanted };
  await takeSuggestions({ ...fixing, hasTime: () => true, update: () => undefined });
  const kept = editSession.records.filter(({ status }) => status === 'kept').length;
  const reasons = editSession.records.flatMap(({ reason }) => reason ?? []);
  return { texts: Object.fromEntries(texts), runs, kept, reasons, editSession };
}

const complaint = (path: string, message: string): Diagnostic => ({
  tool: 'own',
  rule: 'square',
  path,
  line: 1,
  unit: 'utf16',
  severity: 'error',
  message,
});

const complaints = (path: string, text: string): Diagnostic[] =>
  [...text.matchAll(/\[(\w+)\]/g)].map(({ 0: all, 1: word, index }) => ({
    ...complaint(path, 'square'),
    line: text.slice(0, index).split('\n').length,
    column: index - text.lastIndexOf('\n', index),
    anchor: text.slice(0, index).split('\n').at(-1) ?? '',
    suggestions: [
      {
        description: 'round',
        edits: [{ range: { start: index, end: index + all.length }, text: `(${word})` }],
      },
    ],
  }));

test('all suggestions of all files go into one run of the linter', async () => {
  const files = { a: '[1]\n[2] x [3]\n', b: '[4]\n', c: 'nothing\n' };
  const { texts, runs, kept } = await taken({ files });
  assert.equal(texts, { a: '(1)\n(2) x (3)\n', b: '(4)\n', c: 'nothing\n' });
  assert.equal(runs, [['a', 'b']]);
  assert.is(kept, 4);
});

test('suggestions that touch each other are applied in separate runs', async () => {
  const { texts, runs } = await taken({ files: { a: '[1][2][3]\n' } });
  assert.equal(texts, { a: '(1)(2)(3)\n' });
  assert.is(runs.length, 2);
});

test('one bad suggestion among many needs a few more runs, and only it is dropped', async () => {
  const words = Array.from({ length: 16 }, (_, at) => `[w${at}]\n`);
  const judge = (text: string): string[] => (text.includes('(w5)') ? ['worse'] : []);
  const { texts, runs, kept, reasons } = await taken({
    files: { a: words.join(''), b: '[x]\n' },
    judge,
  });
  assert.is(texts['b'], '(x)\n');
  assert.is(texts['a']?.match(/\[w5\]/)?.length, 1);
  assert.is(kept, 16);
  assert.equal(reasons, ['it causes a new diagnostic from Own at a:1: worse']);
  assert.ok(runs.length <= 9, `${runs.length} runs`);
});

test('a syntax error is reported as one, and nothing else is', async () => {
  const messages = [
    'Parsing error: Unexpected token',
    'fmt.Printf format %d has arg of wrong type',
  ];
  const reasons = messages.map(async message => {
    const judge = (text: string): string[] => (text.includes('(1)') ? [message] : []);
    return (await taken({ files: { a: '[1]\n' }, judge })).reasons[0];
  });
  assert.equal(await Promise.all(reasons), [
    `the file no longer parses: ${messages[0]}`,
    `it causes a new diagnostic from Own at a:1: ${messages[1]}`,
  ]);
});

test('a file that can no longer be linted does not affect the others', async () => {
  const judge = (text: string) => (text.includes('(bad)') ? ('broken' as const) : []);
  const { texts, kept, reasons } = await taken({
    files: { a: '[1]\n', b: '[bad]\n', c: '[2]\n' },
    judge,
  });
  assert.equal(texts, { a: '(1)\n', b: '[bad]\n', c: '(2)\n' });
  assert.is(kept, 2);
  assert.equal(reasons, ['Own can no longer judge the file: it fails']);
});

test('among equal diagnostics of one line, the one that was meant counts as fixed', async () => {
  const judge = (text: string): string[] => (text.includes('(2)') ? ['worse'] : []);
  const { texts, kept } = await taken({ files: { a: '[1] [2] [3]\n' }, judge });
  assert.equal(texts, { a: '(1) [2] (3)\n' });
  assert.is(kept, 2);
});

test('lines are tracked correctly whatever the order of the edits', async () => {
  const { editSession } = await taken({ files: { a: '[1]\ntext\n[2]\n' } });
  const lines = editSession.records.map(({ diagnostic }) => diagnostic.line).sort();
  assert.equal(lines, [1, 3]);
  assert.is(editSession.file('a')?.lineNow(2), 2);
});

test.run();
