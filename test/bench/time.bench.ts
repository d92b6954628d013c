import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { countTokens } from 'gpt-tokenizer';
import { type ModelReply, type ModelRequest, textOf } from '../../src/model/model.js';
import { corpus, readJsonLines } from '../support/corpus.js';
import { type Reviewed, reviewDiff } from './review/known-bugs.js';
import type { Script } from './review/scripted-model.js';

/**
 * Rates of a Mac, as options: `npm run bench -- time --in=500 --out=40 --within=8`. With
 * `--history=FOLDER,FOLDER` it also takes the last commits of these clones.
 */
const given = (name: string): string | undefined =>
  process.argv.find(each => each.startsWith(`--${name}=`))?.slice(name.length + 3);
const IN = Number(given('in') ?? 500);
const OUT = Number(given('out') ?? 40);
const WITHIN = Number(given('within') ?? 8);
const COMMITS = Number(given('commits') ?? 100);

/** What the requests of a review would have taken, counted by a public tokenizer (o200k). */
function secondsOf({ exchanges }: Reviewed): number {
  return exchanges.reduce(
    (sum, [request, reply]) => sum + promptTokens(request) / IN + replyTokens(reply) / OUT,
    0,
  );
}

const promptTokens = ({ system, messages, schema }: ModelRequest): number =>
  countTokens(
    [system, ...messages.map(textOf), JSON.stringify(schema?.schema ?? '')].join('\n'),
    PLAIN,
  );

/** Names of a tokenizer's own tokens stand in real diffs. */
const PLAIN = { disallowedSpecial: new Set<string>() };

const replyTokens = (reply: ModelReply): number =>
  reply.kind === 'answer' ? countTokens(reply.text, PLAIN) : 0;

/** Answers as briefly as a model is asked to. */
const SILENT: Script = { reports: () => [], refutes: () => false };
const everyFourth: Script = {
  reports: shown => {
    const [first] = shown;
    const isFourth = first !== undefined && first.line % 4 === 1;
    return isFourth ? [{ line: String(first.line), quote: first.text.trim().slice(0, 40) }] : [];
  },
  refutes: () => false,
};

/** Files of 50 new lines each, as code is usually long. */
function change(lines: number): string {
  const rows: string[] = [];
  for (let file = 0; file * 50 < lines; file += 1) {
    const count = Math.min(50, lines - file * 50);
    const path = `src/part${file}.ts`;
    rows.push(`diff --git a/${path} b/${path}`, 'new file mode 100644', '--- /dev/null');
    rows.push(`+++ b/${path}`, `@@ -0,0 +1,${count} @@`);
    for (let at = 0; at < count; at += 1) {
      rows.push(`+  const value${at} = compute(input, ${at});`);
    }
  }
  return `${rows.join('\n')}\n`;
}

console.log(`${IN} tokens/s in, ${OUT} tokens/s out, one request after the other`);
for (const lines of [100, 500, 2000]) {
  const [silent, some] = [
    await reviewDiff(change(lines), SILENT),
    await reviewDiff(change(lines), everyFourth),
  ];
  console.log(
    `${lines} changed lines: ${silent.requests} questions, ${secondsOf(silent).toFixed(1)} s with nothing found;`,
    `${secondsOf(some).toFixed(1)} s with ${some.secondLooks} findings`,
  );
}

const [first] = (await reviewDiff(change(1), SILENT)).exchanges;
if (first !== undefined) {
  console.log(`the frame of a question: ${promptTokens(first[0])} tokens with one changed line`);
}

interface Row {
  /** Changed lines, and those of them that the model is asked about. */
  readonly lines: number;
  readonly sent: number;
  readonly seconds: number;
}

/** What nobody waits for in a hook, and what would only keep the benchmark busy. */
const MAX_BYTES = 2 ** 20;

async function measure(diffs: Iterable<Buffer>): Promise<Row[]> {
  const rows: Row[] = [];
  for (const diff of diffs) {
    if (diff.length > MAX_BYTES) continue;
    const reviewed = await reviewDiff(diff.toString('latin1'), SILENT);
    const { added, removed } = reviewed.outcome.change;
    const sent = reviewed.exchanges.reduce((sum, [request]) => sum + changedIn(request), 0);
    const lines = added + removed;
    if (lines > 0) rows.push({ lines, sent, seconds: secondsOf(reviewed) });
  }
  return rows;
}

const changedIn = ({ messages }: ModelRequest): number =>
  (
    messages
      .map(textOf)
      .join('\n')
      .match(/^[+-]\d*\| /gm) ?? []
  ).length;

const SIZES = [20, 100, 200, 500, Number.POSITIVE_INFINITY];

function print(what: string, rows: readonly Row[]): void {
  const percent = (part: number, of: number): string => `${((100 * part) / of).toFixed(1)} %`;
  const whole = (those: readonly Row[]): string =>
    percent(those.filter(({ seconds }) => seconds <= WITHIN).length, those.length);
  const [lines, sent] = [rows.map(row => row.lines), rows.map(row => row.sent)].map(all =>
    all.reduce((sum, each) => sum + each, 0),
  );
  if (rows.length === 0 || lines === undefined || sent === undefined) return;
  console.log(
    `${rows.length} ${what}: ${whole(rows)} reviewed whole in ${WITHIN} s;`,
    `${percent(Math.max(0, lines - sent), lines)} of their changed lines are never sent`,
  );
  SIZES.forEach((max, at) => {
    const least = at === 0 ? 0 : (SIZES[at - 1] ?? 0) + 1;
    const those = rows.filter(row => row.sent >= least && row.sent <= max);
    if (those.length === 0) return;
    console.log(`  ${least} to ${max} lines sent: ${those.length}, ${whole(those)} whole`);
  });
}

/** More lines around each change than usual, as a review in a repository shows them. */
function* history(folder: string): Generator<Buffer> {
  const git = (...args: readonly string[]): Buffer =>
    execFileSync('git', ['-C', folder, ...args], { maxBuffer: 2 ** 28 });
  const log = git('log', '--no-merges', `--max-count=${COMMITS}`, '--format=%H').toString();
  for (const commit of log.trim().split('\n')) {
    yield git('show', '--format=', '--no-renames', '--unified=7', commit);
  }
}

const { absent, path } = corpus('real-diffs');
if (absent === undefined) {
  const names = readJsonLines<{ diff?: string }>(path('cases.jsonl')).flatMap(
    ({ diff }) => diff ?? [],
  );
  print(
    'changes of the corpus, most of them large',
    await measure(names.map(name => readFileSync(path(name)))),
  );
}
const folders = (given('history') ?? '').split(',').filter(folder => folder !== '');
print(
  `commits of ${folders.length} histories`,
  (await Promise.all(folders.map(folder => measure(history(folder))))).flat(),
);
