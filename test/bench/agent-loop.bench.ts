import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { contenderFile, FOLDER, OTHERS, OURS } from './agents/contender.js';
import { importTimes } from './agents/import-time.js';
import { type Entrant, report } from './agents/report.js';
import type { Score } from './agents/run-setting.js';
import { SETTINGS } from './agents/settings.js';

// Our agent loop and six others on the same tasks, against the same stand-in. Each contender has a
// process of its own, so that none pays for what another has loaded.

const scores: Score[] = [];
const leftOut: string[] = [];
const versions = new Map<string, string>([[OURS[0], version('package.json')]]);
const modules = new Map<string, readonly string[]>([[OURS[0], ownFiles()]]);

install();
for (const name of OURS) scores.push(...run(name));
for (const id of OTHERS) {
  try {
    const { name, packages, imports } = await contenderFile(id);
    scores.push(...run(id));
    const installed = packages.map(
      one => `${one} ${version(`${FOLDER}/node_modules/${one}/package.json`)}`,
    );
    versions.set(name, installed.join(', '));
    modules.set(name, imports);
  } catch (thrown) {
    const [reason = ''] = String(thrown).split('\n');
    // Where on this machine is nobody's business: the text is committed.
    leftOut.push(`${id}: ${reason.replace(/ imported from .*$/, '')}`);
  }
}
const times = importTimes(modules);
const entrants = [...versions].map(
  ([name, installed]): Entrant => ({ name, versions: installed, importMs: times.get(name) }),
);
const text = report({ entrants, scores, leftOut, node: process.versions.node });
writeFileSync(`${FOLDER}/RESULTS.md`, text);
console.log(text);
warnOfMisfits();
// Loading the contenders for their names may leave timers behind.
process.exit();

function install(): void {
  // npm writes it last: a folder without it was left half done.
  if (existsSync(`${FOLDER}/node_modules/.package-lock.json`)) return;
  console.log('installing what the loop is measured against');
  const args = ['ci', '--prefix', FOLDER, '--ignore-scripts', '--no-audit', '--no-fund'];
  const { status } = spawnSync('npm', args, { stdio: 'inherit' });
  if (status !== 0) console.log('npm ci failed: contenders that need packages are left out');
}

function run(name: string): Score[] {
  const started = performance.now();
  const program = fileURLToPath(new URL('agents/run-contender.js', import.meta.url));
  const { stdout, stderr, status } = spawnSync(process.execPath, [program, name], {
    encoding: 'utf8',
    maxBuffer: 1e8,
  });
  if (status !== 0) throw new Error(stderr.trim().split('\n').at(-1) ?? `status ${status}`);
  console.log(`${name}: ${((performance.now() - started) / 1000).toFixed(0)} s`);
  return stdout
    .split('\n')
    .filter(line => line.startsWith('{"contender"'))
    .map(line => JSON.parse(line));
}

/** What a conversation needs, `openai` included, which the adapter loads late. */
function ownFiles(): string[] {
  const files = [
    'agent/loop',
    'agent/registry',
    'agent/tools/read-file',
    'adapters/openai/openai-model',
  ];
  const urls = files.map(file => new URL(`../../src/${file}.js`, import.meta.url).href);
  return [...urls, pathToFileURL(resolve('node_modules/openai/index.mjs')).href];
}

function version(path: string): string {
  return JSON.parse(readFileSync(path, 'utf8')).version;
}

function warnOfMisfits(): void {
  for (const { contender, setting, completed, tasks, errors } of scores) {
    if (setting !== SETTINGS[0]?.name || completed === tasks) continue;
    console.log(`${contender} fails without any trouble: ${errors[0] ?? 'wrong answers'}`);
    process.exitCode = 1;
  }
}
