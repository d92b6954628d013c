import { spawn, spawnSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statfsSync,
  writeFileSync,
} from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { findSuites, inBatches, ROOT } from './find-suites.js';
import { killTree } from './processes.js';
import type { Tally } from './suite.js';
import { explainSkips, LONG } from './summary.js';

/** A suite that takes longer hangs. */
const MAX_SUITE_MS = 600_000;

/** Many times what all tests that run at one time have on their disk. */
const MEMORY_BYTES = 2e9;

/** What `run-some.ts` prints before each file. */
const MARK = '\u001e';

/** Run beside the suites: alone, they would leave the other cores idle. */
const CHECKS: Readonly<Record<string, readonly string[]>> = {
  types: ['node_modules/typescript/bin/tsc', '-p', '.'],
  lint: ['node_modules/@biomejs/biome/bin/biome', 'check', '--error-on-warnings', '.'],
};

interface Result {
  /** The test's source, or the name of a check. */
  readonly name: string;
  readonly passed: number;
  /** What failed, in words that find it. */
  readonly failed: readonly string[];
  readonly skipped: Tally['skipped'];
}

interface Ended {
  readonly code: number | null;
  readonly output: string;
  readonly seconds: number;
}

const running = new Set<number>();
const folder = temporaryFolder();

/** In memory where there is enough of it: a third of the time that git takes is the disk's. */
function temporaryFolder(): string {
  const memory = '/dev/shm';
  if (process.env['TMPDIR'] === undefined && existsSync(memory)) {
    const { bavail, bsize } = statfsSync(memory);
    const made = mkdtempSync(join(memory, 'apfel-bot-tests-'));
    const program = join(made, 'program');
    writeFileSync(program, '#!/bin/sh\n', { mode: 0o755 });
    // Containers often have little of it, or run nothing that is in there.
    if (bavail * bsize > MEMORY_BYTES && spawnSync(program).status === 0) return made;
    rmSync(made, { recursive: true });
  }
  return mkdtempSync(join(tmpdir(), 'apfel-bot-tests-'));
}
// Some tests become another user.
chmodSync(folder, 0o755);

/** Runs every suite, and with `--checks` types and lint, in processes side by side. */
async function runAll(args: readonly string[]): Promise<number> {
  const wanted = args.filter(arg => arg !== '--checks');
  const { files, leftOut } = findSuites(wanted);
  if (files.length === 0) {
    console.log(`no test file matches ${wanted.join(' ') || ROOT}`);
    return conclude([], []);
  }
  const queue = inBatches(files).map(batch => () => runSuites(batch));
  if (args.includes('--checks'))
    queue.unshift(...Object.keys(CHECKS).map(name => () => check(name)));
  const results: Result[] = [];
  const worker = async (): Promise<void> => {
    for (let job = queue.shift(); job !== undefined; job = queue.shift()) {
      results.push(...(await job()));
    }
  };
  // Three for each core: most tests wait for something.
  await Promise.all(Array.from({ length: 3 * availableParallelism() }, worker));
  if (wanted.length > 0) listSkips(results);
  return conclude(
    results,
    leftOut.map(() => LONG),
  );
}

async function check(name: string): Promise<Result[]> {
  const { code, output, seconds } = await start(CHECKS[name] ?? []);
  const isOk = code === 0;
  console.log(isOk ? `ok    ${name} (${seconds} s)` : `FAIL  ${name}\n${output}`);
  return [{ name, passed: 0, failed: isOk ? [] : [name], skipped: [] }];
}

async function runSuites(files: readonly string[]): Promise<Result[]> {
  const reports = files.map(file => join(folder, `${file.replaceAll('/', '-')}.json`));
  const runSome = fileURLToPath(new URL('run-some.js', import.meta.url));
  const pairs = files.flatMap((file, at) => [file, reports[at] ?? '']);
  const { code, output } = await start([runSome, ...pairs], files.length);
  const outputs = output.split(MARK).slice(1);
  const results = files.map((file, at) => resultOf(file, readTally(reports[at] ?? '')));
  if (code !== 0 && results.every(({ failed }) => failed.length === 0)) {
    results.at(-1)?.failed.push(`${results.at(-1)?.name}: exit code ${code}`);
  }
  for (const [at, { name, passed, failed, skipped }] of results.entries()) {
    const counts = [
      `${passed} passed`,
      ...(skipped.length > 0 ? [`${skipped.length} skipped`] : []),
    ];
    const [, ms] = /^ {2}Duration: +([\d.]+)ms/m.exec(outputs[at] ?? '') ?? [];
    const time = ms === undefined ? [] : [`${Math.round(Number(ms) / 1000)} s`];
    if (failed.length > 0) console.log(`FAIL  ${name}\n${outputs[at] ?? output}`);
    else console.log(`ok    ${name} (${[...counts, ...time].join(', ')})`);
  }
  return results;
}

function resultOf(file: string, tally: Tally | undefined): Result & { failed: string[] } {
  const name = join('test', relative(ROOT, file)).replace(/\.js$/, '.ts');
  const { passed = 0, skipped = [] } = tally ?? {};
  return { name, passed, failed: failuresOf(name, tally), skipped };
}

/** One entry for each test that did not pass; a suite that broke before it could count is one itself. */
function failuresOf(name: string, tally: Tally | undefined): string[] {
  if (tally === undefined) return [`${name}: ended before it could count its tests`];
  const { declared, passed, failed, skipped } = tally;
  if (declared + skipped.length === 0) return [`${name}: has no test`];
  const lost = Math.max(0, declared - passed - failed.length);
  return [...failed, ...Array<string>(lost).fill('a test that never finished')].map(
    title => `${name}: ${title}`,
  );
}

function start(args: readonly string[], suites = 1): Promise<Ended> {
  const startedAt = Date.now();
  return new Promise(resolve => {
    const child = spawn(process.execPath, args, {
      env: { ...process.env, FORCE_COLOR: '0', TMPDIR: folder },
      stdio: ['ignore', 'pipe', 'pipe'],
      // A group of its own, so that what it leaves behind can be found.
      detached: true,
    });
    const { pid = 0 } = child;
    running.add(pid);
    const timer = setTimeout(() => killTree(pid), suites * MAX_SUITE_MS);
    let output = '';
    child.stdout.setEncoding('utf8').on('data', text => (output += text));
    child.stderr.setEncoding('utf8').on('data', text => (output += text));
    child.on('close', code => {
      clearTimeout(timer);
      running.delete(pid);
      resolve({ code, output, seconds: Math.round((Date.now() - startedAt) / 1000) });
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

function listSkips(results: readonly Result[]): void {
  for (const { title, reason } of results.flatMap(({ skipped }) => skipped)) {
    console.log(`skip  ${title}: ${reason}`);
  }
}

function conclude(results: readonly Result[], leftOut: readonly string[]): number {
  const failed = results.flatMap(result => result.failed);
  for (const failure of failed) console.log(`failed: ${failure}`);
  const reasons = results.flatMap(({ skipped }) => skipped.map(({ reason }) => reason));
  for (const line of explainSkips([...leftOut, ...reasons])) console.log(line);
  const passed = results.reduce((total, result) => total + result.passed, 0);
  const failures = results.length === 0 ? 1 : failed.length;
  console.log(`${passed} passed, ${failures} failed, ${leftOut.length + reasons.length} skipped`);
  return failures === 0 ? 0 : 1;
}

function stop(code: number): void {
  for (const pid of running) killTree(pid);
  process.exit(code);
}

process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
for (const [signal, code] of [
  ['SIGINT', 130],
  ['SIGTERM', 143],
  ['SIGHUP', 129],
] as const) {
  process.once(signal, () => stop(code));
}
// A shell between npm and this process may take a signal and keep it.
const parent = process.ppid;
setInterval(() => process.ppid === parent || stop(143), 1000).unref();

process.exitCode = await runAll(process.argv.slice(2));
