import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import type { DiffEvent } from '../../src/core/change.js';
import { DiffParser } from '../../src/diff/parse.js';
import { corpus, readJsonLines } from '../support/corpus.js';
import { median } from './measure.js';

const MEGABYTE = 1024 * 1024;
const INPUT_BYTES = 50 * MEGABYTE;
const CHUNK_BYTES = 64 * 1024;
const ROUNDS = 7;

interface Contender {
  readonly name: string;
  /** From bytes to everything the parser has to say; returns how many lines of hunks it saw. */
  parse(diff: Buffer): number;
}

const diff = input();
const contenders = [ours(), ...(await peers())];
const seconds = contenders.map((): number[] => []);
const pushMs: number[] = [];

console.log(`${(diff.length / MEGABYTE).toFixed(1)} MB, ${ROUNDS} rounds, interleaved, medians`);
for (let round = 0; round < ROUNDS; round += 1) {
  for (const [index, contender] of contenders.entries()) {
    const start = performance.now();
    const lines = contender.parse(diff);
    seconds[index]?.push((performance.now() - start) / 1000);
    if (round === 0) console.log(`${contender.name}: ${lines} lines`);
  }
}
const speeds = seconds.map(times => diff.length / MEGABYTE / median(times));
for (const [index, contender] of contenders.entries()) {
  const speed = speeds[index] ?? 0;
  const ratio = ((speeds[0] ?? 0) / speed).toFixed(2);
  const comparison = index === 0 ? '' : `   apfel-bot is ${ratio} x as fast`;
  console.log(`${contender.name.padEnd(16)} ${speed.toFixed(0).padStart(5)} MB/s${comparison}`);
}
const slowest = pushMs.sort((one, other) => other - one);
const [longest = 0] = slowest;
const rarely = slowest[Math.floor(slowest.length / 1000)] ?? 0;
console.log(
  `a push of 64 kB: ${median(pushMs).toFixed(2)} ms, 1 in 1000 over ${rarely.toFixed(1)} ms, longest ${longest.toFixed(1)} ms`,
);

function ours(): Contender {
  const countLines = (events: readonly DiffEvent[]): number => {
    let count = 0;
    for (const event of events) if (event.type === 'lines') count += event.lines.length;
    return count;
  };
  const parse = (bytes: Buffer): number => {
    const parser = new DiffParser();
    let lines = 0;
    for (let at = 0; at < bytes.length; at += CHUNK_BYTES) {
      const start = performance.now();
      lines += countLines(parser.push(bytes.subarray(at, at + CHUNK_BYTES)));
      pushMs.push(performance.now() - start);
    }
    return lines + countLines(parser.end());
  };
  return { name: 'apfel-bot', parse };
}

async function peers(): Promise<Contender[]> {
  const found: Contender[] = [];
  for (const [name, member, kind] of [
    ['diff', 'parsePatch', 'lines'],
    ['gitdiff-parser', 'parse', 'changes'],
    ['parse-diff', 'default', 'changes'],
  ] as const) {
    try {
      const loaded: unknown = await import(name);
      const parse = memberOf(loaded, member) ?? memberOf(memberOf(loaded, 'default'), member);
      if (typeof parse !== 'function') throw new Error(`it has no ${member}`);
      const toLines = (bytes: Buffer): number => countLines(parse(bytes.toString('utf8')), kind);
      found.push({ name, parse: toLines });
    } catch (thrown) {
      console.log(`${name} is left out: ${thrown instanceof Error ? thrown.message : thrown}`);
    }
  }
  return found;
}

/** Every peer answers with files that have hunks (or chunks) that have lines (or changes). */
function countLines(files: unknown, kind: 'lines' | 'changes'): number {
  let count = 0;
  for (const file of listOf(files)) {
    for (const hunk of listOf(memberOf(file, 'hunks') ?? memberOf(file, 'chunks'))) {
      count += listOf(memberOf(hunk, kind)).length;
    }
  }
  return count;
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function memberOf(value: unknown, name: string): unknown {
  const isHolder = (typeof value === 'object' && value !== null) || typeof value === 'function';
  return isHolder ? Reflect.get(value, name) : undefined;
}

/** The corpus over and over; without it, whatever history git finds here. */
function input(): Buffer {
  const { absent, path } = corpus('real-diffs');
  const once =
    absent === undefined
      ? Buffer.concat(
          readJsonLines<{ kind: string; diff: string }>(path('cases.jsonl'))
            .filter(row => row.kind === 'diff')
            .map(row => readFileSync(path(row.diff))),
        )
      : execFileSync('git', ['log', '-p', '-n', '200', '--no-color'], { maxBuffer: INPUT_BYTES });
  return Buffer.concat(Array(Math.ceil(INPUT_BYTES / once.length)).fill(once));
}
