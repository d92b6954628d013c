import { spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import type { Tally } from './suite.js';

/** A suite that takes longer hangs. */
const MOST_SUITE_MS = 240_000;
const ROOT = 'out/test';

/** Half a minute each, and each the thorough twin of a suite that runs every day. */
const LONG =
  /\/(browser|(post|push)\/faults|flow\/(demo|fix-lint-(corpus|linters)|hook-screen|(respond|push)-chain|review-(suggestions|window))|workflows\/(action|fix-lint|pool))/;
const wantsAll = process.env['APFEL_BOT_TEST'] === 'all';

interface SuiteResult {
  readonly file: string;
  readonly tally: Tally | undefined;
  readonly isOk: boolean;
  readonly output: string;
  readonly seconds: number;
}

/** Runs every suite in a process of its own, some side by side. */
async function runAll(wanted: readonly string[]): Promise<number> {
  const found = findSuites(wanted);
  // Who asks for a suite by name gets it.
  const isLeftOut = (file: string): boolean => !wantsAll && wanted.length === 0 && LONG.test(file);
  const files = found.filter(file => !isLeftOut(file));
  const leftOut = found.filter(isLeftOut);
  for (const file of leftOut) {
    console.log(`skip  ${relative(ROOT, file)}: long; npm run test:all runs it`);
  }
  if (files.length === 0) {
    console.log(`no test file matches ${wanted.join(' ') || ROOT}`);
    return conclude([]);
  }
  const reports = mkdtempSync(join(tmpdir(), 'apfel-bot-tests-'));
  const results: SuiteResult[] = [];
  const queue = [...files];
  const worker = async (): Promise<void> => {
    for (let file = queue.shift(); file !== undefined; file = queue.shift()) {
      const result = await runSuite(file, join(reports, `${files.indexOf(file)}.json`));
      results.push(result);
      tell(result);
    }
  };
  // One more than there are cores: half of all tests wait for something.
  await Promise.all(Array.from({ length: availableParallelism() + 1 }, worker));
  rmSync(reports, { recursive: true, force: true });
  return conclude(results, leftOut.length);
}

/** The architecture test goes first: it says most in the least time. */
function findSuites(wanted: readonly string[]): string[] {
  const all = readdirSync(ROOT, { recursive: true, encoding: 'utf8' })
    .filter(name => name.endsWith('.test.js'))
    .map(name => join(ROOT, name))
    .sort((one, other) => weight(one) - weight(other) || one.localeCompare(other));
  return all.filter(file => wanted.length === 0 || wanted.some(part => file.includes(part)));
}

/** Long suites start early, so that nobody waits for the last one alone. */
function weight(file: string): number {
  if (file.includes('architecture')) return 0;
  return /\/(flow|push|post|workflows|torture|stand-in|browser)\//.test(file) ? 1 : 2;
}

function runSuite(file: string, report: string): Promise<SuiteResult> {
  const startedAt = Date.now();
  return new Promise(resolve => {
    const child = spawn(process.execPath, [file], {
      env: { ...process.env, APFEL_BOT_TEST_REPORT: report, FORCE_COLOR: '0' },
      stdio: ['ignore', 'pipe', 'pipe'],
      timeout: MOST_SUITE_MS,
      killSignal: 'SIGKILL',
    });
    let output = '';
    child.stdout.on('data', chunk => (output += chunk));
    child.stderr.on('data', chunk => (output += chunk));
    child.on('close', code => {
      const tally = readTally(report);
      const seconds = Math.round((Date.now() - startedAt) / 1000);
      const isOk = code === 0 && tally !== undefined && isWhole(tally);
      resolve({ file, tally, output, seconds, isOk });
    });
  });
}

function readTally(report: string): Tally | undefined {
  try {
    return JSON.parse(readFileSync(report, 'utf8'));
  } catch {
    return undefined;
  }
}

const isWhole = (tally: Tally): boolean =>
  tally.failed === 0 &&
  tally.passed === tally.declared &&
  tally.declared + tally.skipped.length > 0;

function tell({ file, tally, isOk, output, seconds }: SuiteResult): void {
  const name = relative(ROOT, file);
  if (isOk) console.log(`ok    ${name} (${tally?.passed} passed, ${seconds} s)`);
  else console.log(`FAIL  ${name}\n${output}`);
  for (const { title, reason } of tally?.skipped ?? []) console.log(`skip  ${title}: ${reason}`);
}

function conclude(results: readonly SuiteResult[], leftOut = 0): number {
  const sum = (count: (result: SuiteResult) => number): number =>
    results.reduce((total, result) => total + count(result), 0);
  const passed = sum(({ tally }) => tally?.passed ?? 0);
  // A suite that broke before it could count its failures is one failure itself.
  const failed =
    sum(({ tally, isOk }) => (isOk ? 0 : Math.max(1, unfinished(tally)))) ||
    (results.length === 0 ? 1 : 0);
  const skipped = leftOut + sum(({ tally }) => tally?.skipped.length ?? 0);
  console.log(`${passed} passed, ${failed} failed, ${skipped} skipped`);
  return failed === 0 ? 0 : 1;
}

const unfinished = (tally: Tally | undefined): number =>
  tally === undefined ? 1 : tally.declared - tally.passed;

process.exitCode = await runAll(process.argv.slice(2));
