import { readdirSync, readFileSync } from 'node:fs';
import type { LineJudge } from '../../src/checks/check.js';
import { secretCheck } from '../../src/checks/secret.js';
import { changedFile } from '../checks/judge-text.js';
import { gitleaksCases, readCases, readRules } from '../secrets/gitleaks-cases.js';
import { percent, type Share, scoreCases } from '../secrets/score-cases.js';
import { corpus } from '../support/corpus.js';

const MEGABYTE = 1024 * 1024;
const WARM_UP_ROUNDS = 10;
const ROUNDS = 60;
/** What a line of this many characters may cost, so that a diff of 50 MB stays under a second. */
const LINE_LENGTH = 80;
const AIM_NANOSECONDS = 500;

printSpeed();
if (gitleaksCases.absent === undefined) printRecall();
else console.log(gitleaksCases.absent);

function printRecall(): void {
  const rules = readRules();
  const score = scoreCases(readCases('full.jsonl'), rules);
  const structuredRules = [...rules.values()].filter(rule => rule.isStructured).length;
  const row = (name: string, share: Share, aim: string): void =>
    console.log(
      `${name.padEnd(46)} ${String(share.found).padStart(5)} of ${String(share.of).padStart(5)}` +
        `  ${percent(share).toFixed(1).padStart(5)} %  ${aim}`,
    );
  row(
    `found, ${structuredRules} rules by prefix or structure`,
    score.structured,
    'aim: at least 95',
  );
  row(`found, ${rules.size - structuredRules} rules by a word nearby`, score.byWord, '');
  const all = {
    found: score.structured.found + score.byWord.found,
    of: score.structured.of + score.byWord.of,
  };
  row('found, all rules', all, '');
  row('flagged, harmless to every other rule', score.harmless, 'aim: at most 2');
  for (const line of score.harmless.flagged) console.log(`  ${line}`);
  const missed = [...score.missed].sort((a, b) => b[1] - a[1]);
  console.log(`missed: ${missed.map(([rule, times]) => `${rule} ${times}`).join(', ')}`);
}

/** Next to the time it takes merely to read each character, because machines and loads differ. */
function printSpeed(): void {
  const lines = ordinaryLines();
  const characters = lines.reduce((sum, line) => sum + line.length, 0);
  const judge = secretCheck.open(changedFile('a.txt'));
  let hits = 0;
  const ours = timeOf(() => {
    hits = judge === undefined ? 0 : judgeAll(judge, lines);
  });
  const reading = timeOf(() => readAll(lines));
  const speed = (characters / MEGABYTE / ours) * 1e9;
  const perLine = (ours / characters) * LINE_LENGTH;
  console.log(
    `${lines.length} lines of ${(characters / lines.length).toFixed(0)} characters, ${hits} hits, ` +
      `${speed.toFixed(0)} MB/s, ${perLine.toFixed(0)} ns for ${LINE_LENGTH} characters ` +
      `(aim: at most ${AIM_NANOSECONDS}), ${(ours / reading).toFixed(2)} times a bare charCodeAt loop`,
  );
}

/** Nanoseconds of the processor for one round, so that other work on the machine counts little. */
function timeOf(round: () => unknown): number {
  for (let times = 0; times < WARM_UP_ROUNDS; times += 1) round();
  const before = process.cpuUsage();
  for (let times = 0; times < ROUNDS; times += 1) round();
  const used = process.cpuUsage(before);
  return ((used.user + used.system) * 1000) / ROUNDS;
}

function readAll(lines: readonly string[]): number {
  let sum = 0;
  for (const line of lines) {
    for (let index = 0; index < line.length; index += 1) sum = (sum + line.charCodeAt(index)) | 0;
  }
  return sum;
}

function judgeAll(judge: LineJudge, lines: readonly string[]): number {
  let hits = 0;
  for (const text of lines) {
    hits += judge({ text, number: 1, isAdded: true, startsHunk: false }).length;
  }
  return hits;
}

/** The lines of real diffs where they are here, else those of our own sources; slices, as parsed. */
function ordinaryLines(): string[] {
  const diffs = corpus('real-diffs');
  const folder = diffs.absent === undefined ? diffs.path('diffs') : 'src/secrets';
  return readdirSync(folder)
    .flatMap(name => readFileSync(`${folder}/${name}`, 'latin1').split('\n'))
    .filter(line => !/^(?:\+\+\+|---|@@)/.test(line))
    .map(line => line.slice(1));
}
