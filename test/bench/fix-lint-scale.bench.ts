import { spawn } from 'node:child_process';
import diagnostics_channel from 'node:diagnostics_channel';
import { appendFile, chmod, readFile, rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { startStandIn } from '../../fixtures/apfel/stand-in.js';
import type { FixOutcome } from '../../src/core/outcome.js';

import { type CaseProject, withCases } from '../fix/corpus/case-project.js';
import { fixesAnyLine, lookAt, manyFaults } from '../fix/corpus/many.js';
import { CLI } from '../support/cli.js';
import { gitEnv } from '../support/with-repo.js';

// A thousand complaints that only the model can fix: memory, processes, what is shown on the way, and
// how much time is neither the linter's nor the model's.

interface Watched {
  readonly outcome: FixOutcome;
  readonly stderr: string;
  readonly seconds: number;
  readonly megabytes: number;
  readonly children: number;
}

async function watch({ repo }: CaseProject, latencyMs: number): Promise<Watched> {
  const server = await startStandIn({ policy: fixesAnyLine, latencyMs });
  const started = performance.now();
  const args = ['fix-lint', '--format', 'json', '--deadline', '2h', '--base-url', server.baseUrl];
  const child = spawn(process.execPath, [CLI, ...args], {
    cwd: repo.dir,
    env: gitEnv(repo.dir),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let [stdout, stderr] = ['', ''];
  child.stdout.setEncoding('utf8').on('data', text => (stdout += text));
  child.stderr.setEncoding('utf8').on('data', text => (stderr += text));
  const peak = { megabytes: 0, children: 0 };
  const timer = setInterval(() => {
    const { megabytes, children } = lookAt(child.pid);
    peak.megabytes = Math.max(peak.megabytes, megabytes);
    peak.children = Math.max(peak.children, children);
  }, 10);
  await new Promise(done => child.on('close', done));
  clearInterval(timer);
  await server.close();
  const seconds = (performance.now() - started) / 1000;
  return { outcome: JSON.parse(stdout), stderr, seconds, ...peak };
}

async function thousand(): Promise<void> {
  const peaks: number[] = [];
  for (const count of [100, 1000]) {
    await withCases(manyFaults(count), async project => {
      const { outcome, stderr, seconds, megabytes, children } = await watch(project, 0);
      const { fixed, introduced } = outcome.diagnostics;
      peaks.push(megabytes);
      console.log(
        `${count} complaints: ${fixed} fixed, ${introduced} introduced, ${seconds.toFixed(0)} s, ` +
          `${(project.eslint.runs() / count).toFixed(2)} runs of the linter for each, ` +
          `at most ${children} processes at a time, ${megabytes.toFixed(0)} MB`,
      );
      const [told] = stderr.split('\n').filter(line => /to go/.test(line));
      console.log(`  told on the way: ${told ?? 'nothing'}`);
      if (fixed !== count || introduced > 0 || children > 3) process.exitCode = 1;
      // A log gets a line every quarter of a minute.
      if (seconds > 20 && told === undefined) process.exitCode = 1;
    });
  }
  const [few = 1, many = 1] = peaks;
  console.log(`  ten times the complaints: ${(many / few).toFixed(2)} × the memory`);
  if (many / few > 2) process.exitCode = 1;
}

/** The real program, with the time it took from its start to its end. */
const TIMED = (log: string): string => `#!/bin/sh
from=$(date +%s%N)
${JSON.stringify(resolve('node_modules/eslint/bin/eslint.js'))} "$@"
code=$?
echo $(( $(date +%s%N) - from )) >> ${JSON.stringify(log)}
exit $code
`;

/** What the stand-in takes from the first byte of a request to the last of its answer. */
function timeAnswers(): { milliseconds: number } {
  const sum = { milliseconds: 0 };
  const started = new WeakMap<object, number>();
  const requestOf = (message: unknown): object => (message as { readonly request: object }).request;
  diagnostics_channel.subscribe('http.server.request.start', message => {
    started.set(requestOf(message), performance.now());
  });
  diagnostics_channel.subscribe('http.server.response.finish', message => {
    sum.milliseconds += performance.now() - (started.get(requestOf(message)) ?? performance.now());
  });
  return sum;
}

/** Less than the second or two that the real one takes for a short answer. */
const LATENCY_MS = 500;
const MAX_OWN = 0.1;

async function ownShare(): Promise<void> {
  await withCases(manyFaults(40), async project => {
    const { dir } = project.repo;
    const log = join(dir, 'node_modules', 'linter-times');
    const program = join(dir, 'node_modules', '.bin', 'eslint');
    await rm(program);
    await writeFile(program, TIMED(log));
    await chmod(program, 0o755);
    await appendFile(log, '');
    const answers = timeAnswers();
    const { outcome, seconds } = await watch(project, LATENCY_MS);
    const times = (await readFile(log, 'utf8')).split('\n').filter(Boolean).map(Number);
    const linterMs = times.reduce((sum, each) => sum + each, 0) / 1e6;
    const modelMs = answers.milliseconds;
    const own = 1 - (linterMs + modelMs) / (seconds * 1000);
    console.log(
      `40 complaints, real processes: ${seconds.toFixed(1)} s, of which the linter ` +
        `${(linterMs / 1000).toFixed(1)} s in ${times.length} processes, the model ` +
        `${(modelMs / 1000).toFixed(1)} s in ${outcome.model.requests} requests; ours ${(own * 100).toFixed(1)} %`,
    );
    // Before, after, and one for each try.
    if (own > MAX_OWN || times.length > 40 + 2) process.exitCode = 1;
  });
}

if (process.argv[2] !== 'share') await thousand();
await ownShare();
