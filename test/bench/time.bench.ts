import { readFileSync } from 'node:fs';
import { type ModelReply, type ModelRequest, textOf } from '../../src/model/model.js';
import { estimateTokens } from '../../src/model/tokens.js';
import { keptHunks } from '../review/kept-hunks.js';
import { corpus, readJsonLines } from '../support/corpus.js';
import { type Reviewed, reviewDiff } from './review/known-bugs.js';
import type { Script } from './review/scripted-model.js';

/** Rates of a Mac, as options: `npm run bench -- time --in=500 --out=40 --within=8`. */
const option = (name: string, usual: number): number => {
  const given = process.argv.find(each => each.startsWith(`--${name}=`));
  return given === undefined ? usual : Number(given.slice(name.length + 3));
};
const IN = option('in', 500);
const OUT = option('out', 40);
const WITHIN = option('within', 8);

/** What the requests of a review would have taken; tokens by our own estimate, which is high. */
function secondsOf({ exchanges }: Reviewed): number {
  return exchanges.reduce(
    (sum, [request, reply]) => sum + promptTokens(request) / IN + replyTokens(reply) / OUT,
    0,
  );
}

const promptTokens = ({ system, messages, schema, tools }: ModelRequest): number =>
  estimateTokens(system) +
  estimateTokens(messages.map(textOf).join('\n')) +
  estimateTokens(JSON.stringify(schema?.schema ?? '')) +
  estimateTokens(JSON.stringify(tools ?? ''));

const replyTokens = (reply: ModelReply): number =>
  reply.kind === 'answer' ? estimateTokens(reply.text) : 0;

/** Answers as briefly as a model would: ten words and a verdict. */
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

const frame = await reviewDiff(change(1), SILENT);
const [first] = frame.exchanges;
if (first !== undefined) {
  console.log(`the frame of a question: ${promptTokens(first[0])} tokens with one changed line`);
}

const { absent, path } = corpus('real-diffs');
if (absent === undefined) await realChanges();

async function realChanges(): Promise<void> {
  let [changes, whole, lines, skipped] = [0, 0, 0, 0];
  for (const { diff } of readJsonLines<{ diff?: string }>(path('cases.jsonl'))) {
    if (diff === undefined) continue;
    const text = readFileSync(path(diff));
    const sizes = new Map(
      keptHunks(text).map(hunk => [
        `${hunk.path}:${hunk.number}`,
        hunk.lines.filter(line => line.kind !== 'context').length,
      ]),
    );
    const total = [...sizes.values()].reduce((sum, each) => sum + each, 0);
    if (total === 0) continue;
    const reviewed = await reviewDiff(text.toString('latin1'), SILENT);
    const { items } = reviewed.outcome.ledger;
    changes += 1;
    lines += total;
    skipped += items
      .filter(({ state }) => state === 'skipped')
      .reduce((sum, each) => sum + (sizes.get(`${each.path}:${each.hunk}`) ?? 0), 0);
    if (secondsOf(reviewed) <= WITHIN) whole += 1;
  }
  const share = (part: number, of: number): string => `${((100 * part) / of).toFixed(1)} %`;
  console.log(
    `${changes} real changes: ${share(whole, changes)} reviewed whole in ${WITHIN} s;`,
    `${share(skipped, lines)} of their changed lines are never sent`,
  );
}
